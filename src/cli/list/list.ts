import type { HookDescriptor } from "../../protocol/hook.ts";
import { describeAllHostLimits } from "../../operate/machine/hook-times.ts";
import { existsSync } from "node:fs";
import type { ConfigFinding } from "../../policy/check/finding.ts";
import type { ConfigSource } from "../../policy/sources.ts";
import { describeHooksOrigin, type HookSet } from "../find-hooks.ts";
import { checkMatcher, checkToolCoverage } from "../build/matcher.ts";
import { type ConfigFiles, openConfigFiles } from "../../policy/files.ts";
import { findModeOrigin, readModes } from "../../policy/modes.ts";
import { loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { readRuleFiles } from "../../policy/statements.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";
import { findFileFindings, type CheckedHooks, loadCheckedHooks } from "../../policy/check/findings.ts";
import type { ConfigReport, ListedHook, ListReport } from "./report.ts";
import {
  type IgnoreCause,
  isOwnSetting,
  resolveHookSettings,
  type SettingStatement,
} from "../../policy/check/hook-settings.ts";
import { describeOptions } from "../../policy/check/option-schema.ts";

/** Lists the hooks with their settings from the config files that apply to a directory. */
export async function listHooks(hooks: HookSet, cwd: string): Promise<ListReport> {
  const { entries, files } = hooks;
  const catalog = await loadRuleCatalog(hooks, cwd);
  const configFiles = openConfigFiles(cwd);
  const judgingHooks = {
    ...{ catalog, files: await readRuleFiles(configFiles) },
    hooks: await loadCheckedHooks(entries),
  };
  const modes = await readModes();
  const limits = await describeAllHostLimits(entries);
  return {
    policy: await identifyPolicy(hooks, cwd),
    from: describeHooksOrigin(hooks),
    hooks: await Promise.all(
      entries.map(async (entry) => {
        const [limited, mode] = [limits.get(entry), findModeOrigin(entry, modes)];
        return {
          ...(await listHook(entry, files.get(entry.name), configFiles)),
          ...(limited && { limits: limited }),
          ...(mode && { mode }),
        };
      }),
    ),
    config: await Promise.all(configFiles.sources.map((source) => examineConfigFile(source, judgingHooks))),
  };
}

/**
 * Findings that are reported with the hook instead of a file, because a hook's settings can come from multiple files.
 */
const REPORTED_WITH_HOOKS = /^(?:setting-|hook-unloadable)/;

/** Finds values in a config file, other than hook settings, that are invalid or have no effect. */
export async function examineConfigFile(source: ConfigSource, judgingHooks: CheckedHooks): Promise<ConfigReport> {
  const { scope, path: file } = source;
  const { problem, findings } = await findFileFindings(source, judgingHooks);
  const about = { scope, file, found: existsSync(file) };
  if (problem !== undefined) return { ...about, problem, findings: [] };
  const isListed = ({ kind, path }: ConfigFinding) => !path.startsWith("hooks.") || !REPORTED_WITH_HOOKS.test(kind);
  // Downgrade findings about unknown keys to notes, because an installed file might be meant for a newer executable.
  const lowerToNote = (finding: ConfigFinding): ConfigFinding =>
    finding.kind === "key-unknown" ? { ...finding, level: "note" } : finding;
  return { ...about, findings: findings.filter(isListed).map(lowerToNote) };
}

async function listHook(entry: HookDescriptor, file: string | undefined, config: ConfigFiles): Promise<ListedHook> {
  const { name, events, tools, matcher, order = 0, onError, timeoutMs, maxContinuations } = entry;
  const { hook, settings, statements, lockedBy, ...found } = await resolveHookSettings(entry, config);
  const schema = hook?.options;
  const problem = [found.problem, found.projectProblem].filter((text) => text !== undefined).join("\n");
  const optionalFields = {
    description: hook?.description,
    file,
    tools: tools && [...tools],
    matcher,
    onError,
    timeoutMs,
    maxContinuations,
    vendor: schema && !describeOptions(schema) ? schema["~standard"].vendor : undefined,
    lock: lockedBy === undefined ? undefined : { file: lockedBy, ignored: groupByFile(statements) },
    problem: problem || undefined,
  };
  const ignoredFor = (cause: IgnoreCause) => statements.filter((statement) => statement.cause === cause);
  return {
    name,
    origin: entry.origin ?? "own",
    events: [...events],
    order,
    ...(Object.fromEntries(
      Object.entries(optionalFields).filter(([, value]) => value !== undefined),
    ) as Partial<ListedHook>),
    options: settings.filter(isOwnSetting),
    ignored: ignoredFor("untrusted").map((statement) => statement.name),
    unknown: ignoredFor("unknown").map((statement) => ({
      ...{ name: statement.name, file: statement.file },
      ...(statement.near !== undefined && { near: statement.near }),
    })),
    lockedOut: ignoredFor("setting-locked").map((statement) => ({
      name: statement.name,
      file: statement.file,
      by: statement.by ?? "",
    })),
    notes: [...(await collectMatcherNotes(entry)), ...(await checkToolCoverage(entry))],
  };
}

/** Lists the settings that are ignored because another file locks the hook, grouped by the file that contains them. */
const groupByFile = (statements: readonly SettingStatement[]): { file: string; options: string[] }[] =>
  [
    ...Map.groupBy(
      statements.filter(({ cause }) => cause === "hook-locked"),
      ({ file }) => file,
    ),
  ].map(([file, all]) => ({
    file,
    options: all.map(({ name }) => name),
  }));

/** Collects problems with a hook's matcher, including alternatives that match no call. */
export async function collectMatcherNotes(entry: HookDescriptor): Promise<string[]> {
  try {
    const { errors, notes } = await checkMatcher(entry);
    return [...errors, ...notes].map((text) => `matcher: ${text}`);
  } catch (error) {
    return [(error as Error).message];
  }
}
