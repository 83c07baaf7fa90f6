import { applyParameterOperator, type ParameterExpansion, parseParameter } from "./parameters.ts";
import { findExpansionEnd } from "../programs/unknown-parts.ts";

/** Directories that every shell knows by an expression of its own. */
export type NamedFolder = "home" | "current" | "previous" | "repository";

/** A part of a word in the form of `Command.dynamic`: what a shell makes of it when the word is expanded. */
export type WordPart =
  | { kind: "text"; text: string }
  /** Characters that match names. */
  | { kind: "wildcard"; text: string }
  | { kind: "folder"; folder: NamedFolder }
  /** The name of the user who runs the shell. */
  | { kind: "user" }
  /** Another user's home directory: `~root`. */
  | { kind: "userHome"; name: string }
  | ({ kind: "variable"; text: string } & ParameterExpansion)
  /** A command or an expression. */
  | { kind: "command"; text: string };

/** In order: a quoted character, a variable, a wildcard, the start of a longer expansion, any other text. */
const PIECE = /\\([^])|\$(\w+|[@*#?$!-])|([*?[]|!\([^()\s]{1,200}\))|(\$\{|\$\(|`|<\()|[^\\$`*?[<]+|[^]/g;
const TILDE = /^~(?:([+-])|([A-Za-z_][\w.-]*))?(?=[\\/]|$)/;
const CURRENT = /^(?:\$\(|`)\s*pwd(?:\s+-[LP])?\s*[)`]$/;
const REPOSITORY = /^(?:\$\(|`)\s*git rev-parse --show-toplevel\s*(?:2>\s?\/dev\/null\s*)?[)`]$/;
const USER = /^(?:\$\(|`)\s*(?:whoami|logname|id -un)\s*[)`]$/;
const FOLDERS: Readonly<Record<string, NamedFolder>> = { HOME: "home", PWD: "current", OLDPWD: "previous" };

/** Splits a word in the form of `Command.dynamic` into its parts. */
export function splitWord(dynamic: string): WordPart[] {
  const parts: WordPart[] = [];
  const add = (part: WordPart) => {
    const last = parts.at(-1);
    if (part.kind === "text" && last?.kind === "text") last.text += part.text;
    else parts.push(part);
  };
  const [tilde = "", sign, user] = TILDE.exec(dynamic) ?? [];
  if (user !== undefined) add({ kind: "userHome", name: user });
  else if (tilde !== "") add({ kind: "folder", folder: sign === "+" ? "current" : sign === "-" ? "previous" : "home" });
  PIECE.lastIndex = tilde.length;
  for (let found = PIECE.exec(dynamic); found; found = PIECE.exec(dynamic)) {
    const [all, quoted, name, wildcard, start] = found;
    const { index } = found;
    if (start !== undefined) {
      const end = findExpansionEnd(dynamic, index + start.length, start);
      // Where the end is missing, there is none to the rest of the word.
      PIECE.lastIndex = end;
      add(describeExpansion(dynamic.slice(index, end), start));
    } else if (name !== undefined) add(describeVariable(all, { name }));
    // All names but some.
    else if (wildcard !== undefined) add({ kind: "wildcard", text: wildcard.startsWith("!") ? "*" : wildcard });
    else add({ kind: "text", text: quoted ?? all });
  }
  return parts;
}

const describeVariable = (text: string, variable: ParameterExpansion): WordPart =>
  variable.operator !== undefined || variable.prefix !== undefined
    ? { kind: "variable", text, ...variable }
    : Object.hasOwn(FOLDERS, variable.name)
      ? { kind: "folder", folder: FOLDERS[variable.name] as NamedFolder }
      : /^(?:USER|LOGNAME)$/.test(variable.name)
        ? { kind: "user" }
        : { kind: "variable", text, ...variable };

function describeExpansion(text: string, start: string): WordPart {
  if (start === "${") {
    const variable = parseParameter(text);
    // A default for a variable that is always set says nothing.
    const isSet = variable && isAlwaysSet(variable.name) && /^:?[-=?]$/.test(variable.operator ?? "");
    return variable ? describeVariable(text, isSet ? { name: variable.name } : variable) : { kind: "command", text };
  }
  if (CURRENT.test(text)) return { kind: "folder", folder: "current" };
  if (REPOSITORY.test(text)) return { kind: "folder", folder: "repository" };
  return USER.test(text) ? { kind: "user" } : { kind: "command", text };
}

/** Variables that are set wherever a line runs: what would stand in for them says nothing. */
export const isAlwaysSet = (name: string): boolean =>
  /^(?:HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|PATH|HOSTNAME|E?UID|PPID|RANDOM|SECONDS|BASHPID|[#?$])$/.test(name);

/** Commands that always print something. */
const PRINTING =
  /^(?:\$\(|`)\s*(?:date|hostname|uname|id|tty|arch|nproc|mktemp|uuidgen|seq|openssl\s+rand|git\s+rev-parse|git\s+config|basename|dirname)(?=[\s)`])/;

/** Whether nothing may be left of a part: of a variable without a value, or of a command that prints nothing. */
export function mayBeEmpty(part: WordPart): boolean {
  if (part.kind === "command") return !PRINTING.test(part.text) && !part.text.startsWith("$((");
  if (part.kind !== "variable") return false;
  const { name, prefix, operator = "", operand = "" } = part;
  if (prefix === "#" || /^:?\?$/.test(operator)) return false;
  if (/^:?[-=]$/.test(operator)) return operand === "";
  return !isAlwaysSet(name) || operator !== "";
}

/** What is known of the shell that expands a word. Paths are absolute. */
export interface ShellFolders {
  home: string;
  /** The directory that the command runs in. */
  current: string | undefined;
  previous?: string | undefined;
  repository?: string | undefined;
  /** Where the home directories of users are. */
  users?: string;
  /** A user's home directory; undefined if it isn't known. */
  getUserHome?: (name: string) => string | undefined;
  /** The value of another variable. */
  getVariable?: (name: string) => string | undefined;
}

/** The text that a part certainly becomes; undefined where it is only known at run time, or matches names. */
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
      const value = Object.hasOwn(FOLDERS, name) ? folders[FOLDERS[name] as NamedFolder] : folders.getVariable?.(name);
      return value === undefined || operator === undefined
        ? value
        : applyParameterOperator(value, operator, operand ?? "");
    }
    default:
      return undefined;
  }
}

/** The paths that a word may be. */
export type WordValue =
  | { kind: "path"; text: string }
  /** Those that fit a pattern, in which a backslash stands before each literal character that looks like a wildcard. */
  | { kind: "pattern"; text: string; pattern: string }
  /**
   * What stands before the last parts, or what is below it: nothing may be left of those parts. `empty` are the
   * variables and commands that have to be empty for it; `isContents` means all that is in there (`$X/*`).
   */
  | { kind: "below"; text: string; isContents: boolean; empty: readonly string[] }
  /** Any path. */
  | { kind: "any" };

const ANY: WordValue = { kind: "any" };

/** Finds out which paths a word may be. A word without `dynamic` is what its text says. */
export function resolveWord(
  { text, dynamic }: { text: string; dynamic?: string | undefined },
  folders: ShellFolders,
): WordValue {
  if (dynamic === undefined) return { kind: "path", text };
  const parts = splitWord(dynamic);
  let plain = "";
  let pattern = "";
  let isPattern = false;
  for (const [at, part] of parts.entries()) {
    const wildcard = getWildcard(part, plain, parts.length === 1);
    const value = wildcard ?? expandPart(part, folders) ?? (isStepBack(part, parts[at + 1]) ? "0" : undefined);
    if (value === undefined) return isPattern ? ANY : resolveUnknownEnd(parts.slice(at), plain);
    plain += value;
    isPattern ||= wildcard !== undefined;
    pattern += wildcard ?? value.replace(/[\\*?[]/g, "\\$&");
  }
  return isPattern ? { kind: "pattern", text: plain, pattern } : { kind: "path", text: plain };
}

/** Whether a part is a number, whatever number, that `..` takes back: `$RANDOM/..`. */
const isStepBack = (part: WordPart, next: WordPart | undefined): boolean =>
  next?.kind === "text" &&
  next.text.startsWith("/..") &&
  (part.kind === "variable"
    ? part.prefix === "#" || (part.operator === undefined && NUMBERS.test(part.name))
    : part.kind === "command" && part.text.startsWith("$(("));
const NUMBERS = /^(?:RANDOM|SRANDOM|SECONDS|E?UID|PPID|BASHPID|LINENO|[#?$])$/;

/**
 * The wildcard that a part is: names that `ls` lists are any in the folder before them. Alone they are those of the
 * folder that it lists, since nobody means to have others of the same names.
 */
function getWildcard(part: WordPart, before: string, isAlone: boolean): string | undefined {
  if (part.kind === "wildcard") return part.text;
  const [, listed] = (part.kind === "command" && LISTED.exec(part.text)) || [];
  if (listed === undefined) return undefined;
  if (before.endsWith("/")) return "*";
  const folder = listed.slice(0, -1).trim();
  return isAlone && /^[^\s$*?[]+$/.test(folder) ? `${folder === "/" ? "" : folder}/*` : undefined;
}
const LISTED = /^(?:\$\(|`)\s*ls\s([^|;&]*)$/;

/** What a word may be whose rest is unknown: what stands before it, where nothing more than that is certain to follow. */
function resolveUnknownEnd(rest: readonly WordPart[], before: string): WordValue {
  const empty: string[] = [];
  let end = "";
  for (const part of rest)
    if (part.kind === "text" || part.kind === "wildcard") end += part.text;
    else if (!mayBeEmpty(part) || (part.kind !== "variable" && before === "")) return ANY;
    else empty.push(part.kind === "variable" ? part.name : (part as { text: string }).text);
  // What is left of `$X*` and `$X.txt` is relative to the directory: a name that a shell seldom is meant to have.
  if ((before === "" || (end !== "" && !before.endsWith("/"))) && !end.startsWith("/")) return ANY;
  const { path, isContents } = stripAllWildcards(end.replace(/\*{2,}/g, "*"));
  return /^[/.]*$/.test(path) ? { kind: "below", text: before + path, isContents, empty } : ANY;
}

/** All of a folder, as wildcards say it. */
const ALL_WILDCARDS = new Set(["*", ".*", "*.*", ".[!.]*", ".??*", "?*"]);

/** A path without what stands for all of a folder at its end, however often. */
export function stripAllWildcards(path: string): { path: string; isContents: boolean } {
  const parts = path.split("/");
  let end = parts.length;
  const last = () => end - (parts[end - 1] === "" ? 2 : 1);
  while (ALL_WILDCARDS.has(parts[last()] ?? "")) end = last();
  return end === parts.length
    ? { path, isContents: false }
    : { path: parts.slice(0, end).join("/") || (path.startsWith("/") ? "/" : ""), isContents: true };
}

/** Variables that a shell sets itself, so their values in this process's environment are wrong. */
const SHELL_VARIABLES =
  /^(?:_|\d+|BASH\w*|COMP_\w+|DIRSTACK|EPOCH\w+|E?UID|FUNCNAME|GROUPS|HISTCMD|IFS|LINENO|OLDPWD|OPT(?:ARG|ERR|IND)|PIPESTATUS|PPID|S?RANDOM|REPLY|SECONDS|SHELLOPTS|SHLVL|ZSH_\w+)$/;

/** The value of a variable in this process's environment; the shell is assumed to have the same. */
export const readEnvironment = (name: string): string | undefined =>
  SHELL_VARIABLES.test(name) ? undefined : process.env[name];
