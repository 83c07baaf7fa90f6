import { isObject } from "../protocol/object.ts";
import { CONFIG_PARTS, parseEnd } from "./describe.ts";
import { type ParsedPart, readPart } from "./schema.ts";
import { listInvalidConfigParts, type InvalidPart } from "./parts.ts";
import { readConfigDocument } from "./read.ts";
import { createRuleFilter } from "./rule-ids.ts";
import { type ConfigSource, listModeSources, MODE_SCOPES } from "./sources.ts";
import type { AUDIENCES, MODES } from "./vocabulary.ts";

export type Mode = (typeof MODES)[number];

/** Who receives the session-start message about the active policy. */
export type Audience = Exclude<(typeof AUDIENCES)[number], "off">;

/** A mode and, optionally, the last day it applies. After that, the mode is `enforce`. */
export interface TimedMode {
  mode: Mode;
  until?: string;
}

/** The modes that a config file sets. */
export interface ModeStatement extends TimedMode {
  /** Modes by hook name. */
  hooks: Readonly<Record<string, TimedMode>>;
  /** Modes by rule id. Ids may contain wildcards: `git/*`. */
  rules: Readonly<Record<string, TimedMode>>;
  /** Whether users may set modes in their own files. Only the managed file can allow this. */
  users: boolean;
}

/** The mode that a file sets for a hook or rule, and the key that sets it, such as `mode.rules.git/*`. */
export interface ModeOrigin extends TimedMode {
  key: string;
  file: string;
}

/** The modes that apply to a user. */
export interface ModePolicy {
  /** The mode of every hook and rule that doesn't have a more specific one. */
  general: TimedMode;
  /** The file that sets the general mode. Absent if no file does. */
  source?: ConfigSource;
  /** Returns the mode of a hook or, if a rule is given, of that rule in the hook. */
  find: (hook: string, rule?: string) => Mode;
  /**
   * Finds what sets the mode of a hook or, if a rule is given, of that rule in the hook. Absent if no file sets a mode.
   */
  trace?: (hook: string, rule?: string) => ModeOrigin;
  statement?: ModeStatement;
  /** Whether the managed file allows users to set modes. */
  users?: boolean;
  /** Invalid parts of the config files, even those that have nothing to do with modes. */
  voidParts?: readonly InvalidPart[];
  /** Who receives the session-start message about the policy. Absent if it is off. */
  announce?: Audience;
}

/** The modes as a config file states them. */
export type DeclaredModes = Pick<ModePolicy, "general" | "source" | "statement">;

export const ENFORCED_MODE_POLICY: ModePolicy = { general: { mode: "enforce" }, find: () => "enforce" };

/** The fields of `mode` that don't affect the general mode. */
const SEPARATE_FIELDS: readonly unknown[] = ["hooks", "rules", "users"];

/** Parses `mode` in a config file. Invalid parts count as `enforce`. */
export function readModeStatement(input: unknown): ParsedPart<ModeStatement> {
  const { value, problems } = readPart(CONFIG_PARTS.mode.schema, input);
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

/** Returns the mode in force at a given time. Once the mode has ended, that is `enforce`. */
export function resolveMode({ mode, until }: TimedMode, now: number): Mode {
  return until !== undefined && now > parseEnd(until) ? "enforce" : mode;
}

/**
 * Reads the modes from config files and lists what is invalid in these files. If there is a managed file, the user's
 * file applies only if the managed file sets `"mode": { "users": true }`. Unreadable files don't set any modes.
 */
export async function readModes(
  sources: readonly ConfigSource[] = listModeSources(),
  now: number = Date.now(),
): Promise<ModePolicy> {
  let policy = ENFORCED_MODE_POLICY;
  let announce: (typeof AUDIENCES)[number] | undefined;
  let isOpen = true;
  const voidParts: InvalidPart[] = [];
  for (const scope of MODE_SCOPES) {
    const source = sources.find((one) => one.scope === scope);
    // An unreadable managed file might not allow users to set modes, so ignore the user's file.
    const document = source && (await readConfigDocument(source).catch((): Record<string, unknown> => ({})));
    if (!source || !document) continue;
    voidParts.push(...listInvalidConfigParts(source, document));
    if (document.announce !== undefined) announce ??= readPart(CONFIG_PARTS.announce.schema, document.announce).value;
    if (!isOpen) continue;
    const value = document.mode;
    const statement = value === undefined ? undefined : readModeStatement(value).value;
    if (statement && setsAnyMode(value)) policy = createModePolicy(statement, source, now);
    if (scope === "managed") isOpen = statement?.users === true;
    if (scope === "managed" && isOpen) policy = { ...policy, users: true };
  }
  return {
    ...policy,
    ...(announce !== undefined && announce !== "off" && { announce }),
    ...(voidParts.length > 0 && { voidParts }),
  };
}

/** Returns whether a file sets any mode itself rather than just allowing users to. */
const setsAnyMode = (value: unknown) => !isObject(value) || Object.keys(value).some((key) => key !== "users");

/**
 * Finds what sets the mode of a hook or, if a rule is given, of that rule in the hook. Returns undefined if the mode is
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
    const ruleMode = rule === undefined ? undefined : rules.find(({ fits }) => fits(rule));
    if (ruleMode) return { key: `mode.rules.${ruleMode.id}`, timed: ruleMode.timed };
    const hookMode = Object.hasOwn(hooks, hook) ? hooks[hook] : undefined;
    return hookMode ? { key: `mode.hooks.${hook}`, timed: hookMode } : { key: "mode", timed: statement };
  };
  return {
    general: { mode, ...(until !== undefined && { until }) },
    source,
    statement,
    find: (hook, rule) => resolveMode(findStatement(hook, rule).timed, now),
    trace(hook, rule) {
      const { key, timed } = findStatement(hook, rule);
      return { key, mode: timed.mode, ...(timed.until !== undefined && { until: timed.until }), file: source.path };
    },
  };
}

/** The modes in force, as shown in reports. */
export interface ModeSummary {
  /** The mode of every hook and rule that doesn't have a more specific one. */
  mode: Mode;
  until?: string;
  file: string;
  /** Hooks (by name) and rules (as `rules/ID`) whose mode is different from `mode`. */
  others: Record<string, Mode>;
}

/** Summarizes the modes in force at a given time. Returns undefined if all of them are `enforce`. */
export function summarizeModes(
  { general, source, statement }: DeclaredModes,
  now: number = Date.now(),
): ModeSummary | undefined {
  if (!source || !statement) return undefined;
  const mode = resolveMode(general, now);
  const otherModes = Object.fromEntries(
    [
      ...Object.entries(statement.hooks),
      ...Object.entries(statement.rules).map(([id, one]) => [`rules/${id}`, one] as const),
    ]
      .map(([name, one]) => [name, resolveMode(one, now)] as const)
      .filter(([, one]) => one !== mode),
  );
  if (mode === "enforce" && Object.keys(otherModes).length === 0) return undefined;
  const until = mode === general.mode ? general.until : undefined;
  return { mode, ...(until !== undefined && { until }), file: source.path, others: otherModes };
}
