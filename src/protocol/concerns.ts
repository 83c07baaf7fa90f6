import type { Tool } from "./tool.ts";

/**
 * What a call has to mention to concern a hook. Where it mentions none of it, the call passes and the hook is not even
 * loaded; a hook without `concerns` is asked about every call that its event, tool and matcher fit.
 *
 * Only calls that are read with certainty are passed in this way: shell lines of plain words, quotes, `&&`, `||`, `;`,
 * `|` and redirections to `/dev/null` or another stream, files that no link leads to, and prompts. A line with a
 * variable, a wildcard, a substitution or an escape always concerns the hook, as does every call where a config file
 * changes what may concern it.
 *
 * All texts are in lower case, and compared with the call's in lower case; `contents` are compared as they are.
 */
export interface Concerns {
  /**
   * Words of shell lines, wherever they stand: `terraform` concerns `cd x && sudo terraform apply` and
   * `sh -c "terraform apply"`. Of several, separated by blanks, the line has to mention each: `git push`. `mkfs.*` is
   * every word that begins so, and `gh *token*` a line that mentions `gh` and has `token` somewhere in it.
   */
  words?: readonly string[];
  /**
   * Words that concern the hook only as a command without operands, with the letters of the options that it may have:
   * `{ set: "", export: "p" }` is `set` and `export -p`, but neither `set -e` nor `export A=1`.
   */
  bareWords?: Readonly<Record<string, string>>;
  /** Parts of the names of variables that a shell line expands: `token` concerns `curl -H "$API_TOKEN"`. */
  expansions?: readonly string[];
  /**
   * Names of files that a wildcard in quotes may stand for where a program finds files by it: `.env` concerns
   * `find . -name '.e*'`.
   */
  names?: readonly string[];
  /** Parts of a shell line, of the folder that it runs in, or of the path of a file tool: `.env`, `/secrets/`. */
  texts?: readonly string[];
  /** Parts of the path of a file tool alone: what a shell line does to such a file is found by its other words. */
  paths?: readonly string[];
  /**
   * Programs that concern the hook where the line names an absolute path outside of the session's folder and `/tmp`, or
   * runs in another folder. The path of a file tool always does so there.
   */
  outward?: readonly string[];
  /**
   * Texts in what a call writes or says: the content of a file, an edit's new text, a prompt, a shell line. `"secrets"`:
   * whatever `secrets()` may find. A prompt with an `@` always concerns a hook: it may attach a file.
   */
  contents?: "secrets" | readonly string[];
  /**
   * What a finished call's result has in it, whatever the call was: all that `secrets()` may find. A hook that says
   * nothing else is asked about no other result.
   */
  results?: "secrets";
  /**
   * Environment variables that change what concerns the hook: where one of them is set, all calls do. `NAME=value` is one
   * that counts on Windows alone, where it has another value than this one.
   */
  variables?: readonly string[];
  /**
   * Settings of the hook that are lists of texts and only take calls away from what concerns it: `allow`. Calls pass where
   * a config file has them; any other setting of the hook makes all calls concern it.
   */
  narrowedBy?: readonly string[];
  /**
   * Tools whose calls concern the hook only by rules that config files add, whatever else it says here: a hook for
   * changes that leaves reading alone.
   */
  onlyByRules?: readonly Tool[];
  /**
   * Categories of the hook's rules, `git` of `git/push-force`, for which all of this holds whatever a config file sets for
   * them: none of them is off by default.
   */
  ruleCategories?: readonly string[];
}

/** What calls of an event, or of a tool at an event, have to mention to concern any of the hooks that want them. */
export interface ConcernIndex {
  /** By the hooks' names, the settings that a config file may have without changing what concerns them, as JSON. */
  hooks: string;
  /** `|git|database|`. */
  ruleCategories: string;
  /** Each as `|word|word|`, for one lookup; `mkfs.` is each that begins so. */
  words: string;
  /** The same of those of several words, each of which the line has to mention; the last one may be a choice: `|git push/reset|`. */
  wordLists: string;
  /** Words with parts of a line, of which it has to have one: `|gh token auth|`. */
  wordParts: string;
  /** Words that have to stand without operands, with letters of options: `|set |export p|`. */
  bareWords: string;
  /** The beginnings that don't end at a dot: those of `remove-*`. */
  wordStarts: readonly string[];
  /** Parts of the names of variables. */
  expansions: readonly string[];
  names: readonly string[];
  /** Programs, as in `words`. */
  outward: string;
  texts: readonly string[];
  contents: readonly string[];
  /** Secrets are looked for in contents. */
  secrets: boolean;
  /** Secrets are looked for in results: in them alone, or in addition to everything else. */
  results: "alone" | "too" | "";
  variables: readonly string[];
}

/** The tools whose calls can be told to concern nobody. */
export const INDEXED_TOOLS = ["Bash", "Read", "Write", "Edit"] as const;
export type IndexedTool = (typeof INDEXED_TOOLS)[number];

/** Further tools of which that can be told of finished calls, by their results alone. */
export const RESULT_TOOLS = ["Glob", "Grep", "WebFetch", "WebSearch", "Task", "MCP"] as const;
export type ResultTool = (typeof RESULT_TOOLS)[number];

/** How the names of MCP tools begin that are known by it. */
export const MCP_PREFIX = "mcp__";

/** Whether a name has a server's name and a tool's: `mcp__server__tool`. */
export const isMcpName = (name: string): boolean =>
  name.startsWith(MCP_PREFIX) && name.indexOf("__", MCP_PREFIX.length) > MCP_PREFIX.length;

/**
 * Formats an index as a line for each field and tabs between the items of a list: a call reads one in a third of the time
 * that JSON takes.
 * @returns false for one that has these characters in a text, or an empty text, which every call mentions: some hook has to
 * be asked in any case.
 */
export function formatConcernIndex(index: ConcernIndex): string | false {
  const { ruleCategories, words, wordLists, wordParts, bareWords, outward, secrets } = index;
  const lists = [index.wordStarts, index.expansions, index.names, index.texts, index.variables];
  const tables = [ruleCategories, words, wordLists, wordParts, bareWords, outward];
  if ([...tables, ...lists.flat()].some((text) => /^$|[\t\n]/.test(text))) return false;
  return [
    ...[...tables, ...lists.map((list) => list.join("\t")), secrets ? "secrets" : ""],
    ...[JSON.stringify(index.contents), index.hooks, index.results],
  ].join("\n");
}

/** Without destructuring, whose first use takes as long as the rest. */
export function parseConcernIndex(text: string): ConcernIndex {
  const lines = text.split("\n");
  const getLine = (at: number) => lines[at] ?? "";
  const getList = (at: number) => (getLine(at) === "" ? [] : getLine(at).split("\t"));
  return {
    ruleCategories: getLine(0),
    words: getLine(1),
    wordLists: getLine(2),
    wordParts: getLine(3),
    bareWords: getLine(4),
    outward: getLine(5),
    wordStarts: getList(6),
    expansions: getList(7),
    names: getList(8),
    texts: getList(9),
    variables: getList(10),
    secrets: getLine(11) !== "",
    contents: getLine(12) === "[]" ? [] : (JSON.parse(getLine(12)) as string[]),
    hooks: getLine(13),
    results: getLine(14) as ConcernIndex["results"],
  };
}

/**
 * By unified event, then by tool, or by the event's own name where it is not about a tool: a `ConcernIndex` as text, since
 * a call reads one of them. `false`: some hook has to be asked in any case. An event or tool that is absent is one that
 * no hook wants.
 */
export type CallIndex = Readonly<Record<string, Readonly<Record<string, string | false>>>>;
