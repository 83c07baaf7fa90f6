import { EXCEPTION_SCHEMA, type Exception, isOwnRule, parseEnd, RULE_ID } from "../describe.ts";
import { getConfigFolder } from "../read.ts";
import { type ConfigProblem, readPart } from "../schema.ts";
import { isObject } from "../../protocol/object.ts";
import { findRuleProblems } from "../rule-check.ts";
import { matchesRuleId } from "../rule-ids.ts";
import { type ConfigScope, type ConfigSource } from "../sources.ts";
import { explainIgnoredException, listStatements } from "../statements.ts";
import {
  type ConfigDocument,
  describeProblem,
  type FindingContext,
  getUnknownLevel,
  LIST_RULES,
  type UnplacedFinding,
} from "./finding.ts";
import { explainUnknownRule, listRuleIds } from "./name-findings.ts";
import { findHookRule } from "./rule-catalog.ts";
import { formatOwnCommand, getOwnCommand } from "../../system/own-command.ts";

const DAY_MS = 86_400_000;
/** Exceptions are reported if they end within this many days. */
const EXPIRY_WARNING_DAYS = 14;

/** Finds rules that are invalid, unknown or ineffective. */
export function findRuleFindings(
  scope: ConfigScope,
  rules: Readonly<Record<string, unknown>>,
  context: FindingContext,
): UnplacedFinding[] {
  const { catalog, files } = context;
  if (scope === "project" && !files.isProjectTrusted)
    return Object.keys(rules).length === 0
      ? []
      : [
          {
            kind: "rule-untrusted",
            level: "note",
            path: ["rules"],
            message: `ignored: ${NOT_TRUSTED_REASON}${describeTrust(files)}`,
            impact: "otherwise any cloned repository could block your calls",
            fix: TRUST_PROJECT_ADVICE,
          },
        ];
  const findings = Object.entries(rules).flatMap(([id, value]) => {
    const problems = findRuleProblems(id, value, catalog.terms);
    if (problems.length > 0)
      return [
        ...findUnknownNames(scope, id, { value, problems }, context),
        ...problems.map((problem) => describeProblem("rules", scope, { ...problem, path: [id, ...problem.path] })),
      ];
    return isOwnRule(value as ConfigDocument)
      ? findDuplicate(id, context)
      : findSettingFindings(scope, id, value as ConfigDocument, context);
  });
  const first = Object.entries(rules).find(([, value]) => isObject(value) && isOwnRule(value));
  return first && !catalog.terms
    ? [
        ...findings,
        {
          kind: "rule-unenforced",
          level: "red",
          path: ["rules", first[0]],
          message: "no hook here enforces rules from config files",
          impact: "rules from config files don't block any calls",
          fix: `run ${getOwnCommand()} build --with block-destructive, and install the executable`,
        },
      ]
    : findings;
}

/** Reports an unknown rule id if its entry has invalid settings, unless the entry was probably meant to add a rule. */
function findUnknownNames(
  scope: ConfigScope,
  id: string,
  { value, problems }: { value: unknown; problems: readonly ConfigProblem[] },
  context: FindingContext,
): UnplacedFinding[] {
  // An empty entry could be meant either to add a rule or to change one.
  const mayAdd = isObject(value) && (isOwnRule(value) || Object.keys(value).length === 0);
  if (!RULE_ID.test(id) || mayAdd) return [];
  const hint = explainUnknownRule(id, context);
  const isSetting = problems.every(({ path, isUnknown }) => path.length > 0 && !isUnknown);
  return hint === undefined || (hint === "" && !isSetting) ? [] : [createUnknownRuleFinding(scope, id, hint)];
}

const createUnknownRuleFinding = (scope: ConfigScope, id: string, hint: string): UnplacedFinding => ({
  kind: "rule-unknown",
  level: getUnknownLevel(scope),
  path: ["rules", id],
  message: `no rule has this id${hint}`,
  impact: "this entry has no effect",
  fix: LIST_RULES,
});

/** Returns why a setting in a project's file is ignored. */
export const NOT_TRUSTED_REASON = "this project is not trusted";
export const TRUST_PROJECT_ADVICE =
  'if you trust the project, add its directory to your own config file: "trusted": ["~/code/project"]';

/** Formats the command that trusts the project, ready to paste. */
export function describeTrust({ project }: { project?: ConfigSource | undefined }): string {
  if (!project) return "";
  const folder = getConfigFolder(project);
  return `; to trust it, run ${formatOwnCommand(["config", "set", "trusted.+", folder])}`;
}

/** Reports an added rule with the id of a hook's own rule. */
function findDuplicate(id: string, { catalog }: FindingContext): UnplacedFinding[] {
  const hookRule = findHookRule(catalog, id);
  return hookRule === undefined
    ? []
    : [
        {
          kind: "rule-duplicate",
          level: "red",
          path: ["rules", id],
          message: `the hook ${hookRule.hook} already has a rule with this id`,
          impact: "settings for one of the two rules also apply to the other",
          fix: "give the rule a unique id, or keep only action and enabled to change the hook's rule",
        },
      ];
}

