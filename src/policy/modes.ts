import { isObject } from "../protocol/object.ts";
import { CONFIG_PARTS, parseEnd } from "./describe.ts";
import { type Reading, readPart } from "./schema.ts";
import { listVoidParts, type VoidPart } from "./parts.ts";
import { readConfigDocument } from "./read.ts";
import { createRuleFilter } from "./rule-ids.ts";
import { type ConfigSource, listModeSources, MODE_SCOPES } from "./sources.ts";
import type { AUDIENCES, MODES } from "./vocabulary.ts";

export type Mode = (typeof MODES)[number];

/** Recipients of the message about the active policy at the start of a session. */
export type Audience = Exclude<(typeof AUDIENCES)[number], "off">;

/** A mode, and the last day on which it applies; after it the mode is `enforce`. */
export interface TimedMode {
  mode: Mode;
  until?: string;
}

/** The modes that a config file sets. */
export interface ModeStatement extends TimedMode {
  /** Modes by hook. */
  hooks: Readonly<Record<string, TimedMode>>;
  /** Modes by rule id, with wildcards: `git/*`. */
  rules: Readonly<Record<string, TimedMode>>;
  /** Whether users may set modes in their own files. Only in the managed file. */
  users: boolean;
}

/** The mode that a file sets for a hook or a rule, and the key that sets it, e.g. `mode.rules.git/*`. */
export interface ModeOrigin extends TimedMode {
  key: string;
  file: string;
}

/** The modes in force for a user. */
export interface ModePolicy {
  /** The mode of every hook and rule without a more specific one. */
  whole: TimedMode;
  /** The file that sets the mode; absent if none does. */
  source?: ConfigSource;
  /** Returns the mode of a hook, or of a hook's decisions by a rule. */
  find: (hook: string, rule?: string) => Mode;
  /** Returns the statement that sets this mode; absent if no file sets any. */
  trace?: (hook: string, rule?: string) => ModeOrigin;
  statement?: ModeStatement;
  /** Whether the managed file lets users set modes. */
  users?: boolean;
  /** Everything in the files that is void, in modes and elsewhere. */
  voidParts?: readonly VoidPart[];
  /** Recipients of the policy message; absent if there are none. */
  announce?: Audience;
}

/** Modes as a config file states them. */
export type StatedModes = Pick<ModePolicy, "whole" | "source" | "statement">;

export const ENFORCED: ModePolicy = { whole: { mode: "enforce" }, find: () => "enforce" };

/** Fields of `mode` that don't affect the general mode. */
const SEPARATE_FIELDS: readonly unknown[] = ["hooks", "rules", "users"];

/** Parses the `mode` of a config file. An invalid part counts as `enforce`. */
export function readModeStatement(given: unknown): Reading<ModeStatement> {
  const { value, problems } = readPart(CONFIG_PARTS.mode.schema, given);
  const isVoid = problems.some(({ path: [field] }) => !SEPARATE_FIELDS.includes(field));
  const { mode = "enforce", until, hooks = {}, rules = {}, users = false } = isObject(value) ? value : { mode: value };
  return {
    value: {
      ...(isVoid ? { mode: "enforce" } : { mode, ...(until !== undefined && { until }) }),
      ...{ hooks: toTimedModes(hooks), rules: toTimedModes(rules), users },
    },
    problems,
  };
}

const toTimedModes = (group: Readonly<Record<string, Mode | TimedMode>>): Record<string, TimedMode> =>
  Object.fromEntries(Object.entries(group).map(([name, mode]) => [name, typeof mode === "string" ? { mode } : mode]));

/** Returns the mode at a time; after its end everything is enforced. */
export function resolveMode({ mode, until }: TimedMode, now: number): Mode {
  return until !== undefined && now > parseEnd(until) ? "enforce" : mode;
}

/**
 * Reads the modes that config files set, and lists everything void in these files. If a managed file exists, the user's
 * file applies only if the managed one sets `"mode": { "users": true }`. An unreadable file sets no modes.
 */
