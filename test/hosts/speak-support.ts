import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import type { AnyEvent, EventName } from "../../src/protocol/event.ts";
import { type Host, type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import type { ScriptCodec } from "../../src/protocol/host/scripts.ts";
import type { FileChange, Tool } from "../../src/protocol/tool.ts";
import { fixtures } from "../support/fixtures.ts";

export const speeches: Record<string, ScriptCodec> = {};
for (const host of hosts) speeches[host.id] = await host.loadScriptCodec();
export const getSpeech = (id: string) => speeches[id] as ScriptCodec;
export const getHost = (id: string) => hosts.find((host) => host.id === id) as Host;

/** Decodes a payload with its host's adapter, and keeps the payload itself. */
export function decodeAsHost(host: Host, payload: Payload, native_event: string): AnyEvent {
  const { event } = host.decodePayload(omitNulls(payload), native_event, getCapabilityRow(host, native_event));
  event._native = payload;
  return event;
}

/** The event that the entry named: a payload without an event name was recorded under it. */
export const getEventName = (file: string, { hook_event_name, event }: Payload) =>
  String(hook_event_name ?? event ?? /^(?:PascalCase-)?(\w+)/.exec(file)?.[1]);

export const recordedEvents = fixtures.map(({ host, version, file, payload }) => {
  const native_event = getEventName(file, payload);
  return {
    host,
    name: `${host.id} ${version} ${file}`,
    native_event,
    payload,
    event: decodeAsHost(host, payload, native_event),
  };
});

/** The fields of an event, without those that only its payload has. */
export const withoutNative = ({ _native, host_version, ...rest }: AnyEvent) =>
  JSON.parse(JSON.stringify(rest)) as Payload;

// Calls from one host to another.

export const baseEvent = {
  host: "elsewhere",
  native_event: "elsewhere",
  session_id: "s-1",
  cwd: "/srv/it",
  _native: {},
};
export const createEdit = (old_string: string, new_string: string) => ({ old_string, new_string });
export const FILE_CHANGES: FileChange[] = [
  { file_path: "/srv/it/new.txt", operation: "add", edits: [createEdit("", "hello\n")] },
  {
    file_path: "/srv/it/a.txt",
    operation: "update",
    edits: [createEdit("one\n", "uno\n"), createEdit("two\n", "due\n")],
  },
  { file_path: "/srv/it/old.txt", operation: "move", moved_to: "/srv/it/moved.txt", edits: [createEdit("x\n", "y\n")] },
  { file_path: "/srv/it/gone.txt", operation: "delete", edits: [] },
];
export const TOOL_INPUTS: readonly [Tool, object][] = [
  ["Bash", { command: "rm -rf /" }],
  ["Bash", { command: 'a "b" $c', description: "d", cwd: "/srv/it/sub", timeout_ms: 3000, run_in_background: true }],
  ["Read", { file_path: "/etc/passwd" }],
  ["Read", { file_path: "/etc/passwd", offset: 10, limit: 5, content: "secret" }],
  ["Write", { file_path: "/srv/it/.env", content: "A=1" }],
  ["Edit", { files: [{ file_path: "/srv/it/a.txt", operation: "update", edits: [createEdit("one", "two")] }] }],
  ["Edit", { files: FILE_CHANGES }],
  ["Glob", { pattern: "*" }],
  ["Glob", { pattern: "**/*.ts", path: "src" }],
  ["Grep", { pattern: "x", path: "src", glob: "*.ts" }],
  ["WebFetch", { url: "https://example.com/a" }],
  ["WebFetch", { url: "https://example.com/a", prompt: "what is it?" }],
  ["WebSearch", { query: "q" }],
  ["Task", { prompt: "do it", description: "d", agent_type: "explore" }],
  ["MCP", { server: "memory", tool: "search", arguments: { q: "x" } }],
  ["MCP", { tool: "my-server-do-it", arguments: {} }],
  ["MCP", { tool: "search", arguments: { q: [1] } }],
  ["Other", { anything: [1, { a: null }] }],
];
export const madeEvents = TOOL_INPUTS.map(
  ([tool, input]) => ({ ...baseEvent, event: "PreToolUse", tool, tool_name: "AnyTool", input }) as AnyEvent,
);

export const SESSION_FIELDS = {
  source: "resume",
  reason: "logout",
  prompt: "say hi",
  attachments: ["/srv/it/a.txt"],
  last_message: "bye",
  continuations: 0,
  task: "look",
  agent_id: "a-1",
  agent_type: "explore",
  trigger: "manual",
  message: "look here",
  notification_type: "idle",
};
/** An event about a shell command, or about the session. */
export function createEvent(event: EventName, more: object = {}): AnyEvent {
  const calls: EventName[] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];
  const call = { ...madeEvents[0], output: { text: "", raw: "" }, error: "e" };
  return { ...baseEvent, ...(calls.includes(event) ? call : SESSION_FIELDS), ...more, event } as unknown as AnyEvent;
}

