import { isMcpName, MCP_PREFIX } from "../../protocol/concerns.ts";
import type { Payload } from "../../protocol/host/host.ts";

/**
 * What the fields of a payload have to be: `=text` is this very text, `^mcp__` the name of an MCP tool, `!json` this very value, and the others are types (`s`
 * text, `n` number, `b` boolean, `l` list of texts, `e` empty list, `x` any), with `?` before it where the field may be absent, and `:role` behind it where
 * hooks look at it.
 */
export interface FieldShapes {
  readonly [key: string]: string | ObjectShape;
}

/** Fields of an object, and the number of the list of further ones, which may be anything. */
export type ObjectShape = readonly [fields: FieldShapes, free: number];

/** A form of a host's payloads, in which nothing but these fields says what the call is. */
export interface CallShape {
  /** The unified tool. */
  tool?: string;
  /** The tool's name on this host. */
  tool_name?: string;
  /** The entry has to name this event. */
  named?: string;
  payload: ObjectShape;
}

/** What a field has to be that names an MCP tool. */
export const MCP_FIELD = `^${MCP_PREFIX}`;

/** The forms of a host's payloads at a native event. */
export interface EventShapes {
  /** The unified event. */
  event: string;
  shapes: readonly CallShape[];
}

/** What all forms of a host share. */
export interface HostTraits {
  /** What the host gets where no hook has an opinion. */
  neutralOutput: string;
  /** How the host names the folders that it works on. */
  roots: readonly [fields: readonly string[], variables: readonly string[]];
  /** Environment variables with which the payload may be another host's. */
  variables: readonly string[];
}

/** What a call says, as far as hooks look at it. */
export interface ReadCall {
  event: string;
  tool: string | undefined;
  /** The tool's name on the host. */
  toolName?: string | undefined;
  /** The session's folder. */
  cwd: string;
  /** The folders that the host names. */
  roots: readonly string[];
  command: string | undefined;
  /** The folder that the command runs in. */
  folder: string | undefined;
  paths: string[];
  contents: string[];
  /** All that the host sent. */
  payload: Payload;
}

/**
 * Reads a payload; undefined if it has none of these forms.
 * @param getFree finds a list of field names by its number: `|session_id|model|`.
 * @param named the event that the entry names.
 */
export function readPayload(
  { event, shapes }: EventShapes,
  payload: Payload,
  getFree: (list: number) => string,
  named?: string,
): ReadCall | undefined {
  for (const shape of shapes) {
    if (shape.named !== undefined && shape.named !== named) continue;
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
  let others: string | undefined;
  for (const key in payload) {
    const field = fields[key];
    // What every object has, `constructor`, is neither.
    if (typeof field !== "string" && !Array.isArray(field)) {
      others ??= getFree(free);
      if (!others.includes(`|${key}|`)) return false;
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

/** @param at where the letter of the field's type stands; roles may follow. */
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
      for (const one of value) if (typeof one !== "string") return false;
      return !hasRoles || (value.length > 0 && addValue(field.slice(at + 2), value[0], call));
    default:
      return true;
  }
}

/** Notes a value under its roles; false if another field has one of them. */
function addValue(roles: string, value: string, call: ReadCall): boolean {
  const at = roles.indexOf("+");
  if (at >= 0) return addValue(roles.slice(0, at), value, call) && addValue(roles.slice(at + 1), value, call);
  // What an empty text means is the adapter's affair.
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