export async function readModes(
  sources: readonly ConfigSource[] = listModeSources(),
  now: number = Date.now(),
): Promise<ModePolicy> {
  let found = ENFORCED;
  let announce: (typeof AUDIENCES)[number] | undefined;
  let isOpen = true;
  const voidParts: VoidPart[] = [];
  for (const scope of MODE_SCOPES) {
    const source = sources.find((one) => one.scope === scope);
    // An unreadable managed file may be one that forbids users to set modes.
    const document = source && (await readConfigDocument(source).catch((): Record<string, unknown> => ({})));
    if (!source || !document) continue;
    voidParts.push(...listVoidParts(source, document));
    if (document.announce !== undefined) announce ??= readPart(CONFIG_PARTS.announce.schema, document.announce).value;
    if (!isOpen) continue;
    const value = document.mode;
    const statement = value === undefined ? undefined : readModeStatement(value).value;
    if (statement && setsAnyMode(value)) found = createModePolicy(statement, source, now);
    if (scope === "managed") isOpen = statement?.users === true;
    if (scope === "managed" && isOpen) found = { ...found, users: true };
  }
  return {
    ...found,
    ...(announce !== undefined && announce !== "off" && { announce }),
    ...(voidParts.length > 0 && { voidParts }),
  };
}

/** Returns whether a mode sets more than the permission for users. */
const setsAnyMode = (value: unknown) => !isObject(value) || Object.keys(value).some((key) => key !== "users");

/**
 * Finds the statement that sets the mode of a hook, or of a hook's decisions by a rule; undefined if the mode is
 * `enforce`.
 */
export function findModeOrigin(
  { name, enforced }: { name: string; enforced?: boolean },
  modes: ModePolicy,
  rule?: string,
): (ModeOrigin & { mode: Exclude<Mode, "enforce"> }) | undefined {
  const origin = enforced || modes.find(name, rule) === "enforce" ? undefined : modes.trace?.(name, rule);
  const { mode } = origin ?? {};
  return origin && mode !== undefined && mode !== "enforce" ? { ...origin, mode } : undefined;
}

function createModePolicy(statement: ModeStatement, source: ConfigSource, now: number): ModePolicy {
  const { mode, until, hooks } = statement;
  const rules = Object.entries(statement.rules).map(([id, timed]) => ({ id, timed, fits: createRuleFilter(id) }));
  const findStatement = (hook: string, rule?: string): { key: string; timed: TimedMode } => {
    const byRule = rule === undefined ? undefined : rules.find(({ fits }) => fits(rule));
    if (byRule) return { key: `mode.rules.${byRule.id}`, timed: byRule.timed };
    const byHook = Object.hasOwn(hooks, hook) ? hooks[hook] : undefined;
    return byHook ? { key: `mode.hooks.${hook}`, timed: byHook } : { key: "mode", timed: statement };
  };
  return {
    whole: { mode, ...(until !== undefined && { until }) },
    source,
    statement,
    find: (hook, rule) => resolveMode(findStatement(hook, rule).timed, now),
    trace(hook, rule) {
      const { key, timed } = findStatement(hook, rule);
      return { key, mode: timed.mode, ...(timed.until !== undefined && { until: timed.until }), file: source.path };
    },
  };
}

/** The modes in force, in the form that reports use. */
export interface ModeSummary {
  /** The mode of every hook and rule without a more specific one. */
  mode: Mode;
  until?: string;
  file: string;
  /** The modes of hooks (by name) and rules (`rules/ID`) that differ from `mode`. */
  others: Record<string, Mode>;
}

/** Summarizes the modes at a time; undefined if everything is enforced. */
export function summarizeModes(
  { whole, source, statement }: StatedModes,
  now: number = Date.now(),
): ModeSummary | undefined {
  if (!source || !statement) return undefined;
  const mode = resolveMode(whole, now);
  const others = Object.fromEntries(
    [
      ...Object.entries(statement.hooks),
      ...Object.entries(statement.rules).map(([id, one]) => [`rules/${id}`, one] as const),
    ]
      .map(([name, one]) => [name, resolveMode(one, now)] as const)
      .filter(([, one]) => one !== mode),
  );
  if (mode === "enforce" && Object.keys(others).length === 0) return undefined;
  const until = mode === whole.mode ? whole.until : undefined;
  return { mode, ...(until !== undefined && { until }), file: source.path, others };
}
