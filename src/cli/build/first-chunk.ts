import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { BUNDLE_OPTIONS, runBundler } from "./compile-program.ts";
import { hasOptimization } from "./optimizations.ts";
import type { Workshop } from "./workshop.ts";

/** The entry point of a call's first stages, where most calls end. */
const FIRST_STAGES_PATH = "src/call/begin-call.ts";
/**
 * Modules that few calls need in the first stages, so they stay in separate chunks. Each is listed by the specifier
 * that its first importer uses.
 */
const LAZY_IMPORT_SPECIFIERS = ["./screen/find-host.ts", "./built/hook-index.ts"];

/**
 * Bundles the first stages with all their imports. Otherwise, modules shared with other stages would become separate
 * chunks, and loading a chunk takes longer than running most of these modules. Relative processor time without the
 * optimization, 200 pairs [Linux x64, 2026-11-28]: simple command 1.07, pipeline 1.06, read 1.08, denial 0.98.
 * @returns The bundle's text, keyed by the entry module's path; empty if the optimization is off.
 */
export async function bundleFirstChunk(
  texts: Readonly<Record<string, string>>,
  shop: Workshop,
): Promise<Record<string, string>> {
  if (!hasOptimization("first-chunk")) return {};
  const [entry, outdir] = [join(shop.program, FIRST_STAGES_PATH), join(shop.folder, "whole")];
  const external = LAZY_IMPORT_SPECIFIERS.map((path) => `*/${basename(path)}`);
  await runBundler(
    { config: { ...BUNDLE_OPTIONS, splitting: false, entrypoints: [entry], outdir, external }, texts },
    shop,
  );
  const text = readFileSync(join(outdir, basename(FIRST_STAGES_PATH).replace(/ts$/, "js")), "utf8");
  return { [entry]: text.replace(/(\bfrom |\bimport\()"(\.[^"]*\.ts)"/g, restoreSpecifier) };
}

/**
 * Restores a lazy module's original specifier, which the bundler replaces with a path that depends on the importer's
 * directory.
 */
function restoreSpecifier(importCall: string, start: string, path: string): string {
  const lazy = LAZY_IMPORT_SPECIFIERS.find((specifier) => basename(specifier) === basename(path));
  return lazy === undefined ? importCall : `${start}"${lazy}"`;
}
