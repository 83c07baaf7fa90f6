import { MOVE_VERBS, REMOVAL_VERBS } from "../../shell/files/removal-verbs.ts";
import type { ReadCall } from "./shapes.ts";

/** What a call mentions or may do, for comparison with rules about calls. */
export interface CallMention {
  /** Whether part of the call may mean something other than what it literally says. */
  isUnclear: boolean;
  /** Runs of letters, digits, `_` and `-` in the call's command, directories and paths, in lowercase. */
  tokens: ReadonlySet<string>;
  /** Lowercase names of the call's tool. */
  tools: readonly string[];
  /** Whether the call may remove a directory and everything in it. */
  mayRemove: boolean;
  /** Whether the call may remove a directory that contains the project. */
  mayRemoveAbove: boolean;
  /** Whether the call may send a request to a URL. */
  mayRequest: boolean;
}

/**
 * Delimiters that `omitAddedRules` puts before a path, a tool and a URL. Each value ends at the next delimiter or at a
 * quote.
 */
export const [PATH_MARK, TOOL_MARK, URL_MARK] = ["\x01", "\x02", "\x03"] as const;

const REMOVAL_PROGRAMS = `|${REMOVAL_VERBS.join("|")}|${MOVE_VERBS.join("|")}|find|rsync|zip|tar|bsdtar|gtar|git|gio|`;
/** Programs that send requests, and function names that do so in code. */
const CLIENTS = ["curl", "wget", "http", "xh", "iwr", "irm", "invoke-", "aria2c", "axel", "fetch", "lynx", "gh"];
const UNCLEAR_SIGNS = "$%*?[{\\`";
/** Words that refer to a directory without naming it. */
const UNNAMED_FOLDERS = "| . | ./ | .. | ../ | ~ | ~/ | / |";

/** Returns whether a character of a lowercase string is part of a token. */
const isTokenCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const TILDE_CODE = 126;

/**
 * Adds the tokens of a lowercase string to a set. Returns false if the string contains a character that may give it
 * another meaning.
 */
function addTokens(text: string, tokens: Set<string>): boolean {
  let isClear = true;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    if (isTokenCode(code)) continue;
    if (at > start) tokens.add(text.slice(start, at));
    start = at + 1;
    // In a Windows short name, a digit follows the tilde.
    const isShortName = code === TILDE_CODE && isDigit(text.charCodeAt(at + 1));
    if (code > TILDE_CODE || isShortName || (at < text.length && UNCLEAR_SIGNS.includes(text.charAt(at))))
      isClear = false;
  }
  return isClear;
}

/**
 * Collects what a call mentions or may do.
 * @param line the call's command in lowercase without quotes
 */
export function readMention(call: ReadCall, home: string, line: string | undefined): CallMention {
  const { cwd, folder = "", paths, roots, tool, toolName = "" } = call;
  const tokens = new Set<string>();
  const tools = tool === undefined ? [] : [tool.toLowerCase(), toolName.toLowerCase()].filter((name) => name !== "");
  // An edit may add a file.
  if (tool === "Edit") tools.push("write");
  const mention = { isUnclear: false, tokens, tools, mayRemove: false, mayRemoveAbove: false, mayRequest: false };
  if (line === undefined) {
    for (const path of paths)
      if (!addTokens(`${path.startsWith("/") ? "" : `${cwd}/`}${path}`.toLowerCase(), tokens)) mention.isUnclear = true;
    return mention;
  }
  if (!addTokens(line, tokens)) mention.isUnclear = true;
  for (const token of tokens) if (REMOVAL_PROGRAMS.includes(`|${token}|`)) mention.mayRemove = true;
  if (line.includes("(")) mention.mayRemove = true;
  for (const client of CLIENTS) if (line.includes(client)) mention.mayRequest = true;
  if (mention.mayRemove) mention.mayRemoveAbove = namesFolderAbove(line, tokens, [cwd, ...roots, home]);
  if (mention.mayRequest) addKnownHosts(line, tokens);
  if (!addTokens(`${cwd} ${folder}`.toLowerCase(), tokens)) mention.isUnclear = true;
  return mention;
}

/** Returns whether a command may name one of the directories or one of their parents. */
function namesFolderAbove(line: string, tokens: ReadonlySet<string>, folders: readonly string[]): boolean {
  const steps = new Set<string>();
  for (const folder of folders) addTokens(folder.toLowerCase(), steps);
  for (const step of steps) if (tokens.has(step)) return true;
  return line.split(/[\s;&|()=]/).some((word) => word !== "" && UNNAMED_FOLDERS.includes(` ${word} `));
}

