import { homedir } from "node:os";

/** A word of a shell line with what this process knows filled in. */
export interface Filled {
  text: string;
  /** Set where wildcards are left: the text with a backslash before each letter that only looks like one. */
  pattern?: string;
}

const PIECE = /\\([^])|(?:\$\{(\w+)(?::?[-?=][^}]*)?\}|\$(\w+))|(\$\(pwd\)|`pwd`)|([*?]|\[)|([$`]|<\()|([^])/g;

/**
 * Fills in `~`, `$HOME`, `$PWD`, `$(pwd)` and the variables of this process; what a shell sets is taken to be the same.
 * @param dynamic the word as in `Command.dynamic`; without it the text is a name as it stands.
 * @returns nothing where something else is left that is only known when it runs.
 */
export function filled(text: string, dynamic: string | undefined, folder: string): Filled | undefined {
  const home = /^~(?=[\\/]|$)/;
  if (dynamic === undefined) return { text };
  if (/^~/.test(dynamic) && !home.test(dynamic)) return undefined;
  let plain = "";
  let pattern = "";
  let wildcard = false;
  const add = (value: string) => {
    plain += value;
    pattern += value.replace(/[\\*?[]/g, "\\$&");
  };
  for (const [all, escaped, braced, named, pwd, wild, unknown] of dynamic
    .replace(home, () => homedir().replace(/[\\$`*?[]/g, "\\$&"))
    .matchAll(PIECE)) {
    const variable = braced ?? named;
    const value =
      variable === undefined
        ? pwd
          ? folder
          : undefined
        : variable === "PWD"
          ? folder
          : variable === "HOME"
            ? homedir()
            : process.env[variable];
    if (unknown || (variable !== undefined && value === undefined)) return undefined;
    if (wild) {
      wildcard = true;
      plain += wild;
      pattern += wild;
    } else add(value ?? escaped ?? all);
  }
  return wildcard ? { text: plain, pattern } : { text: plain };
}
