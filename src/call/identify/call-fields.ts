/** Field names that hosts use for tool calls. A payload with any of them is about a tool call. */
export const CALL_KEYS = ["tool_name", "toolName", "tool_input", "toolInput", "toolArgs"];
/** Field names that hosts use for the result of a finished call. */
export const RESULT_KEYS = ["tool_response", "tool_result", "toolResult", "tool_output"];

/** Normalizes a field name for comparison: `toolName`, `tool_name` and `Tool-Name` all become "toolname". */
export const normalizeName = (name: string): string => name.replaceAll(/[-_. ]/g, "").toLowerCase();

/** Fields that every event has. They are never part of the call, even if they are next to its fields. */
const BASE_FIELDS = {
  session_id: ["conversationid", "threadid", "taskid"],
  transcript_path: [],
  cwd: ["workingdirectory", "workdir", "workspaceroot", "projectdir", "projectroot", "workspacepath", "rootpath"],
  hook_event_name: ["eventname", "hookevent", "hookname", "event"],
  permission_mode: [],
  tool_name: ["tool"],
  tool_use_id: ["toolcallid", "callid"],
};
/** Other programs' names for fields, normalized. */
export const FIELD_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ...BASE_FIELDS,
  tool_input: [
    ...["toolargs", "toolarguments", "toolparams", "toolparameters"],
    ...["arguments", "args", "input", "params", "parameters"],
  ],
  tool_response: ["toolresult", "tooloutput", "output", "result", "response"],
  prompt: ["userprompt", "usermessage", "prompttext", "message", "text"],
  error: ["errormessage"],
};
export const BASE_NAMES: readonly string[] = Object.entries(BASE_FIELDS).flatMap(([field, names]) => [
  normalizeName(field),
  ...names,
]);
/**
 * Normalized names for the field that holds the tool's name in a nested object, as in `{"function": {"name": …,
 * "arguments": …}}`.
 */
export const NESTED_TOOL_NAMES = ["toolname", "tool", "name", "function"];
/** Normalized names for the field that lists the session's directories. */
export const ROOT_LISTS = ["workspaceroots", "workspacefolders", "roots"];

/** How a payload differs from what the host named by the entry sends. */
export interface PayloadDifference {
  /** The difference, as described in messages. */
  text: string;
  /** Whether the difference is only a missing field, which may be normal for another version of the host. */
  isAbsence: boolean;
}
