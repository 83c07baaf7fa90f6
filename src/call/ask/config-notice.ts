import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import type { RuleTerms } from "../../protocol/hook.ts";
import type { Env } from "../../protocol/host/host.ts";
import { EXCEPTION_SCHEMA } from "../../policy/describe.ts";
import { getOwnCommand, qualifyCommands } from "../../system/own-command.ts";
import { readPart } from "../../policy/schema.ts";
import type { ConfigFiles, ParsedConfig } from "../../policy/files.ts";
import type { InvalidPart } from "../../policy/parts.ts";
import { findRuleProblems } from "../../policy/rule-check.ts";
import { readRuleConfigs } from "../../policy/rules.ts";
import { deleteOldMarkers } from "../state/delete-old-markers.ts";
import { getStateDirectory } from "../state/state-directory.ts";

/** A session that gets each notice only once. Markers in the state directory record which notices were shown. */
interface NoticeReader {
  session: string;
  env: Env;
}

/**
 * Formats the invalid rules and exceptions in the config files as one line, once per session. Valid rules and
 * exceptions still apply. If the marker can't be written, every call repeats the notice.
 * @param terms names that patterns in added rules can reference; absent if the hook doesn't enforce added rules
 */
export async function describeRuleProblems(
  hook: string,
  files: ConfigFiles,
  terms: RuleTerms | undefined,
  reader: NoticeReader,
): Promise<string | undefined> {
  const configs: ParsedConfig[] = Object.values(await readRuleConfigs(hook, files)).filter(Boolean);
  if (terms && !isFirstCall("rules", configs, reader)) return undefined;
  const invalidParts = terms ? configs.flatMap((config) => listInvalidRules(config, terms)) : [];
  // A hook that doesn't enforce added rules may have reported the invalid exceptions already.
  if (isFirstCall("exceptions", configs, reader)) invalidParts.push(...configs.flatMap(listInvalidExceptions));
  return invalidParts.length === 0 ? undefined : formatNotice(invalidParts, "only valid rules and exceptions apply");
}

const listInvalidRules = ({ path, rules = {} }: ParsedConfig, terms: RuleTerms): string[] =>
  Object.entries(rules).flatMap(([id, rule]) =>
    findRuleProblems(id, rule, terms)
      .slice(0, 1)
      .map(({ message }) => `${path}: the rule ${id} is invalid (${message})`),
  );

const listInvalidExceptions = ({ path, exceptions = [] }: ParsedConfig): string[] =>
  exceptions.flatMap((exception, at) =>
    readPart(EXCEPTION_SCHEMA, exception)
      .problems.slice(0, 1)
      .map(({ message }) => `${path}: exception ${at + 1} is invalid (${message})`),
  );

/** Formats the other invalid parts of the config files as one line, once per session. */
export function describeInvalidParts(parts: readonly InvalidPart[], reader: NoticeReader): string | undefined {
  const [first] = parts;
  if (!first || !isFirstCall("parts", parts, reader)) return undefined;
  return formatNotice(
    parts.map(({ path, keyPath, message }) => `${path}: ${keyPath} is invalid (${message})`),
    first.impact,
  );
}

/**
 * Returns the text on the session's first call and undefined on later calls.
 * @param kind texts of the same kind count as the same notice; defaults to the text itself
 */
export const reportOnce = (text: string, reader: NoticeReader, kind: string = text): string | undefined =>
  isFirstCall(kind, [], reader) ? qualifyCommands(text, getOwnCommand("elsewhere")) : undefined;

function formatNotice([first, ...others]: readonly string[], impact: string): string {
  const suffix = others.length === 0 ? "" : `, and ${others.length} more`;
  return `${first}${suffix}; ${impact}; for the fix, run ${getOwnCommand("elsewhere")} doctor`;
}

/** Returns whether the session has no marker for these files yet. */
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
    deleteOldMarkers(folder);
    writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
  } catch {
    // Without a marker, later calls repeat the notice.
  }
  return true;
}
