import { wildcardPattern } from "../words/wildcard.ts";
import type { Word } from "../words/word.ts";
import { getProgramName, removeVersion } from "./plain-names.ts";
import { scanUnknownParts } from "./unknown-parts.ts";

export { getProgramName, removeVersion } from "./plain-names.ts";

/** The shell that reads the line, by its own variables: `$SHELL`, `"${BASH:-sh}"`, `$0`. */
const OWN_SHELL =
  /^\$(?:(?:SHELL|BASH|0)$|\{(?:SHELL|BASH|0)(?::?[-=?][^{}]*)?\}$|\(readlink\s+(?:-\w+\s+)?\/proc\/)|^\/proc\/(?:self|\$\$)\/exe$/;

/** GNU's versions of these are installed with a `g` before the name where the system has its own: `grm`. */
const GNU_PROGRAMS = new Set(
  (
    "base64 cat chgrp chmod chown cp cut date dd df du echo env find grep head install kill link ln ls mkdir mv nice " +
    "nohup printf readlink realpath rm rmdir shred sort stat stdbuf tac tail tee timeout touch truncate uniq unlink wc xargs"
  ).split(" "),
);

const ZSH_FILE_BUILTINS = new Set("chgrp chmod chown ln mkdir mv rm rmdir sync".split(" "));

/** The words by which a program is usually called: `git-push` is `git push`, `grm` is `rm`. Undefined for most. */
export function getUsualWords(name: string): readonly [program: string, ...args: string[]] | undefined {
  if (name.startsWith("git-") && /^[a-z]/.test(name.slice(4))) return ["git", name.slice(4)];
  if (name.startsWith("g") && GNU_PROGRAMS.has(name.slice(1))) return [name.slice(1)];
  // elvish's, and zsh's own. https://zsh.sourceforge.io/Doc/Release/Zsh-Modules.html
  if (name.startsWith("e:")) return [name.slice(2)];
  if (name.startsWith("zf_") && ZSH_FILE_BUILTINS.has(name.slice(3))) return [name.slice(3)];
  return name === "hub" ? ["git"] : undefined;
}

/**
 * All names under which tables and rules may know a program, from the most exact to the least: `Python3.12` is
 * "python3.12" and "python", `git-push.exe` is "git-push" and "git".
 */
export function listProgramNames(program: string): readonly string[] {
  const name = getProgramName(program);
  if (name.length > LONGEST_NAME) return [name];
  const found = [name];
  let lower = name.toLowerCase();
  // A cmdlet is read with its own options.
  if (lower !== name && CMDLET.test(name)) lower = name;
  const plain = lower.endsWith(".jar") ? lower.slice(0, -4) : lower;
  for (const other of [lower, plain, getUsualWords(lower)?.[0], removeVersion(plain)])
    if (other !== undefined && other !== "" && !found.includes(other)) found.push(other);
  return found;
}

/** The name of a PowerShell cmdlet as people write it: `Format-Volume`. */
const CMDLET = /^[A-Z][a-z]+-[A-Z]\w*$/;

/** No program that a table or a rule knows has a longer name. */
export const LONGEST_NAME = 128;

/** What the word in a program's place tells of its name. */
export interface ProgramWord {
  /** The name, if all of it is known; with only `${…}` and `$(…)` unknown, the name if these are empty. */
  name?: string;
  /** A wildcard for its name in lower case, if part of that is only known at run time. */
  pattern?: string;
}

/** Reads the word in a program's place: `/bin/r?` and `r${x}m` may be several programs, `$HOME/bin/rm` is only one. */
export function readProgramWord({ text, dynamic }: Word): ProgramWord {
  if (OWN_SHELL.test(dynamic ?? text)) return { name: "sh" };
  if (dynamic === undefined) return { name: getProgramName(text) };
  let plain = "";
  let pattern = "";
  let length = 0;
  let hasWildcard = false;
  let hasExpansion = false;
  for (const { kind, text: part } of scanUnknownParts(dynamic)) {
    if (kind === "step") {
      plain = pattern = "";
      length = 0;
      hasWildcard = hasExpansion = false;
    } else if (kind === "expansion") {
      pattern += "*";
      hasExpansion = true;
    } else if (kind === "wildcard") {
      pattern += part;
      hasWildcard = true;
      length += part.startsWith("[") ? 1 : part.replaceAll("*", "").length;
    } else {
      length += part.length;
      plain += part;
      pattern += part.replace(/[\\*?[\]]/g, "\\$&");
    }
  }
  if (!hasWildcard && !hasExpansion) return { name: getProgramName(plain) };
  // Without a letter of its own, or a known length, it may be anything.
  const isVague = length > LONGEST_NAME || (plain === "" && (/[*[]/.test(pattern) || length < 2));
  return {
    ...(!hasWildcard && plain !== "" && { name: getProgramName(plain) }),
    ...(!isVague && { pattern: pattern.toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/, "") }),
  };
}

/** Whether a wildcard matches a name; `mkfs.*` in a rule stands for every name that begins so. */
export function createNameTest(pattern: string): (name: string) => boolean {
  const isMatch = wildcardPattern(pattern);
  const dot = pattern.indexOf(".");
  const isStem = dot < 0 ? undefined : wildcardPattern(pattern.slice(0, dot));
  return (name) => (name.endsWith(".*") ? isStem?.(name.slice(0, -2)) === true : isMatch(name));
}

/** Whether a word of which parts are only known at run time may be one of some words. */
export function mayBeWord(dynamic: string, words: readonly string[]): boolean {
  const { pattern } = readProgramWord({ text: dynamic, dynamic });
  return pattern !== undefined && words.some(createNameTest(pattern));
}
