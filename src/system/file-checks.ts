import type * as Fs from "node:fs";
import type * as Path from "node:path";
import { MISSING_PATH_ERRORS, ffi, openLibrary } from "./c-library.ts";
import { orAbsent } from "./errors.ts";

/** Whether a path exists, with links followed. "unknown" if the system doesn't say. */
type PathPresence = "there" | "absent" | "unknown";

const encoder = new TextEncoder();

const openAccess = () =>
  process.platform === "linux"
    ? openLibrary({
        access: { args: ["ptr", "i32"], returns: "i32" },
        __errno_location: { args: [], returns: "ptr" },
      })
    : undefined;
let library: ReturnType<typeof openAccess> | false;

/**
 * Checks whether a path exists without loading `node:fs`. In most calls, loading it would take longer than everything
 * else.
 */
export function checkPath(path: string): PathPresence {
  const access = (library ??= openAccess() ?? false);
  if (!access) return checkByModule(path);
  if (path.includes("\0")) return "unknown";
  if (access.access(ffi.ptr(encoder.encode(`${path}\0`)), 0) === 0) return "there";
  const error = ffi.read.i32(access.__errno_location() as never, 0);
  return MISSING_PATH_ERRORS.includes(error) ? "absent" : "unknown";
}

function checkByModule(path: string): PathPresence {
  try {
    return orAbsent(() => (require("node:fs") as typeof Fs).statSync(path)) ? "there" : "absent";
  } catch {
    return "unknown";
  }
}

/** Returns whether a path exists. Follows links. */
export const pathExists = (path: string): boolean => checkPath(path) === "there";

/** Returns whether a path is absolute and normalized, so that `node:path` isn't needed to handle it. */
function isPlainPath(path: string): boolean {
  if (!path.startsWith("/") || process.platform === "win32") return false;
  const pathWithSlash = `${path}/`;
  return !pathWithSlash.includes("//") && !pathWithSlash.includes("/./") && !pathWithSlash.includes("/../");
}

const loadPathModule = () => require("node:path") as typeof Path;

/** Joins path segments like `node:path`'s `join`. */
export const joinSteps = (folder: string, steps: readonly string[]): string =>
  isPlainPath(folder) ? `${folder}/${steps.join("/")}` : loadPathModule().join(folder, ...steps);

/** Returns a path's parent directory like `node:path`'s `dirname`. */
export const getFolder = (path: string): string =>
  isPlainPath(path) ? path.slice(0, path.lastIndexOf("/")) || "/" : loadPathModule().dirname(path);
