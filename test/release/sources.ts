import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/fixtures.ts";

/**
 * Copies the sources as a clone would contain them.
 *
 * @param version a different version number, for testing upgrades.
 */
export function copySources(to: string, version?: string): string {
  mkdirSync(to, { recursive: true });
  const names = [
    "package.json",
    "package-lock.json",
    "bunfig.toml",
    "tsconfig.json",
    "build.ts",
    "LICENSE",
    "README.md",
  ];
  for (const name of [...names, "src", "hooks", "release"])
    cpSync(join(ROOT, name), join(to, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(to, "node_modules"));
  for (const name of version === undefined ? [] : ["package.json", "package-lock.json"]) {
    const file = join(to, name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"version": "0.1.0"', `"version": "${version}"`));
  }
  return to;
}
