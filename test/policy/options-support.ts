import { beforeEach } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mergeSettings } from "../../src/policy/merge.ts";
import type { ConfigSource } from "../../src/policy/sources.ts";

export const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-options-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
/** Removes all configs before each test in a file. */
export const removeConfigs = () =>
  beforeEach(() => {
    for (const { path } of sources) rmSync(path, { force: true });
  });

export const sources: ConfigSource[] = (["managed", "project", "user"] as const).map((scope) => ({
  scope,
  path: join(folder, `${scope}.json`),
}));
export const writeConfig = (scope: string, document: unknown) =>
  writeFileSync(join(folder, `${scope}.json`), typeof document === "string" ? document : JSON.stringify(document));
export const readValues = async (name = "guard") => (await mergeSettings(name, sources)).values;
