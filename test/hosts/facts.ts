import type { AnyEvent, EventName } from "../../src/protocol/event.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import type { FileChange, Tool } from "../../src/protocol/tool.ts";

/** What tests that loop over all hosts have to be told about one of them: `test/hosts/<id>/facts.ts`. */
export interface HostFacts {
  /** A recorded call of its shell before it runs: the recording's name, the native event, and the tool's name. */
  shell: { file: string; event: string; tool: string };
  /** The fields that make another call of a recorded one. Default: `tool_name` and `tool_input`. */
  change?: (tool_name: unknown, input: unknown, recorded: Payload) => Payload;
  /** A call with as few fields as can be. Default: Claude Code's. */
  buildCall?: (tool_name: unknown, input: unknown) => Payload;
  /** The fields that make a payload one of another folder. Default: `cwd`. */
  at?: (folder: string) => Payload;
  /** What its entry adds to `--host`, if the recorded call does not tell its event. */
  flags?: readonly string[];
  /** A denial in its wire format, as text on stdout. Undefined: its exit code and stderr are the denial. */
  denial: (reason: string) => object | undefined;
  /** The exit code of a denial. Default 2. */
  denialCode?: number;
  /** What stderr says at a denial, which the host does not read. Default: the reason. */
  denialStderr?: RegExp;
  /** Its shell tool has a field for the folder; without one, the session's folder is that of the call. */
  hasShellFolder: boolean;
  /** What Stop tells of an agent that went on twice. Absent: nothing. */
  continuing?: boolean | number;
  /** The fields of session events that it has a word for; of the others it tells nothing. */
  keeps: Partial<Record<EventName, readonly string[]>>;
  /** Recordings whose tool is told by another name if the payload is not at hand. */
  renamed?: Readonly<Record<string, string>>;
  /**
   * The calls that its adapter decodes for a call from another host, if they differ from it. Empty: it has no such tool.
   */
  heard: Partial<Record<Tool, (input: any, event: AnyEvent) => readonly HeardCall[]>>;
  /** Answers of scripts that speak its words, and what they mean: at least six. */
  answers: readonly ScriptAnswer[];
  /** Responses that come back as something else, since the host's own form can't tell the two apart. */
  changed?: readonly [events: RegExp, given: IHookResponse, understood: IHookResponse, why: string][];
}

/** The document that stands on stdout, behind the mark by which a host finds it. */
export const parseStdout = (stdout: string): unknown =>
  JSON.parse(stdout.slice(Math.max(0, stdout.indexOf("{"))) || "null");

/** An answer, and the response that it means, or the words of the failure that it is. */
export type ScriptAnswer = readonly [
  native_event: string,
  stdout: string,
  stderr: string,
  exit_code: number,
  meaning: IHookResponse | string,
];

// Calls from elsewhere.

export const createEdit = (old_string: string, new_string: string) => ({ old_string, new_string });
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
/** The same, where an edit that replaces nothing creates the file. */
export const expectCreatingEdits = ({ files }: { files: readonly FileChange[] }): HeardCall[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }) => {
    const empty = { file_path, edits: [createEdit("", "")] };
    const one = (given: object): HeardCall => ["Edit", { files: [{ operation: "add", ...given }] }];
    if (operation === "add") return [one({ file_path, edits: [createEdit("", joinNewStrings(edits))] })];
    if (operation === "delete") return [one(empty)];
    const each = edits.map((edit) => one({ file_path, operation: edit.old_string ? "update" : "add", edits: [edit] }));
    return [...each, ...(moved_to ? [one({ ...empty, file_path: moved_to })] : [])];
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

// Answers in the formats that several hosts read, and responses.

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
