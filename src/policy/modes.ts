import { isObject } from "../protocol/object.ts";
import { CONFIG_PARTS, parseEnd } from "./describe.ts";
import { type Reading, readPart } from "./schema.ts";
import { listVoidParts, type VoidPart } from "./parts.ts";
import { readConfigDocument } from "./read.ts";
import { createRuleFilter } from "./rule-ids.ts";
import { type ConfigSource, listModeSources, MODE_SCOPES } from "./sources.ts";
import type { MODES } from "./vocabulary.ts";

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
  /** What is void in the files, modes or not. */
  voidParts?: readonly VoidPart[];
}

export const ENFORCED: ModePolicy = { whole: { mode: "enforce" }, find: () => "enforce" };

/** The parts of a `mode` that say nothing about the mode of the rest. */
const SEPARATE_FIELDS: readonly unknown[] = ["hooks", "rules", "users"];

/** Reads the `mode` of a config file. Whatever is wrong in it enforces. */
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

/** The mode at a time: after its end everything is enforced. */
export function resolveMode({ mode, until }: TimedMode, now: number): Mode {
  return until !== undefined && now > parseEnd(until) ? "enforce" : mode;
}

/**
 * Reads the modes that config files set, and lists what is void in these files. Managed config decides who may: where
 * there is such a file, the user's counts only if it says `"mode": { "users": true }`. A file that can't be read sets none.
 */
export async function readModes(
  sources: readonly ConfigSource[] = listModeSources(),
  now: number = Date.now(),
): Promise<ModePolicy> {
  let found = ENFORCED;
  let isOpen = true;
  const voidParts: VoidPart[] = [];
  for (const scope of MODE_SCOPES) {
    const source = sources.find((one) => one.scope === scope);
    // A file that can't be read may be one that keeps users from it.
    const document = source && (await readConfigDocument(source).catch(() => ({})));
    if (!source || !document) continue;
    voidParts.push(...listVoidParts(source, document));
    if (!isOpen) continue;
    const value = (document as Record<string, unknown>).mode;
    const statement = value === undefined ? undefined : readModeStatement(value).value;
    if (statement && saysMore(value)) found = createModePolicy(statement, source, now);
    if (scope === "managed") isOpen = statement?.users === true;
    if (scope === "managed" && isOpen) found = { ...found, users: true };
  }
  return voidParts.length === 0 ? found : { ...found, voidParts };
}

/** Whether a mode says more than that users may set theirs. */
const saysMore = (value: unknown) => !isObject(value) || Object.keys(value).some((key) => key !== "users");

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
