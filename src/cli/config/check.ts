import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type ConfigFiles, interpretConfig, openSources, type ParsedConfig } from "../../policy/files.ts";
import { parseConfigText } from "../../policy/read.ts";
import { PROJECT_CONFIG } from "../../policy/config-paths.ts";
import { type ConfigScope, type ConfigSource, listConfigSources, listSharedSources } from "../../policy/sources.ts";
import { describeHooksOrigin, type HookSet } from "../find-hooks.ts";
import { POLICY } from "../../operate/policy/identity.ts";
import { type RuleCatalog, loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { treatAsOnlyFile, readRuleFiles } from "../../policy/statements.ts";
import { listOwnRules, runRuleExamples } from "../rules/test-rules.ts";
import { explainSystemError } from "../system-errors.ts";
import type { CheckedFile, ConfigCheckReport } from "./check-report.ts";
import type { ConfigDocument, ConfigFinding } from "../../policy/check/finding.ts";
import { findDocumentFindings, type CheckedHooks, loadCheckedHooks } from "../../policy/check/findings.ts";
import { resolveConfigScope } from "./scope.ts";
import { toSyntaxFinding } from "../../policy/check/syntax-findings.ts";

/**
 * Checks config files before installation, each as if it were the only installed file.
 * @param scope the files' scope; defaults to project for a project config's file name, otherwise to managed
 */
export async function checkConfigFiles(
  files: readonly string[],
  scope: ConfigScope | undefined,
  hooks: HookSet,
  cwd: string,
): Promise<ConfigCheckReport> {
  const checked: CheckedFile[] = [];
  // Check one file at a time, because hooks share this process.
  for (const file of files)
    checked.push(await checkFile({ scope: resolveConfigScope(file, scope, cwd), path: file }, hooks, cwd));
  return { policy: POLICY, from: describeHooksOrigin(hooks), ok: checked.every(({ ok }) => ok), files: checked };
}

/** Checks a config file as if it were the only installed file, and runs the examples of its rules. */
export async function checkFile(source: ConfigSource, hooks: HookSet, cwd: string): Promise<CheckedFile> {
  const { scope, path: file } = source;
  const finish = (findings: ConfigFinding[], rules: CheckedFile["rules"] = []): CheckedFile => ({
    file,
    scope,
    ok: findings.every(({ level }) => level !== "red") && rules.every(({ ok }) => ok),
    findings,
    rules,
  });
  let text: string;
  try {
    if (!statSync(file).isFile()) throw new Error("not a file");
    text = readFileSync(file, "utf8");
  } catch (error) {
    return finish([toSyntaxFinding(file, new Error(`${file} can't be read (${explainSystemError(error)})`))]);
  }
  let document: Record<string, unknown>;
  try {
    document = await parseConfigText(file, text);
  } catch (error) {
    return finish([toSyntaxFinding(file, error as Error)]);
  }
  const config = interpretConfig(source, document);
  const onlyFile: ConfigFiles = { sources: [source], read: async () => config };
  const catalog = await loadRuleCatalog(hooks, cwd, onlyFile);
  const judgingHooks = { catalog, files: treatAsOnlyFile(config), hooks: await loadCheckedHooks(hooks.entries) };
  const findings = [
    ...(await findDocumentFindings(source, text, document, judgingHooks)),
    ...(await findUntrustedParts(source, { ...judgingHooks, text, document })),
  ].toSorted((a, b) => a.line - b.line || a.column - b.column);
  const { rules, problem } = await runExamples(config, hooks, catalog);
  // If a finding already explains why the examples can't be run, refer to it instead of repeating the reason.
  const matchingFinding = findings.find(({ level, path }) => level === "red" && problem?.includes(` ${path}: `));
  const reason = matchingFinding ? `${matchingFinding.path} is invalid` : problem;
  return finish(reason === undefined ? findings : [...findings, toExamplesFinding(reason)], rules);
}

const UNTRUSTED_KINDS: readonly ConfigFinding["kind"][] = ["rule-untrusted", "setting-untrusted"];

/** Finds the parts of a project's file that take effect only once the user trusts the project. */
async function findUntrustedParts(
  source: ConfigSource,
  { text, document, ...judging }: CheckedHooks & { text: string; document: ConfigDocument },
): Promise<ConfigFinding[]> {
  if (source.scope !== "project") return [];
  const path = resolve(source.path);
  const isProjectFile = basename(path) === PROJECT_CONFIG;
  const target = isProjectFile ? path : listConfigSources(process.cwd()).find(({ scope }) => scope === "project")?.path;
  const intendedSource = { ...source, path, target: target ?? path };
  const files = await readRuleFiles(openSources([...listSharedSources(), intendedSource]));
  if (files.isProjectTrusted) return [];
  const findings = await findDocumentFindings(source, text, document, { ...judging, files });
  return findings.filter(({ kind }) => UNTRUSTED_KINDS.includes(kind));
}

async function runExamples(
  config: ParsedConfig,
  hooks: HookSet,
  catalog: RuleCatalog,
): Promise<{ rules: CheckedFile["rules"]; problem?: string }> {
  // Without the hook that evaluates rules, the rules stop nothing, which a finding reports.
  if (!catalog.terms || listOwnRules(config).length === 0) return { rules: [] };
  try {
    return { rules: await runRuleExamples({ ...config, scope: "managed" }, hooks, catalog) };
  } catch (error) {
    return { rules: [], problem: (error as Error).message };
  }
}

const toExamplesFinding = (problem: string): ConfigFinding => ({
  kind: "examples-not-run",
  level: "note",
  path: "rules",
  line: 1,
  column: 1,
  message: `the examples were not run: ${problem}`,
  impact: "the rules are untested",
  fix: "fix that first",
});
