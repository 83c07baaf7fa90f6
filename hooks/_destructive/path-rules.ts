import { existsSync } from "bridge-hooks/files";
import { sep } from "bridge-hooks/paths";
import {
  type CallConditions,
  comparablePath,
  type EventOf,
  type FileAccessName,
  git,
  homedir,
  type PathUse,
  paths,
  realPath,
  type RuleOrigin,
} from "bridge-hooks";
import type { CallMatch } from "./call-rules.ts";

type PathConditions = CallConditions["path"];

/** A file that a call uses, with its names and the kinds of access. */
interface FileAccessUse {
  /** The name shown in a denial, relative to the project. */
  displayName: string;
  /** Normalized paths, both as written and with symlinks resolved. */
  names: readonly string[];
  accesses: readonly FileAccessName[];
  /** Whether a directory is removed along with its contents. */
  isDeep: boolean;
}

const ACCESSES_BY_CHANGE: Readonly<Record<NonNullable<PathUse["change"]>, readonly FileAccessName[]>> = {
  edit: ["edit"],
  delete: ["delete"],
  "delete-all": ["delete"],
  any: ["edit", "delete"],
};

function listAccesses({ access, change, uncertain, wildcard }: PathUse): readonly FileAccessName[] {
  if (change !== undefined) return ACCESSES_BY_CHANGE[change];
  if (access === "read") return ["read"];
  // Assume that an unknown program reads its file arguments.
  return access === "write" && uncertain && !wildcard ? ["read"] : [];
}

/** Returns a directory's path both as written and with symlinks resolved, without a trailing slash. */
const listPathVariants = (folder: string): string[] =>
  [...new Set([folder, realPath(folder) ?? folder])].map((path) => path.replace(/(?<=.)[\\/]$/, ""));

/** Creates a function that returns the file matched by a path rule. */
export function createPathMatcher(
  event: EventOf<"PreToolUse">,
): (conditions: PathConditions, origin: RuleOrigin) => CallMatch | undefined {
  let touchedFiles: FileAccessUse[] | undefined;
  let roots: string[] | undefined;
  const listRoots = () =>
    (roots ??= [event.cwd, ...(event.workspace_roots ?? []), git(event)?.root ?? ""]
      .filter((folder) => folder !== "")
      .flatMap(listPathVariants));
  const show = (path: string) => {
    const root = listRoots().find((candidate) => path.startsWith(candidate + sep));
    return root === undefined ? path : path.slice(root.length + 1);
  };
  const listTouches = () =>
    (touchedFiles ??= paths(event).flatMap((use): FileAccessUse[] => {
      const accesses = use.remote ? [] : listAccesses(use);
      const names = [...new Set([use.named, use.path])].map((name) => comparablePath(name));
      const isDeep = use.change === "delete-all" || use.change === "any";
      return accesses.length === 0 ? [] : [{ displayName: show(use.named), names, accesses, isDeep }];
    }));
  return (conditions, { project }) => {
    const ruleAccesses = [conditions.access].flat();
    for (const touch of listTouches()) {
      const access = touch.accesses.find((candidate) => ruleAccesses.includes(candidate));
      if (access === undefined) continue;
      for (const glob of [conditions.path].flat())
        if (
          typeof glob === "string" &&
          matchesFile(touch, glob, project === undefined ? listRoots() : listPathVariants(project))
        )
          return { subject: `${access} ${touch.displayName}`, names: [touch.displayName, ...touch.names] };
    }
    return undefined;
  };
}

/** Splits a glob into its base directories (the project, home, or the root directory) and the rest of the pattern. */
function splitGlob(globText: string, roots: readonly string[]): { folders: readonly string[]; glob: string } {
  const glob = globText.replace(/^\.\//, "");
  if (/^~(?=\/|$)/.test(glob)) return { folders: listPathVariants(homedir()), glob: glob.slice(2) };
  return /^(?:\/|[A-Za-z]:)/.test(glob) ? { folders: [""], glob } : { folders: roots, glob };
}

function matchesFile({ names, isDeep }: FileAccessUse, ruleGlob: string, roots: readonly string[]): boolean {
  const { folders, glob } = splitGlob(ruleGlob, roots);
  const pattern = comparablePath(glob);
  const [, fixed = ""] = /^((?:[^*?[\]{}/]*\/)*(?:[^*?[\]{}/]*$)?)/.exec(glob) ?? [];
  const matcher = new Bun.Glob(pattern);
  const folderPattern = pattern.replace(/\/\*\*(?:\/\*)?$/, "");
  for (const folder of folders) {
    const start = folder === "" ? "" : `${comparablePath(folder)}/`;
    for (const name of names) {
      const relativeName = `${name}/`.startsWith(start) ? name.slice(start.length) : undefined;
      if (
        relativeName !== undefined &&
        (matcher.match(relativeName) || (folderPattern !== pattern && relativeName === folderPattern))
      )
        return true;
      if (!isDeep) continue;
      // Removing a directory also removes any files in it that the rule covers.
      const base = `${folder === "" ? "" : `${folder}/`}${fixed}`.replace(/\/$/, "");
      if (`${comparablePath(base)}/`.startsWith(name.endsWith("/") ? name : `${name}/`) && existsSync(base))
        return true;
    }
  }
  return false;
}
