import { isObject } from "./object.ts";
import type { Tool, ToolInputs } from "./tool.ts";

/** The fields of all unified inputs, for code that isn't typed for particular tools. */
type UnifiedPatch = Partial<UnionToIntersection<ToolInputs[Exclude<Tool, "Other">]>>;
type UnionToIntersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void
  ? { [K in keyof I]: I[K] }
  : never;

/** Tools with arbitrary input fields. A hook for one of these tools can change fields of any name. */
type FreeTool = "MCP" | "Other";

/**
 * Changes to the input of the tools `T`, by unified field name. If `T` isn't narrowed to particular tools, the fields
 * of any unified input are accepted.
 */
export type InputPatch<T extends Tool = Tool> = Tool extends T
  ? UnifiedPatch
  : { [K in T]: Partial<ToolInputs[K]> | (K extends FreeTool ? Record<string, unknown> : never) }[T];

/**
 * Return value of a hook. Every field is optional; an empty response (or none) expresses no opinion.
 *
 * @template Patch the changes that `modified_input` may contain: an `InputPatch` of the hook's tools.
 */
export interface IHookResponse<Patch extends object = InputPatch> {
  /**
   * `deny` blocks the call or, on Stop, makes the agent continue; `ask` lets the user decide; `allow` approves the
   * call.
   */
  decision?: "allow" | "deny" | "ask";
  /**
   * Reason for the decision. The model reads the reason for a denial. With `modified_output`, the reason describes the
   * problem with the original result, and the user reads it if the host can't replace results.
   */
  reason?: string;
  /** Message for the user. */
  user_message?: string;
  /** Changes to the tool's input, by unified field name: `{ command: "npm ci" }`. */
  modified_input?: Patch;
  /** Additional context for the model. */
  additional_context?: string;
  /** Replaces the result of a finished call for the model: a string, or an object in the host's own format. */
  modified_output?: string | Record<string, unknown>;
  /** Environment variables for the session. Allowed only on SessionStart. */
  session_env?: Record<string, string>;
  /** Id of the rule that caused a denial or a question, such as `git/push-force`. The id is appended to the reason. */
  rule?: string;
  /** Withholds the denial or question. The call runs, and the user and the model get a warning. */
  mode?: "warn";
  /**
   * The judged command or file, as written in the call. If several hooks deny the same subject, only the first reason
   * is used.
   */
  subject?: string;
}

/** The rule that caused a response, and its subject. */
type ResponseCause = Pick<IHookResponse, "rule" | "subject">;

export type Decision = NonNullable<IHookResponse["decision"]>;

/** Allow the call. */
export const allow = (): IHookResponse => ({ decision: "allow" });
/** Block the call. The model reads the reason. On Stop, make the agent continue for this reason instead. */
export const deny = (reason: string, cause: ResponseCause = {}): IHookResponse => ({
  decision: "deny",
  reason,
  ...cause,
});
/** Let the user decide. Hosts that can't ask deny the call instead. */
export const ask = (reason: string, cause: ResponseCause = {}): IHookResponse => ({
  decision: "ask",
  reason,
  ...cause,
});
/** Allow the call, and warn the user and the model. */
export const warn = (reason: string, cause: ResponseCause = {}): IHookResponse => ({
  ...deny(reason, cause),
  mode: "warn",
});
/** Give the model additional context. */
export const context = (text: string): IHookResponse => ({ additional_context: text });
/**
 * Change the tool's input. The patch uses unified field names and is merged over the host's input. A field that the
 * hook's `tool` doesn't have is a type error.
 */
export const modify = <Patch extends object = InputPatch>(patch: KnownPatch<Patch>): IHookResponse<Patch> => ({
  modified_input: patch as Patch,
});
/**
 * Accepts any patch during type inference for a handler without parameters, because the handler's tools aren't known
 * yet.
 */
type KnownPatch<Patch> = [Patch] extends [never] ? InputPatch : NoInfer<Patch>;
/** Replace a finished call's result before the model reads it. */
export const modifyOutput = (output: string | Record<string, unknown>): IHookResponse => ({ modified_output: output });

