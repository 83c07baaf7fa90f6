import type { Payload } from "../../protocol/host/payload.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import { formatOutput } from "./wire.ts";

export const omitEmptyFields = (fields: IHookResponse): IHookResponse =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && (value !== "" || name === "modified_output"),
    ),
  );

/** Keeps only the session variables whose value is a string. */
export function extractSessionEnv(env: unknown): IHookResponse["session_env"] {
  const stringPairs = Object.entries(toObject(env)).filter(
    (pair): pair is [string, string] => typeof pair[1] === "string",
  );
  return stringPairs.length > 0 ? Object.fromEntries(stringPairs) : undefined;
}

/** Converts a modified result to text; returns the object unchanged if it has no known text format. */
export function extractModifiedOutput(output: unknown): IHookResponse["modified_output"] {
  if (output === undefined || output === null) return undefined;
  return isObject(output) && !Array.isArray(output.content) ? output : formatOutput(output);
}

export const toNonEmptyString = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() ? value.trim() : undefined;

/**
 * Returns the patch, in unified names, that turns the sent input into the answer's input. Fields without a unified name
 * keep their native names, and fields missing from the answer stay unchanged.
 * @param read converts native input to unified names.
 * @throws Error when the tool does not accept the new input.
 */
export function diffInput(
  sentInput: Payload,
  updatedInput: unknown,
  read: (input: Payload) => object,
): Payload | undefined {
  if (updatedInput === undefined || updatedInput === null) return undefined;
  if (!isObject(updatedInput))
    throw new Error("it returned an input that is not an object; return the fields of the tool's input");
  const originalInput = read(sentInput) as Payload;
  const updatedEntries = Object.entries(read({ ...sentInput, ...updatedInput }));
  const patch = Object.fromEntries(
    updatedEntries.filter(([name, value]) => value !== undefined && !Bun.deepEquals(value, originalInput[name])),
  );
  for (const name of Object.keys(updatedInput)) {
    if (Bun.deepEquals(updatedInput[name], sentInput[name])) continue;
    if (Bun.deepEquals(read({ ...sentInput, [name]: updatedInput[name] }), originalInput))
      patch[name] = updatedInput[name];
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/**
 * Translates a patch from native to unified field names. A null value removes a field. Fields without a unified name
 * keep their native names.
 * @throws Error when the tool does not accept the new input.
 */
export function translateNativePatch(sentInput: Payload, patch: Payload, read: (input: Payload) => object): Payload {
  const originalInput = read(sentInput) as Payload;
  const changedFields: Payload = {};
  for (const name in patch) {
    const changedInput = readChangedFields(sentInput, name, patch[name], read);
    const fields = new Set([...Object.keys(originalInput), ...Object.keys(changedInput)]);
    const changedNames = [...fields].filter((field) => !Bun.deepEquals(originalInput[field], changedInput[field]));
    for (const field of changedNames) changedFields[field] = changedInput[field] ?? null;
    if (changedNames.length === 0) changedFields[name] = patch[name];
  }
  return changedFields;
}

/**
 * Reads a native input after changing one field. If another native field maps to the same unified field and its value
 * conflicts with the change, the other field is dropped.
 */
function readChangedFields(
  sentInput: Payload,
  name: string,
  value: unknown,
  read: (input: Payload) => object,
): Payload {
  const { [name]: _, ...rest } = sentInput;
  const change = value === null ? {} : { [name]: value };
  try {
    return read({ ...rest, ...change }) as Payload;
  } catch (error) {
    for (const otherField in rest) {
      const { [otherField]: __, ...without } = rest;
      try {
        return read({ ...without, ...change }) as Payload;
      } catch {
        // Dropping this field doesn't resolve the conflict, so try the next one.
      }
    }
    throw error;
  }
}
