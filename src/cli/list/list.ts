import type { HookDescriptor } from "../../protocol/hook.ts";
import { listConfigSources } from "../../run/settings.ts";
import { describeHooksOrigin, type HookSet } from "../find-hooks.ts";
import { checkMatcher } from "../build/matcher.ts";
import { openConfigFiles } from "../../run/config.ts";
import { loadRuleCatalog } from "../rules/rule-catalog.ts";
import { readRuleFiles } from "../rules/statements.ts";
import { identifyPolicy } from "../policy-identity.ts";
import { examineConfigFile } from "./config-file.ts";
import type { ListedHook, ListReport } from "./report.ts";
import { type HookOptionReport, resolveHookOptions } from "./settings.ts";

/** Lists the hooks, and what the config files for a folder say about them. */
export async function listHooks(hooks: HookSet, cwd: string): Promise<ListReport> {
  const { entries, files } = hooks;
  const catalog = await loadRuleCatalog(hooks, cwd);
  const context = { catalog, files: await readRuleFiles(openConfigFiles(cwd)) };
  return {
    policy: await identifyPolicy(hooks, cwd),
    from: describeHooksOrigin(hooks),
    hooks: await Promise.all(entries.map((entry) => listHook(entry, files.get(entry.name), cwd))),
    config: await Promise.all(listConfigSources(cwd).map((source) => examineConfigFile(source, context))),
  };
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