const CAUSE_FIELDS = ["rule", "subject"] as const;
const TEXT_FIELDS = ["reason", "user_message", "additional_context"] as const;
export const RESPONSE_FIELDS: ReadonlySet<string> = new Set<string>([
  "decision",
  "modified_input",
  ...TEXT_FIELDS,
  "modified_output",
  "session_env",
  ...CAUSE_FIELDS,
  "mode",
]);
export const DECISIONS: readonly unknown[] = ["allow", "deny", "ask"];

/**
 * Validates a handler's return value. Rejects unknown fields, so that a misspelled field doesn't count as "no opinion".
 * @throws Error that describes the problem with the value.
 */
export function checkResponse(value: unknown): IHookResponse {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new Error(
      `it returned ${Array.isArray(value) ? "an array" : `a ${typeof value}`} instead of a response object`,
    );
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new Error(`it returned an instance of ${prototype.constructor?.name || "a class"} instead of a plain object`);
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  for (const [name, field] of fields) checkField(name, field);
  const response: IHookResponse = Object.fromEntries(fields);
  const { modified_input, modified_output, session_env } = response;
  if (modified_input) response.modified_input = toJsonObject("modified_input", modified_input);
  if (typeof modified_output === "object") response.modified_output = toJsonObject("modified_output", modified_output);
  if (session_env) response.session_env = checkVariables(session_env);
  return response;
}

/**
 * Validates one response field.
 * @throws Error for an unknown field or a value of the wrong type.
 */
function checkField(name: string, field: unknown): void {
  if (!RESPONSE_FIELDS.has(name))
    throw new Error(`it returned an unknown field "${name}" (known: ${[...RESPONSE_FIELDS].join(", ")})`);
  if (name === "decision" && !DECISIONS.includes(field)) {
    throw new Error(`it returned decision ${JSON.stringify(field)} instead of "allow", "deny" or "ask"`);
  }
  if (name === "mode" && field !== "warn") throw new Error(`it returned a mode that is not "warn"`);
  if (([...TEXT_FIELDS, ...CAUSE_FIELDS] as readonly string[]).includes(name) && typeof field !== "string") {
    throw new Error(`the ${name} that it returned is not a string`);
  }
  if ((name === "modified_input" || name === "session_env") && !isObject(field))
    throw new Error(`it returned a ${name} that is not an object`);
  if (name === "modified_output" && typeof field !== "string" && !isObject(field)) {
    throw new Error("it returned a modified_output that is neither a string nor an object");
  }
}

/**
 * Maximum nesting depth of a response. The engine's stack overflows at about 100,000 levels, and a response is
 * serialized as JSON in several places.
 */
const MAX_NESTING = 5_000;

function isNestedTooDeeply(value: object): boolean {
  // Skip values already seen, so that a cycle doesn't loop forever. JSON.stringify reports cycles later.
  const visited = new Set<object>([value]);
  let level: object[] = [value];
  for (let depth = 0; depth < MAX_NESTING; depth++) {
    const nextLevel: object[] = [];
    for (const part of level)
      for (const child of Object.values(part)) {
        if (typeof child !== "object" || child === null || visited.has(child)) continue;
        visited.add(child);
        nextLevel.push(child);
      }
    if (nextLevel.length === 0) return false;
    level = nextLevel;
  }
  return true;
}

/**
 * Returns the object as the host will receive it.
 * @throws Error if JSON can't express a value.
 */
function toJsonObject(field: string, value: Record<string, unknown>): Record<string, unknown> {
  const emptyKey = Object.keys(value).find((key) => value[key] === undefined);
  if (emptyKey !== undefined) throw new Error(`it returned a ${field} without a value for "${emptyKey}"`);
  if (isNestedTooDeeply(value))
    throw new Error(`it returned a ${field} that is nested more than ${MAX_NESTING} levels deep`);
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (error) {
    throw new Error(`it returned a ${field} that is not valid JSON (${(error as Error).message})`);
  }
}

/**
 * Validates environment variables against the rules of every operating system. Reads each value only once, so that the
 * host gets exactly the value that was checked.
 */
function checkVariables(variables: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(variables);
  for (const [name, value] of entries) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new Error(`it returned a session_env with the invalid name ${JSON.stringify(name)}`);
    if (typeof value !== "string") throw new Error(`it returned a session_env whose "${name}" is not a string`);
    if (value.includes("\0")) throw new Error(`it returned a session_env whose "${name}" contains a NUL character`);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}
