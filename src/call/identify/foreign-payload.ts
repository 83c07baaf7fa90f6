import type { CapabilityRow } from "../../protocol/capability.ts";
import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import { formatOutput } from "../../hosts/codec/wire.ts";
import type { Host, Payload, ProcessInput } from "../../protocol/host/host.ts";
import type { PayloadProfile } from "../../protocol/host/payload.ts";
import { isObject, isStringList, parseJsonText } from "../../protocol/object.ts";
import {
  BASE_NAMES,
  FIELD_SYNONYMS,
  NESTED_TOOL_NAMES,
  normalizeName,
  type PayloadDifference,
  ROOT_LISTS,
} from "./call-fields.ts";
import { createCautiousRow } from "./cautious-row.ts";
import { hasUniqueTrait } from "./detect.ts";

// Reads payloads from programs that run another host's entries and send payloads much like that host's.

/** The payload, with the host's own field names. */
interface CompletedPayload {
  payload: Payload;
  /** Differences from the host's payloads. */
  differences: PayloadDifference[];
}

interface FoundCall {
  tool_name: string;
  tool_input: unknown;
  /** The payload fields that the call was read from. */
  keys: { tool_name: string; tool_input: string | undefined };
}

/** Maximum nesting depth of the object that contains a call. */
const MAX_DEPTH = 2;

/**
 * Completes a payload with the host's fields, which may be present under other names, spelled differently, or nested in
 * an object.
 * @param original the payload without null fields
 * @param entry_event the event named by the entry
 * @throws Error if the payload may contain more than one call
 */
export function completePayload(
  host: Host,
  { fields, eventFields }: PayloadProfile,
  original: Payload,
  entry_event: string | undefined,
): CompletedPayload {
  const payload = { ...original };
  const differences: PayloadDifference[] = [];
  const complete = (field: string) => {
    if (payload[field] !== undefined) return;
    const key = findKey(payload, field);
    const value = key === undefined ? undefined : payload[key];
    if (value !== undefined) payload[field] = value;
    differences.push(describeDifference(field, key));
  };
  const resemblesHost = fields.every((field) => payload[field] !== undefined);
  for (const field of fields) complete(field);
  if (payload.cwd === undefined) Object.assign(payload, findOnlyRoot(payload));
  const { hook_event_name } = payload;
  const isKnown = (name: string | undefined) => name !== undefined && Object.hasOwn(host.capabilities, name);
  const name = isKnown(entry_event) ? undefined : findEventName(host, hook_event_name);
  if (name !== undefined && name !== hook_event_name) {
    differences.push({ text: `the event "${String(hook_event_name)}" (evaluated as ${name})`, isAbsence: false });
    payload.hook_event_name = name;
  }
  const event = [host.getEventName(payload, entry_event), entry_event].find(isKnown);
  const knownFields = event === undefined ? undefined : (eventFields[event] ?? []);
  if (knownFields?.includes("tool_input") ?? !resemblesHost) differences.push(...addCall(payload));
  for (const field of knownFields ?? []) complete(field);
  // A prompt may be a list of blocks.
  if (knownFields?.includes("prompt") && Array.isArray(payload.prompt)) payload.prompt = formatOutput(payload.prompt);
  return { payload, differences };
}

const describeDifference = (field: string, key: string | undefined): PayloadDifference => ({
  text: key === undefined ? `no "${field}"` : `"${key}" instead of "${field}"`,
  isAbsence: key === undefined,
});

/** Finds the key a payload uses for a field: the field's own name, another spelling, or a synonym. */
function findKey(payload: Payload, field: string): string | undefined {
  const keys = Object.keys(payload).map((key) => [key, normalizeName(key)] as const);
  for (const name of [normalizeName(field), ...(FIELD_SYNONYMS[field] ?? [])])
    for (const [key, normalized] of keys) if (normalized === name) return key;
  return undefined;
}

/** Returns the session's directory if the payload lists exactly one. */
function findOnlyRoot(payload: Payload): { cwd?: string } {
  for (const [key, value] of Object.entries(payload))
    if (ROOT_LISTS.includes(normalizeName(key)) && isStringList(value) && value.length === 1)
      return { cwd: value[0] as string };
  return {};
}

/** Finds the host's event name for a different spelling, such as `pre_tool_use` or `preToolUse`. */
const findEventName = (host: Host, name: unknown): string | undefined =>
  typeof name === "string"
    ? Object.keys(host.capabilities).find((knownEvent) => normalizeName(knownEvent) === normalizeName(name))
    : undefined;

/**
 * Adds a payload's call. Its fields may have other names, be nested in an object, or be next to the event's fields.
 * @returns the differences
 */
