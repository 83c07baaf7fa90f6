import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RuleTerms } from "../protocol/hook.ts";
import type { Env } from "../protocol/host/host.ts";
import type { ConfigFiles, ParsedConfig } from "../policy/files.ts";
import { deleteOldMarks } from "./marks.ts";
import { findExceptionProblems, findRuleProblems } from "../policy/rule-check.ts";
import { readRuleConfigs } from "../policy/rules.ts";
import { getStateDirectory } from "./state-directory.ts";

/**
 * What is wrong in the rules of the config files, as one line; once in a session, since the rules that are right hold
 * anyway. A mark in the state directory says that a session was told; where none can be written, each call says it.
 */
export async function describeRuleProblems(
  hook: string,
  files: ConfigFiles,
  terms: RuleTerms | undefined,
  session: string,
  env: Env,
): Promise<string | undefined> {
  const configs: ParsedConfig[] = Object.values(await readRuleConfigs(hook, files)).filter(Boolean);
  if (!isFirstCall(configs, session, env)) return undefined;
  const wrong = configs.flatMap((config) => listWrong(config, terms));
  if (wrong.length === 0) return undefined;
  const [first] = wrong;
  const more = wrong.length === 1 ? "" : `, and ${wrong.length - 1} more`;
  return `${first}${more}: void, and all other rules hold; bridge-hooks doctor says what to correct`;
}

function listWrong({ path, rules = {}, exceptions = [] }: ParsedConfig, terms: RuleTerms | undefined): string[] {
  return [
    ...Object.entries(rules).flatMap(([id, said]) =>
      findRuleProblems(id, said, terms)
        .slice(0, 1)
        .map(({ message }) => `${path}: the rule ${id} is wrong (${message})`),
    ),
    ...exceptions.flatMap((said, at) =>
      findExceptionProblems(said)
        .slice(0, 1)
        .map(({ message }) => `${path}: exception ${at + 1} is wrong (${message})`),
    ),
  ];
}

/** Whether this is the first call of a session with these files, as far as marks tell. */
function isFirstCall(configs: readonly ParsedConfig[], session: string, env: Env): boolean {
  const folder = join(getStateDirectory(env), "rule-checks");
  try {
    const versions = configs.map(({ path }) => [path, statSync(path).mtimeMs, statSync(path).size]);
    const mark = join(folder, Bun.hash(JSON.stringify([session, versions])).toString(36));
    if (statSync(mark, { throwIfNoEntry: false })) return false;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    deleteOldMarks(folder);
    writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
  } catch {
    // What can't be marked is said again.
  }
  return true;
}
