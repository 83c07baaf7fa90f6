import { isMcpName, MCP_PREFIX } from "../../protocol/concerns.ts";
import type { Payload } from "../../protocol/host/host.ts";

/**
 * Expected field values in a payload. `=text` stands for exactly this string, `!json` for exactly this JSON value, and
 * `^mcp__` for an MCP tool's name. Any other value is a type: `s` string, `n` number, `b` boolean, `l` list of strings,
 * `e` empty list, `x` any. If the field is optional, the type has a `?` prefix. If hooks read the field, it has a
 * `:role` suffix.
 */
export interface FieldShapes {
  readonly [key: string]: string | ObjectShape;
}

/** An object's fields, and the number of a list of additional fields, which may be present with any value. */
export type ObjectShape = readonly [fields: FieldShapes, free: number];

/** The shape of one of a host's payloads. Only these fields describe the call. */
export interface CallShape {
  /** The unified tool. */
  tool?: string;
  /** The host's own name for the tool. */
  tool_name?: string;
  /** The event that the entry must name. */
  named?: string;
  payload: ObjectShape;
}

/** Expected value for a field that names an MCP tool. */
export const MCP_FIELD = `^${MCP_PREFIX}`;

/** A host's payload shapes for one native event. */
export interface EventShapes {
  /** The unified event. */
  event: string;
  shapes: readonly CallShape[];
}

/** Data shared by all of a host's shapes. */
export interface HostTraits {
  /** The host's output when hooks have no opinion. */
  neutralOutput: string;
  /** The field that lists the host's open directories. */
  roots: readonly [fields: readonly string[], variables: readonly string[]];
  /** Environment variables that indicate a payload from another host. */
  variables: readonly string[];
}

/** The parts of a call that hooks may read. */
export interface ReadCall {
  event: string;
  tool: string | undefined;
  /** The host's own name for the tool. */
  toolName?: string | undefined;
  /** The session's directory. */
  cwd: string;
  /** The directories that are open in the host. */
  roots: readonly string[];
  command: string | undefined;
  /** The directory in which the command runs. */
  folder: string | undefined;
  paths: string[];
  contents: string[];
  payload: Payload;
}

/**
 * Reads a payload. Returns undefined if it has none of these shapes.
 * @param getFree returns the list of field names with a given number, such as `|session_id|model|`
 * @param entryEvent the event named by the entry
 */
export function readPayload(
  { event, shapes }: EventShapes,
  payload: Payload,
  getFree: (list: number) => string,
  entryEvent?: string,
): ReadCall | undefined {
  for (const shape of shapes) {
    if (shape.named !== undefined && shape.named !== entryEvent) continue;
    const { tool } = shape;
    const call: ReadCall = {
      event,
      tool,
      toolName: shape.tool_name,
      cwd: "",
      roots: [],
      command: undefined,
      folder: undefined,
      paths: [],
      contents: [],
      payload,
    };
    if (readFields(shape.payload, payload, call, getFree)) return call;
  }
  return undefined;
}

function readFields(
  [fields, free]: ObjectShape,
  payload: Payload,
  call: ReadCall,
  getFree: (list: number) => string,
): boolean {
  let freeFields: string | undefined;
  for (const key in payload) {
    const field = fields[key];
    // Keys that every object inherits, such as `constructor`, are neither expected nor additional fields.
    if (typeof field !== "string" && !Array.isArray(field)) {
      freeFields ??= getFree(free);
      if (!freeFields.includes(`|${key}|`)) return false;
    } else if (!readField(field as string | ObjectShape, payload[key], call, getFree)) return false;
  }
  for (const key in fields) {
    const field = fields[key] as string | ObjectShape;
    if (payload[key] === undefined && !(typeof field === "string" && field.startsWith("?"))) return false;
  }
  return true;
}

function readField(
  field: string | ObjectShape,
  value: unknown,
  call: ReadCall,
  getFree: (list: number) => string,
): boolean {
  if (typeof field !== "string")
    return (
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      readFields(field, value as Payload, call, getFree)
    );
  if (field.startsWith("=")) return value === field.slice(1);
  if (field === MCP_FIELD) return typeof value === "string" && isMcpName(value);
  if (field.startsWith("!")) return field === `!${JSON.stringify(value)}`;
  return value !== null && readPlainField(field, field.startsWith("?") ? 1 : 0, value, call);
}

/**
 * Reads a field with a plain type.
 * @param at position of the type's letter in `field`; roles may follow
 */
function readPlainField(field: string, at: number, value: unknown, call: ReadCall): boolean {
  const hasRoles = field.length > at + 1;
  switch (field[at]) {
    case "s":
      return typeof value === "string" && (!hasRoles || addValue(field.slice(at + 2), value, call));
    case "n":
      return typeof value === "number";
    case "b":
      return typeof value === "boolean";
    case "e":
      return Array.isArray(value) && value.length === 0;
    case "l":
      if (!Array.isArray(value)) return false;
      for (const item of value) if (typeof item !== "string") return false;
      return !hasRoles || (value.length > 0 && addValue(field.slice(at + 2), value[0], call));
    default:
      return true;
  }
}

/** Stores a value in each of its roles. Returns false if a role is already taken by another field. */
function addValue(roles: string, value: string, call: ReadCall): boolean {
  const at = roles.indexOf("+");
  if (at >= 0) return addValue(roles.slice(0, at), value, call) && addValue(roles.slice(at + 1), value, call);
  // It is up to the adapter what an empty string means.
  if (value === "" && roles !== "content") return false;
  switch (roles) {
    case "cwd":
      call.cwd = value;
      return true;
    case "command":
      if (call.command !== undefined) return false;
      call.command = value;
      return true;
    case "folder":
      if (call.folder !== undefined) return false;
      call.folder = value;
      return true;
    case "path":
      call.paths.push(value);
      return true;
    default:
      call.contents.push(value);
      return true;
  }
}
