import type { HookDescriptor } from "../protocol/hook.ts";
import { isObject } from "../protocol/object.ts";
import type { IHookResponse } from "../protocol/response.ts";
import { wildcardPattern } from "../shell/wildcard.ts";
import { readConfigDocument } from "./config.ts";
import type { HookOutcome } from "./dispatch.ts";
import { readEnd } from "./rule-check.ts";
import { type ConfigSource, listModeSources, MODE_SCOPES } from "./settings.ts";

/**
 * What becomes of denials, questions and rewrites. `observe` withholds them; `warn` withholds them and tells the model and
 * the user; `enforce` is the default.
 */
export const MODES = ["observe", "warn", "enforce"] as const;
export type Mode = (typeof MODES)[number];

/** A mode, and the end of the day after which it is `enforce`. */
export interface TimedMode {
  mode: Mode;
  until?: string;
}

/** What a config file says about modes. */
export interface ModeStatement extends TimedMode {
  /** By hook. */
  hooks: Readonly<Record<string, TimedMode>>;
  /** By rule, with wildcards: `git/*`. */
  rules: Readonly<Record<string, TimedMode>>;
  /** In the managed file: users may set modes too. */
  users: boolean;
}

/** The modes in force for a user. */
export interface ModePolicy {
  /** The mode of everything that nothing more specific is said about. */
  whole: TimedMode;
  /** The file that says it; absent where none does. */
  source?: ConfigSource;
  /** The mode of a hook, or of what it says by a rule. */
  find: (hook: string, rule?: string) => Mode;
  statement?: ModeStatement;
  /** The managed file lets users set modes. */
  users?: boolean;
}

export const ENFORCED: ModePolicy = { whole: { mode: "enforce" }, find: () => "enforce" };

const isMode = (value: unknown): value is Mode => (MODES as readonly unknown[]).includes(value);

/** What is wrong in the `mode` of a config file, by its path. */
export interface ModeProblem {
  path: readonly string[];
  message: string;
}

const FIELDS = ["mode", "until", "hooks", "rules", "users"];

/**
 * Reads the `mode` of a config file. Whatever is wrong in it enforces.
 * @param problems takes what is wrong.
 */
export function readModeStatement(value: unknown, problems: ModeProblem[] = []): ModeStatement {
  const none: ModeStatement = { mode: "enforce", hooks: {}, rules: {}, users: false };
  if (isMode(value)) return { ...none, mode: value };
  if (!isObject(value)) {
    problems.push({ path: [], message: `must be ${MODES.join(", ")}, or an object` });
    return none;
  }
  for (const key in value)
    if (!FIELDS.includes(key)) problems.push({ path: [key], message: `unknown field; known: ${FIELDS.join(", ")}` });
  const readGroup = (name: "hooks" | "rules"): Record<string, TimedMode> => {
    const group = value[name] ?? {};
    if (isObject(group))
      return Object.fromEntries(
        Object.entries(group).map(([key, one]) => [key, readTimedMode(one, [name, key], problems)]),
      );
    problems.push({ path: [name], message: "must be an object, with a mode for each" });
    return {};
  };
  const { users = false } = value;
  if (typeof users !== "boolean") problems.push({ path: ["users"], message: "must be true or false" });
  const { hooks: _, rules: __, users: ___, ...whole } = value;
  return {
    ...(value.mode === undefined && value.until === undefined
      ? { mode: "enforce" }
      : readTimedMode(whole, [], problems)),
    hooks: readGroup("hooks"),
    rules: readGroup("rules"),
    users: users === true,
  };
}

function readTimedMode(value: unknown, path: readonly string[], problems: ModeProblem[]): TimedMode {
  if (isMode(value)) return { mode: value };
  const { mode, until } = isObject(value) ? value : { mode: value };
  if (!isMode(mode)) {
    problems.push({ path: isObject(value) ? [...path, "mode"] : path, message: `must be ${MODES.join(", ")}` });
    return { mode: "enforce" };
  }
  if (until === undefined) return { mode };
  if (typeof until === "string" && !Number.isNaN(readEnd(until))) return { mode, until };
  problems.push({ path: [...path, "until"], message: "must be a day, 2026-12-31, or a time with its zone" });
  return { mode: "enforce" };
}

