import type { InspectedFile, QuickSystem } from "./quick-types.ts";

/** What the quick path asks of `node:fs` on Windows. */
export interface WindowsFiles {
  /** Looks at a path, links not followed. */
  inspect: (path: string) => InspectedFile;
  /** The path that a path leads to, with long names, whatever links, junctions and substituted drives are on the way. */
  findRealPath: (path: string) => string;
}

/**
 * The functions for Windows, where paths are written as on other systems: `C:\x\y` is `/C:/x/y`. The root has drives
 * alone.
 */
export const adaptToWindows = ({
  inspect,
  findRealPath,
}: WindowsFiles): Pick<QuickSystem, "inspect" | "toNativePath"> => ({
  toNativePath: toWindowsPath,
  inspect(path) {
    const native = toWindowsPath(path);
    if (native.startsWith("/")) return { kind: "absent", device: "", size: 0 };
    const found = inspect(native);
    if (found.kind === "absent" || found.kind === "other") return found;
    // A folder that lies elsewhere, and a name with another spelling: `PROGRA~1`, `name.`
    return isSamePath(findRealPath(native), native) ? found : { ...found, kind: "other" };
  },
});

const toWindowsPath = (path: string): string =>
  path.startsWith("/") && path[2] === ":" ? `${path.slice(1)}${path.length === 3 ? "/" : ""}` : path;

const isSamePath = (one: string, other: string): boolean => listSteps(one) === listSteps(other);
const listSteps = (path: string): string =>
  path
    .toLowerCase()
    .split(/[\\/]/)
    .filter((step) => step !== "" && step !== ".")
    .join("/");
