import type { Payload } from "../../protocol/host/payload.ts";
import { toObject } from "../../protocol/object.ts";

/** The fields in which hosts send a call's input. */
const INPUT_FIELDS = ["tool_input", "toolArgs", "toolInput"];

/**
 * Replaces the subject of a recorded payload: a shell command, a file, a prompt, or an argument of an MCP tool. The
 * default subject is a command that does nothing.
 */
function replaceSubject(recorded: Payload, subject: string | undefined): Payload {
  const replaceField = (fields: Payload): Payload => {
    if (typeof fields.command === "string") return { ...fields, command: subject ?? "true" };
    const key = ["file_path", "prompt"].find((name) => typeof fields[name] === "string");
    return key && subject !== undefined ? { ...fields, [key]: subject } : fields;
  };
  const replaceToolInput = (input: unknown) => {
    if (typeof input !== "string") return replaceField(toObject(input));
    // An MCP call's arguments, as a JSON string.
    const given = toObject(JSON.parse(input));
    const name = Object.keys(given).find((key) => typeof given[key] === "string");
    return JSON.stringify(name && subject !== undefined ? { ...given, [name]: subject } : given);
  };
  const field = INPUT_FIELDS.find((name) => recorded[name] !== undefined);
  // An MCP call also names its server's command; its subject is in the arguments.
  return field ? { ...recorded, [field]: replaceToolInput(recorded[field]) } : replaceField(recorded);
}

type Recordings = Readonly<Record<string, Payload>>;

export const getRecordedPayload = (samples: Recordings, native_event: string): Payload | undefined =>
  Object.hasOwn(samples, native_event) ? samples[native_event] : undefined;

/** Returns the payload recorded for an event, with its subject replaced. */
export function getPayloadAbout(samples: Recordings, native_event: string, subject?: string): Payload | undefined {
  const recorded = getRecordedPayload(samples, native_event);
  return recorded && replaceSubject(recorded, subject);
}
