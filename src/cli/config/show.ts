import { existsSync, readFileSync } from "node:fs";
import { isObject } from "../../protocol/object.ts";
import type { RuleAction, RuleEffect } from "../../protocol/rule.ts";
import { type ConfigFiles, openSources, type ParsedConfig } from "../../policy/files.ts";
import { EXCEPTION_SCHEMA, type Exception, parseEnd } from "../../policy/describe.ts";
import { readPart } from "../../policy/schema.ts";
import { findRuleProblems } from "../../policy/rule-check.ts";
import { matchesRuleId } from "../../policy/rule-ids.ts";
import { listAddedRules } from "../../policy/rules.ts";
import { type ConfigSource, listConfigSources } from "../../policy/sources.ts";
import { describeHooksOrigin, type HookSet } from "../find-hooks.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";
import { createLocator, type LocateInFile } from "../../policy/check/positions.ts";
import { listRuleIds } from "../../policy/check/name-findings.ts";
import { findHookRule, loadRuleCatalog, type RuleCatalog } from "../../policy/check/rule-catalog.ts";
import {
  explainIgnoredException,
  isInForce,
  listRuleFilesInForce,
  listStatements,
  readRuleFiles,
  type RuleFiles,
} from "../../policy/statements.ts";
import type { ConfigFinding } from "../../policy/check/finding.ts";
import { findFileFindings, type CheckedHooks, loadCheckedHooks } from "../../policy/check/findings.ts";
import type { ConfigShowReport, ShownException, ShownRule, ShownStatement, StatementLocation } from "./report.ts";
import { resolveHookSettings } from "../../policy/check/hook-settings.ts";

type LocateStatement = (source: ConfigSource, path: Parameters<LocateInFile>[0]) => StatementLocation;

/** Creates a function that locates values in config files and reads each file only once. */
function createFileLocator(): LocateStatement {
  const locators = new Map<string, LocateInFile>();
  return ({ scope, path: file }, path) => {
    let locate = locators.get(file);
    if (!locate) locators.set(file, (locate = createLocator(readFileSync(file, "utf8"))));
    return { scope, file, ...locate(path) };
  };
}

/** Determines the effective config for a directory, and the file that sets each value. */
export async function showConfig(
  hooks: HookSet,
  cwd: string,
  sources: readonly ConfigSource[] = listConfigSources(cwd),
): Promise<ConfigShowReport> {
  const files = openSources(sources);
  const catalog = await loadRuleCatalog(hooks, cwd, files);
  const ruleFiles = await readRuleFiles(files);
  const locate = createFileLocator();
  const parsedFiles = await readConfigs(files);
  const judgingHooks = { catalog, files: ruleFiles, hooks: await loadCheckedHooks(hooks.entries) };
  const settings: ConfigShowReport["hooks"] = [];
  for (const entry of hooks.entries) {
    const { settings: hookSettings, statements, problem, lockedBy } = await resolveHookSettings(entry, files);
    settings.push({
      hook: entry.name,
      ...(problem !== undefined && { problem }),
      ...(lockedBy !== undefined && { lockedBy }),
      settings: hookSettings.map(({ name, value, unknown }) => ({
        name,
        ...(value !== undefined && { value }),
        ...(unknown && { unknown }),
        statements: statements
          .filter((statement) => statement.name === name)
          .map(({ scope, file, reason, ...statement }) => ({
            ...locate({ scope, path: file }, ["hooks", entry.name, name]),
            ...{ value: statement.value, effect: statement.effect },
            ...(reason !== undefined && { reason }),
          })),
      })),
    });
  }
  return {
    policy: await identifyPolicy(hooks, cwd, sources),
    from: describeHooksOrigin(hooks),
    files: await Promise.all(
      files.sources.map(async (source) => ({
        scope: source.scope,
        file: source.path,
        found: existsSync(source.path),
        ...(ruleFiles.project && source.scope === "project" && { trusted: ruleFiles.isProjectTrusted }),
        ...(await examineFile(source, judgingHooks)),
      })),
    ),
    hooks: settings,
    rules: listShownRules(parsedFiles, ruleFiles, catalog, locate),
    exceptions: parsedFiles.flatMap((config) =>
      listShownExceptions(config, { files: ruleFiles, catalog }, cwd, locate),
    ),
    locks: parsedFiles.flatMap((config) => listLocks(config, locate)),
    trusted: parsedFiles.flatMap((config) =>
      config.trusted.map((folder, at) => ({ ...locate(config, ["trusted", at]), folder })),
    ),
  };
}

const readConfigs = async ({ sources, read }: ConfigFiles): Promise<ParsedConfig[]> =>
  (await Promise.all(sources.map((source) => read(source).catch(() => undefined)))).filter(
    (config) => config !== undefined,
  );

/** Findings that the report shows next to the affected rule, exception or setting. */
const REPORTED_ELSEWHERE: readonly ConfigFinding["kind"][] = [
  "rule-ignored",
  "setting-missing",
  "exception-ignored",
  "exception-ended",
];

async function examineFile(
  source: ConfigSource,
  judgingHooks: CheckedHooks,
): Promise<{ problem?: string; findings: ConfigFinding[] }> {
  const { findings, ...found } = await findFileFindings(source, judgingHooks);
  return { ...found, findings: findings.filter(({ kind }) => !REPORTED_ELSEWHERE.includes(kind)) };
}

