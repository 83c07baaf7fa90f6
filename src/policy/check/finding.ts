import * as z from "zod";
import { CONFIG_PARTS, type ConfigKey, type ConfigPart } from "../describe.ts";
import type { ConfigProblem } from "../schema.ts";
import type { ConfigScope } from "../sources.ts";
import type { RuleFiles } from "../statements.ts";
import type { RuleCatalog } from "./rule-catalog.ts";
import { getOwnCommand } from "../../system/own-command.ts";

const FINDING_KINDS = [
  "unreadable",
  "version-newer",
  "key-unknown",
  "key-twice",
  "key-ignored",
  "key-wrong",
  "hook-unknown",
  "hook-unloadable",
  "setting-unknown",
  "setting-wrong",
  "setting-missing",
  "setting-untrusted",
  "rules-incomplete",
  "rule-void",
  "rule-duplicate",
  "rule-unknown",
  "rule-ignored",
  "rule-untrusted",
  "rule-unenforced",
  "exception-void",
  "exception-unknown",
  "exception-ignored",
  "exception-ended",
  "exception-ends",
  "mode-ended",
  "lock-unknown",
  "examples-not-run",
] as const;

/** An invalid or ineffective part of a config file, as reported by `config`, `list`, `doctor` and `rules test`. */
export const ConfigFindingSchema = z.object({
  kind: z.enum(FINDING_KINDS),
  level: z.enum(["red", "note"]).describe("Severity: red if a part of the file has no effect, note for information"),
  path: z.string().describe("Path in the document, such as rules.acme/x.pattern.0"),
  line: z.number().describe("Line number, counted from 1"),
  column: z.number().describe("Column number, counted from 1"),
  message: z.string(),
  impact: z.string(),
  fix: z.string(),
});
export type ConfigFinding = z.infer<typeof ConfigFindingSchema>;

type JsonPath = readonly (string | number)[];

/** A finding that has a path in the document but no line and column yet. */
export interface UnplacedFinding extends Omit<ConfigFinding, "path" | "line" | "column"> {
  path: JsonPath;
}

/** What a config file is checked against: the known rules and all config files. */
export interface FindingContext {
  catalog: RuleCatalog;
  files: RuleFiles;
}

export type ConfigDocument = Readonly<Record<string, unknown>>;

export const FIX_FILE_ADVICE = "fix the file";
export const FIX_RULE_ADVICE = `${FIX_FILE_ADVICE}; run ${getOwnCommand()} rules test FILE to check the file and its examples`;
export const LIST_RULES = `run ${getOwnCommand()} rules --all to list the rules`;
export const LIST_HOOKS = `run ${getOwnCommand()} list to see the hooks and their settings`;

/**
 * Returns the severity of a finding about an unknown name. In the managed file, it is red: administrators rely on
 * protection that isn't in force.
 */
export const getUnknownLevel = (scope: ConfigScope) => (scope === "managed" ? "red" : "note");

/** How findings about invalid values differ from the default kind, level and fix. */
const FINDING_OVERRIDES: Partial<Record<ConfigKey, Partial<Pick<ConfigFinding, "kind" | "level" | "fix">>>> = {
  version: {
    kind: "version-newer",
    level: "note",
    fix: "check the file with the bridge-hooks version for which it was written",
  },
  hooks: { kind: "setting-wrong" },
  rules: { kind: "rule-void", fix: FIX_RULE_ADVICE },
  exceptions: { kind: "exception-void", fix: FIX_RULE_ADVICE },
  log: { kind: "setting-wrong" },
};

/** Converts a problem in a config file to a finding. */
export function describeProblem(
  key: ConfigKey,
  scope: ConfigScope,
  { path, message, isUnknown }: ConfigProblem,
): UnplacedFinding {
  const { impact, entryImpact = impact }: ConfigPart = CONFIG_PARTS[key];
  return {
    ...{ kind: "key-wrong", level: "red", path: [key, ...path], message },
    ...{ impact: path.length === 0 ? impact : entryImpact, fix: FIX_FILE_ADVICE },
    ...FINDING_OVERRIDES[key],
    // Unknown log settings aren't serious: a newer executable may support them, and they can never let a call through.
    ...(key === "log" &&
      isUnknown && { kind: "setting-unknown", level: getUnknownLevel(scope), impact: UNKNOWN_SETTING_IMPACT }),
  };
}

export const UNKNOWN_SETTING_IMPACT = "this setting is ignored; all other settings apply";
