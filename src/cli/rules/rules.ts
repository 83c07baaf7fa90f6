import { findNearestName, formatHint } from "../../protocol/name-suggestions.ts";
import type { Rule } from "../../protocol/rule.ts";
import { openConfigFiles } from "../../policy/files.ts";
import { findModeOrigin, readModes } from "../../policy/modes.ts";
import { isInside } from "../../policy/read.ts";
import { matchesRuleId } from "../../policy/rule-ids.ts";
import { type ConfiguredRule, listAddedRules, readRulePolicy } from "../../policy/rules.ts";
import { describeConditions, formatExample } from "../../policy/check/rule-text.ts";
import { hosts } from "../../hosts/index.ts";
import { listRuleGaps } from "../../operate/policy/rule-gaps.ts";
import { describeHooksOrigin, type HookSet } from "../find-hooks.ts";
import { type ConfigException, listConfigExceptions } from "../allow/config-exceptions.ts";
import type { ListedRule } from "./report.ts";
import { type CatalogHook, findNearestRuleId, loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import {
  explainIgnoredException,
  findRuleLock,
  listRuleFilesInForce,
  listStatements,
  readRuleFiles,
  type RuleFiles,
} from "../../policy/statements.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** The rules of all hooks, in order, and the reasons why some hooks can't list theirs. */
interface RuleSet {
  /** The hooks directory, or "compiled in". */
  from: string;
  rules: ListedRule[];
  problems: string[];
}

/** Collects the rules of hooks and config files as they apply in a directory. */
export async function collectRules(hooks: HookSet, cwd: string): Promise<RuleSet> {
  const catalog = await loadRuleCatalog(hooks, cwd);
  const files = openConfigFiles(cwd);
  const ruleFiles = await readRuleFiles(files);
  const exceptions = await listConfigExceptions(files);
  const modes = await readModes();
  const problems = [...catalog.problems];
  const rules: ListedRule[] = [];
  for (const hook of catalog.hooks) {
    const sourcedRules = [
      ...hook.rules.map((rule) => ({ rule, source: "built-in" })),
      ...(hook.terms ? listRulesOfFiles(ruleFiles, hook) : []),
    ];
    if (sourcedRules.length === 0) continue;
    const policy = await readRulePolicy(hook.name, files, cwd, hook.terms).catch((error: unknown) => {
      const { message } = error as Error;
      if (!problems.some((problem) => problem.includes(message))) problems.push(`${hook.name}: ${message}`);
      return undefined;
    });
    for (const { rule, source } of sourcedRules) {
      const gaps = source === "built-in" ? [] : await listRuleGaps(rule as unknown as Record<string, unknown>, hosts);
      const entry = hooks.entries.find(({ name }) => name === hook.name);
      const mode = entry && findModeOrigin(entry, modes, rule.id);
      const listedRule = {
        ...listRule(rule, hook.name, source),
        ...(gaps.length > 0 && { gaps }),
        ...(mode && { mode }),
      };
      if (!policy || rule.fixed) rules.push(listedRule);
      else {
        const action = policy.resolveAction(rule.id, rule.action, rule.enabled);
        rules.push({
          ...listedRule,
          action: action === "off" ? listedRule.action : action,
          enabled: action !== "off",
          ...describeStatements({ rule, source }, hook.name, { files: ruleFiles, exceptions, cwd }),
        });
      }
    }
  }
  return { from: describeHooksOrigin(hooks), rules, problems };
}

/** Converts a config file's rule to a hook's format. The rule can lack examples and can have conditions on calls. */
function toRule(id: string, { deny = [], allow = [], ...rule }: ConfiguredRule): Rule {
  const finds = describeConditions(rule as Readonly<Record<string, unknown>>);
  return {
    ...rule,
    ...{ id, deny: deny.map(formatExample), allow: allow.map(formatExample) },
    ...(finds !== undefined && { finds }),
  };
}

/** A rule with its source: the file that adds the rule, or "built-in". */
interface SourcedRule {
  rule: Rule;
  source: string;
}

/** Lists the valid rules that config files add. */
const listRulesOfFiles = (files: RuleFiles, { terms }: CatalogHook): SourcedRule[] =>
  listRuleFilesInForce(files).flatMap((config) =>
    listAddedRules(config, terms).map(([id, rule]) => ({ rule: toRule(id, rule), source: config.path })),
  );

/** Describes which files set or lock a rule, and which exceptions to it are in force here. */
function describeStatements(
  { rule: { id, action = "deny", enabled = true }, source }: SourcedRule,
  hook: string,
  { files, exceptions, cwd }: { files: RuleFiles; exceptions: readonly ConfigException[]; cwd: string },
): Pick<ListedRule, "setBy" | "lockedBy" | "exceptions"> {
  const lock = findRuleLock(files, "project", hook, id);
  return {
    setBy: listStatements(files, hook, id, { action, enabled })
      .filter(({ config, ignored }) => ignored === undefined && config.path !== source)
      .map(({ config: { scope, path }, action: ruleAction }) => ({ scope, file: path, action: ruleAction })),
    ...(lock && { lockedBy: lock.path }),
    exceptions: exceptions
      .filter(
        (exception) =>
          matchesRuleId(exception.rule, id) &&
          explainIgnoredException(files, exception.scope, hook, id) === undefined &&
          (exception.project === undefined || isInside(cwd, exception.project)),
      )
      .map(({ rule: _, ...exception }) => exception),
  };
}

const listRule = (rule: Rule, hook: string, source: string): ListedRule => {
  const { id, program, pattern, finds, reason, advice, action = "deny", enabled = true, deny, allow } = rule;
  return {
    hook,
    source,
    id,
    category: id.split("/", 1)[0] as string,
    action,
    enabled,
    ...(program !== undefined && { program }),
    ...(pattern !== undefined && { patterns: [pattern].flat() }),
    ...(finds !== undefined && { finds }),
    reason,
    ...(advice !== undefined && { advice }),
    deny: [...deny],
    allow: [...allow],
    setBy: [],
    exceptions: [],
  };
};

/**
 * Selects the requested rules.
 * @param name an ID, an ID pattern, a category, or a word from a rule's ID or programs
 * @throws Error for an unknown name or category, with a suggestion.
 */
export function selectRules(
  rules: readonly ListedRule[],
  { name, category }: { name?: string; category?: string },
): ListedRule[] {
  const categories = [...new Set(rules.map((rule) => rule.category))];
  if (category !== undefined && !categories.includes(category))
    throw new Error(
      `unknown category "${category}"${formatHint(findNearestName(category, categories)) || `; known: ${categories.join(", ")}`}`,
    );
  const inCategory = rules.filter((rule) => category === undefined || rule.category === category);
  if (name === undefined) return inCategory;
  const matches = findMatches(inCategory, name);
  if (matches.length === 0) throw new Error(`unknown rule "${name}"${suggestRule(name, inCategory)}`);
  return matches;
}

/** A name with a slash is always a whole ID, so that a mistyped ID is reported instead of matching another rule. */
function findMatches(rules: readonly ListedRule[], name: string): ListedRule[] {
  const inCategory = rules.filter(({ category }) => category === name);
  if (inCategory.length > 0) return inCategory;
  if (/[/*]/.test(name)) return rules.filter(({ id }) => matchesRuleId(name, id));
  const word = name.toLowerCase();
  return rules.filter(({ id, program }) => id.includes(word) || program?.split("|").includes(word));
}

/** Suggests a similar category, command or ID, or the command that lists the rules. */
function suggestRule(name: string, rules: readonly ListedRule[]): string {
  const ids = rules.map(({ id }) => id);
  const words = name.includes("/") ? [] : [...new Set(rules.map(({ category }) => category)), "test"];
  const word = findNearestName(name, words);
  return (
    formatHint(word === "test" ? "rules test" : (word ?? findNearestRuleId(name, ids))) ||
    `; to list rules: ${getOwnCommand()} rules`
  );
}
