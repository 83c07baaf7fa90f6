import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { BUNDLE_OPTIONS, runBundler } from "./compile-program.ts";
import { hasOptimization } from "./optimizations.ts";
import type { Workshop } from "./workshop.ts";

/** The first stages of a call, with which most calls end. */
const BEGIN_PATH = "src/call/begin.ts";
/** The modules that few of these calls need, as the first one would import them: they stay outside. */
const LAZY = ["./screen/find-host.ts", "./built/hook-index.ts"];

/**
 * Bundles the first stages with all that they import: modules that they share with others would be chunks of their own,
 * and to load one takes longer than what most of them do.
 *
 * Processor time without it, 200 pairs [Linux x64, 2026-11-28]: a plain line 1.07, a pipeline 1.06, a read 1.08; a denial
 * 0.98.
 *
 * @returns the module's text by its path; nothing if the optimization is off.
 */
export async function bundleFirstChunk(
  texts: Readonly<Record<string, string>>,
  shop: Workshop,
): Promise<Record<string, string>> {
  if (!hasOptimization("first-chunk")) return {};
  const [entry, outdir] = [join(shop.program, BEGIN_PATH), join(shop.folder, "whole")];
  const external = LAZY.map((path) => `*/${basename(path)}`);
  await runBundler(
    { config: { ...BUNDLE_OPTIONS, splitting: false, entrypoints: [entry], outdir, external }, texts },
    shop,
  );
  const text = readFileSync(join(outdir, basename(BEGIN_PATH).replace(/ts$/, "js")), "utf8");
  return { [entry]: text.replace(/(\bfrom |\bimport\()"(\.[^"]*\.ts)"/g, restoreSpecifier) };
}

/** The bundler leaves a lazy module's path as its importer has it, whichever folder that is in. */
function restoreSpecifier(whole: string, start: string, path: string): string {
  const lazy = LAZY.find((one) => basename(one) === basename(path));
  return lazy === undefined ? whole : `${start}"${lazy}"`;
}
