import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { findNearestName, hintOf } from "../../protocol/name-suggestions.ts";
import { isObject } from "../../protocol/object.ts";
import { isStringList, type ParsedConfig, readConfigDocument } from "../../run/config.ts";
import { findExceptionProblems, findRuleProblems, isOwnRule, readEnd, type RuleProblem } from "../../run/rule-check.ts";
import { type ConfigScope, type ConfigSource, listConfigSources } from "../../run/settings.ts";
import { createLocator } from "./positions.ts";
import { findHookRule, findNearestRuleId, fitsRuleId, type RuleCatalog } from "./rule-catalog.ts";
import {
  explainIgnoredException,
  listCountingFiles,
  listStatements,
  type RuleFiles,
  type StatedException,
} from "./statements.ts";

export const FINDING_KINDS = [
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
  "lock-unknown",
] as const;

/** What `list`, `doctor` and `rules test` find in what a config file says about rules and locks. */
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
export interface UnplacedFinding<Kind extends string = ConfigFinding["kind"]> extends Omit<
  ConfigFinding,
  "kind" | "path" | "line" | "column"
> {
  kind: Kind;
  path: JsonPath;
}
type FindingTexts = Pick<ConfigFinding, "message" | "impact" | "fix">;

/** What a config file is judged by. */
export interface FindingContext {
  catalog: RuleCatalog;
  files: RuleFiles;
}

const CORRECT_IT = "correct it there; bridge-hooks rules test FILE checks a file and runs its examples";
const LIST_RULES = "bridge-hooks rules lists the rules";
export const LIST_HOOKS = "bridge-hooks list shows the hooks and their settings";
const DAY = 86_400_000;
/** Days before the end of an exception in which it is noted. */
const DAYS_BEFORE_END = 14;

/** Finds what is void or has no effect in what a config file says about rules, exceptions and locks, in its order. */
export async function findConfigFindings(source: ConfigSource, context: FindingContext): Promise<ConfigFinding[]> {
  const document = await readConfigDocument(source).catch(() => undefined);
  if (!document) return [];
  const found = findRuleDocumentFindings(source.scope, document, context);
  return found.length === 0 ? [] : placeFindings(found, source.path, readFileSync(source.path, "utf8"));
}

/** The same of a document, without their lines. */
export const findRuleDocumentFindings = (
  scope: ConfigScope,
  document: ConfigDocument,
  context: FindingContext,
): UnplacedFinding[] => [
  ...findRuleFindings(scope, document, context),
  ...findExceptionFindings(scope, document, context),
  ...findLockFindings(scope, document, context),
];

