import * as v from "valibot";
import type { Payload, RewriteResult } from "../protocol/host/host.ts";
import type { FileChange } from "../protocol/tool.ts";

/**
 * Whether no host finds a document on stdout: with LD_SHOW_AUXV, which a project can set, glibc's loader prints before any program
 * there [seen glibc 2.36, 2026-11-22]. An exit code still denies.
 */
export const isStdoutPolluted = (): boolean => process.env.LD_SHOW_AUXV !== undefined;

const schemaCache = new Map<() => v.GenericSchema, v.GenericSchema>();

/**
 * The value in the schema's form. Schemas are functions: a call makes only the two or three that it needs, each once.
 * @throws Error naming the field that does not fit.
 */
export function parseWith<S extends v.GenericSchema>(schema: () => S, value: unknown, where: string): v.InferOutput<S> {
  let known = schemaCache.get(schema) as S | undefined;
  if (!known) schemaCache.set(schema, (known = schema()));
  const result = v.safeParse(known, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw createFieldError(where, v.getDotPath(issue) ?? "it", issue.input, issue.expected);
}

/** That a field is missing or of another kind; the kind alone: a value may be long, or secret. */
export const createFieldError = (where: string, field: string, value: unknown, expected: string | null): Error =>
  new Error(
    `${where}: ${value === undefined || value === null ? `${field} is missing` : `${field} is ${describeKind(value)}, not ${expected}`}`,
  );

const describeKind = (value: unknown) =>
  Array.isArray(value) ? "Array" : typeof value === "object" ? "Object" : typeof value;

/**
 * The input of a tool in the schema's form; without one, or with an empty text, that of an empty input.
 * @throws Error when it is not an object, or naming the field that does not fit.
 */
export function parseToolInput<S extends v.GenericSchema>(
  schema: () => S,
  input: unknown,
  where: string,
): v.InferOutput<S> {
  return parseWith(schema, requireObject(input, where), where);
}

/**
 * The input of a tool; without one, or with an empty text, an empty one.
 * @throws Error when it is not an object.
 */
export function requireObject(input: unknown, where: string): Payload {
  if (isEmptyInput(input)) return {};
  if (typeof input === "object" && !Array.isArray(input)) return input as Payload;
  throw createFieldError(where, "it", input, "Object");
}

// What a policy judges is never left out: it is of its type, or absent (null is), or the call fails and the failure policy answers.

export const createPolicyTextSchema = () => v.nullish(v.string(), () => undefined);

/**
 * The value of a field that a tool may have under several names; of a folder, with a separator at its end or without.
 * @throws Error where they differ: nobody knows which one counts, and none may hide another.
 */
export function requireOneValue(
  fields: Readonly<Record<string, string | undefined>>,
  where: string,
): string | undefined {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  const [[name, first] = ["", undefined], ...more] = said;
  const plain = (value = "") => (/[\\/]$/.test(value) ? value.slice(0, -1) : value);
  const other = more.find(([, value]) => plain(value) !== plain(first));
  if (other)
    throw new Error(
      `${where}: "${name}" and "${other[0]}" differ, and nobody knows which one counts; give one of them`,
    );
  return first;
}

/** A text for people or models that a tool may have under several names: all of it. */
export const joinUnique = (...said: (string | undefined)[]): string => [...new Set(said)].filter(Boolean).join("\n");

// Fields that only inform are lenient: a null, or a type of tomorrow, counts as absent and keeps no policy from its work.

export const createTextSchema = () => v.fallback(v.optional(v.string()), undefined);
export const createNumberSchema = () => v.fallback(v.optional(v.number()), undefined);
export const createFlagSchema = () => v.fallback(v.optional(v.boolean()), undefined);

/** The input of a tool that takes no argument; where inputs come as JSON in a text, it may be an empty one. */
const isEmptyInput = (value: unknown) => value === undefined || value === null || value === "";

/** The input of a tool that has no schema here: an object; anything else stands under `value`. */
export function toRecord(value: unknown): Payload {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  return isEmptyInput(value) ? {} : { value };
}

/**
 * The folder of a call, which its relative paths are judged from.
 * @throws Error when it is not a text.
 */
export function readCwd({ cwd }: Payload): string {
  if (typeof cwd === "string") return cwd;
  if (cwd === null || cwd === undefined) return "";
  throw new Error(`cwd is ${describeKind(cwd)}, not string`);
}

/** Fields that are required where they occur, and may be null: in a payload without an event name they tell which event it is. */
const IDENTIFYING_FIELDS: readonly string[] = ["params", "result", "changes"];

/** The payload without its top-level nulls: on every host null means absent. */
export function omitNulls(payload: Payload): Payload {
  let copy: Payload | undefined;
  for (const key in payload) {
    if (payload[key] !== null || IDENTIFYING_FIELDS.includes(key)) continue;
    copy ??= { ...payload };
    delete copy[key];
  }
  return copy ?? payload;
}

/** Those of the fields that are texts, for fields that only inform: what is not a text counts as absent. */
export function pickTexts<K extends string>(payload: Payload, keys: readonly K[]): { [key in K]?: string } {
  const found: { [key in K]?: string } = {};
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === "string") found[key] = value;
  }
  return found;
}

