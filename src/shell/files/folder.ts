import { splitWord } from "../words/values.ts";
import type { Word } from "../words/word.ts";

/** Maximum path length on any system. */
const MAX_PATH_LENGTH = 4096;

/**
 * Resolves a directory relative to another directory, in the format of `Command.cwd`. Like the shell's `cd`, resolves
 * `..` textually, without following symlinks.
 */
export function resolveFolder(currentFolder: string | undefined, target: string): string | undefined {
  if (target.length + (currentFolder?.length ?? 0) > MAX_PATH_LENGTH) return undefined;
  if (/^(?:\/|~(?:\/|$)|[A-Za-z]:[\\/])/.test(target)) return normalizePath(target);
  return currentFolder === undefined
    ? undefined
    : normalizePath(currentFolder === "" ? target : `${currentFolder}/${target}`);
}

function normalizePath(path: string): string {
  const root = /^(?:\/|~\/?|[A-Za-z]:[\\/])/.exec(path)?.[0] ?? "";
  const segments: string[] = [];
  for (const part of path.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && segments.length > 0 && segments.at(-1) !== "..") segments.pop();
    else if (part !== ".." || !root.startsWith("/")) segments.push(part);
  }
  return root === "~" ? ["~", ...segments].join("/") : root + segments.join("/") || root;
}

const PATH_OUTSIDE_FOLDER = /^(?:[/~]|\.\.(?:\/|$)|[A-Za-z]:)/;

/** Returns the operand of a `cd` command. */
export function getCdOperand(args: readonly Word[]): Word | undefined {
  const at = args.findIndex(({ text }) => !/^-[LPe@]+$/.test(text));
  return args[args[at]?.text === "--" ? at + 1 : at];
}

/** Returns the new directory after `cd` with these arguments. Undefined if unknown. */
export function resolveCdTarget(currentFolder: string | undefined, args: readonly Word[]): string | undefined {
  const target = getCdOperand(args);
  if (!target) return "~";
  if (target.text === "-") return undefined;
  if (target.dynamic === undefined)
    return resolveFolder(currentFolder, target.text.startsWith("~") ? `./${target.text}` : target.text);
  const [firstPart, secondPart, ...otherParts] = splitWord(target.dynamic);
  const subpath = secondPart?.kind === "text" ? secondPart.text : "";
  if (firstPart?.kind !== "folder" || otherParts.length > 0 || (secondPart && !subpath.startsWith("/")))
    return undefined;
  switch (firstPart.folder) {
    case "home":
      return resolveFolder("", `~${subpath}`);
    case "repository":
      // The command line is assumed to start at the top of the repository.
      return resolveFolder(
        currentFolder !== undefined && !PATH_OUTSIDE_FOLDER.test(currentFolder) ? "" : currentFolder,
        `.${subpath}`,
      );
    case "current":
      return resolveFolder(currentFolder, `.${subpath}`);
    case "previous":
      return undefined;
  }
}
