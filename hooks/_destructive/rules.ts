import { cloud } from "./cloud.ts";
import { database } from "./database.ts";
import { disks } from "./disks.ts";
import { filesystem } from "./filesystem.ts";
import { git } from "./git.ts";
import type { Rules } from "./pattern.ts";
import { system } from "./system.ts";

/** The rules, by category. */
export const CATEGORIES = { filesystem, git, database, cloud, disks, system } as const satisfies Record<string, Rules>;
export type Category = keyof typeof CATEGORIES;

/** The hook's settings. */
export interface Settings {
  categories: readonly Category[];
  allow: readonly string[];
  deny: readonly string[];
  protect: readonly string[];
  decision: "deny" | "ask";
}
