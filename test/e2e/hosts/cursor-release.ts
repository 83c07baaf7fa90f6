import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CACHE_FOLDER, type Release } from "../releases.ts";

/** Path to the compiled program that drives the package. It runs on Node, as the package requires. */
export const PROGRAM = join(CACHE_FOLDER, "bin/cursor-sdk.mjs");

/**
 * Returns the release found in a directory that the user has prepared: either @cursor/sdk in its node_modules, or the
 * package itself.
 */
export function cursorRelease(folder: string): Release {
  const found = [folder, join(folder, "node_modules/@cursor/sdk")].find(
    (path) => existsSync(join(path, "dist")) && existsSync(join(path, "package.json")),
  );
  const { name, version } = found
    ? JSON.parse(readFileSync(join(found, "package.json"), "utf8"))
    : ({} as Record<string, string>);
  if (!found || name !== "@cursor/sdk")
    throw new Error(`there is no @cursor/sdk in ${folder}; install it there: npm install --ignore-scripts @cursor/sdk`);
  return { host: "cursor", version, folder: found };
}

/** Compiles the program that drives the package. */
export async function prepareCursor(): Promise<void> {
  await Bun.build({
    entrypoints: [join(import.meta.dir, "cursor-sdk.ts")],
    target: "node",
    outdir: join(CACHE_FOLDER, "bin"),
    naming: "cursor-sdk.mjs",
  });
}

/** Parses the JSON documents that the program prints, one per line. */
export const parseJsonLines = (text: string) =>
  text
    .split("\n")
    // If the host is killed, its last line may be incomplete.
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
