import type { InspectedFile, QuickSystem } from "./quick-types.ts";

/** The `node:fs` functions that the quick path uses on Windows. */
export interface WindowsFiles {
  /** Inspects a path without following links. */
  inspect: (path: string) => InspectedFile;
  /** Returns the real path, with links, junctions and substituted drives resolved and every name in its long form. */
  findRealPath: (path: string) => string;
}

/**
 * Adapts the functions to Windows. The quick path writes `C:\x\y` as `/C:/x/y`, with nothing but drives in the root
 * directory.
 */
export const adaptToWindows = ({
  inspect,
  findRealPath,
}: WindowsFiles): Pick<QuickSystem, "inspect" | "toNativePath"> => ({
  toNativePath: toWindowsPath,
  inspect(path) {
    const native = toWindowsPath(path);
    if (native.startsWith("/")) return { kind: "absent", device: "", size: 0 };
    const inspection = inspect(native);
    if (inspection.kind === "absent" || inspection.kind === "other") return inspection;
    // If the paths differ, the directory is really somewhere else, or a name is an alternative spelling such as
    // `PROGRA~1` or `name.`.
    return isSamePath(findRealPath(native), native) ? inspection : { ...inspection, kind: "other" };
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
