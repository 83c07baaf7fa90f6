import * as v from "valibot";
import type { Payload, Rewritten } from "../protocol/host/host.ts";
import type { FileChange } from "../protocol/tool.ts";

/**
 * Whether no host finds a document on stdout: with LD_SHOW_AUXV, which a project can set, glibc's loader prints before any program
 * there [seen glibc 2.36, 2026-11-22]. An exit code still denies.
 */
export const isSoiled = (): boolean => process.env.LD_SHOW_AUXV !== undefined;

const made = new Map<() => v.GenericSchema, v.GenericSchema>();

/**
 * The value in the schema's form. Schemas are functions: a call makes only the two or three that it needs, each once.
 * @throws Error naming the field that does not fit.
 */
export function checked<S extends v.GenericSchema>(schema: () => S, value: unknown, where: string): v.InferOutput<S> {
  let known = made.get(schema) as S | undefined;
  if (!known) made.set(schema, (known = schema()));
  const result = v.safeParse(known, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw misfit(where, v.getDotPath(issue) ?? "it", issue.input, issue.expected);
}

/** That a field is missing or of another kind; the kind alone: a value may be long, or secret. */
export const misfit = (where: string, field: string, value: unknown, expected: string | null): Error =>
  new Error(
    `${where}: ${value === undefined || value === null ? `${field} is missing` : `${field} is ${kindOf(value)}, not ${expected}`}`,
  );

const kindOf = (value: unknown) =>
  Array.isArray(value) ? "Array" : typeof value === "object" ? "Object" : typeof value;

/**
 * The input of a tool in the schema's form; without one, or with an empty text, that of an empty input.
 * @throws Error when it is not an object, or naming the field that does not fit.
 */
export function checkedInput<S extends v.GenericSchema>(
  schema: () => S,
  input: unknown,
  where: string,
): v.InferOutput<S> {
  return checked(schema, objectOf(input, where), where);
}

/**
 * The input of a tool; without one, or with an empty text, an empty one.
 * @throws Error when it is not an object.
 */
export function objectOf(input: unknown, where: string): Payload {
  if (isNothing(input)) return {};
  if (typeof input === "object" && !Array.isArray(input)) return input as Payload;
  throw misfit(where, "it", input, "Object");
}

// What a policy judges is never left out: it is of its type, or absent (null is), or the call fails and the failure policy answers.

export const policyText = () => v.nullish(v.string(), () => undefined);

/**
 * The value of a field that a tool may have under several names; of a folder, with a separator at its end or without.
 * @throws Error where they differ: nobody knows which one counts, and none may hide another.
 */
export function oneOf(fields: Readonly<Record<string, string | undefined>>, where: string): string | undefined {
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
export const joined = (...said: (string | undefined)[]): string => [...new Set(said)].filter(Boolean).join("\n");

// Fields that only inform are lenient: a null, or a type of tomorrow, counts as absent and keeps no policy from its work.

export const text = () => v.fallback(v.optional(v.string()), undefined);
export const number = () => v.fallback(v.optional(v.number()), undefined);
export const flag = () => v.fallback(v.optional(v.boolean()), undefined);

/** The input of a tool that takes no argument; where inputs come as JSON in a text, it may be an empty one. */
const isNothing = (value: unknown) => value === undefined || value === null || value === "";

/** The input of a tool that has no schema here: an object; anything else stands under `value`. */
export function recordOf(value: unknown): Payload {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  return isNothing(value) ? {} : { value };
}

/**
 * The folder of a call, which its relative paths are judged from.
 * @throws Error when it is not a text.
 */
export function cwdOf({ cwd }: Payload): string {
  if (typeof cwd === "string") return cwd;
  if (cwd === null || cwd === undefined) return "";
  throw new Error(`cwd is ${kindOf(cwd)}, not string`);
}

/** Fields that are required where they occur, and may be null: in a payload without an event name they tell which event it is. */
const TELLING: readonly string[] = ["params", "result", "changes"];

/** The payload without its top-level nulls: on every host null means absent. */
export function withoutNulls(payload: Payload): Payload {
  let copy: Payload | undefined;
  for (const key in payload) {
    if (payload[key] !== null || TELLING.includes(key)) continue;
    copy ??= { ...payload };
    delete copy[key];
  }
  return copy ?? payload;
}

/** Those of the fields that are texts, for fields that only inform: what is not a text counts as absent. */
export function texts<K extends string>(payload: Payload, keys: readonly K[]): { [key in K]?: string } {
  const found: { [key in K]?: string } = {};
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === "string") found[key] = value;
  }
  return found;
}

