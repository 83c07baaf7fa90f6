import type * as Path from "node:path";

// Replacements for the `node:path` functions used in a call, since loading `node:path` takes longer than all of a
// call's path operations. `node:path` still handles Windows and rare cases, and takes over entirely in a process that
// uses these functions often.

let loadedModule: typeof Path | undefined;
const loadPathModule = () => (loadedModule ??= require("node:path") as typeof Path);
const isWindows = process.platform === "win32";

/** Number of function calls after which loading the faster `node:path` pays off. */
const MIN_CALLS_FOR_MODULE = 500;
let callCount = 0;
let pathModule: typeof Path.posix | undefined;
/** Returns the `node:path` module once loading it pays off. */
function findModule(): typeof Path.posix | undefined {
  if (!pathModule && ++callCount >= MIN_CALLS_FOR_MODULE) pathModule = loadPathModule().posix;
  return pathModule;
}

/** Returns whether a path is already normalized. Most paths are, so this check has to be fast. */
function isNormalizedPath(path: string): boolean {
  if (path.endsWith("/")) return false;
  const pathWithSlashes = path.startsWith("/") ? `${path}/` : `/${path}/`;
  return !pathWithSlashes.includes("//") && !pathWithSlashes.includes("/./") && !pathWithSlashes.includes("/../");
}

/** Normalizes a path's segments: drops empty ones and `.`, and lets `..` remove the segment before it. */
function normalizeSteps(path: string, isAbsolute: boolean): string {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else if (!isAbsolute) steps.push(step);
  }
  return steps.join("/");
}

function normalizePath(path: string): string {
  if (isNormalizedPath(path)) return path;
  const isAbsolute = path.startsWith("/");
  const steps = normalizeSteps(path, isAbsolute);
  if (steps === "") return isAbsolute ? "/" : path.endsWith("/") ? "./" : ".";
  return `${isAbsolute ? "/" : ""}${steps}${path.endsWith("/") ? "/" : ""}`;
}

function joinPaths(...parts: string[]): string {
  const module = findModule();
  if (module) return module.join(...parts);
  let path = "";
  for (const part of parts) {
    if (typeof part !== "string") return loadPathModule().posix.join(...parts);
    if (part !== "") path += path === "" ? part : `/${part}`;
  }
  return path === "" ? "." : normalizePath(path);
}

function resolvePaths(...parts: string[]): string {
  const module = findModule();
  if (module) return module.resolve(...parts);
  let path = "";
  for (let at = parts.length - 1; at >= 0 && !path.startsWith("/"); at--) {
    const part = parts[at];
    if (typeof part !== "string") return loadPathModule().posix.resolve(...parts);
    if (part !== "") path = path === "" ? part : `${part}/${path}`;
  }
  if (path.startsWith("/")) return isNormalizedPath(path) ? path : `/${normalizeSteps(path, true)}`;
  try {
    return `/${normalizeSteps(`${process.cwd()}/${path}`, true)}`;
  } catch {
    // The current directory was deleted.
    return loadPathModule().posix.resolve(...parts);
  }
}

/** Returns a path's length without trailing slashes, but never drops a leading slash. */
function findEnd(path: string): number {
  let end = path.length;
  while (end > 1 && path.endsWith("/", end)) end--;
  return end;
}

function getFolder(path: string): string {
  const module = typeof path === "string" ? findModule() : loadPathModule().posix;
  if (module) return module.dirname(path);
  const at = path.lastIndexOf("/", findEnd(path) - 1);
  const isAbsolute = path.startsWith("/");
  if (at < 1) return isAbsolute ? "/" : ".";
  return isAbsolute && at === 1 ? "//" : path.slice(0, at);
}

function getName(path: string, suffix?: string): string {
  const module = typeof path === "string" && suffix === undefined ? findModule() : loadPathModule().posix;
  if (module) return module.basename(path, suffix);
  const end = findEnd(path);
  return end === 1 && path.startsWith("/") ? "" : path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

function getRelativePath(from: string, to: string): string {
  if (typeof from !== "string" || typeof to !== "string") return loadPathModule().posix.relative(from, to);
  if (from === to) return "";
  const [start, end] = [resolvePaths(from), resolvePaths(to)];
  const fromSteps = start === "/" ? [] : start.slice(1).split("/");
  const steps = end === "/" ? [] : end.slice(1).split("/");
  let sharedCount = 0;
  while (sharedCount < fromSteps.length && sharedCount < steps.length && fromSteps[sharedCount] === steps[sharedCount])
    sharedCount++;
  const relativeSteps = steps.slice(sharedCount);
  for (let at = sharedCount; at < fromSteps.length; at++) relativeSteps.unshift("..");
  return relativeSteps.join("/");
}

const isAbsolutePath = (path: string): boolean =>
  typeof path === "string" ? path.startsWith("/") : loadPathModule().posix.isAbsolute(path);

type PathFunctions = Pick<
  typeof Path,
  "basename" | "delimiter" | "dirname" | "isAbsolute" | "join" | "normalize" | "parse" | "relative" | "resolve" | "sep"
>;

/** `node:path` functions for POSIX paths, on any operating system. */
export const posix: PathFunctions = {
  sep: "/",
  delimiter: ":",
  basename: getName,
  dirname: getFolder,
  isAbsolute: isAbsolutePath,
  join: joinPaths,
  normalize: (path: string) =>
    typeof path === "string" && path !== "" ? normalizePath(path) : loadPathModule().posix.normalize(path),
  relative: getRelativePath,
  resolve: resolvePaths,
  parse: (path: string) => loadPathModule().posix.parse(path),
};

const platformPaths: PathFunctions = isWindows ? loadPathModule() : posix;

export const { basename, delimiter, dirname, isAbsolute, join, normalize, parse, relative, resolve, sep } =
  platformPaths;

/** `node:path` functions for Windows paths, on any operating system. */
export const win32 = {
  join: (...parts: string[]) => loadPathModule().win32.join(...parts),
  resolve: (...parts: string[]) => loadPathModule().win32.resolve(...parts),
} as const;
