import { createRequire } from "node:module";
import { join } from "node:path";

/** The source directory of this product, and the source files that call handlers. */
const OWN_FOLDER = join(import.meta.dir, "../..");
const CALLER_FILES = ["call/ask/call-handler", "system/limit"].map((name) => join(OWN_FOLDER, name));

/** Whether an error comes from a hook's own code, i.e. whether a hook's file is above the calling code in the stack. */
export function isThrownByHook(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  for (const line of (error.stack ?? "").split("\n").filter((stackLine) => /^\s+at /.test(stackLine))) {
    if (CALLER_FILES.some((file) => line.includes(file))) return false;
    if (/[\\/]/.test(line) && !line.includes(OWN_FOLDER) && !line.includes("node:")) return true;
  }
  return false;
}

/** Returns the file of the loaded module with this default export. */
export function findModuleFile(hook: unknown): string | undefined {
  const { cache } = createRequire(import.meta.url);
  return Object.keys(cache).find((file) => {
    // Skip the product's own modules, which aren't hooks, and modules that are still loading, which have no exports.
    if (file.startsWith(OWN_FOLDER)) return false;
    try {
      return (cache[file]?.exports as { default?: unknown } | undefined)?.default === hook;
    } catch {
      return false;
    }
  });
}
