import { cloudRules } from "./cloud.ts";
import { databaseRules } from "./database.ts";
import { diskRules } from "./disks.ts";
import { downloadRules } from "./downloads.ts";
import { filesystemRules } from "./filesystem.ts";
import { frameworkDatabaseRules } from "./framework-databases.ts";
import { gitRules } from "./git.ts";
import { killRules } from "./kills.ts";
import { lockOutRules } from "./lock-outs.ts";
import type { Rule } from "bridge-hooks";
import { nameOperands } from "./operand-names.ts";
import type { BuiltInRule, CommandRule } from "./pattern.ts";
import { systemRules } from "./system.ts";
import { unseenRules } from "./unseen.ts";
import { windowsCloudRules } from "./windows-cloud.ts";
import { windowsDiskRules, windowsSystemRules } from "./windows.ts";

/** Rules by category, which is the first part of a rule's ID. The first matching rule provides the reason. */
export const RULES_BY_CATEGORY = {
  filesystem: filesystemRules,
  git: gitRules,
  database: [...databaseRules, ...frameworkDatabaseRules],
  cloud: [...cloudRules, ...windowsCloudRules],
  disks: [...diskRules, ...windowsDiskRules],
  system: [...systemRules, ...killRules, ...lockOutRules, ...windowsSystemRules],
  downloads: downloadRules,
  unseen: unseenRules,
} as const satisfies Record<string, readonly (CommandRule | BuiltInRule)[]>;
export type RuleCategory = keyof typeof RULES_BY_CATEGORY;

/** Categories that are off by default. */
export const OPT_IN_CATEGORIES: readonly RuleCategory[] = ["downloads", "unseen"];

/** The rule for commands in the hook's `deny` option. */
export const SETTINGS_RULE = {
  id: "block-destructive/deny",
  reason: "the block-destructive settings forbid this command",
};

/** The options of `block-destructive`. */
export interface DestructiveSettings {
  categories: readonly RuleCategory[];
  allow: readonly string[];
  deny: readonly string[];
  protect: readonly string[];
  outside: readonly string[];
  decision: "deny" | "ask";
}

/** Builds the rule list with the effective settings, including the `deny` option. */
export function listRules({ categories, deny, decision: action }: DestructiveSettings): Rule[] {
  const rules = (Object.keys(RULES_BY_CATEGORY) as RuleCategory[]).flatMap((category) =>
    RULES_BY_CATEGORY[category].map((rule: CommandRule | BuiltInRule): Rule => ({
      ...rule,
      reason: nameOperands(rule.reason),
      ...(rule.advice !== undefined && { advice: nameOperands(rule.advice) }),
      action,
      enabled: categories.includes(category),
    })),
  );
  if (deny.length === 0) return rules;
  const finds = `commands listed in the "deny" setting: ${deny.join(", ")}`;
  return [...rules, { ...SETTINGS_RULE, finds, action, deny: [], allow: [] }];
}
