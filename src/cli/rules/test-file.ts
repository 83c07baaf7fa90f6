import { statSync } from "node:fs";
import { POLICY } from "../../operate/policy/identity.ts";
import { loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { openConfigFiles, type ParsedConfig } from "../../policy/files.ts";
import { readConfigDocument } from "../../policy/read.ts";
import { orAbsent } from "../../system/errors.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { checkFile } from "../config/check.ts";
import type { HookSet } from "../find-hooks.ts";
import type { RuleTestReport } from "./test-report.ts";
import { listOwnRules } from "./test-rules.ts";

/**
 * Checks a config file and runs the examples of its added rules. The file is treated as the managed file and as the
 * only config file.
 * @throws Error if the file can't be read, has no rule settings, or adds rules that no hook here enforces.
 */
export async function testRules(file: string, hooks: HookSet, cwd: string): Promise<RuleTestReport> {
  const source = { scope: "managed", path: file } as const;
  const config = await readTestedFile(source, cwd);
  if (listOwnRules(config).length > 0 && !(await loadRuleCatalog(hooks, cwd)).terms)
    throw new Error(
      `no hook here enforces the rules in ${file}; build an executable that does: ${getOwnCommand()} build --with block-destructive`,
    );
  const { ok, findings, rules } = await checkFile(source, hooks, cwd);
  return { policy: POLICY, file, ok, findings, rules };
}

async function readTestedFile(source: { scope: "managed"; path: string }, cwd: string): Promise<ParsedConfig> {
  const { path: file } = source;
  const stat = orAbsent(() => statSync(file));
  if (!stat) throw new Error(`no such file: ${file}; pass a config file`);
  if (stat.isDirectory()) throw new Error(`${file} is a directory; pass a config file`);
  const config = await openConfigFiles(cwd).read(source);
  if (!config) throw new Error(`no such file: ${file}`);
  const { rules, exceptions } = (await readConfigDocument(source)) ?? {};
  if (rules === undefined && exceptions === undefined)
    throw new Error(
      `${file} has neither rules nor exceptions; rules belong in "rules": {…}, exceptions in "exceptions": […]`,
    );
  return config;
}
