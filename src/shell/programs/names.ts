import { wildcardPattern } from "../words/wildcard.ts";
import type { Word } from "../words/word.ts";
import { getProgramName, removeVersion } from "./plain-names.ts";
import { scanUnknownParts } from "./unknown-parts.ts";

export { getProgramName, removeVersion } from "./plain-names.ts";

/** References to the current shell: `$SHELL`, `"${BASH:-sh}"`, `$0`. */
const CURRENT_SHELL =
  /^\$(?:(?:SHELL|BASH|0)$|\{(?:SHELL|BASH|0)(?::?[-=?][^{}]*)?\}$|\(readlink\s+(?:-\w+\s+)?\/proc\/)|^\/proc\/(?:self|\$\$)\/exe$/;

/** GNU programs that get the prefix `g` on systems with their own version of the program: `grm`. */
const GNU_PROGRAMS = new Set(
  (
    "base64 cat chgrp chmod chown cp cut date dd df du echo env find grep head install kill link ln ls mkdir mv nice " +
    "nohup printf readlink realpath rm rmdir shred sort stat stdbuf tac tail tee timeout touch truncate uniq unlink wc xargs"
  ).split(" "),
);

const ZSH_FILE_BUILTINS = new Set("chgrp chmod chown ln mkdir mv rm rmdir sync".split(" "));

/** Returns a program's usual name: `git push` for `git-push`, `rm` for `grm`. Undefined for most names. */
export function getCanonicalWords(name: string): readonly [program: string, ...args: string[]] | undefined {
  if (name.startsWith("git-") && /^[a-z]/.test(name.slice(4))) return ["git", name.slice(4)];
  if (name.startsWith("g") && GNU_PROGRAMS.has(name.slice(1))) return [name.slice(1)];
  // Name prefixes in elvish (`e:`) and zsh (`zf_`). https://zsh.sourceforge.io/Doc/Release/Zsh-Modules.html
  if (name.startsWith("e:")) return [name.slice(2)];
  if (name.startsWith("zf_") && ZSH_FILE_BUILTINS.has(name.slice(3))) return [name.slice(3)];
  return name === "hub" ? ["git"] : undefined;
}

/**
 * Lists all names by which tables and rules may refer to a program, most specific first: "python3.12" and "python" for
 * `Python3.12`, "git-push" and "git" for `git-push.exe`.
 */
export function listProgramNames(program: string): readonly string[] {
  const name = getProgramName(program);
  if (name.length > MAX_NAME_LENGTH) return [name];
  const names = [name];
  let lowerName = name.toLowerCase();
  // A cmdlet name keeps its capitalization because cmdlets have different options.
  if (lowerName !== name && CMDLET_NAME.test(name)) lowerName = name;
  const plainName = lowerName.endsWith(".jar") ? lowerName.slice(0, -4) : lowerName;
  for (const otherName of [lowerName, plainName, getCanonicalWords(lowerName)?.[0], removeVersion(plainName)])
    if (otherName !== undefined && otherName !== "" && !names.includes(otherName)) names.push(otherName);
  return names;
}

/** PowerShell cmdlet in its usual capitalization: `Format-Volume`. */
const CMDLET_NAME = /^[A-Z][a-z]+-[A-Z]\w*$/;

/** Maximum length of a program name in tables and rules. */
export const MAX_NAME_LENGTH = 128;

/** A known or partly known program name. */
export interface ProgramWord {
  /** Program name, if known. If only `${…}` and `$(…)` parts are unknown, the name without those parts. */
  name?: string;
  /** Lowercase wildcard that matches the name, if part of the name is unknown until run time. */
  pattern?: string;
}

/**
 * Reads a program name. `/bin/r?` and `r${x}m` may refer to multiple programs, but `$HOME/bin/rm` refers to only one.
 */
export function readProgramWord({ text, dynamic }: Word): ProgramWord {
  if (CURRENT_SHELL.test(dynamic ?? text)) return { name: "sh" };
  if (dynamic === undefined) return { name: getProgramName(text) };
  let literalText = "";
  let pattern = "";
  let length = 0;
  let hasWildcard = false;
  let hasExpansion = false;
  for (const { kind, text: part } of scanUnknownParts(dynamic)) {
    if (kind === "step") {
      literalText = pattern = "";
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
      literalText += part;
      pattern += part.replace(/[\\*?[\]]/g, "\\$&");
    }
  }
  if (!hasWildcard && !hasExpansion) return { name: getProgramName(literalText) };
  // A word with neither literal characters nor a known length could be any name.
  const mayBeAnyName = length > MAX_NAME_LENGTH || (literalText === "" && (/[*[]/.test(pattern) || length < 2));
  return {
    ...(!hasWildcard && literalText !== "" && { name: getProgramName(literalText) }),
    ...(!mayBeAnyName && { pattern: pattern.toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/, "") }),
  };
}

/** Creates a function that tests names against a wildcard. A rule for `mkfs.*` covers every name with that prefix. */
export function createNameTest(pattern: string): (name: string) => boolean {
  const isMatch = wildcardPattern(pattern);
  const dot = pattern.indexOf(".");
  const matchesStem = dot < 0 ? undefined : wildcardPattern(pattern.slice(0, dot));
  return (name) => (name.endsWith(".*") ? matchesStem?.(name.slice(0, -2)) === true : isMatch(name));
}

/** Whether a partly unknown word may equal one of the given words. */
export function mayBeWord(dynamic: string, words: readonly string[]): boolean {
  const { pattern } = readProgramWord({ text: dynamic, dynamic });
  return pattern !== undefined && words.some(createNameTest(pattern));
}