export type HeardCall = readonly [tool: Tool, input: object];
export const pickFields = (input: Payload, ...names: string[]): Payload =>
  Object.fromEntries(names.filter((name) => name in input).map((name) => [name, input[name]]));
export const endLine = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
export const joinNewStrings = (edits: FileChange["edits"]) => edits.map(({ new_string }) => new_string).join("");
export const hasOnlyUpdates = (files: readonly FileChange[]) => files.every(({ operation }) => operation === "update");

/** Patches only contain whole lines. */
export const expectPatch = (files: readonly FileChange[]): HeardCall[] => [
  [
    "Edit",
    {
      files: files.map((file) => ({
        ...file,
        edits: file.edits.map((edit) => ({
          ...edit,
          ...createEdit(endLine(edit.old_string), endLine(edit.new_string)),
        })),
      })),
    },
  ],
];
/** One call per change; a deletion or move is an edit of the file. */
export const expectChanges = (files: readonly FileChange[]): HeardCall[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }): HeardCall[] => {
    const one = (path: string, edit: object): HeardCall => [
      "Edit",
      { files: [{ file_path: path, operation: "update", edits: [edit] }] },
    ];
    if (operation === "add") return [["Write", { file_path, content: joinNewStrings(edits) }]];
    if (operation === "delete") return [one(file_path, createEdit("", ""))];
    const each = edits.map(({ old_string, new_string }) => one(file_path, createEdit(old_string, new_string)));
    return [...each, ...(moved_to ? [one(moved_to, createEdit("", ""))] : [])];
  });
/** Whole files, as far as their content is known. */
export const expectWholeFiles = (files: readonly FileChange[]): HeardCall[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }): HeardCall[] => {
    const gone: HeardCall = ["Edit", { files: [{ file_path, operation: "delete", edits: [] }] }];
    if (operation === "delete") return [gone];
    return [
      ["Write", { file_path: moved_to ?? file_path, content: joinNewStrings(edits) }],
      ...(operation === "move" ? [gone] : []),
    ];
  });
/** A name joined with hyphens can be split in several ways. */
export function expectServers({ server, tool, arguments: args }: Payload): HeardCall[] {
  const words = String(tool).split("-");
  const named = (server: unknown, tool: unknown): HeardCall => ["MCP", { server, tool, arguments: args }];
  if (server !== undefined) return [named(server, tool)];
  if (words.length === 1) return [named("unknown", tool)];
  return words.slice(1).map((_, at) => named(words.slice(0, at + 1).join("-"), words.slice(at + 1).join("-")));
}

/**
 * The calls that each host's adapter decodes for a call from another host, if they differ from it. Undefined: the host
 * does not have such a tool.
 */
export const EXPECTED_CALLS: Readonly<
  Record<string, Partial<Record<Tool, (input: any, event: AnyEvent) => readonly HeardCall[]>>>
