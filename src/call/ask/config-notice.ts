import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import type { RuleTerms } from "../../protocol/hook.ts";
import type { Env } from "../../protocol/host/host.ts";
import { EXCEPTION } from "../../policy/describe.ts";
import { getOwnCommand, qualifyCommands } from "../../system/own-command.ts";
import { readPart } from "../../policy/schema.ts";
import type { ConfigFiles, ParsedConfig } from "../../policy/files.ts";
import type { VoidPart } from "../../policy/parts.ts";
import { findRuleProblems } from "../../policy/rule-check.ts";
import { readRuleConfigs } from "../../policy/rules.ts";
import { deleteOldMarks } from "../state/marks.ts";
import { getStateDirectory } from "../state/state-directory.ts";

/** A session that is told once what is void in its config files, by a mark in the state directory. */
interface NoticeReader {
  session: string;
  env: Env;
}

/**
 * Formats what is void in the rules and exceptions of the config files as one line, once in a session: what is right in
 * them holds anyway. Where no mark can be written, each call gets it.
 * @param terms what the patterns of added rules can name; absent where the hook enforces none.
 */
export async function describeRuleProblems(
  hook: string,
  files: ConfigFiles,
  terms: RuleTerms | undefined,
  reader: NoticeReader,
): Promise<string | undefined> {
  const configs: ParsedConfig[] = Object.values(await readRuleConfigs(hook, files)).filter(Boolean);
  if (terms && !isFirstCall("rules", configs, reader)) return undefined;
  const wrong = terms ? configs.flatMap((config) => listVoidRules(config, terms)) : [];
  // Hooks that enforce no added rules may have reported them.
  if (isFirstCall("exceptions", configs, reader)) wrong.push(...configs.flatMap(listVoidExceptions));
  return wrong.length === 0 ? undefined : formatNotice(wrong, "void, and all other rules hold");
}

const listVoidRules = ({ path, rules = {} }: ParsedConfig, terms: RuleTerms): string[] =>
  Object.entries(rules).flatMap(([id, rule]) =>
    findRuleProblems(id, rule, terms)
      .slice(0, 1)
      .map(({ message }) => `${path}: the rule ${id} is wrong (${message})`),
  );

const listVoidExceptions = ({ path, exceptions = [] }: ParsedConfig): string[] =>
  exceptions.flatMap((exception, at) =>
    readPart(EXCEPTION, exception)
      .problems.slice(0, 1)
      .map(({ message }) => `${path}: exception ${at + 1} is wrong (${message})`),
  );

/** The same of all other parts of the config files. */
export function describeVoidParts(parts: readonly VoidPart[], reader: NoticeReader): string | undefined {
  const [first] = parts;
  if (!first || !isFirstCall("parts", parts, reader)) return undefined;
  return formatNotice(
    parts.map(({ path, keyPath, message }) => `${path}: ${keyPath} is wrong (${message})`),
    first.impact,
  );
}

/**
 * A text in the first call of a session, and nothing in the others.
 * @param kind what counts as the same text. Default: the text itself.
 */
export const sayOnce = (text: string, reader: NoticeReader, kind: string = text): string | undefined =>
  isFirstCall(kind, [], reader) ? qualifyCommands(text, getOwnCommand("elsewhere")) : undefined;

function formatNotice([first, ...others]: readonly string[], impact: string): string {
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `${first}${more}: ${impact}; ${getOwnCommand("elsewhere")} doctor says what to correct`;
}

/** Whether this is the first call of a session with these files, as far as marks tell. */
function isFirstCall(kind: string, files: readonly { path: string }[], { session, env }: NoticeReader): boolean {
  const folder = join(getStateDirectory(env), "rule-checks");
  try {
    const versions = files.map(({ path }) => {
      const { mtimeMs, size } = statSync(path);
      return [path, mtimeMs, size];
    });
    const mark = join(folder, Bun.hash(JSON.stringify([session, kind, versions])).toString(36));
    if (orAbsent(() => statSync(mark))) return false;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    deleteOldMarks(folder);
    writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
  } catch {
    // What can't be marked is said again.
  }
  return true;
}
