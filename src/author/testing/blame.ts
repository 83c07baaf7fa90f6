import { createRequire } from "node:module";
import { join } from "node:path";

/** Where this product's own files lie, and those of them that call handlers. */
const OWN = join(import.meta.dir, "../..");
const CALLERS = ["dispatch", "limit"].map((name) => join(OWN, "run", name));

/** Whether a hook threw an error, and not what calls hooks: above our caller there is somebody else's file. */
export function isThrownByHook(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  for (const line of (error.stack ?? "").split("\n").filter((one) => /^\s+at /.test(one))) {
    if (CALLERS.some((file) => line.includes(file))) return false;
    if (/[\\/]/.test(line) && !line.includes(OWN) && !line.includes("node:")) return true;
  }
  return false;
}

/** The file of a module with this default export, where it has been loaded. */
export function fileOf(hook: unknown): string | undefined {
  const { cache } = createRequire(import.meta.url);
  return Object.keys(cache).find((file) => {
    // Our own are none, and a module that is still loading has no exports.
    if (file.startsWith(OWN)) return false;
    try {
      return (cache[file]?.exports as { default?: unknown } | undefined)?.default === hook;
    } catch {
      return false;
    }
  });
}
