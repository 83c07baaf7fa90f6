/** Names that hosts have for the fields of a tool call; any of these says that a payload is about one. */
export const CALL_KEYS = ["tool_name", "toolName", "tool_input", "toolInput", "toolArgs"];
/** The same for the result of a call that has run. */
export const RESULT_KEYS = ["tool_response", "tool_result", "toolResult", "tool_output"];

/** A field's name as names are compared: `toolName`, `tool_name` and `Tool-Name` are "toolname". */
export const normalizeName = (name: string): string => name.replaceAll(/[-_. ]/g, "").toLowerCase();

/** The fields of every event, by which a call's own fields beside them are told. */
const BASE_FIELDS = {
  session_id: ["conversationid", "threadid", "taskid"],
  transcript_path: [],
  cwd: ["workingdirectory", "workdir", "workspaceroot", "projectdir", "projectroot", "workspacepath", "rootpath"],
  hook_event_name: ["eventname", "hookevent", "hookname", "event"],
  permission_mode: [],
  tool_name: ["tool"],
  tool_use_id: ["toolcallid", "callid"],
};
/** Normalized names that other programs have for a field, beside another spelling of its name. */
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
/** Normalized names of the tool in an object that holds a call: `{"function": {"name": …, "arguments": …}}`. */
export const NESTED_TOOL_NAMES = ["toolname", "tool", "name", "function"];
/** Normalized names of lists of the directories that a session is about. */
export const ROOT_LISTS = ["workspaceroots", "workspacefolders", "roots"];

/** What of a payload is unlike those of the host that the entry names. */
export interface PayloadDifference {
  /** For a message. */
  text: string;
  /** Nothing but that a field is missing: another release of the host itself may not have it. */
  isAbsence: boolean;
}
