import { cloudRules } from "./cloud.ts";
import { databaseRules } from "./database.ts";
import { diskRules } from "./disks.ts";
import { filesystemRules } from "./filesystem.ts";
import { gitRules } from "./git.ts";
import type { ProgramRules } from "./pattern.ts";
import { systemRules } from "./system.ts";

/** The rules, by category. */
export const CATEGORIES = {
  filesystem: filesystemRules,
  git: gitRules,
  database: databaseRules,
  cloud: cloudRules,
  disks: diskRules,
  system: systemRules,
} as const satisfies Record<string, ProgramRules>;
export type RuleCategory = keyof typeof CATEGORIES;

/** The hook's settings. */
export interface DestructiveSettings {
  categories: readonly RuleCategory[];
  allow: readonly string[];
  deny: readonly string[];
  protect: readonly string[];
  decision: "deny" | "ask";
}
