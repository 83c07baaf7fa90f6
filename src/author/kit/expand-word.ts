import { homedir } from "../../run/home.ts";

/** A word of a shell line with what this process knows filled in. */
interface ExpandedWord {
  text: string;
  /** Set where wildcards are left: the text with a backslash before each letter that only looks like one. */
  pattern?: string;
}

/** The home folder as a shell has it. */
export const getShellHome = (): string => process.env.HOME || homedir();

/** A path of Git Bash or Cygwin as Windows has it: `/c/x` and `/cygdrive/c/x` are `c:/x`. */
export const toNativePath = (path: string, platform: NodeJS.Platform = process.platform): string =>
  platform === "win32" ? path.replace(/^\/(?:cygdrive\/)?([a-z])(?:\/|$)/i, "$1:/") : path;

/** Variables that a shell sets itself, so that this process's environment does not tell what they hold. */
const SHELL_VARIABLES =
  /^(?:_|\d+|BASH\w*|COMP_\w+|DIRSTACK|EPOCH\w+|E?UID|FUNCNAME|GROUPS|HISTCMD|IFS|LINENO|OLDPWD|OPT(?:ARG|ERR|IND)|PIPESTATUS|PPID|S?RANDOM|REPLY|SECONDS|SHELLOPTS|SHLVL|ZSH_\w+)$/;

/** The value of a variable, as far as this process can tell. */
function readVariable(name: string, folder: string): string | undefined {
  if (name === "HOME") return getShellHome();
  if (name === "PWD") return folder;
  return SHELL_VARIABLES.test(name) ? undefined : process.env[name];
}

const TILDE = /^~(?=[\\/]|$)/;
const escapeLetters = (text: string, letters: RegExp) => text.replace(letters, "\\$&");

/** A quoted letter; a variable; the folder; a wildcard; what nobody knows; any letter. */
const WORD_PIECE = /\\([^])|\$(?:\{(\w+)(?::?[-?=][^}]*)?\}|(\w+))|(\$\(pwd\)|`pwd`)|([*?[])|([$`]|<\()|[^]/g;

/**
 * Fills in `~`, `$HOME`, `$PWD`, `$(pwd)` and the variables of this process; what a shell has is taken to be the same.
 * @param dynamic the word as in `Command.dynamic`; without it the text is a name as it stands.
 * @returns nothing where something is left that is only known when it runs.
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