/** `mcp__<server>__<tool>` split; a known server name settles where the tool's name begins. */
export function parseMcpName(tool_name: string, server?: string): { server: string; tool: string } | undefined {
  if (!tool_name.startsWith("mcp__")) return undefined;
  const rest = tool_name.slice(5);
  if (server && rest.startsWith(`${server}__`)) return { server, tool: rest.slice(server.length + 2) };
  const at = rest.indexOf("__");
  return at > 0 ? { server: rest.slice(0, at), tool: rest.slice(at + 2) } : undefined;
}

/** A tool's result (or another list of blocks) as text: strings as they are, text blocks joined, anything else as JSON. */
export function formatOutput(raw: unknown): string {
  if (raw === undefined || raw === null) return "";
  if (typeof raw === "string") return raw;
  const content = Array.isArray(raw) ? raw : (raw as Payload).content;
  if (Array.isArray(content) && content.every((block) => typeof block?.text === "string")) {
    return content.map((block) => block.text).join("\n");
  }
  return JSON.stringify(raw);
}

/** The text of a new result, where the original would count if it had no words. */
export function formatNewResult(output: unknown): string | undefined {
  const text = output === undefined ? undefined : formatOutput(output);
  return text?.trim() === "" ? "[nothing]" : text;
}

/** One document on one line, or nothing when there is nothing to say. */
export function formatDocument(document: Payload): string {
  const said = Object.entries(document).filter(([, value]) => value !== undefined);
  return said.length > 0 ? JSON.stringify(Object.fromEntries(said)) : "";
}

/**
 * The native input under a patch in unified names; `names` maps the unified fields of the tool to the host's. A field that
 * the call has under its own name may change too. Anything else would be ignored, and the original run.
 */
export function patchInput(input: Payload, patch: Payload, names: Readonly<Record<string, string>>): RewriteResult {
  const changed: Payload = { ...input };
  for (const key in patch) {
    const name = Object.hasOwn(names, key) ? (names[key] as string) : key;
    if (name === key && !Object.hasOwn(names, key) && !Object.hasOwn(input, key)) {
      return {
        unsupported: `this call has no "${key}" (it has ${[...new Set([...Object.keys(names), ...Object.keys(input)])].join(", ")}); change one of these, or deny`,
      };
    }
    changed[name] = patch[key];
  }
  return { input: changed };
}

/** MCP arguments under a patch: they are replaced as a whole, and nothing else of the call can change. */
export function patchMcpArguments(patch: Payload): RewriteResult {
  const { arguments: input, ...rest } = patch;
  const wrong = typeof input !== "object" || input === null || Array.isArray(input) || Object.keys(rest).length > 0;
  return wrong
    ? { unsupported: 'of an MCP call only "arguments", an object, can be changed; change that, or deny' }
    : { input: input as Payload };
}

/** An edit under a patch, of a tool that makes one change in one file; without names it takes none from a hook. */
export function patchSingleEdit(
  input: Payload,
  patch: Payload,
  names: Readonly<Record<string, string>> | undefined,
  unsupported: string,
): RewriteResult {
  const files = parseEditFiles(patch);
  if ("unsupported" in files) return files;
  const [file, ...others] = files;
  const [edit, ...more] = file?.edits ?? [];
  if (!names || !file || !edit || others.length + more.length > 0 || file.operation !== "update")
    return { unsupported };
  return patchInput(
    input,
    { file_path: file.file_path, old_string: edit.old_string, new_string: edit.new_string },
    names,
  );
}

/** The files of a patch over an edit: they are replaced as a whole, and nothing else of the call can change beside them. */
export function parseEditFiles(patch: Payload): FileChange[] | { unsupported: string } {
  const { files, ...rest } = patch;
  const right = Array.isArray(files) && files.length > 0 && Object.keys(rest).length === 0;
  return right
    ? (files as FileChange[])
    : { unsupported: 'of an edit only "files", a list as in event.input, can be changed; change that, or deny' };
}
