import { homedir } from "../../run/home.ts";

/** A word of a shell line, expanded as far as this process can. */
interface ExpandedWord {
  text: string;
  /** Set if wildcards are left: the text with a backslash before each literal character that looks like one. */
  pattern?: string;
}

/** The home directory as a shell sees it. */
export const getShellHome = (): string => process.env.HOME || homedir();

/** Converts a path of Git Bash or Cygwin to Windows: `/c/x` and `/cygdrive/c/x` become `c:/x`. */
export const toNativePath = (path: string, platform: NodeJS.Platform = process.platform): string =>
  platform === "win32" ? path.replace(/^\/(?:cygdrive\/)?([a-z])(?:\/|$)/i, "$1:/") : path;

/** Variables that a shell sets itself, so their values in this process's environment are wrong. */
const SHELL_VARIABLES =
  /^(?:_|\d+|BASH\w*|COMP_\w+|DIRSTACK|EPOCH\w+|E?UID|FUNCNAME|GROUPS|HISTCMD|IFS|LINENO|OLDPWD|OPT(?:ARG|ERR|IND)|PIPESTATUS|PPID|S?RANDOM|REPLY|SECONDS|SHELLOPTS|SHLVL|ZSH_\w+)$/;

/** The value of a variable, as far as this process knows it. */
function readVariable(name: string, folder: string): string | undefined {
  if (name === "HOME") return getShellHome();
  if (name === "PWD") return folder;
  return SHELL_VARIABLES.test(name) ? undefined : process.env[name];
}

const TILDE = /^~(?=[\\/]|$)/;
const escapeLetters = (text: string, letters: RegExp) => text.replace(letters, "\\$&");

/**
 * In order: a quoted character, a variable, the current directory, a wildcard, an unknown expansion, what means nothing
 * else, any other character.
 */
const WORD_PIECE =
  /\\([^])|\$(?:\{(\w+)(?::?[-?=][^}]*)?\}|(\w+))|(\$\(pwd\)|`pwd`)|([*?[])|([$`]|<\()|[^\\$`*?[<]+|[^]/g;

/**
 * Expands `~`, `$HOME`, `$PWD`, `$(pwd)` and the environment variables of this process; the shell is assumed to have
 * the same values.
 * @param dynamic the word in the form of `Command.dynamic`; without it the text is literal.
 * @returns undefined if part of the word is only known at run time.
 */
export function expandWord(text: string, dynamic: string | undefined, folder: string): ExpandedWord | undefined {
  if (dynamic === undefined) return { text: toNativePath(text) };
  if (dynamic.startsWith("~") && !TILDE.test(dynamic)) return undefined;
  const word = dynamic.replace(TILDE, () => escapeLetters(getShellHome(), /[\\$`*?[]/g));
  let plain = "";
  let pattern = "";
  let wildcard = false;
  for (const [letter, quoted, braced, named = braced, pwd, wild, unknown] of word.matchAll(WORD_PIECE)) {
    const value = named !== undefined ? readVariable(named, folder) : pwd ? folder : (quoted ?? letter);
    if (value === undefined || unknown) return undefined;
    plain += value;
    pattern += wild ?? escapeLetters(value, /[\\*?[]/g);
    wildcard ||= wild !== undefined;
  }
  return wildcard ? { text: toNativePath(plain), pattern: toNativePath(pattern) } : { text: toNativePath(plain) };
}
