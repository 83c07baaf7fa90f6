import { createRequire } from "node:module";
import { join } from "node:path";

/** Where this product's own files lie, and those of them that call handlers. */
const OWN_FOLDER = join(import.meta.dir, "../..");
const CALLER_FILES = ["dispatch", "limit"].map((name) => join(OWN_FOLDER, "run", name));

/** Whether a hook threw an error, and not what calls hooks: above our caller there is somebody else's file. */
export function isThrownByHook(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  for (const line of (error.stack ?? "").split("\n").filter((one) => /^\s+at /.test(one))) {
    if (CALLER_FILES.some((file) => line.includes(file))) return false;
    if (/[\\/]/.test(line) && !line.includes(OWN_FOLDER) && !line.includes("node:")) return true;
  }
  return false;
}

/** The file of a module with this default export, where it has been loaded. */
export function findModuleFile(hook: unknown): string | undefined {
  const { cache } = createRequire(import.meta.url);
  return Object.keys(cache).find((file) => {
    // Our own are none, and a module that is still loading has no exports.
    if (file.startsWith(OWN_FOLDER)) return false;
    try {
      return (cache[file]?.exports as { default?: unknown } | undefined)?.default === hook;
    } catch {
      return false;
    }
  });
}