/** Reports a rule setting that has no effect. */
function findSettingFindings(
  scope: ConfigScope,
  id: string,
  rule: ConfigDocument,
  context: FindingContext,
): UnplacedFinding[] {
  const { catalog, files } = context;
  const path = ["rules", id];
  const hint = explainUnknownRule(id, context);
  if (hint !== undefined) return [createUnknownRuleFinding(scope, id, hint)];
  if (!listRuleIds(context).includes(id)) return [];
  const hookRule = findHookRule(catalog, id);
  if (hookRule?.rule.fixed)
    return [
      {
        kind: "rule-void",
        level: "red",
        path,
        message: `config files can't change a rule of the hook ${hookRule.hook}`,
        impact: "this setting has no effect; the hook's own rule applies",
        fix: `set the options of the hook ${hookRule.hook} instead`,
      },
    ];
  const ruleDefault = { action: hookRule?.rule.action ?? "deny", enabled: hookRule?.rule.enabled ?? true } as const;
  const hook = hookRule?.hook ?? catalog.enforcers[0] ?? "";
  const ignoredReason = listStatements(files, hook, id, ruleDefault).find(
    ({ config }) => config.scope === scope,
  )?.ignored;
  return ignoredReason === undefined
    ? []
    : [
        {
          kind: "rule-ignored",
          level: "note",
          path: [...path, rule.enabled === undefined ? "action" : "enabled"],
          message: `ignored: ${ignoredReason}`,
          impact: "the definition from the hook, or from the file with higher precedence, still applies",
          fix: `run ${formatOwnCommand(["rules", id])} to see the action in force and the file that sets it`,
        },
      ];
}

/**
 * Finds exceptions that end soon or have no effect. Invalid ones are reported elsewhere, along with other errors in the
 * file.
 */
export const findExceptionFindings = (
  scope: ConfigScope,
  exceptions: readonly unknown[],
  context: FindingContext,
): UnplacedFinding[] =>
  exceptions.flatMap((exception, at) => {
    if (!isObject(exception)) return [];
    const { problems } = readPart(EXCEPTION_SCHEMA, exception);
    const isRight = (field: keyof Exception) =>
      typeof exception[field] === "string" && problems.every(({ path: [wrongField] }) => wrongField !== field);
    const { rule, until } = exception as unknown as Exception;
    return [
      ...(isRight("until") ? findExceptionEnd({ until }, at) : []),
      ...(isRight("rule") ? findIneffectiveException(scope, { rule }, at, context) : []),
    ];
  });

function findExceptionEnd({ until }: Pick<Exception, "until">, at: number): UnplacedFinding[] {
  if (until === undefined) return [];
  const remainingMs = parseEnd(until) - Date.now();
  const path = ["exceptions", at, "until"];
  if (remainingMs <= 0)
    return [
      {
        kind: "exception-ended",
        level: "note",
        path,
        message: `this exception ended on ${until}`,
        impact: "the rule applies again",
        fix: "delete the exception, or set a later date",
      },
    ];
  if (remainingMs > EXPIRY_WARNING_DAYS * DAY_MS) return [];
  const days = Math.floor(remainingMs / DAY_MS);
  const when = days === 0 ? "within a day" : days === 1 ? "in 1 day" : `in ${days} days`;
  return [
    {
      kind: "exception-ends",
      level: "note",
      path,
      message: `this exception ends ${when}`,
      impact: "afterwards, the rule applies again",
      fix: "no action needed, or set a later date",
    },
  ];
}

/** Reports an exception to a rule that is unknown or that doesn't allow exceptions. */
function findIneffectiveException(
  scope: ConfigScope,
  { rule }: Pick<Exception, "rule">,
  at: number,
  context: FindingContext,
): UnplacedFinding[] {
  const { catalog, files } = context;
  const path = ["exceptions", at, "rule"];
  const hint = explainUnknownRule(rule, context);
  if (hint !== undefined)
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
  const fitting = listRuleIds(context).filter((id) => matchesRuleId(rule, id));
  if (fitting.length === 0) return [];
  const openIds = fitting.filter((id) => !findHookRule(catalog, id)?.rule.fixed);
  if (openIds.length === 0)
    return [
      {
        kind: "exception-void",
        level: "red",
        path,
        message: `config files can't define exceptions to ${rule}`,
        impact: "this exception has no effect; the rule still applies",
        fix: `set the options of the hook ${findHookRule(catalog, fitting[0] as string)?.hook} instead`,
      },
    ];
  const reasons = Map.groupBy(openIds, (id) =>
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
            message: `ignored${ids.length === openIds.length ? "" : ` for ${formatFirstNames(ids)}`}: ${reason}`,
            impact: "calls that match the rule are still blocked",
            fix: "ask the owner of that file",
          },
        ],
  );
}

/** Maximum number of names to list in a message. */
const MAX_SHOWN_NAMES = 3;

/** Lists the first few names, followed by how many were left out. */
export const formatFirstNames = (names: readonly string[]) =>
  names.length <= MAX_SHOWN_NAMES
    ? names.join(", ")
    : `${names.slice(0, MAX_SHOWN_NAMES).join(", ")} and ${names.length - MAX_SHOWN_NAMES} more`;