/** Adds where findings stand in a file with this text, and sorts them by that. */
export function placeFindings<Kind extends string>(
  found: readonly UnplacedFinding<Kind>[],
  file: string,
  text: string,
): (Omit<ConfigFinding, "kind"> & { kind: Kind })[] {
  const locate = createLocator(text);
  return found
    .map(({ path, fix, ...finding }) => ({
      ...finding,
      fix: fix.replace("FILE", file),
      path: path.join("."),
      ...locate(path),
    }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

export type ConfigDocument = Readonly<Record<string, unknown>>;

/** In the managed file, what has no effect guards nothing that the company wants guarded. */
export const getUnknownLevel = (scope: ConfigScope) => (scope === "managed" ? "red" : "note");

/** The ids of the rules here: those of the hooks, and those that the files add which count. */
function listKnownIds({ catalog, files }: FindingContext): string[] {
  const added = listCountingFiles(files).flatMap(({ rules = {} }) =>
    Object.entries(rules)
      .filter(([id, said]) => isObject(said) && isOwnRule(said) && findRuleProblems(id, said).length === 0)
      .map(([id]) => id),
  );
  return [...new Set([...catalog.hooks.flatMap(({ rules }) => rules.map(({ id }) => id)), ...added])];
}

const describeProblems = (
  kind: "rule-void" | "exception-void",
  at: JsonPath,
  problems: readonly RuleProblem[],
): UnplacedFinding[] =>
  problems.map(({ path, message }) => ({
    kind,
    level: "red",
    path: [...at, ...path],
    message,
    impact: `this ${kind === "rule-void" ? "rule" : "exception"} is void; the others hold`,
    fix: CORRECT_IT,
  }));

function findRuleFindings(scope: ConfigScope, { rules }: ConfigDocument, context: FindingContext): UnplacedFinding[] {
  const { catalog, files } = context;
  if (rules === undefined) return [];
  if (!isObject(rules))
    return [
      {
        kind: "rule-void",
        level: "red",
        path: ["rules"],
        message: "must be an object, with the rules by their ids",
        impact: "none of its rules is in force",
        fix: CORRECT_IT,
      },
    ];
  if (scope === "project" && !files.isProjectTrusted)
    return Object.keys(rules).length === 0
      ? []
      : [
          {
            kind: "rule-untrusted",
            level: "note",
            path: ["rules"],
            message: `ignored: this project is not trusted${describeTrust(files)}`,
            impact: "otherwise any cloned repository could block your calls",
            fix: 'if you trust the project, add its folder to your own config file: "trusted": ["~/code/project"]',
          },
        ];
  const knownIds = listKnownIds(context);
  const found = Object.entries(rules).flatMap(([id, said]) => {
    const problems = findRuleProblems(id, said, catalog.terms);
    if (problems.length > 0) return describeProblems("rule-void", ["rules", id], problems);
    return isOwnRule(said as ConfigDocument)
      ? findDuplicate(id, context)
      : findSettingFindings(scope, id, said as ConfigDocument, knownIds, context);
  });
  const first = Object.entries(rules).find(([, said]) => isObject(said) && isOwnRule(said));
  return first && !catalog.terms
    ? [
        ...found,
        {
          kind: "rule-unenforced",
          level: "red",
          path: ["rules", first[0]],
          message: "no hook here enforces the rules that config files add",
          impact: "they block nothing",
          fix: "bridge-hooks build --with block-destructive, and install that executable",
        },
      ]
    : found;
}

/** How to trust the project: its folder, and the file that has to name it. */
export function describeTrust({ project }: RuleFiles): string {
  if (!project) return "";
  const folder = dirname(project.path);
  const user = listConfigSources(folder).find(({ scope }) => scope === "user")?.path;
  return `; to trust it, add "trusted": [${JSON.stringify(folder)}] to ${user}`;
}

/** Reports a rule that is added under the id of a hook's own. */
function findDuplicate(id: string, { catalog }: FindingContext): UnplacedFinding[] {
  const own = findHookRule(catalog, id);
  return own === undefined
    ? []
    : [
        {
          kind: "rule-duplicate",
          level: "red",
          path: ["rules", id],
          message: `the hook ${own.hook} has a rule of its own with this id`,
          impact: "both share one id: what config files say of one applies to the other",
          fix: "give the rule its own id, or keep only action and enabled to set the hook's rule",
        },
      ];
}

/** Reports a setting of a rule that has no effect. */
function findSettingFindings(
  scope: ConfigScope,
  id: string,
  said: ConfigDocument,
  knownIds: readonly string[],
  { catalog, files }: FindingContext,
): UnplacedFinding[] {
  const path = ["rules", id];
  if (!knownIds.includes(id)) {
    if (!catalog.isComplete) return [];
    return [
      {
        kind: "rule-unknown",
        level: getUnknownLevel(scope),
        path,
        message: `no rule has this id${hintOf(findNearestRuleId(id, knownIds))}`,
        impact: "it has no effect",
        fix: LIST_RULES,
      },
    ];
  }
  const own = findHookRule(catalog, id);
  if (own?.rule.fixed)
    return [
      {
        kind: "rule-void",
        level: "red",
        path,
        message: `config files can't set a rule of the hook ${own.hook}`,
        impact: "this setting is void; the rule holds as the hook has it",
        fix: `set the options of the hook ${own.hook} instead`,
      },
    ];
  const byDefault = { action: own?.rule.action ?? "deny", enabled: own?.rule.enabled ?? true } as const;
  const hook = own?.hook ?? catalog.enforcers[0] ?? "";
  const ignored = listStatements(files, hook, id, byDefault).find(({ config }) => config.scope === scope)?.ignored;
  return ignored === undefined
    ? []
    : [
        {
          kind: "rule-ignored",
          level: "note",
          path: [...path, said.enabled === undefined ? "action" : "enabled"],
          message: `ignored: ${ignored}`,
          impact: "the rule stays as the stronger file or the hook defines it",
          fix: `bridge-hooks rules ${id} shows what is in force, and which file says so`,
        },
      ];
}

function findExceptionFindings(
  scope: ConfigScope,
  { exceptions }: ConfigDocument,
  context: FindingContext,
): UnplacedFinding[] {
  if (exceptions === undefined) return [];
  if (scope === "project")
    return [
      {
        kind: "exception-ignored",
        level: "note",
        path: ["exceptions"],
        message: "ignored in a project's file",
        impact: "its exceptions are void: otherwise any cloned repository could loosen a hook",
        fix: "put them into your own config file; project limits one to a folder",
      },
    ];
  if (!Array.isArray(exceptions))
    return [
      {
        kind: "exception-void",
        level: "red",
        path: ["exceptions"],
        message: "must be a list of exceptions",
        impact: "none of its exceptions is in force",
        fix: CORRECT_IT,
      },
    ];
  const knownIds = listKnownIds(context);
  return exceptions.flatMap((said: unknown, at) => {
    const problems = findExceptionProblems(said);
    if (problems.length > 0) return describeProblems("exception-void", ["exceptions", at], problems);
    return [
      ...findExceptionEnd(said as StatedException, at),
      ...findExceptionReach(scope, said as StatedException, at, knownIds, context),
    ];
  });
}

function findExceptionEnd({ until }: StatedException, at: number): UnplacedFinding[] {
  if (until === undefined) return [];
  const left = readEnd(until) - Date.now();
  const path = ["exceptions", at, "until"];
  if (left <= 0)
    return [
      {
        kind: "exception-ended",
        level: "note",
        path,
        message: `this exception ended on ${until}`,
        impact: "the rule applies again",
        fix: "delete it, or give it a later end",
      },
    ];
  if (left > DAYS_BEFORE_END * DAY) return [];
  const days = Math.floor(left / DAY);
  const when = days === 0 ? "within a day" : days === 1 ? "in 1 day" : `in ${days} days`;
  return [
    {
      kind: "exception-ends",
      level: "note",
      path,
      message: `this exception ends ${when}`,
      impact: "the rule applies again from then on",
      fix: "none needed, or give it a later end",
    },
  ];
}

/** Reports an exception from rules that there are not, or that allow none. */
function findExceptionReach(
  scope: ConfigScope,
  { rule }: StatedException,
  at: number,
  knownIds: readonly string[],
  { catalog, files }: FindingContext,
): UnplacedFinding[] {
  const path = ["exceptions", at, "rule"];
  const fitting = knownIds.filter((id) => fitsRuleId(rule, id));
  if (fitting.length === 0) {
    if (!catalog.isComplete) return [];
    const hint = hintOf(suggestPattern(rule, knownIds));
    return [
      {
        kind: "exception-unknown",
        level: getUnknownLevel(scope),
        path,
        message: `no rule matches "${rule}"${hint}`,
        impact: "this exception has no effect",
        fix: LIST_RULES,
      },
    ];
  }
  const open = fitting.filter((id) => !findHookRule(catalog, id)?.rule.fixed);
  if (open.length === 0)
    return [
      {
        kind: "exception-void",
        level: "red",
        path,
        message: `config files can't make exceptions from ${rule}`,
        impact: "this exception is void; the rule holds",
        fix: `set the options of the hook ${findHookRule(catalog, fitting[0] as string)?.hook} instead`,
      },
    ];
  const reasons = Map.groupBy(open, (id) =>
    explainIgnoredException(files, scope, findHookRule(catalog, id)?.hook ?? catalog.enforcers[0] ?? "", id),
  );
  return [...reasons].flatMap(([reason, ids]): UnplacedFinding[] =>
    reason === undefined
      ? []
      : [
          {
            kind: "exception-ignored",
            level: "note",
            path,
            message: `ignored${ids.length === open.length ? "" : ` for ${listSome(ids)}`}: ${reason}`,
            impact: "what the rule catches is still blocked",
            fix: "ask whoever owns that file",
          },
        ],
  );
}

/** Names that a message shows. */
const MAX_SHOWN_NAMES = 3;

const listSome = (names: readonly string[]) =>
  names.length <= MAX_SHOWN_NAMES
    ? names.join(", ")
    : `${names.slice(0, MAX_SHOWN_NAMES).join(", ")} and ${names.length - MAX_SHOWN_NAMES} more`;

/** Reports locks of rules and of single settings that fit nothing; whole hooks are checked with their names. */
function findLockFindings(scope: ConfigScope, { locked }: ConfigDocument, context: FindingContext): UnplacedFinding[] {
  if (scope === "project" || !isStringList(locked)) return [];
  const knownIds = listKnownIds(context);
  return locked.flatMap((name, at): UnplacedFinding[] => {
    const texts = name.startsWith("rules/")
      ? findRuleLockProblem(name, knownIds, context)
      : name.includes("/")
        ? findSettingLockProblem(name, context)
        : undefined;
    return texts ? [{ kind: "lock-unknown", level: "red", path: ["locked", at], ...texts }] : [];
  });
}

function findRuleLockProblem(
  name: string,
  knownIds: readonly string[],
  { catalog }: FindingContext,
): FindingTexts | undefined {
  const pattern = name.slice("rules/".length);
  if (!catalog.isComplete || knownIds.some((id) => fitsRuleId(pattern, id))) return undefined;
  const near = suggestPattern(pattern, knownIds);
  const hint = hintOf(near === undefined ? undefined : `rules/${near}`);
  return { message: `no rule matches "${name}"${hint}`, impact: "it locks nothing", fix: LIST_RULES };
}

/** The pattern that was probably meant: for `gits/*`, `git/*`. */
function suggestPattern(pattern: string, knownIds: readonly string[]): string | undefined {
  if (!pattern.includes("*")) return findNearestRuleId(pattern, knownIds);
  const [category = "", ...rest] = pattern.split("/");
  const near = findNearestName(category, [...new Set(knownIds.map((id) => id.split("/", 1)[0] as string))]);
  return near === undefined || near === category ? undefined : [near, ...rest].join("/");
}

function findSettingLockProblem(name: string, { catalog }: FindingContext): FindingTexts | undefined {
  const [hookName, key] = [name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/") + 1)];
  const texts = { impact: "it locks nothing", fix: LIST_HOOKS };
  const hook = catalog.hooks.find((one) => one.name === hookName);
  // What a hook sets that can't be loaded is not known.
  if (!hook && catalog.names.includes(hookName)) return undefined;
  if (!hook) {
    const near = findNearestName(hookName, catalog.names);
    return { message: `no hook is named "${hookName}"${hintOf(near && `${near}/${key}`)}`, ...texts };
  }
  if (!hook.settings || hook.settings.includes(key)) return undefined;
  const near = findNearestName(key, hook.settings);
  return { message: `the hook ${hookName} has no setting "${key}"${hintOf(near && `${hookName}/${near}`)}`, ...texts };
}

/** The files that a file alone makes, as if it were the company's: what it says is judged without any other. */
export const asOnlyFile = (config: ParsedConfig): RuleFiles => ({ managed: config, isProjectTrusted: false });
