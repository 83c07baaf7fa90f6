import type { HookEntry } from "../../protocol/hook.ts";
import { configSources } from "../../run/settings.ts";
import { fromOf, type Hooks } from "../hooks.ts";
import { checkMatcher } from "../build/matcher.ts";
import { examineFile } from "./file.ts";
import type { ListedHook, Report } from "./report.ts";
import { type Settings, settingsOf } from "./settings.ts";

/** The hooks, and what the config files for a folder say of them. */
export async function listed(hooks: Hooks, cwd: string): Promise<Report> {
  const { entries, files } = hooks;
  const names = entries.map(({ name }) => name);
  return {
    from: fromOf(hooks),
    hooks: await Promise.all(entries.map((entry) => listedHook(entry, files.get(entry.name), cwd))),
    config: await Promise.all(configSources(cwd).map((source) => examineFile(source, names))),
  };
}

async function listedHook(entry: HookEntry, file: string | undefined, cwd: string): Promise<ListedHook> {
  const { name, events, tools, matcher, order = 0, onError, timeoutMs, maxContinuations } = entry;
  const { description, settings, ignored, unknown, lock, vendor, problem } = await loaded(entry, cwd);
  const said = {
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
    events: [...events],
    order,
    ...(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as Partial<ListedHook>),
    options: settings,
    ignored: [...ignored],
    unknown: [...unknown],
    notes: await matcherNotes(entry),
  };
}

/** What is wrong with a hook's matcher, or which parts of it fit no call. */
export async function matcherNotes(entry: HookEntry): Promise<string[]> {
  try {
    const { errors, notes } = await checkMatcher(entry);
    return [...errors, ...notes].map((text) => `matcher: ${text}`);
  } catch (error) {
    return [(error as Error).message];
  }
}

/** What only the module itself says. */
async function loaded(entry: HookEntry, cwd: string): Promise<Settings & { description?: string }> {
  try {
    const hook = await entry.load();
    return { description: hook.description, ...(await settingsOf(hook, entry.name, cwd)) };
  } catch (error) {
    return { settings: [], ignored: [], unknown: [], problem: (error as Error).message };
  }
}
