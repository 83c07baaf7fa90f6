import { expect } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as v from "valibot";
import * as z from "zod";
import { changeConfig } from "../../../src/cli/config/change.ts";
import { formatChange } from "../../../src/cli/config/change-text.ts";
import type { HookSet } from "../../../src/cli/find-hooks.ts";
import { createHookEntry, defineHook, type Hook } from "../../../src/protocol/hook.ts";
import type { ConfigScope, ConfigSource } from "../../../src/policy/sources.ts";

const rule = (id: string, more: object = {}) => ({ id, reason: "r", deny: [], allow: [], ...more });

const HOOKS: Readonly<Record<string, Hook>> = {
  guard: defineHook({
    event: "PreToolUse",
    options: v.strictObject({
      allow: v.optional(v.array(v.string()), []),
      deny: v.optional(v.array(v.string()), []),
      most: v.optional(v.number(), 3),
      label: v.optional(v.string(), "x"),
    }),
    trustedOptions: ["allow"],
    additiveOptions: ["deny"],
    rules: () => [rule("git/push"), rule("git/pull", { action: "ask" }), rule("disks/wipe", { enabled: false })],
    ruleTerms: { sets: ["disk"], conditions: [] },
    handler: () => undefined,
  }),
  "dotted.name": defineHook({
    event: "Stop",
    options: z.strictObject({
      level: z.enum(["low", "high"]).default("low"),
      limits: z.object({ most: z.number() }).optional(),
    }),
    handler: () => undefined,
  }),
  fixed: defineHook({
    event: "Stop",
    rules: () => [rule("hooks/off", { fixed: true })],
    handler: () => undefined,
  }),
};

export const hooks: HookSet = {
  entries: Object.entries(HOOKS).map(([name, hook]) => createHookEntry(hook, name)),
  files: new Map(),
};

/** Creates a machine with the given config files, keyed by scope. Disposing of the result removes the machine. */
export function createConfigs(documents: Readonly<Partial<Record<ConfigScope, unknown>>>) {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-config-"));
  const project = join(folder, "project");
  mkdirSync(project);
  const sources: ConfigSource[] = [
    { scope: "managed", path: join(folder, "managed", "config.json") },
    { scope: "project", path: join(project, ".bridge-hooks.json") },
    { scope: "user", path: join(folder, "user", "config.json") },
  ];
  const fileOf = (scope: ConfigScope) => sources.find((one) => one.scope === scope)?.path ?? "";
  for (const [scope, document] of Object.entries(documents)) {
    const file = fileOf(scope as ConfigScope);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document));
  }
  return {
    folder,
    project,
    sources,
    fileOf,
    read: (scope: ConfigScope) => readFileSync(fileOf(scope), "utf8"),
    /** Removes the temporary directory's path. */
    tidy: (text: string) => text.replaceAll(`${folder}/`, "").replaceAll(folder, "FOLDER"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Documents = Partial<Record<ConfigScope, unknown>>;
export interface Outcome {
  said: string;
  /** The file's new contents; undefined if nothing was written. */
  text?: string;
}

/** Changes a setting, and returns the output and the file's new contents. */
export async function change(documents: Documents, scope: ConfigScope, key: string, value?: string): Promise<Outcome> {
  using configs = createConfigs(documents);
  const file = configs.fileOf(scope);
  const before = existsSync(file) ? configs.read(scope) : undefined;
  try {
    const result = await changeConfig(
      { key, scope, ...(value !== undefined && { value }) },
      hooks,
      configs.project,
      configs.sources,
    );
    return { said: configs.tidy(formatChange(result)), text: configs.read(scope) };
  } catch (error) {
    expect(existsSync(file) ? configs.read(scope) : undefined).toBe(before);
    return { said: configs.tidy((error as Error).message) };
  }
}
