import { hosts } from "../../src/hosts/index.ts";
import { withoutNulls } from "../../src/hosts/wire.ts";
import type { AnyEvent, EventName } from "../../src/protocol/event.ts";
import { type Host, type Payload, rowOf } from "../../src/protocol/host/host.ts";
import type { Speech } from "../../src/protocol/host/scripts.ts";
import type { FileChange, Tool } from "../../src/protocol/tool.ts";
import { fixtures } from "../support/fixtures.ts";

export const speeches: Record<string, Speech> = {};
for (const host of hosts) speeches[host.id] = await host.speech();
export const speechOf = (id: string) => speeches[id] as Speech;
export const hostOf = (id: string) => hosts.find((host) => host.id === id) as Host;

/** A payload as its host's adapter reads it, with the payload as it came. */
export function hear(host: Host, payload: Payload, native_event: string): AnyEvent {
  const { event } = host.decode(withoutNulls(payload), native_event, rowOf(host, native_event));
  event._native = payload;
  return event;
}

/** The event that the entry named: a payload that says none was recorded under its name. */
export const nameOf = (file: string, { hook_event_name, event }: Payload) =>
  String(hook_event_name ?? event ?? /^(?:PascalCase-)?(\w+)/.exec(file)?.[1]);

export const recorded = fixtures.map(({ host, version, file, payload }) => {
  const native_event = nameOf(file, payload);
  return {
    host,
    name: `${host.id} ${version} ${file}`,
    native_event,
    payload,
    event: hear(host, payload, native_event),
  };
});

/** What an event says, without what its payload alone says. */
export const plain = ({ _native, host_version, ...rest }: AnyEvent) => JSON.parse(JSON.stringify(rest)) as Payload;

// From host to host.

export const base = { host: "elsewhere", native_event: "elsewhere", session_id: "s-1", cwd: "/srv/it", _native: {} };
export const change = (old_string: string, new_string: string) => ({ old_string, new_string });
export const FILES: FileChange[] = [
  { file_path: "/srv/it/new.txt", operation: "add", edits: [change("", "hello\n")] },
  { file_path: "/srv/it/a.txt", operation: "update", edits: [change("one\n", "uno\n"), change("two\n", "due\n")] },
  { file_path: "/srv/it/old.txt", operation: "move", moved_to: "/srv/it/moved.txt", edits: [change("x\n", "y\n")] },
  { file_path: "/srv/it/gone.txt", operation: "delete", edits: [] },
];
export const INPUTS: readonly [Tool, object][] = [
  ["Bash", { command: "rm -rf /" }],
  ["Bash", { command: 'a "b" $c', description: "d", cwd: "/srv/it/sub", timeout_ms: 3000, run_in_background: true }],
  ["Read", { file_path: "/etc/passwd" }],
  ["Read", { file_path: "/etc/passwd", offset: 10, limit: 5, content: "secret" }],
  ["Write", { file_path: "/srv/it/.env", content: "A=1" }],
  ["Edit", { files: [{ file_path: "/srv/it/a.txt", operation: "update", edits: [change("one", "two")] }] }],
  ["Edit", { files: FILES }],
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
export const made = INPUTS.map(
  ([tool, input]) => ({ ...base, event: "PreToolUse", tool, tool_name: "AnyTool", input }) as AnyEvent,
);

export const FIELDS = {
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
/** An event of a kind: about a shell command, or of the session. */
export function anEvent(event: EventName, more: object = {}): AnyEvent {
  const calls: EventName[] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];
  const call = { ...made[0], output: { text: "", raw: "" }, error: "e" };
  return { ...base, ...(calls.includes(event) ? call : FIELDS), ...more, event } as unknown as AnyEvent;
}

export type Heard = readonly [tool: Tool, input: object];
export const only = (input: Payload, ...names: string[]): Payload =>
  Object.fromEntries(names.filter((name) => name in input).map((name) => [name, input[name]]));
export const byLine = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
export const all = (edits: FileChange["edits"]) => edits.map(({ new_string }) => new_string).join("");
export const onlyUpdates = (files: readonly FileChange[]) => files.every(({ operation }) => operation === "update");

/** A patch knows lines alone. */
export const patch = (files: readonly FileChange[]): Heard[] => [
  [
    "Edit",
    {
      files: files.map((file) => ({
        ...file,
        edits: file.edits.map((edit) => ({ ...edit, ...change(byLine(edit.old_string), byLine(edit.new_string)) })),
      })),
    },
  ],
];
/** One call a change; who deletes or moves touches the file. */
export const changes = (files: readonly FileChange[]): Heard[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }): Heard[] => {
    const one = (path: string, edit: object): Heard => [
      "Edit",
      { files: [{ file_path: path, operation: "update", edits: [edit] }] },
    ];
    if (operation === "add") return [["Write", { file_path, content: all(edits) }]];
    if (operation === "delete") return [one(file_path, change("", ""))];
    const each = edits.map(({ old_string, new_string }) => one(file_path, change(old_string, new_string)));
    return [...each, ...(moved_to ? [one(moved_to, change("", ""))] : [])];
  });
