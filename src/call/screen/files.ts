import { getManagedConfig, getUserConfigSteps, PROJECT_CONFIG } from "../../policy/config-paths.ts";
import { MIN_OWN_BYTES } from "../../protocol/own-image.ts";
import type { InspectedFile, QuickSystem } from "../../system/quick-types.ts";

/**
 * An absolute path, from a folder if it is relative. Undefined for one that may name something else: it has `..`,
 * characters that a host or a shell may take for more than a part of a name, or such with several forms.
 */
export function resolvePath(folder: string, path: string): string | undefined {
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code >= 97 && code <= 122) continue;
    // A digit or an upper-case letter, or one of `, - . / : @ = _ +` and the blank.
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

/** The same of a path that consists of plain characters. */
export function joinPath(folder: string, path: string): string | undefined {
  const full = path.startsWith("/") ? path : `${folder}/${path}`;
  return full.startsWith("/") && !`${full}/`.includes("/../") ? full : undefined;
}

/** A path, and what it names. */
export interface InspectedPath extends Pick<InspectedFile, "kind" | "size"> {
  path: string;
}

/** Looks at files for one call: each step of their paths once. */
export interface FileSurvey {
  /** The config files that may be there for every folder: the administrators' and the user's. */
  listSharedConfigs: () => readonly InspectedPath[];
  /** Those, and any above the folders of the project. */
  listConfigs: () => readonly InspectedPath[];
  /**
   * Whether a path is what it is called: no step of it is a link or the root of a mount that may show a folder of the
   * user's, and the file has no other name.
   * @param path an absolute path without `..`.
   */
  isPlain: (path: string) => boolean;
  isFolder: (path: string) => boolean;
  /** Whether a file is as large as our executables are, and may be a copy of one. */
  isOwnCopy: (path: string) => boolean;
}

/** The folders that a call is about. */
interface SurveyedFolders {
  cwd: string;
  /** Further folders of the project. */
  roots: readonly string[];
  home: string;
}

const SLASH = 47;

/** No class: what its private fields need takes longer than what is done with them. */
export function surveyFiles(system: QuickSystem, { cwd, roots, home }: SurveyedFolders): FileSurvey {
  const { known = new Map<string, InspectedFile>() } = system;
  const inspect = (path: string): InspectedFile => {
    let found = known.get(path);
    if (!found) known.set(path, (found = system.inspect(path)));
    return found;
  };
  /** Whether a mount is the one that the home folder is seen through, or shows another device than that and `/etc`. */
  const isOwnMount = (path: string, device: string): boolean =>
    `${home}/`.startsWith(`${path}/`) ||
    (`${cwd}/`.startsWith(`${path}/`) && device !== inspect(home).device && device !== inspect("/etc").device);
  const listShared = () => [getManagedConfig(), `${home}/${getUserConfigSteps().join("/")}`];
  const findPresent = (paths: readonly string[]): InspectedPath[] => {
    const found: InspectedPath[] = [];
    for (const path of paths) {
      const { kind, size } = inspect(path);
      if (kind !== "absent") found.push({ path, kind, size });
    }
    return found;
  };
  return {
    listSharedConfigs: () => findPresent(listShared()),
    listConfigs() {
      const files = listShared();
      for (const folder of [cwd, ...roots])
        for (let at = folder; ; at = at.slice(0, at.lastIndexOf("/"))) {
          const file = `${at}/${PROJECT_CONFIG}`;
          // So is everything above it.
          if (files.includes(file)) break;
          files.push(file);
          if (at === "") break;
        }
      return findPresent(files);
    },
    isPlain(path) {
      let isSeen = false;
      for (let at = path.indexOf("/", 1); ; at = path.indexOf("/", at + 1)) {
        const end = at < 0 ? path.length : at;
        // `//` is `/`.
        if (path.charCodeAt(end - 1) !== SLASH) {
          const step = path.slice(0, end);
          const { kind, device } = inspect(step);
          if (kind === "absent") return true;
          if (kind === "other" || (kind === "mount" && !isOwnMount(step, device))) return false;
          isSeen = true;
        }
        if (at < 0) return isSeen;
      }
    },
    isFolder: (path) => ["folder", "mount"].includes(inspect(path).kind),
    isOwnCopy(path) {
      const { kind, size } = inspect(path);
      return kind === "file" && size >= MIN_OWN_BYTES;
    },
  };
}