function addCall(payload: Payload): PayloadDifference[] {
  const fields = (["tool_name", "tool_input"] as const).filter((field) => payload[field] === undefined);
  if (fields.length === 0) return [];
  const calls = findCalls(payload);
  // The call may appear twice, once with lists encoded as JSON strings. Prefer the other copy.
  const call = calls.find(({ tool_input }) => Bun.deepEquals(parseEncodedLists(tool_input), tool_input)) ?? calls[0];
  if (!call) return [];
  const isSame = (otherCall: FoundCall) =>
    otherCall.tool_name === call.tool_name &&
    Bun.deepEquals(parseEncodedLists(otherCall.tool_input), parseEncodedLists(call.tool_input));
  if (!calls.every(isSame)) throw new Error("stdin contains several tool calls; send one call at a time");
  return fields.map((field) => {
    payload[field] = call[field];
    return describeDifference(field, call.keys[field]);
  });
}

/** Parses any objects and lists in a value that are encoded as JSON strings. */
function parseEncodedLists(value: unknown): unknown {
  const parsedValue = parseJsonText(value);
  if (Array.isArray(parsedValue)) return parsedValue.map(parseEncodedLists);
  return isObject(parsedValue)
    ? Object.fromEntries(Object.entries(parsedValue).map(([key, inner]) => [key, parseEncodedLists(inner)]))
    : parsedValue;
}

function findCalls(payload: Payload): FoundCall[] {
  const keys = { tool_name: findKey(payload, "tool_name"), tool_input: findKey(payload, "tool_input") };
  const name = keys.tool_name === undefined ? undefined : payload[keys.tool_name];
  if (keys.tool_name === undefined || typeof name !== "string") return findNestedCalls(payload, "", 0);
  // Any field that doesn't belong to the event may be part of the call's input.
  const remainingFields = Object.entries(payload).filter(([key]) => !BASE_NAMES.includes(normalizeName(key)));
  const tool_input = keys.tool_input === undefined ? Object.fromEntries(remainingFields) : payload[keys.tool_input];
  return [{ tool_name: name, tool_input, keys: { ...keys, tool_name: keys.tool_name } }];
}

/** Finds calls, which consist of a tool name and an input, in a payload's objects. */
function findNestedCalls(value: Payload, path: string, depth: number): FoundCall[] {
  const tool = Object.keys(value).find(
    (key) => NESTED_TOOL_NAMES.includes(normalizeName(key)) && typeof value[key] === "string",
  );
  const input = findKey(value, "tool_input");
  if (tool !== undefined && input !== undefined) {
    const keys = { tool_name: path + tool, tool_input: path + input };
    return [{ tool_name: value[tool] as string, tool_input: value[input], keys }];
  }
  if (depth === MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    (Array.isArray(inner) ? inner : [inner]).flatMap((item: unknown) =>
      isObject(item) ? findNestedCalls(item, `${path}${key}.`, depth + 1) : [],
    ),
  );
}

/** A call with a decoded payload. */
interface JudgedPayload {
  event: AnyEvent;
  host: Host;
  row: CapabilityRow;
  payload: Payload;
  runtime: Pick<ProcessInput, "env">;
  differences?: readonly PayloadDifference[] | undefined;
}

/**
 * Adds the differences between a call and those of the host. If the payload lacks the host's sign, another program may
 * have sent it, and that program may run calls that the host would ask about or change.
 */
export function addDifferences<Call extends JudgedPayload>(call: Call, profile: PayloadProfile): Call {
  const { event, host, row, payload, runtime } = call;
  const differences = [...(call.differences ?? [])];
  if (isToolCallEvent(event)) {
    const { tool_name, guessed } = event;
    const fields = profile.listInputFields(tool_name);
    const isUnknownTool = !profile.mayNameTool(tool_name);
    const text = isUnknownTool ? `a tool "${tool_name.slice(0, MAX_NAME_LENGTH)}"` : undefined;
    const difference = guessed && fields ? describeInput(tool_name, payload.tool_input, fields) : text;
    if (difference !== undefined) differences.push({ text: difference, isAbsence: false });
  }
  // If the only differences are missing fields, a user may have written the payload.
  if (differences.every(({ isAbsence }) => isAbsence)) return { ...call, differences: undefined };
  if (hasUniqueTrait(host, payload, runtime)) return { ...call, differences };
  const start = `the payload doesn't look like one from ${host.name}, and the program that sent it`;
  const doubt = {
    call: `${start} may not support that answer`,
    result: `${start} may show the model the original result`,
  };
  return { ...call, differences, row: createCautiousRow(row, doubt) };
}

const MAX_NAME_LENGTH = 40;
const MAX_FIELDS = 4;

/** Lists unknown fields in a tool's input. */
function describeInput(tool_name: string, input: unknown, knownFields: readonly string[]): string {
  if (!isObject(input)) return `input for ${tool_name} that is not an object`;
  const unknownFields = Object.keys(input).filter((key) => !knownFields.includes(key));
  const quotedFields = unknownFields.slice(0, MAX_FIELDS).map((key) => `"${key.slice(0, MAX_NAME_LENGTH)}"`);
  return `${quotedFields.join(", ") || "no known field"} in the input for ${tool_name}`;
}
