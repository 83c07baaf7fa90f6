import { applyParameterOperator, type ParameterExpansion, parseParameter } from "./parameters.ts";
import { findExpansionEnd } from "../programs/unknown-parts.ts";

/** Directories for which every shell has an expression, such as `~` or `$PWD`. */
export type ShellFolderName = "home" | "current" | "previous" | "repository";

/** Part of a word in the format of `Command.dynamic`, classified by how a shell expands it. */
export type WordPart =
  | { kind: "text"; text: string }
  /** A wildcard for file names. */
  | { kind: "wildcard"; text: string }
  | { kind: "folder"; folder: ShellFolderName }
  /** The current user's name. */
  | { kind: "user" }
  /** Another user's home directory: `~root`. */
  | { kind: "userHome"; name: string }
  | ({ kind: "variable"; text: string } & ParameterExpansion)
  /** A command substitution or an arithmetic expression. */
  | { kind: "command"; text: string };

/** Matches an escaped character, a variable, a wildcard, the start of a longer expansion, or any other text. */
const WORD_PIECE = /\\([^])|\$(\w+|[@*#?$!-])|([*?[]|!\([^()\s]{1,200}\))|(\$\{|\$\(|`|<\()|[^\\$`*?[<]+|[^]/g;
const TILDE_PREFIX = /^~(?:([+-])|([A-Za-z_][\w.-]*))?(?=[\\/]|$)/;
const PWD_COMMAND = /^(?:\$\(|`)\s*pwd(?:\s+-[LP])?\s*[)`]$/;
const REPOSITORY_COMMAND = /^(?:\$\(|`)\s*git rev-parse --show-toplevel\s*(?:2>\s?\/dev\/null\s*)?[)`]$/;
const USER_COMMAND = /^(?:\$\(|`)\s*(?:whoami|logname|id -un)\s*[)`]$/;
const FOLDER_VARIABLES: Readonly<Record<string, ShellFolderName>> = {
  HOME: "home",
  PWD: "current",
  OLDPWD: "previous",
};

/** Splits a word in the format of `Command.dynamic` into its parts. */
export function splitWord(dynamic: string): WordPart[] {
  const parts: WordPart[] = [];
  const addPart = (part: WordPart) => {
    const lastPart = parts.at(-1);
    if (part.kind === "text" && lastPart?.kind === "text") lastPart.text += part.text;
    else parts.push(part);
  };
  const [tilde = "", shorthand, user] = TILDE_PREFIX.exec(dynamic) ?? [];
  if (user !== undefined) addPart({ kind: "userHome", name: user });
  else if (tilde !== "")
    addPart({ kind: "folder", folder: shorthand === "+" ? "current" : shorthand === "-" ? "previous" : "home" });
  WORD_PIECE.lastIndex = tilde.length;
  for (let piece = WORD_PIECE.exec(dynamic); piece; piece = WORD_PIECE.exec(dynamic)) {
    const [match, quotedCharacter, name, wildcard, expansionStart] = piece;
    const { index } = piece;
    if (expansionStart !== undefined) {
      const end = findExpansionEnd(dynamic, index + expansionStart.length, expansionStart);
      // An unclosed expansion extends to the end of the word.
      WORD_PIECE.lastIndex = end;
      addPart(describeExpansion(dynamic.slice(index, end), expansionStart));
    } else if (name !== undefined) addPart(describeVariable(match, { name }));
    // An extended glob such as `!(x)` matches all but a few names.
    else if (wildcard !== undefined) addPart({ kind: "wildcard", text: wildcard.startsWith("!") ? "*" : wildcard });
    else addPart({ kind: "text", text: quotedCharacter ?? match });
  }
  return parts;
}

const describeVariable = (text: string, variable: ParameterExpansion): WordPart =>
  variable.operator !== undefined || variable.prefix !== undefined
    ? { kind: "variable", text, ...variable }
    : Object.hasOwn(FOLDER_VARIABLES, variable.name)
      ? { kind: "folder", folder: FOLDER_VARIABLES[variable.name] as ShellFolderName }
      : /^(?:USER|LOGNAME)$/.test(variable.name)
        ? { kind: "user" }
        : { kind: "variable", text, ...variable };

function describeExpansion(text: string, start: string): WordPart {
  if (start === "${") {
    const variable = parseParameter(text);
    // The default of a variable that is always set is never used.
    const isSet = variable && isAlwaysSetVariable(variable.name) && /^:?[-=?]$/.test(variable.operator ?? "");
    return variable ? describeVariable(text, isSet ? { name: variable.name } : variable) : { kind: "command", text };
  }
  if (PWD_COMMAND.test(text)) return { kind: "folder", folder: "current" };
  if (REPOSITORY_COMMAND.test(text)) return { kind: "folder", folder: "repository" };
  return USER_COMMAND.test(text) ? { kind: "user" } : { kind: "command", text };
}

/** Whether every shell sets the variable, so that `${x:-y}` never expands to y. */
export const isAlwaysSetVariable = (name: string): boolean =>
  /^(?:HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|PATH|HOSTNAME|E?UID|PPID|RANDOM|SECONDS|BASHPID|[#?$])$/.test(name);

/** Commands that always print something. */
const PRINT_COMMAND =
  /^(?:\$\(|`)\s*(?:date|hostname|uname|id|tty|arch|nproc|mktemp|uuidgen|seq|openssl\s+rand|git\s+rev-parse|git\s+config|basename|dirname)(?=[\s)`])/;

/** Whether a part can expand to nothing, as with an unset variable or a command that prints nothing. */
export function mayBeEmpty(part: WordPart): boolean {
  if (part.kind === "command") return !PRINT_COMMAND.test(part.text) && !part.text.startsWith("$((");
  if (part.kind !== "variable") return false;
  const { name, prefix, operator = "", operand = "" } = part;
  if (prefix === "#" || /^:?\?$/.test(operator)) return false;
  if (/^:?[-=]$/.test(operator)) return operand === "";
  return !isAlwaysSetVariable(name) || operator !== "";
}

/** What is known about the shell that expands a word. All paths are absolute. */
export interface ShellFolders {
  home: string;
  /** The command's working directory. */
  current: string | undefined;
  previous?: string | undefined;
  repository?: string | undefined;
  /** The directory that contains all home directories. */
  users?: string;
  /** Returns another user's home directory, or undefined if unknown. */
  getUserHome?: (name: string) => string | undefined;
  /** Returns the value of any other variable. */
  getVariable?: (name: string) => string | undefined;
}

/**
 * Returns what a part is certain to expand to. Returns undefined for wildcards and for anything unknown until run time.
 */
export function expandPart(part: WordPart, folders: ShellFolders): string | undefined {
  switch (part.kind) {
    case "text":
      return part.text;
    case "folder":
      return folders[part.folder];
    case "user":
      return folders.getVariable?.("USER") ?? folders.home.slice(folders.home.lastIndexOf("/") + 1);
    case "userHome":
      return folders.users === undefined ? folders.getUserHome?.(part.name) : `${folders.users}/${part.name}`;
    case "variable": {
      const { name, prefix, operator, operand } = part;
      if (prefix !== undefined) return undefined;
      const value = Object.hasOwn(FOLDER_VARIABLES, name)
        ? folders[FOLDER_VARIABLES[name] as ShellFolderName]
        : folders.getVariable?.(name);
      return value === undefined || operator === undefined
        ? value
        : applyParameterOperator(value, operator, operand ?? "");
    }
    default:
      return undefined;
  }
}

/** The paths that a word can expand to. */
export type WordValue =
  | { kind: "path"; text: string }
  /**
   * Paths that match a pattern. In the pattern, literal characters that look like wildcards are escaped with a
   * backslash.
   */
  | { kind: "pattern"; text: string; pattern: string }
  /**
   * What remains if the last parts expand to nothing: a directory, or a path below it. `empty` lists the variables and
   * commands that must be empty for that. `isContents` is true if a wildcard matches everything in the directory
   * (`$X/*`).
   */
  | { kind: "below"; text: string; isContents: boolean; empty: readonly string[] }
  | { kind: "any" };

const ANY_PATH: WordValue = { kind: "any" };

/** Determines which paths a word can expand to. Without `dynamic`, the word is literal. */
export function resolveWord(
  { text, dynamic }: { text: string; dynamic?: string | undefined },
  folders: ShellFolders,
): WordValue {
  if (dynamic === undefined) return { kind: "path", text };
  const parts = splitWord(dynamic);
  let literalText = "";
  let pattern = "";
  let isPattern = false;
  for (const [at, part] of parts.entries()) {
    const wildcard = getWildcard(part, literalText, parts.length === 1);
    const value = wildcard ?? expandPart(part, folders) ?? (isCancelledStep(part, parts[at + 1]) ? "0" : undefined);
    if (value === undefined) return isPattern ? ANY_PATH : resolveUnknownSuffix(parts.slice(at), literalText);
    literalText += value;
    isPattern ||= wildcard !== undefined;
    pattern += wildcard ?? value.replace(/[\\*?[]/g, "\\$&");
  }
  return isPattern ? { kind: "pattern", text: literalText, pattern } : { kind: "path", text: literalText };
}

/** Whether a part is a number cancelled by a `/..` after it: `$RANDOM/..`. */
const isCancelledStep = (part: WordPart, nextPart: WordPart | undefined): boolean =>
  nextPart?.kind === "text" &&
  nextPart.text.startsWith("/..") &&
  (part.kind === "variable"
    ? part.prefix === "#" || (part.operator === undefined && NUMERIC_VARIABLE.test(part.name))
    : part.kind === "command" && part.text.startsWith("$(("));
const NUMERIC_VARIABLE = /^(?:RANDOM|SRANDOM|SECONDS|E?UID|PPID|BASHPID|LINENO|[#?$])$/;

/**
 * Returns the wildcard that corresponds to a part. After a directory, the output of `ls` corresponds to any name in
 * that directory. If it is the whole word, it corresponds to the files in the listed directory.
 */
function getWildcard(part: WordPart, prefix: string, isWholeWord: boolean): string | undefined {
  if (part.kind === "wildcard") return part.text;
  const [, listedNames] = (part.kind === "command" && LS_COMMAND.exec(part.text)) || [];
  if (listedNames === undefined) return undefined;
  if (prefix.endsWith("/")) return "*";
  const folder = listedNames.slice(0, -1).trim();
  return isWholeWord && /^[^\s$*?[]+$/.test(folder) ? `${folder === "/" ? "" : folder}/*` : undefined;
}
const LS_COMMAND = /^(?:\$\(|`)\s*ls\s([^|;&]*)$/;

/** Resolves a word that ends in unknown parts. If they can be empty, the result is the directory before them. */
function resolveUnknownSuffix(remainingParts: readonly WordPart[], prefix: string): WordValue {
  const emptyParts: string[] = [];
  let end = "";
  for (const part of remainingParts)
    if (part.kind === "text" || part.kind === "wildcard") end += part.text;
    else if (!mayBeEmpty(part) || (part.kind !== "variable" && prefix === "")) return ANY_PATH;
    else emptyParts.push(part.kind === "variable" ? part.name : (part as { text: string }).text);
  // Ignore `$X*` and `$X.txt`: if X is empty, they match files in the current directory, which is rarely dangerous.
  if ((prefix === "" || (end !== "" && !prefix.endsWith("/"))) && !end.startsWith("/")) return ANY_PATH;
  const { path, isContents } = stripAllWildcards(end.replace(/\*{2,}/g, "*"));
  return /^[/.]*$/.test(path) ? { kind: "below", text: prefix + path, isContents, empty: emptyParts } : ANY_PATH;
}

/** Wildcards that match everything in a directory. */
const ALL_WILDCARDS = new Set(["*", ".*", "*.*", ".[!.]*", ".??*", "?*"]);

/** Removes trailing wildcards that match everything in a directory, level by level. */
export function stripAllWildcards(path: string): { path: string; isContents: boolean } {
  const parts = path.split("/");
  let end = parts.length;
  const lastIndex = () => end - (parts[end - 1] === "" ? 2 : 1);
  while (ALL_WILDCARDS.has(parts[lastIndex()] ?? "")) end = lastIndex();
  return end === parts.length
    ? { path, isContents: false }
    : { path: parts.slice(0, end).join("/") || (path.startsWith("/") ? "/" : ""), isContents: true };
}

/** Variables that the shell itself sets, so this process's own values would be wrong. */
const SHELL_VARIABLES =
  /^(?:_|\d+|BASH\w*|COMP_\w+|DIRSTACK|EPOCH\w+|E?UID|FUNCNAME|GROUPS|HISTCMD|IFS|LINENO|OLDPWD|OPT(?:ARG|ERR|IND)|PIPESTATUS|PPID|S?RANDOM|REPLY|SECONDS|SHELLOPTS|SHLVL|ZSH_\w+)$/;

/** Returns an environment variable of this process, on the assumption that the shell has the same environment. */
export const readEnvironment = (name: string): string | undefined =>
  SHELL_VARIABLES.test(name) ? undefined : process.env[name];