function listShownRules(
  configs: readonly ParsedConfig[],
  files: RuleFiles,
  catalog: RuleCatalog,
  locate: LocateStatement,
): ShownRule[] {
  const ids = new Set(configs.flatMap(({ rules = {} }) => Object.keys(rules)));
  const addedRules = new Map(
    configs.map((configFile) => [configFile, new Map(listAddedRules(configFile, catalog.terms))]),
  );
  return [...ids].map((id) => {
    const match = findHookRule(catalog, id);
    const isAdded = listRuleFilesInForce(files).some((config) => addedRules.get(config)?.has(id));
    const hook = match?.hook ?? (isAdded ? catalog.enforcers[0] : undefined);
    const byDefault = { action: match?.rule.action ?? "deny", enabled: match ? (match.rule.enabled ?? true) : false };
    const judgedStatements = hook === undefined || match?.rule.fixed ? [] : listStatements(files, hook, id, byDefault);
    const statements = configs.flatMap((config): ShownStatement[] => {
      if (!Object.hasOwn(config.rules ?? {}, id)) return [];
      const value = config.rules?.[id];
      const statement = { ...locate(config, ["rules", id]), value };
      const [problem] = findRuleProblems(id, value, catalog.terms);
      const judgedStatement = judgedStatements.find((judgedRule) => judgedRule.config.path === config.path);
      const reason = problem
        ? `invalid: ${problem.message}`
        : match?.rule.fixed
          ? `config files can't change a rule of the hook ${match.hook}`
          : hook === undefined
            ? config.scope === "project" && !files.isProjectTrusted
              ? "this project is not trusted"
              : "no hook here defines or enforces this rule"
            : judgedStatement?.ignored;
      return [
        { ...statement, effect: reason === undefined ? "counts" : "ignored", ...(reason !== undefined && { reason }) },
      ];
    });
    return {
      id,
      ...(hook !== undefined && { hook, action: resolveAction(byDefault, judgedStatements) }),
      ...(match && { default: byDefault.enabled ? byDefault.action : ("off" as const) }),
      statements: markOverridden(statements, judgedStatements),
    };
  });
}

type ListedStatements = ReturnType<typeof listStatements>;

/**
 * Returns a rule's effective action. Each applicable action is stricter than the one before it, so the last one wins.
 */
const resolveAction = (
  { action, enabled }: { action: RuleEffect; enabled: boolean },
  judgedStatements: ListedStatements,
): RuleAction =>
  judgedStatements.findLast(({ ignored }) => ignored === undefined)?.action ?? (enabled ? action : "off");

/** Marks statements that a stricter file overrides. */
function markOverridden(statements: readonly ShownStatement[], judgedStatements: ListedStatements): ShownStatement[] {
  const lastEffective = judgedStatements.findLast(({ ignored }) => ignored === undefined);
  return statements.map((statement) => {
    const match = judgedStatements.find(({ config }) => config.path === statement.file);
    return statement.effect !== "counts" || !lastEffective || !match || match.action === lastEffective.action
      ? statement
      : { ...statement, effect: "overridden", reason: `${lastEffective.config.path} is stricter` };
  });
}

function listShownExceptions(
  config: ParsedConfig,
  { files, catalog }: { files: RuleFiles; catalog: RuleCatalog },
  cwd: string,
  locate: LocateStatement,
): ShownException[] {
  const ids = listRuleIds({ catalog, files });
  return (config.exceptions ?? []).map((entry, at) => {
    const { rule = "", match, project, reason, until } = (isObject(entry) ? entry : {}) as Partial<Exception>;
    const exception = {
      ...locate(config, ["exceptions", at]),
      rule: String(rule),
      ...(match !== undefined && { match: String(match) }),
      ...(project !== undefined && { project: String(project) }),
      ...(reason !== undefined && { reason: String(reason) }),
      ...(until !== undefined && { until: String(until) }),
    };
    const ignore = (ignoredReason: string): ShownException => ({ ...exception, effect: "ignored", why: ignoredReason });
    const [problem] = readPart(EXCEPTION_SCHEMA, entry).problems;
    if (problem) return ignore(`invalid: ${problem.message}`);
    const matchingIds = ids.filter((id) => matchesRuleId(rule, id) && !findHookRule(catalog, id)?.rule.fixed);
    if (matchingIds.length === 0) return ignore("no rule with this ID allows exceptions");
    if (until !== undefined && Date.now() >= parseEnd(until)) return ignore(`expired on ${until}`);
    const getHook = (id: string) => findHookRule(catalog, id)?.hook ?? catalog.enforcers[0] ?? "";
    const reasons = Map.groupBy(matchingIds, (id) => explainIgnoredException(files, config.scope, getHook(id), id));
    const ignoredCauses = [...reasons.keys()].filter((cause) => cause !== undefined);
    if (!reasons.has(undefined)) return ignore(ignoredCauses.join("; "));
    const partialReasons = [...reasons].flatMap(([why, some]) =>
      why === undefined ? [] : `does not apply to ${some.join(", ")}: ${why}`,
    );
    const reasonField = partialReasons.length > 0 ? { why: partialReasons.join("; ") } : {};
    const [first = ""] = reasons.get(undefined) ?? [];
    return isInForce(entry, getHook(first), first, cwd)
      ? { ...exception, effect: "counts", ...reasonField }
      : { ...exception, effect: "elsewhere", ...reasonField };
  });
}

const listLocks = (config: ParsedConfig, locate: LocateStatement): ConfigShowReport["locks"] =>
  config.scope === "project"
    ? []
    : config.locked === true
      ? [{ ...locate(config, ["locked"]), name: "*" }]
      : config.locked.map((name, at) => ({ ...locate(config, ["locked", at]), name }));
