import { openConfigFiles } from "../../policy/files.ts";
import { findHookRule, loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { listStatements, readRuleFiles, WEAKENING_REASON } from "../../policy/statements.ts";
import { findIgnoredParts } from "../../policy/ignored-parts.ts";
import { describeTrust, formatFirstNames, NOT_TRUSTED_REASON } from "../../policy/check/rule-findings.ts";
import { escapeInvisible } from "../../operate/text.ts";
import type { HookSet } from "../find-hooks.ts";
import { formatPath } from "./layout.ts";
import { printWarning } from "./terminal.ts";

/**
 * Prints notes on stderr about parts of the project's file that have no effect. Called by commands that judge calls.
 */
export async function noteIgnoredParts(hooks: HookSet, cwd: string): Promise<void> {
  const ignoredParts = await findIgnoredParts(hooks.entries, openConfigFiles(cwd));
  // A proposed file's ignored parts were already reported by `config check`.
  if (!ignoredParts || ignoredParts.project.target !== undefined) return;
  const { project, forbidden } = ignoredParts;
  const weakening = await listWeakeningRules(hooks, cwd);
  const isAnyRuleUseful = weakening.length < Object.keys(project.rules ?? {}).length;
  const untrusted = ignoredParts.untrusted.filter(([part]) => part !== "rules" || isAnyRuleUseful);
  const note = (keys: readonly string[], reason: string) =>
    keys.length > 0 &&
    printWarning(escapeInvisible(`note: ${formatPath(project.path)}: ${formatFirstNames(keys)}: ignored${reason}`));
  note(
    untrusted.map((path) => path.join(".")),
    `: ${NOT_TRUSTED_REASON}${describeTrust(ignoredParts)}`,
  );
  note(forbidden, " in a project's file; set it in your own config file or the managed file");
  if (weakening.length > 0)
    printWarning(
      escapeInvisible(
        `note: ${formatPath(project.path)}: ${formatFirstNames(weakening)}: no effect: ${WEAKENING_REASON}`,
      ),
    );
}

/** Lists the keys in a project's file that weaken rules, which has no effect even in a trusted project. */
async function listWeakeningRules(hooks: HookSet, cwd: string): Promise<string[]> {
  const files = openConfigFiles(cwd);
  const ruleFiles = await readRuleFiles(files);
  const { project } = ruleFiles;
  if (!project?.rules) return [];
  const catalog = await loadRuleCatalog(hooks, cwd, files);
  return Object.keys(project.rules).flatMap((id) => {
    const hookRule = findHookRule(catalog, id);
    if (!hookRule) return [];
    const { action = "deny", enabled = true } = hookRule.rule;
    const statements = listStatements({ ...ruleFiles, isProjectTrusted: true }, hookRule.hook, id, { action, enabled });
    const isWeakening = statements.some(
      ({ config, ignored }) => config.scope === "project" && ignored === WEAKENING_REASON,
    );
    const key =
      (project.rules as Record<string, { enabled?: unknown }>)[id]?.enabled === undefined ? "action" : "enabled";
    return isWeakening ? [`rules.${id}.${key}`] : [];
  });
}