/** Whole files, as far as they are known. */
export const wholes = (files: readonly FileChange[]): Heard[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }): Heard[] => {
    const gone: Heard = ["Edit", { files: [{ file_path, operation: "delete", edits: [] }] }];
    if (operation === "delete") return [gone];
    return [
      ["Write", { file_path: moved_to ?? file_path, content: all(edits) }],
      ...(operation === "move" ? [gone] : []),
    ];
  });
/** A name that is joined by hyphens is read in every way. */
export function servers({ server, tool, arguments: args }: Payload): Heard[] {
  const words = String(tool).split("-");
  const named = (server: unknown, tool: unknown): Heard => ["MCP", { server, tool, arguments: args }];
  if (server !== undefined) return [named(server, tool)];
  if (words.length === 1) return [named("unknown", tool)];
  return words.slice(1).map((_, at) => named(words.slice(0, at + 1).join("-"), words.slice(at + 1).join("-")));
}

/** What each host's adapter hears of a call from elsewhere, where it is not the call itself. Nothing: the host has no such tool. */
export const HEARD: Readonly<Record<string, Partial<Record<Tool, (input: any, event: AnyEvent) => readonly Heard[]>>>> =
  {
    claude: {
      Bash: (input) => [["Bash", only(input, "command", "description", "timeout_ms", "run_in_background")]],
      Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
      Edit: ({ files }) => changes(files),
      MCP: servers,
    },
    codex: {
      Bash: (input) => [["Bash", only(input, "command", "description")]],
      Read: (input) => [["Read", only(input, "file_path")]],
      Write: ({ file_path, content }) => patch([{ file_path, operation: "add", edits: [change("", content)] }]),
      Edit: ({ files }) => patch(files),
      Task: (input) => [["Task", only(input, "prompt", "agent_type")]],
      MCP: servers,
      Glob: () => [],
      Grep: () => [],
      WebFetch: () => [],
      WebSearch: () => [],
    },
    cursor: {
      Bash: (input, { cwd }) => [["Bash", { ...only(input, "command", "timeout_ms"), cwd: input.cwd ?? cwd }]],
      Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
      Edit: ({ files }) => wholes(files),
      Glob: (input, { cwd }) => [["Glob", input.pattern === "*" ? { pattern: "*", path: input.path ?? cwd } : input]],
      WebFetch: (input) => [["WebFetch", only(input, "url")]],
      MCP: (input) => [["MCP", only(input, "tool", "arguments")]],
    },
    gemini: {
      Bash: (input) => [["Bash", only(input, "command", "description", "cwd", "run_in_background")]],
      Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
      Edit: ({ files }) => changes(files),
      WebFetch: ({ url, prompt = "" }) => [
        ["WebFetch", { url, prompt: prompt.includes(url) ? prompt : `${prompt} ${url}`.trim() }],
      ],
      Task: (input) => [["Task", only(input, "prompt", "agent_type")]],
      MCP: servers,
    },
    copilot: {
      Bash: (input) => [["Bash", only(input, "command", "description")]],
      Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
      Write: (input, { event }) =>
        event === "PermissionRequest"
          ? patch([{ file_path: input.file_path, operation: "add", edits: [change("", input.content)] }])
          : [["Write", input]],
      Edit: ({ files }, { event }) =>
        event === "PermissionRequest" ? patch(files) : onlyUpdates(files) ? changes(files) : patch(files),
      MCP: ({ server, tool, arguments: args }, { event }) => {
        const joined = server === undefined ? (tool.includes("-") ? tool : `unknown-${tool}`) : `${server}-${tool}`;
        return [
          [
            "MCP",
            event === "PermissionRequest" ? { server, tool, arguments: args } : { tool: joined, arguments: args },
          ],
        ];
      },
    },
    opencode: {
      Bash: (input) => [["Bash", only(input, "command", "description", "cwd", "timeout_ms")]],
      Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
      Edit: ({ files }) => (onlyUpdates(files) ? changes(files) : patch(files)),
      WebFetch: (input) => [["WebFetch", only(input, "url")]],
      MCP: servers,
    },
    openclaw: {
      Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
      Edit: ({ files }: { files: FileChange[] }) =>
        onlyUpdates(files) ? files.map((file) => ["Edit", { files: [file] }] as const) : patch(files),
      WebFetch: (input) => [["WebFetch", only(input, "url")]],
      MCP: servers,
      Glob: () => [],
      Grep: () => [],
    },
  };
