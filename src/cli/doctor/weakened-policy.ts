import { existsSync } from "node:fs";
import { createNote } from "../../hosts/setup/findings.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { isOwnSetting, resolveHookSettings } from "../../policy/check/hook-settings.ts";
import { findHookRule, loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { STRICTNESS } from "../../policy/rules.ts";
import { openConfigFiles } from "../../policy/files.ts";
import { findLogSources } from "../../call/log/log-sources.ts";
import { readLogSettings } from "../../policy/log.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import type { HookSet } from "../find-hooks.ts";
import { collectRules } from "../rules/rules.ts";

/** The check that `status --session` repeats as a remark. */
export const WEAKENED_CHECK = "policy-weakened";

/** Maximum number of parts that a finding names. */
const MAX_PARTS = 6;

/** On a machine with a managed config file, reports what the user's own file weakens, because no lock prevents it. */
export async function checkWeakenedPolicy(entries: HookSet["entries"], cwd: string): Promise<Finding[]> {
  if (!existsSync(getManagedConfig())) return [];
  const { rules } = await collectRules({ entries, files: new Map() }, cwd);
  const catalog = await loadRuleCatalog({ entries }, cwd);
  const weakRules = rules.flatMap(({ id, action, enabled, setBy }) => {
    const { action: ownAction = "deny", enabled: isOnByDefault = true } = findHookRule(catalog, id)?.rule ?? {};
    const effect = enabled ? action : "off";
    const isWeaker = STRICTNESS[effect] < STRICTNESS[isOnByDefault ? ownAction : "off"];
    return isWeaker && setBy.some(({ scope }) => scope === "user") ? [`${id} ${effect}`] : [];
  });
  const exceptions = new Set(
    rules.flatMap((rule) => rule.exceptions.flatMap(({ scope, key }) => (scope === "user" ? [key] : []))),
  );
  const settings = await listUserSettings(entries, cwd);
  const parts = [...weakRules, ...exceptions, ...settings, ...((await doesUserStopLog()) ? ["log.level off"] : [])];
  if (parts.length === 0) return [];
  const more = parts.length > MAX_PARTS ? ` and ${parts.length - MAX_PARTS} more` : "";
  return [
    createNote(
      WEAKENED_CHECK,
      `the user's config file changes the policy of this machine: ${parts.slice(0, MAX_PARTS).join(", ")}${more}`,
      "the managed file doesn't lock these parts, so calls that the policy would deny may be allowed",
      `to see every value: ${getOwnCommand()} config show --origin; to prevent changes: "locked": true in the managed file`,
    ),
  ];
}

/** Whether the log is off, but would be on without the user's file. */
async function doesUserStopLog(): Promise<boolean> {
  const sources = findLogSources();
  const [all, managed] = await Promise.all(
    [sources, sources.filter(({ scope }) => scope === "managed")].map(async (some) => readLogSettings(some)),
  );
  return all?.settings.level === "off" && managed?.settings.level !== "off";
}

async function listUserSettings(entries: HookSet["entries"], cwd: string): Promise<string[]> {
  const files = openConfigFiles(cwd);
  const names = await Promise.all(
    entries.map(async (entry) => {
      const { settings } = await resolveHookSettings(entry, files);
      return settings.flatMap((setting) =>
        isOwnSetting(setting) && setting.scope === "user" ? [`hooks.${entry.name}.${setting.name}`] : [],
      );
    }),
  );
  return names.flat();
}
