import type { Word } from "./word.ts";

/** A system's longest path. */
const LONGEST = 4096;

/** A folder as seen from another, told as in `Command.cwd`. As the shell's own `cd` it takes `..` by the text, not by links. */
export function resolveFolder(from: string | undefined, to: string): string | undefined {
  if (to.length + (from?.length ?? 0) > LONGEST) return undefined;
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

/** What stands for a home, for the folder where one is, and for the top of its repository; and a path behind it. */
const KNOWN =
  /^(?:(~|\$HOME|\$\{HOME\})|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|((?:\$\(|`)git rev-parse --show-toplevel(?: 2>\s?\/dev\/null)?[)`]))(?=\/|$)((?:[^$`*?[~(\\]|\\.)*)$/;
const ABOVE = /^(?:[/~]|\.\.(?:\/|$)|[A-Za-z]:)/;

/** Where `cd` with these words leads; undefined where that isn't known. */
export function resolveCdTarget(from: string | undefined, args: readonly Word[]): string | undefined {
  const at = args.findIndex(({ text }) => !/^-[LPe@]+$/.test(text));
  const target = args[args[at]?.text === "--" ? at + 1 : at];
  if (at < 0 || !target) return "~";
  if (target.text === "-") return undefined;
  if (target.dynamic === undefined)
    return resolveFolder(from, target.text.startsWith("~") ? `./${target.text}` : target.text);
  const known = KNOWN.exec(target.dynamic);
  if (!known) return undefined;
  const [, home, top] = known;
  const rest = (known[3] ?? "").replace(/\\(.)/g, "$1");
  if (home) return resolveFolder("", `~${rest}`);
  // The line is taken to begin at the top.
  return resolveFolder(top && from !== undefined && !ABOVE.test(from) ? "" : from, `.${rest}`);
}
