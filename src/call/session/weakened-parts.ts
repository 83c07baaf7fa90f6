import type { HookDescriptor } from "../../protocol/hook.ts";
import { matchesRuleId } from "../../policy/rule-ids.ts";
import { isOwnSetting, type ResolvedSetting, resolveHookSettings } from "../../policy/check/hook-settings.ts";
import { loadRuleCatalog, type RuleCatalog } from "../../policy/check/rule-catalog.ts";
import { type ConfigFiles, openConfigFiles } from "../../policy/files.ts";
import { readLogSettings } from "../../policy/log.ts";
import { STRICTNESS } from "../../policy/rules.ts";
import {
  explainIgnoredException,
  isInForce,
  listStatements,
  readRuleFiles,
  type RuleFiles,
} from "../../policy/statements.ts";
import { findLogSources } from "../log/log-sources.ts";

/**
 * Lists the rules, exceptions, settings and log settings that the user's config file weakens on a machine with a
 * managed config file. Parts that the managed file locks can't be weakened.
 */
export async function listWeakenedParts(
  entries: readonly HookDescriptor[],
  folders: readonly string[],
): Promise<string[]> {
  const files = openConfigFiles(...folders);
  const ruleFiles = await readRuleFiles(files);
  if (!ruleFiles.managed || !ruleFiles.user) return [];
  const [folder = ""] = folders;
  const catalog = await loadRuleCatalog({ entries }, folder, files);
  return [
    ...listWeakRules(catalog, ruleFiles),
    ...listUserExceptions(catalog, ruleFiles, folder),
    ...(await listUserSettings(entries, files)),
    ...((await doesUserStopLog()) ? ["log.level off"] : []),
  ];
}

/** Lists the hooks' own rules that config files can change. */
const listOpenRules = ({ hooks }: RuleCatalog) =>
  hooks.flatMap(({ name, rules }) => rules.filter(({ fixed }) => !fixed).map((rule) => ({ hook: name, ...rule })));

function listWeakRules(catalog: RuleCatalog, files: RuleFiles): string[] {
  return listOpenRules(catalog).flatMap(({ hook, id, action = "deny", enabled = true }) => {
    const statements = listStatements(files, hook, id, { action, enabled }).filter(
      ({ ignored }) => ignored === undefined,
    );
    const isSetBy = (scope: string) => statements.some(({ config }) => config.scope === scope);
    const effect = statements.at(-1)?.action;
    // The user's file can't make a rule weaker than the managed file does.
    if (effect === undefined || !isSetBy("user") || isSetBy("managed")) return [];
    return STRICTNESS[effect] < STRICTNESS[enabled ? action : "off"] ? [`${id} ${effect}`] : [];
  });
}

function listUserExceptions(catalog: RuleCatalog, files: RuleFiles, folder: string): string[] {
  const openRules = listOpenRules(catalog).filter(
    ({ hook, id }) => explainIgnoredException(files, "user", hook, id) === undefined,
  );
  return (files.user?.exceptions ?? []).flatMap((entry, at) => {
    const { rule = "" } = (entry ?? {}) as { rule?: string };
    const isUsed = openRules.some(({ hook, id }) => matchesRuleId(rule, id) && isInForce(entry, hook, id, folder));
    return isUsed ? [`exceptions.${at}`] : [];
  });
}

async function listUserSettings(entries: readonly HookDescriptor[], files: ConfigFiles): Promise<string[]> {
  const names = await Promise.all(
    entries.map(async (entry) => {
      const { hook, settings } = await resolveHookSettings(entry, files);
      return settings
        .filter((setting) => setting.scope === "user" && mayWeaken(setting, hook?.additiveOptions))
        .map(({ name }) => `hooks.${entry.name}.${name}`);
    }),
  );
  return names.flat();
}

/**
 * Returns whether a setting may weaken its hook. That is so if a trusted option differs from its default and isn't in
 * `additiveOptions`, whose lists only forbid more items. Hooks don't declare which values are stricter than the
 * default.
 */
const mayWeaken = (setting: ResolvedSetting, additiveOptions: readonly string[] = []): boolean =>
  isOwnSetting(setting) &&
  setting.trusted === true &&
  !additiveOptions.includes(setting.name) &&
  !Bun.deepEquals(setting.value, setting.default);

/** Returns whether the log is off, but would be on without the user's file. */
async function doesUserStopLog(): Promise<boolean> {
  const sources = findLogSources();
  const [all, managed] = await Promise.all(
    [sources, sources.filter(({ scope }) => scope === "managed")].map(async (some) => readLogSettings(some)),
  );
  return all?.settings.level === "off" && managed?.settings.level !== "off";
}
