import type { HookDescriptor } from "../../protocol/hook.ts";
import { existsSync } from "node:fs";
import type { ConfigFinding } from "../../policy/check/finding.ts";
import { type ConfigSource, listConfigSources } from "../../policy/sources.ts";
import { describeHooksOrigin, type HookSet } from "../find-hooks.ts";
import { checkMatcher } from "../build/matcher.ts";
import { openConfigFiles } from "../../policy/files.ts";
import { loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { readRuleFiles } from "../../policy/statements.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";
import { findFileFindings, type JudgingHooks, loadJudgingHooks } from "../../policy/check/findings.ts";
import type { ConfigReport, ListedHook, ListReport } from "./report.ts";
import { type HookOptionReport, resolveHookOptions } from "./settings.ts";

/** Lists the hooks, and what the config files for a folder say about them. */
export async function listHooks(hooks: HookSet, cwd: string): Promise<ListReport> {
  const { entries, files } = hooks;
  const catalog = await loadRuleCatalog(hooks, cwd);
  const judging = {
    ...{ catalog, files: await readRuleFiles(openConfigFiles(cwd)) },
    hooks: await loadJudgingHooks(entries),
  };
  return {
    policy: await identifyPolicy(hooks, cwd),
    from: describeHooksOrigin(hooks),
    hooks: await Promise.all(entries.map((entry) => listHook(entry, files.get(entry.name), cwd))),
    config: await Promise.all(listConfigSources(cwd).map((source) => examineConfigFile(source, judging))),
  };
}

/** What is wrong with the settings of a hook is reported with the hook, since it may take several files. */
const REPORTED_WITH_HOOKS = /^(?:setting-|hook-unloadable)/;

/** Finds what is invalid or has no effect in a config file, besides the settings of hooks. */
export async function examineConfigFile(source: ConfigSource, judging: JudgingHooks): Promise<ConfigReport> {
  const { scope, path: file } = source;
  const { problem, findings } = await findFileFindings(source, judging);
  const about = { scope, file, found: existsSync(file) };
  if (problem !== undefined) return { ...about, problem, findings: [] };
  const isShown = ({ kind, path }: ConfigFinding) => !path.startsWith("hooks.") || !REPORTED_WITH_HOOKS.test(kind);
  // What is in its place may be for a newer executable.
  const lower = (one: ConfigFinding): ConfigFinding => (one.kind === "key-unknown" ? { ...one, level: "note" } : one);
  return { ...about, findings: findings.filter(isShown).map(lower) };
}

async function listHook(entry: HookDescriptor, file: string | undefined, cwd: string): Promise<ListedHook> {
  const { name, events, tools, matcher, order = 0, onError, timeoutMs, maxContinuations } = entry;
  const {
    description,
    settings,
    ignored,
    unknown,
    lock,
    lockedOut = [],
    vendor,
    problem,
  } = await loadHookOptions(entry, cwd);
  const optionalFields = {
    description,
    file,
    tools: tools && [...tools],
    matcher,
    onError,
    timeoutMs,
    maxContinuations,
    vendor,
    lock,
    problem,
  };
  return {
    name,
    origin: entry.origin ?? "own",
    events: [...events],
    order,
    ...(Object.fromEntries(
      Object.entries(optionalFields).filter(([, value]) => value !== undefined),
    ) as Partial<ListedHook>),
    options: settings,
    ignored: [...ignored],
    unknown: [...unknown],
    lockedOut: [...lockedOut],
    notes: await collectMatcherNotes(entry),
  };
}

/** Collects what is wrong with a hook's matcher, and its parts that match no call. */
export async function collectMatcherNotes(entry: HookDescriptor): Promise<string[]> {
  try {
    const { errors, notes } = await checkMatcher(entry);
    return [...errors, ...notes].map((text) => `matcher: ${text}`);
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Loads what only the module itself declares. */
async function loadHookOptions(
  entry: HookDescriptor,
  cwd: string,
): Promise<HookOptionReport & { description?: string }> {
  try {
    const hook = await entry.load();
    return { description: hook.description, ...(await resolveHookOptions(hook, entry.name, cwd)) };
  } catch (error) {
    return { settings: [], ignored: [], unknown: [], problem: (error as Error).message };
  }
}
