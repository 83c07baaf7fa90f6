import type { Payload } from "../protocol/host/host.ts";
import type { IHookResponse } from "../protocol/response.ts";
import type { CommandResult, AnswerVerdict } from "../protocol/host/install.ts";
import type { ScriptCodec, NativePayload } from "../protocol/host/scripts.ts";
import { toObject } from "./doctor-helpers.ts";
import { formatOutput } from "./wire.ts";
import { isObject } from "../protocol/object.ts";

/** Parses a text as a JSON object; undefined if it is not one. */
export function parseJsonObject(text: string): Payload | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** Fields that only answers have. */
const ANSWER_FIELDS = [
  "decision",
  "hookSpecificOutput",
  "continue",
  "permission",
  "permissionDecision",
  "behavior",
  "systemMessage",
  "deny",
  "block",
];

/** Maximum number of lines at the end of an output that may start an answer; an output with more of them is data. */
const MAX_BEGINNINGS = 100;

/** Whether an answer follows other text, where a host does not see it: a denial must not get lost in noise. */
function isAnswerBehindNoise(stdout: string): boolean {
  for (
    let at = stdout.lastIndexOf("\n{"), left = MAX_BEGINNINGS;
    at >= 0 && left > 0;
    at = stdout.lastIndexOf("\n{", at - 1), left--
  ) {
    const document = parseJsonObject(stdout.slice(at));
    if (document) return ANSWER_FIELDS.some((name) => Object.hasOwn(document, name));
    if (at === 0) break;
  }
  return false;
}

/** The payload that a command received. */
export type SentPayload = Pick<NativePayload, "native_event" | "payload">;

/** How a host reads an answer. What it does after a failure is ignored here, where the failure policy decides. */
interface AnswerReader {
  name: string;
  verdict: (native_event: string, result: CommandResult, handler: Payload) => AnswerVerdict;
  /** Fields whose effect other hosts can't express. */
  untranslatableFields?: readonly string[];
  /** Converts the host's document; `denied`: the host takes the answer for a denial. */
  readDocument: (document: Payload, told: SentPayload, result: CommandResult, denied: boolean) => IHookResponse;
  /** Finds the document in the output; default: all of stdout. */
  findDocument?: (result: CommandResult, parse: (text: string) => Payload | undefined) => Payload | undefined;
}

/** Creates a function that converts an answer of a host to unified terms. */
export function createAnswerParser({
  name,
  verdict,
  untranslatableFields = [],
  readDocument,
  findDocument,
}: AnswerReader): ScriptCodec["parseAnswer"] {
  return (told, result) => {
    const found = verdict(told.native_event, result, {});
    const { stdout } = result;
    if (found.kind === "broken") {
      const problem = describeBrokenAnswer(found.why, result);
      if (!found.blocks) throw new Error(problem);
      return { decision: "deny", reason: problem };
    }
    const document = findDocument ? findDocument(result, parseJsonObject) : parseJsonObject(stdout);
    if (!document && found.kind === "passed" && isAnswerBehindNoise(stdout))
      throw new Error(`it printed text before its answer, so ${name} reads neither; print only the answer`);
    const lost = untranslatableFields.find(
      (field) => document?.[field] !== undefined || toObject(document?.hookSpecificOutput)[field] !== undefined,
    );
    if (lost)
      throw new Error(
        `it answered with "${lost}", which no other host can express; deny, or change the call before it runs`,
      );
    return readDocument(document ?? {}, told, result, found.kind === "denied");
  };
}

/** Describes a broken answer without the host's reaction, since a failure policy decides here. */
function describeBrokenAnswer(why: string, { stderr }: CommandResult): string {
  const [what, said] = [why.replace(/, and [^,]*$/, ""), stderr.trim()];
  return said && !what.startsWith(said) ? `${what} (${said.slice(0, 500)})` : what;
}

/** Removes empty fields from a response. */
export const omitEmptyFields = (fields: IHookResponse): IHookResponse =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && (value !== "" || name === "modified_output"),
    ),
  );

/** Keeps the session variables whose values are strings. */
export function extractSessionEnv(env: unknown): IHookResponse["session_env"] {
  const given = Object.entries(toObject(env)).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** Converts a new result to unified terms: its text if known, or else the object. */
export function extractModifiedOutput(output: unknown): IHookResponse["modified_output"] {
  if (output === undefined || output === null) return undefined;
  return isObject(output) && !Array.isArray(output.content) ? output : formatOutput(output);
}

export const toNonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() ? value.trim() : undefined;

/**
 * Returns the patch in unified names that turns the sent input into the answered one. `read` converts a native input to
 * unified names; a field without a unified name keeps its own, and an omitted field stays unchanged.
 * @throws Error when the tool does not accept the new input.
 */
export function diffInput(told: Payload, updated: unknown, read: (input: Payload) => object): Payload | undefined {
  if (updated === undefined || updated === null) return undefined;
  if (!isObject(updated))
    throw new Error("it answered with an input that is not an object; give the fields of the tool's input");
  const before = read(told) as Payload;
  const after = Object.entries(read({ ...told, ...updated }));
  const patch = Object.fromEntries(
    after.filter(([name, value]) => value !== undefined && !Bun.deepEquals(value, before[name])),
  );
  for (const name of Object.keys(updated)) {
    if (Bun.deepEquals(updated[name], told[name])) continue;
    if (Bun.deepEquals(read({ ...told, [name]: updated[name] }), before)) patch[name] = updated[name];
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}
