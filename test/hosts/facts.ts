import type { AnyEvent, EventName } from "../../src/protocol/event.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import type { FileChange, Tool } from "../../src/protocol/tool.ts";

/** Facts about each host, for tests that loop over all hosts: `test/hosts/<id>/facts.ts`. */
export interface HostFacts {
  /** A recorded shell call before it has run: the recording's name, the native event, and the tool's name. */
  shell: { file: string; event: string; tool: string };
  /** Returns the fields that turn a recorded call into another call. Defaults to `tool_name` and `tool_input`. */
  change?: (tool_name: unknown, input: unknown, recorded: Payload) => Payload;
  /** Builds a call with as few fields as possible. Defaults to one in Claude Code's format. */
  buildCall?: (tool_name: unknown, input: unknown) => Payload;
  /** Returns the fields that move a payload to another directory. Defaults to `cwd`. */
  at?: (folder: string) => Payload;
  /** Flags the entry needs in addition to `--host` if the recorded call doesn't name its event. */
  flags?: readonly string[];
  /** Returns the document that a denial prints to stdout. Undefined if the exit code and stderr make up the denial. */
  denial: (reason: string) => object | undefined;
  /** Exit code of a denial. Defaults to 2. */
  denialCode?: number;
  /** Matches the stderr of a denial if the host doesn't read it. Defaults to the reason. */
  denialStderr?: RegExp;
  /** Whether the shell tool has a field for the directory. If not, calls run in the session's directory. */
  hasShellFolder: boolean;
  /**
   * The value with which a Stop payload reports that the agent has continued twice. Absent if there's no such field.
   */
  continuing?: boolean | number;
  /** Session event fields with an equivalent on the host. It drops all others. */
  keeps: Partial<Record<EventName, readonly string[]>>;
  /** Recordings whose tool gets a different name if the payload isn't available. */
  renamed?: Readonly<Record<string, string>>;
  /**
   * How the host's adapter decodes another host's tool call, where the result differs from that call. An empty list
   * means the host doesn't have the tool.
   */
  heard: Partial<Record<Tool, (input: any, event: AnyEvent) => readonly HeardCall[]>>;
  /** At least six answers that scripts give in the host's own format, and what they mean. */
  answers: readonly ScriptAnswer[];
  /** Responses that the adapter decodes as a different one, because the host's format can't distinguish the two. */
  changed?: readonly [events: RegExp, given: IHookResponse, understood: IHookResponse, why: string][];
}

/** Parses the document on stdout, skipping the host's prefix. */
export const parseStdout = (stdout: string): unknown =>
  JSON.parse(stdout.slice(Math.max(0, stdout.indexOf("{"))) || "null");

/** A script's answer, with either the equivalent response or words from the failure message. */
export type ScriptAnswer = readonly [
  native_event: string,
  stdout: string,
  stderr: string,
  exit_code: number,
  meaning: IHookResponse | string,
];

// Calls decoded from another host's calls.

export const createEdit = (old_string: string, new_string: string) => ({ old_string, new_string });
export type HeardCall = readonly [tool: Tool, input: object];
export const pickFields = (input: Payload, ...names: string[]): Payload =>
  Object.fromEntries(names.filter((name) => name in input).map((name) => [name, input[name]]));
export const endLine = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
export const joinNewStrings = (edits: FileChange["edits"]) => edits.map(({ new_string }) => new_string).join("");
export const hasOnlyUpdates = (files: readonly FileChange[]) => files.every(({ operation }) => operation === "update");

/** Patches consist of whole lines. */
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
/** Returns one call per change. Deleting or moving a file is an edit of it. */
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
/** Returns one call per change. An edit that replaces nothing creates its file. */
export const expectCreatingEdits = ({ files }: { files: readonly FileChange[] }): HeardCall[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }) => {
    const empty = { file_path, edits: [createEdit("", "")] };
    const one = (given: object): HeardCall => ["Edit", { files: [{ operation: "add", ...given }] }];
    if (operation === "add") return [one({ file_path, edits: [createEdit("", joinNewStrings(edits))] })];
    if (operation === "delete") return [one(empty)];
    const each = edits.map((edit) => one({ file_path, operation: edit.old_string ? "update" : "add", edits: [edit] }));
    return [...each, ...(moved_to ? [one({ ...empty, file_path: moved_to })] : [])];
  });
/** Returns writes of whole files, to the extent that their contents are known. */
export const expectWholeFiles = (files: readonly FileChange[]): HeardCall[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }): HeardCall[] => {
    const gone: HeardCall = ["Edit", { files: [{ file_path, operation: "delete", edits: [] }] }];
    if (operation === "delete") return [gone];
    return [
      ["Write", { file_path: moved_to ?? file_path, content: joinNewStrings(edits) }],
      ...(operation === "move" ? [gone] : []),
    ];
  });
/** Returns every way to split a hyphenated name into server and tool. */
export function expectServers({ server, tool, arguments: args }: Payload): HeardCall[] {
  const words = String(tool).split("-");
  const named = (server: unknown, tool: unknown): HeardCall => ["MCP", { server, tool, arguments: args }];
  if (server !== undefined) return [named(server, tool)];
  if (words.length === 1) return [named("unknown", tool)];
  return words.slice(1).map((_, at) => named(words.slice(0, at + 1).join("-"), words.slice(at + 1).join("-")));
}

// Answers in formats shared by several hosts, and responses.

export const json = JSON.stringify;
export const specific = (fields: object, more: object = {}, hookEventName = "PreToolUse"): string =>
  json({ ...more, hookSpecificOutput: { hookEventName, ...fields } });
export const DENY = { permissionDecision: "deny", permissionDecisionReason: "R" };
export const deny = (reason: string, more: IHookResponse = {}): IHookResponse => ({
  decision: "deny",
  reason,
  ...more,
});
export const command = (command: string): IHookResponse => ({ modified_input: { command } });
export const UNREAD = "it printed text before its answer";
export const FULL: IHookResponse = { decision: "deny", reason: "R", user_message: "M", additional_context: "C" };
export const AFTER = "its result is written behind: nothing tells a denial from a context there";
export const ONE = "one text is all that it reads of a denial";
