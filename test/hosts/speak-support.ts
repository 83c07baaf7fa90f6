import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import type { AnyEvent, EventName } from "../../src/protocol/event.ts";
import { type Host, type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import type { ScriptCodec } from "../../src/protocol/host/scripts.ts";
import type { FileChange, Tool } from "../../src/protocol/tool.ts";
import { fixtures } from "../support/fixtures.ts";
import { createEdit } from "./facts.ts";

export const speeches: Record<string, ScriptCodec> = {};
for (const host of hosts) speeches[host.id] = await host.loadScriptCodec();
export const getSpeech = (id: string) => speeches[id] as ScriptCodec;
export const getHost = (id: string) => hosts.find((host) => host.id === id) as Host;

/** Decodes a payload with its host's adapter, keeping the payload itself. */
export function decodeAsHost(host: Host, payload: Payload, native_event: string): AnyEvent {
  const { event } = host.decodePayload(omitNulls(payload), native_event, getCapabilityRow(host, native_event));
  event._native = payload;
  return event;
}

/** Returns the native event. If a recording's payload lacks an event name, the file is named after the event. */
export const getEventName = (file: string, { hook_event_name, event }: Payload) =>
  String(hook_event_name ?? event ?? /^(?:PascalCase-)?(\w+)/.exec(file)?.[1]);

export const recordedEvents = fixtures.map(({ host, version, file, payload }) => {
  const native_event = getEventName(file, payload);
  return {
    host,
    name: `${host.id} ${version} ${file}`,
    recording: `${version} ${file}`,
    native_event,
    payload,
    event: decodeAsHost(host, payload, native_event),
  };
});

/** Returns an event's fields without those that exist only in the payload. */
export const withoutNative = ({ _native, host_version, ...rest }: AnyEvent) =>
  JSON.parse(JSON.stringify(rest)) as Payload;

// A call from another host.

export const baseEvent = {
  host: "elsewhere",
  native_event: "elsewhere",
  session_id: "s-1",
  cwd: "/srv/it",
  _native: {},
};
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
/** Creates an event about a shell command or about the session. */
export function createEvent(event: EventName, more: object = {}): AnyEvent {
  const calls: EventName[] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];
  const call = { ...madeEvents[0], output: { text: "", raw: "" }, error: "e" };
  return { ...baseEvent, ...(calls.includes(event) ? call : SESSION_FIELDS), ...more, event } as unknown as AnyEvent;
}
