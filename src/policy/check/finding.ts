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

/** What is void, wrong or without effect in a config file: the same for `config`, `list`, `doctor` and `rules test`. */
export const ConfigFindingSchema = z.object({
  kind: z.enum(FINDING_KINDS),
  level: z.enum(["red", "note"]).describe("red: something in the file is void; note: good to know"),
  path: z.string().describe("Where in the document: rules.acme/x.pattern.0"),
  line: z.number().describe("Counted from 1, as the column"),
  column: z.number(),
  message: z.string(),
  impact: z.string(),
  fix: z.string(),
});
export type ConfigFinding = z.infer<typeof ConfigFindingSchema>;

type JsonPath = readonly (string | number)[];

/** A finding by its place in the document. */
export interface UnplacedFinding extends Omit<ConfigFinding, "path" | "line" | "column"> {
  path: JsonPath;
}

/** What a config file is judged by. */
export interface FindingContext {
  catalog: RuleCatalog;
  files: RuleFiles;
}

export type ConfigDocument = Readonly<Record<string, unknown>>;

export const CORRECT_IT = "correct it there";
export const CORRECT_RULE = `${CORRECT_IT}; ${getOwnCommand()} rules test FILE checks a file and runs its examples`;
export const LIST_RULES = `${getOwnCommand()} rules lists the rules`;
export const LIST_HOOKS = `${getOwnCommand()} list shows the hooks and their settings`;

/** In the managed file, what has no effect guards nothing that the company wants guarded. */
export const getUnknownLevel = (scope: ConfigScope) => (scope === "managed" ? "red" : "note");

/** What findings about wrong values are called, and what to do about them, where that differs from part to part. */
const WRONG_PARTS: Partial<Record<ConfigKey, Partial<Pick<ConfigFinding, "kind" | "level" | "fix">>>> = {
  version: { kind: "version-newer", level: "note", fix: "check it with the executable that it is for" },
  hooks: { kind: "setting-wrong" },
  rules: { kind: "rule-void", fix: CORRECT_RULE },
  exceptions: { kind: "exception-void", fix: CORRECT_RULE },
  log: { kind: "setting-wrong" },
};

/** Makes a problem of a part of the file a finding. */
export function describeProblem(
  key: ConfigKey,
  scope: ConfigScope,
  { path, message, isUnknown }: ConfigProblem,
): UnplacedFinding {
  const { impact, entryImpact = impact }: ConfigPart = CONFIG_PARTS[key];
  return {
    ...{ kind: "key-wrong", level: "red", path: [key, ...path], message },
    ...{ impact: path.length === 0 ? impact : entryImpact, fix: CORRECT_IT },
    ...WRONG_PARTS[key],
    // A newer executable may know it, and no setting of the log lets a call pass.
    ...(key === "log" &&
      isUnknown && { kind: "setting-unknown", level: getUnknownLevel(scope), impact: UNKNOWN_SETTING_IMPACT }),
  };
}

export const UNKNOWN_SETTING_IMPACT = "it is ignored; the other settings apply";
