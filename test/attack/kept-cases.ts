import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AttackCase } from "./cases.ts";

const FOLDER = join(import.meta.dir, "kept");

/** A case that failed once. `process` is set if the failure occurs only in a separate process. */
export interface KeptCase extends AttackCase {
  process?: true;
  /** Problem found when the case was saved. */
  why: string;
}

/** Saves a failing case so that every later run tests it again. Returns the file name. */
export function keepCase(one: KeptCase): string {
  const text = `${JSON.stringify(one, null, 2)}\n`;
  const name = [one.hook, one.host, one.native_event.replaceAll(/\W/g, "-"), Bun.hash(text).toString(36)].join("-");
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), text);
  return `test/attack/kept/${name}.json`;
}

/** All saved cases, keyed by file name. */
export const keptCases: readonly (readonly [name: string, KeptCase])[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .sort()
  .map((file) => [file.slice(0, -5), JSON.parse(readFileSync(join(FOLDER, file), "utf8"))] as const);