/** `mcp__<server>__<tool>` split; a known server name settles where the tool's name begins. */
export function mcpName(tool_name: string, server?: string): { server: string; tool: string } | undefined {
  if (!tool_name.startsWith("mcp__")) return undefined;
  const rest = tool_name.slice(5);
  if (server && rest.startsWith(`${server}__`)) return { server, tool: rest.slice(server.length + 2) };
  const at = rest.indexOf("__");
  return at > 0 ? { server: rest.slice(0, at), tool: rest.slice(at + 2) } : undefined;
}

/** A tool's result (or another list of blocks) as text: strings as they are, text blocks joined, anything else as JSON. */
export function outputText(raw: unknown): string {
  if (raw === undefined || raw === null) return "";
  if (typeof raw === "string") return raw;
  const content = Array.isArray(raw) ? raw : (raw as Payload).content;
  if (Array.isArray(content) && content.every((block) => typeof block?.text === "string")) {
    return content.map((block) => block.text).join("\n");
  }
  return JSON.stringify(raw);
}

/** The text of a new result, where the original would count if it had no words. */
export function wordsOfResult(output: unknown): string | undefined {
  const text = output === undefined ? undefined : outputText(output);
  return text?.trim() === "" ? "[nothing]" : text;
}

/** One document on one line, or nothing when there is nothing to say. */
export function json(document: Payload): string {
  const said = Object.entries(document).filter(([, value]) => value !== undefined);
  return said.length > 0 ? JSON.stringify(Object.fromEntries(said)) : "";
}

/**
 * The native input under a patch in unified names; `names` maps the unified fields of the tool to the host's. A field that
 * the call has under its own name may change too. Anything else would be ignored, and the original run.
 */
export function patched(input: Payload, patch: Payload, names: Readonly<Record<string, string>>): Rewritten {
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
export function patchedArguments(patch: Payload): Rewritten {
  const { arguments: input, ...rest } = patch;
  const wrong = typeof input !== "object" || input === null || Array.isArray(input) || Object.keys(rest).length > 0;
  return wrong
    ? { unsupported: 'of an MCP call only "arguments", an object, can be changed; change that, or deny' }
    : { input: input as Payload };
}

/** An edit under a patch, of a tool that makes one change in one file; without names it takes none from a hook. */
export function patchedEdit(
  input: Payload,
  patch: Payload,
  names: Readonly<Record<string, string>> | undefined,
  unsupported: string,
): Rewritten {
  const files = patchedFiles(patch);
  if ("unsupported" in files) return files;
  const [file, ...others] = files;
  const [edit, ...more] = file?.edits ?? [];
  if (!names || !file || !edit || others.length + more.length > 0 || file.operation !== "update")
    return { unsupported };
  return patched(input, { file_path: file.file_path, old_string: edit.old_string, new_string: edit.new_string }, names);
}

/** The files of a patch over an edit: they are replaced as a whole, and nothing else of the call can change beside them. */
export function patchedFiles(patch: Payload): FileChange[] | { unsupported: string } {
  const { files, ...rest } = patch;
  const right = Array.isArray(files) && files.length > 0 && Object.keys(rest).length === 0;
  return right
    ? (files as FileChange[])
    : { unsupported: 'of an edit only "files", a list as in event.input, can be changed; change that, or deny' };
}
