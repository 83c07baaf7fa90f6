import { getManagedConfig, getUserConfigSteps, PROJECT_CONFIG } from "../../policy/config-paths.ts";
import { MIN_OWN_BYTES } from "../../protocol/executable-size.ts";
import type { InspectedFile, QuickSystem } from "../../system/quick-types.ts";

/**
 * Resolves a path to an absolute path. Returns undefined if the path could name something else because it contains
 * `..`, a character that a host or shell may interpret, or a character with more than one encoding.
 */
export function resolvePath(folder: string, path: string): string | undefined {
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code >= 97 && code <= 122) continue;
    // Allow a digit, an uppercase letter, a space, or one of `, - . / : @ = _ +`.
    if (
      (code < 44 || code > 58) &&
      (code < 64 || code > 90) &&
      code !== 95 &&
      code !== 61 &&
      code !== 43 &&
      code !== 32
    )
      return undefined;
  }
  return joinPath(folder, path);
}

/** Resolves a path that consists of plain characters only. */
export function joinPath(folder: string, path: string): string | undefined {
  const fullPath = path.startsWith("/") ? path : `${folder}/${path}`;
  return fullPath.startsWith("/") && !`${fullPath}/`.includes("/../") ? fullPath : undefined;
}

/** A path and what was found there. */
export interface InspectedPath extends Pick<InspectedFile, "kind" | "size"> {
  path: string;
}

/** Inspects files for one call. Each path segment is inspected only once. */
export interface FileSurvey {
  /** Lists the existing config files that apply in every directory, which are the administrators' and the user's. */
  listSharedConfigs: () => readonly InspectedPath[];
  /** Lists the shared config files and those in the project's directories and their parents. */
  listConfigs: () => readonly InspectedPath[];
  /**
   * Returns whether a file can only be reached by this path. That is the case if the file has no other hard link and no
   * path segment is a link or a mount that may contain a user's directory.
   * @param path an absolute path without `..`
   */
  isPlain: (path: string) => boolean;
  isFolder: (path: string) => boolean;
  /** Returns whether a file is as large as a bridge-hooks executable and may therefore be a copy of one. */
  isOwnCopy: (path: string) => boolean;
}

/** The directories of a call. */
interface SurveyedFolders {
  cwd: string;
  /** The project's other directories. */
  roots: readonly string[];
  home: string;
}

const SLASH_CODE = 47;

/** A function instead of a class, since initializing private fields would take longer than the actual work. */
export function surveyFiles(system: QuickSystem, { cwd, roots, home }: SurveyedFolders): FileSurvey {
  const { inspections = new Map<string, InspectedFile>() } = system;
  const inspect = (path: string): InspectedFile => {
    let inspectedFile = inspections.get(path);
    if (!inspectedFile) inspections.set(path, (inspectedFile = system.inspect(path)));
    return inspectedFile;
  };
  /**
   * Returns whether a mount contains the home directory, or contains the session's directory and is on a different
   * device from both the home directory and `/etc`.
   */
  const isOwnMount = (path: string, device: string): boolean =>
    `${home}/`.startsWith(`${path}/`) ||
    (`${cwd}/`.startsWith(`${path}/`) && device !== inspect(home).device && device !== inspect("/etc").device);
  const listShared = () => [getManagedConfig(), `${home}/${getUserConfigSteps().join("/")}`];
  const findPresent = (paths: readonly string[]): InspectedPath[] => {
    const configs: InspectedPath[] = [];
    for (const path of paths) {
      const { kind, size } = inspect(path);
      if (kind !== "absent") configs.push({ path, kind, size });
    }
    return configs;
  };
  return {
    listSharedConfigs: () => findPresent(listShared()),
    listConfigs() {
      const files = listShared();
      for (const folder of [cwd, ...roots])
        for (let at = folder; ; at = at.slice(0, at.lastIndexOf("/"))) {
          const file = `${at}/${PROJECT_CONFIG}`;
          // The parents from here on have been added already.
          if (files.includes(file)) break;
          files.push(file);
          if (at === "") break;
        }
      return findPresent(files);
    },
    isPlain(path) {
      let isVisited = false;
      for (let at = path.indexOf("/", 1); ; at = path.indexOf("/", at + 1)) {
        const end = at < 0 ? path.length : at;
        // `//` is equivalent to `/`.
        if (path.charCodeAt(end - 1) !== SLASH_CODE) {
          const step = path.slice(0, end);
          const { kind, device } = inspect(step);
          if (kind === "absent") return true;
          if (kind === "other" || (kind === "mount" && !isOwnMount(step, device))) return false;
          isVisited = true;
        }
        if (at < 0) return isVisited;
      }
    },
    isFolder: (path) => ["folder", "mount"].includes(inspect(path).kind),
    isOwnCopy(path) {
      const { kind, size } = inspect(path);
      return kind === "file" && size >= MIN_OWN_BYTES;
    },
  };
}