/** The mode at a time: after its end everything is enforced. */
export function resolveMode({ mode, until }: TimedMode, now: number): Mode {
  return until !== undefined && now > readEnd(until) ? "enforce" : mode;
}

/**
 * Reads the modes that config files set. Managed config decides who may: where there is such a file, the user's counts
 * only if it says `"mode": { "users": true }`. A file that can't be read sets none.
 */
export async function readModes(
  sources: readonly ConfigSource[] = listModeSources(),
  now: number = Date.now(),
): Promise<ModePolicy> {
  let found = ENFORCED;
  for (const scope of MODE_SCOPES) {
    const source = sources.find((one) => one.scope === scope);
    // A file that can't be read may be one that keeps users from it.
    const document = source && (await readConfigDocument(source).catch(() => ({})));
    if (!source || !document) continue;
    const value = (document as Record<string, unknown>).mode;
    const statement = value === undefined ? undefined : readModeStatement(value);
    if (statement && saysMore(value)) found = createModePolicy(statement, source, now);
    if (scope === "managed" && !statement?.users) return found;
    if (scope === "managed") found = { ...found, users: true };
  }
  return found;
}

/** Whether a mode says more than that users may set theirs. */
const saysMore = (value: unknown) => !isObject(value) || Object.keys(value).some((key) => key !== "users");

/** Whether the rule of an id is meant, where `*` stands for anything. */
export const createRuleFilter = (meant: string): ((id: string) => boolean) =>
  meant.includes("*") ? wildcardPattern(meant) : (id) => id === meant;

function createModePolicy(statement: ModeStatement, source: ConfigSource, now: number): ModePolicy {
  const { mode, until, hooks } = statement;
  const rules = Object.entries(statement.rules).map(([id, timed]) => ({
    fits: createRuleFilter(id),
    timed,
  }));
  return {
    whole: { mode, ...(until !== undefined && { until }) },
    source,
    statement,
    find(hook, rule) {
      const byRule = rule === undefined ? undefined : rules.find(({ fits }) => fits(rule))?.timed;
      const byHook = Object.hasOwn(hooks, hook) ? hooks[hook] : undefined;
      return resolveMode(byRule ?? byHook ?? statement, now);
    },
  };
}

/** What a mode kept from the host. */
export interface WithheldAnswer {
  mode: Exclude<Mode, "enforce">;
  response?: IHookResponse;
  failure?: string;
}

/** The mode of a hook; what guards the bridge's own files is always enforced. */
export const findHookMode = ({ name, enforced }: HookDescriptor, modes: ModePolicy, rule?: string): Mode =>
  enforced ? "enforce" : modes.find(name, rule);

/** An outcome as the modes leave it. Context for the model stays, and approvals that rewrite nothing. */
export function applyMode(outcome: HookOutcome, modes: ModePolicy): HookOutcome {
  const { entry, response, failure } = outcome;
  const mode = findHookMode(entry, modes, response.rule);
  if (mode === "enforce") return outcome;
  if (failure !== undefined) return { ...outcome, withheld: { mode, failure } };
  const { decision, modified_input, modified_output, additional_context } = response;
  const isWithheld = decision === "deny" || decision === "ask" || modified_input || modified_output !== undefined;
  if (!isWithheld) return outcome;
  const warning = mode === "warn" ? `bridge-hooks: ${describeWithheld(entry.name, response)}` : undefined;
  const context = [additional_context, warning].filter((text) => text !== undefined).join("\n\n");
  return {
    ...outcome,
    response: {
      ...(context && { additional_context: context }),
      ...(warning !== undefined && { user_message: warning }),
    },
    withheld: { mode, response },
  };
}

/** What a hook would have done, for those whom mode `warn` tells of it. */
function describeWithheld(hook: string, { decision, reason, rule }: IHookResponse): string {
  const what =
    decision === "deny" ? "will deny this" : decision === "ask" ? "will ask the user about this" : "will change this";
  const why = reason?.trim() ? `: ${reason.trim()}` : "";
  return `the hook "${hook}" ${what} once it enforces${why}${why && rule !== undefined ? ` [bridge-hooks ${rule}]` : ""}`;
}
