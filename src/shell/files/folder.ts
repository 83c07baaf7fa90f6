import { splitWord } from "../words/values.ts";
import type { Word } from "../words/word.ts";

/** Maximum path length on any system. */
const MAX_PATH_LENGTH = 4096;

/**
 * Resolves a directory relative to another directory, in the format of `Command.cwd`. Resolves `..` textually, like the
 * shell's `cd`, without following symlinks.
 */
export function resolveFolder(from: string | undefined, to: string): string | undefined {
  if (to.length + (from?.length ?? 0) > MAX_PATH_LENGTH) return undefined;
  if (/^(?:\/|~(?:\/|$)|[A-Za-z]:[\\/])/.test(to)) return normalizePath(to);
  return from === undefined ? undefined : normalizePath(from === "" ? to : `${from}/${to}`);
}

function normalizePath(path: string): string {
  const root = /^(?:\/|~\/?|[A-Za-z]:[\\/])/.exec(path)?.[0] ?? "";
  const kept: string[] = [];
  for (const part of path.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (part !== ".." || !root.startsWith("/")) kept.push(part);
  }
  return root === "~" ? ["~", ...kept].join("/") : root + kept.join("/") || root;
}

const OUTSIDE_PATH = /^(?:[/~]|\.\.(?:\/|$)|[A-Za-z]:)/;

/** Returns the operand of a `cd` command. */
export function getCdOperand(args: readonly Word[]): Word | undefined {
  const at = args.findIndex(({ text }) => !/^-[LPe@]+$/.test(text));
  return args[args[at]?.text === "--" ? at + 1 : at];
}

/** Returns the new directory after `cd` with these arguments. Undefined if unknown. */
export function resolveCdTarget(from: string | undefined, args: readonly Word[]): string | undefined {
  const target = getCdOperand(args);
  if (!target) return "~";
  if (target.text === "-") return undefined;
  if (target.dynamic === undefined)
    return resolveFolder(from, target.text.startsWith("~") ? `./${target.text}` : target.text);
  const [first, rest, ...others] = splitWord(target.dynamic);
  const below = rest?.kind === "text" ? rest.text : "";
  if (first?.kind !== "folder" || others.length > 0 || (rest && !below.startsWith("/"))) return undefined;
  switch (first.folder) {
    case "home":
      return resolveFolder("", `~${below}`);
    case "repository":
      // The command line is assumed to start at the top of the repository.
      return resolveFolder(from !== undefined && !OUTSIDE_PATH.test(from) ? "" : from, `.${below}`);
    case "current":
      return resolveFolder(from, `.${below}`);
    case "previous":
      return undefined;
  }
}