/** Adds tokens for the hosts that clients contact by default, such as `api.github.com` for `gh`. */
function addKnownHosts(line: string, tokens: Set<string>): void {
  if (tokens.has("gh")) for (const name of ["api", "github", "com"]) tokens.add(name);
  if (line.includes("http") || tokens.has("xh") || tokens.has("xhs")) tokens.add("localhost");
}

/**
 * Lists the tokens of a pattern that aren't next to a wildcard. Returns undefined if there are none or the pattern
 * can't be interpreted.
 */
function listWholeTokens(text: string): string[] | undefined {
  if (/[^\0-\x7f]/.test(text)) return undefined;
  const pattern = text.toLowerCase().replace(/\[[^[\]]*\]|\{[^{}]*\}/g, "*");
  if (/[[\]{}]/.test(pattern)) return undefined;
  return pattern.match(/(?<![a-z0-9_*?-])[a-z0-9_-]+(?![a-z0-9_*?-])/g) ?? undefined;
}

const hasAllTokens = (tokens: readonly string[] | undefined, { tokens: known }: CallMention): boolean =>
  tokens === undefined || tokens.every((token) => known.has(token));

/** Returns whether a rule about files may apply to a call. */
export function mayGlobConcern(glob: string, mention: CallMention): boolean {
  if (mention.isUnclear || mention.mayRemoveAbove || hasAllTokens(listWholeTokens(glob), mention)) return true;
  if (!mention.mayRemove) return false;
  // Removing a directory would also remove files in it that the rule covers.
  for (const step of glob.split("/"))
    if (step !== "" && step !== "~" && !/[*?[{]/.test(step) && hasAllTokens(listWholeTokens(step), mention))
      return true;
  return false;
}

/** Returns whether a rule about URLs may apply to a call. */
export function mayUrlConcern(url: string, mention: CallMention): boolean {
  if (!mention.mayRequest) return false;
  const [host = ""] = url.replace(/^[^/]*:\/\//, "").split(/[:/]/, 1);
  return mention.isUnclear || url.includes("[") || hasAllTokens(listWholeTokens(host.replace(/^\*\.?/, "")), mention);
}

/**
 * Returns whether a rule about tools that doesn't name a server may apply to a call. MCP tool calls aren't screened.
 */
export const mayToolConcern = (names: string, { tools }: CallMention): boolean =>
  tools.length > 0 && (names.includes("*") || names.split("|").some((name) => hasTool(tools, name)));

const normalizeName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
const hasTool = (tools: readonly string[], name: string) =>
  tools.some((tool) => normalizeName(tool) === normalizeName(name));

/** Maximum number of rules to check individually. */
const MAX_CANDIDATES = 32;

/**
 * Returns whether any of the rules omitted by `omitAddedRules` may apply to a call. Each rule contains at least one
 * token, so it is enough to search the rules for the call's few tokens.
 */
export function mayConcernOmitted(rules: string, mention: CallMention): boolean {
  if (rules === "") return false;
  if (mention.isUnclear || (mention.mayRemoveAbove && /\x01[^\x02]/.test(rules))) return true;
  let candidates = 0;
  const names = [...mention.tokens];
  for (const tool of mention.tools) names.push(tool, tool.replaceAll("_", "-"));
  for (const name of names)
    for (let at = rules.indexOf(name); at >= 0; at = rules.indexOf(name, at + 1)) {
      if (isTokenCode(rules.charCodeAt(at - 1)) || isTokenCode(rules.charCodeAt(at + name.length))) continue;
      if (++candidates > MAX_CANDIDATES || mayRuleConcern(rules, at, mention)) return true;
    }
  return false;
}

/** Returns whether the rule with a token at this offset may apply to a call. */
function mayRuleConcern(rules: string, at: number, mention: CallMention): boolean {
  const [path, tool, url, end] = [PATH_MARK, TOOL_MARK, URL_MARK, '"'].map((mark) => rules.lastIndexOf(mark, at));
  const start = Math.max(path as number, tool as number, url as number, end as number);
  // The token belongs to the rule's programs, which are checked elsewhere.
  if (start === end) return false;
  const value = rules.slice(start + 1, rules.slice(start + 1).search(/["\x01-\x03]/) + start + 1);
  if (start === path) return mayGlobConcern(value, mention);
  return start === tool ? mayToolConcern(value, mention) : mayUrlConcern(value, mention);
}