> = {
  claude: {
    Bash: (input) => [["Bash", pickFields(input, "command", "description", "timeout_ms", "run_in_background")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => expectChanges(files),
    MCP: expectServers,
  },
  codex: {
    Bash: (input) => [["Bash", pickFields(input, "command", "description")]],
    Read: (input) => [["Read", pickFields(input, "file_path")]],
    Write: ({ file_path, content }) => expectPatch([{ file_path, operation: "add", edits: [createEdit("", content)] }]),
    Edit: ({ files }) => expectPatch(files),
    Task: (input) => [["Task", pickFields(input, "prompt", "agent_type")]],
    MCP: expectServers,
    Glob: () => [],
    Grep: () => [],
    WebFetch: () => [],
    WebSearch: () => [],
  },
  cursor: {
    Bash: (input, { cwd }) => [["Bash", { ...pickFields(input, "command", "timeout_ms"), cwd: input.cwd ?? cwd }]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => expectWholeFiles(files),
    Glob: (input, { cwd }) => [["Glob", input.pattern === "*" ? { pattern: "*", path: input.path ?? cwd } : input]],
    WebFetch: (input) => [["WebFetch", pickFields(input, "url")]],
    MCP: (input) => [["MCP", pickFields(input, "tool", "arguments")]],
  },
  gemini: {
    Bash: (input) => [["Bash", pickFields(input, "command", "description", "cwd", "run_in_background")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => expectChanges(files),
    WebFetch: ({ url, prompt = "" }) => [
      ["WebFetch", { url, prompt: prompt.includes(url) ? prompt : `${prompt} ${url}`.trim() }],
    ],
    Task: (input) => [["Task", pickFields(input, "prompt", "agent_type")]],
    MCP: expectServers,
  },
  copilot: {
    Bash: (input) => [["Bash", pickFields(input, "command", "description")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Write: (input, { event }) =>
      event === "PermissionRequest"
        ? expectPatch([{ file_path: input.file_path, operation: "add", edits: [createEdit("", input.content)] }])
        : [["Write", input]],
    Edit: ({ files }, { event }) =>
      event === "PermissionRequest"
        ? expectPatch(files)
        : hasOnlyUpdates(files)
          ? expectChanges(files)
          : expectPatch(files),
    MCP: ({ server, tool, arguments: args }, { event }) => {
      const joined = server === undefined ? (tool.includes("-") ? tool : `unknown-${tool}`) : `${server}-${tool}`;
      return [
        ["MCP", event === "PermissionRequest" ? { server, tool, arguments: args } : { tool: joined, arguments: args }],
      ];
    },
  },
  grok: {
    Bash: (input) => [["Bash", pickFields(input, "command", "description", "timeout_ms", "run_in_background")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    // An edit that replaces nothing creates the file.
    Edit: ({ files }: { files: FileChange[] }) =>
      files.flatMap((file) => {
        const { file_path, operation, moved_to, edits } = file;
        const empty = { file_path, edits: [createEdit("", "")] };
        const one = (given: object): HeardCall => ["Edit", { files: [{ operation: "add", ...given }] }];
        if (operation === "add") return [one({ file_path, edits: [createEdit("", joinNewStrings(edits))] })];
        if (operation === "delete") return [one(empty)];
        const each = edits.map((edit) =>
          one({ file_path, operation: edit.old_string ? "update" : "add", edits: [edit] }),
        );
        return [...each, ...(moved_to ? [one({ ...empty, file_path: moved_to })] : [])];
      }),
    Glob: ({ path }) => [["Glob", { pattern: "*", ...(path && { path }) }]],
    MCP: expectServers,
  },
  opencode: {
    Bash: (input) => [["Bash", pickFields(input, "command", "description", "cwd", "timeout_ms")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => (hasOnlyUpdates(files) ? expectChanges(files) : expectPatch(files)),
    WebFetch: (input) => [["WebFetch", pickFields(input, "url")]],
    MCP: expectServers,
  },
  openclaw: {
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: ({ files }: { files: FileChange[] }) =>
      hasOnlyUpdates(files) ? files.map((file) => ["Edit", { files: [file] }] as const) : expectPatch(files),
    WebFetch: (input) => [["WebFetch", pickFields(input, "url")]],
    MCP: expectServers,
    Glob: () => [],
    Grep: () => [],
  },
};
