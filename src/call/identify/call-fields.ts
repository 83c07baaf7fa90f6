/** Hosts' field names for tool calls. Any of these fields shows that a payload is about a tool call. */
export const CALL_KEYS = ["tool_name", "toolName", "tool_input", "toolInput", "toolArgs"];
/** Hosts' field names for the result of a finished call. */
export const RESULT_KEYS = ["tool_response", "tool_result", "toolResult", "tool_output"];

/** Normalizes a field's name for comparison: `toolName`, `tool_name` and `Tool-Name` become "toolname". */
export const normalizeName = (name: string): string => name.replaceAll(/[-_. ]/g, "").toLowerCase();

/** Fields of every event. These fields never belong to the call, even if they are next to the call's fields. */
const BASE_FIELDS = {
  session_id: ["conversationid", "threadid", "taskid"],
  transcript_path: [],
  cwd: ["workingdirectory", "workdir", "workspaceroot", "projectdir", "projectroot", "workspacepath", "rootpath"],
  hook_event_name: ["eventname", "hookevent", "hookname", "event"],
  permission_mode: [],
  tool_name: ["tool"],
  tool_use_id: ["toolcallid", "callid"],
};
/** Other names of fields in other programs' payloads, normalized. */
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
 * Normalized names of the field that contains the tool's name in a nested object: `{"function": {"name": …,
 * "arguments": …}}`.
 */
export const NESTED_TOOL_NAMES = ["toolname", "tool", "name", "function"];
/** Normalized names of the field that lists the session's directories. */
export const ROOT_LISTS = ["workspaceroots", "workspacefolders", "roots"];

/** A difference between a payload and the payloads of the host that the entry names. */
export interface PayloadDifference {
  /** Description of the difference in messages. */
  text: string;
  /** Whether a field is merely missing, as it may be in another version of the host. */
  isAbsence: boolean;
}
