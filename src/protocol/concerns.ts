import type { Tool } from "./tool.ts";

/**
 * What a tool call has to mention for a hook to run. If a call mentions none of it, the call passes without loading the
 * hook. A hook without `concerns` runs on every call that its event, tool and matcher match.
 *
 * A hook is skipped only if the call can be parsed with certainty: shell commands made of plain words, quotes, `&&`,
 * `||`, `;`, `|` and redirections to `/dev/null` or another stream; files whose path contains no symlink; and prompts.
 * A command with a variable, a wildcard, a substitution or an escape always runs the hook, as does every call if a
 * config file changes what may concern it.
 *
 * All strings are lowercase and compared with the lowercased call, except `contents`, which are case-sensitive.
 */
export interface Concerns {
  /**
   * Words anywhere in a shell command: `terraform` matches `cd x && sudo terraform apply` and `sh -c "terraform
   * apply"`. An entry of several words, such as `git push`, requires each of them. `mkfs.*` matches every word that
   * starts with `mkfs.`, and `gh *token*` a command that mentions `gh` and contains `token`.
   */
  words?: readonly string[];
  /**
   * Words that match only as a command without operands, each with the option letters that it may have: `{ set: "",
   * export: "p" }` matches `set` and `export -p`, but neither `set -e` nor `export A=1`.
   */
  bareWords?: Readonly<Record<string, string>>;
  /** Substrings of variable names that a shell command expands: `token` matches `curl -H "$API_TOKEN"`. */
  expansions?: readonly string[];
  /**
   * File names that a quoted wildcard may match when it is an argument of a program that finds files by pattern: `.env`
   * matches `find . -name '.e*'`.
   */
  names?: readonly string[];
  /**
   * Substrings of a shell command, of its working directory, or of the path that a file tool uses: `.env`, `/secrets/`.
   */
  texts?: readonly string[];
  /**
   * Substrings of the path that a file tool uses. Shell commands on the same file are matched by `words` or `texts`.
   */
  paths?: readonly string[];
  /**
   * Programs that match if the command names an absolute path outside the session's directory and `/tmp`, or runs in
   * another directory. Every file tool that uses a path outside them matches.
   */
  outward?: readonly string[];
  /**
   * Substrings of what a call writes: file content, the new text of an edit, a prompt or a shell command. `"secrets"`
   * stands for everything that `secrets()` may find. A prompt that contains `@` always runs the hook, because it may
   * attach a file.
   */
  contents?: "secrets" | readonly string[];
  /**
   * `"secrets"` runs the hook if the result of a finished call may contain anything that `secrets()` finds, whatever
   * the call was. A hook that sets only `results` runs on no other result.
   */
  results?: "secrets";
  /**
   * Environment variables that make every call concern the hook while they are set. `NAME=value` applies only on
   * Windows, and only if the variable has another value.
   */
  variables?: readonly string[];
  /**
   * Names of the hook's settings that are lists of strings and only exclude calls, such as `allow`. If a config file
   * sets one, the hook may still be skipped; if it sets any other option of the hook, every call runs the hook.
   */
  narrowedBy?: readonly string[];
  /**
   * Tools whose calls run the hook only because of rules that config files add, whatever the other fields say. Used by
   * a hook that guards changes but not reads.
   */
  onlyByRules?: readonly Tool[];
  /**
   * Categories of the hook's rules (`git` in `git/push-force`) for which these fields stay complete whatever config
   * files set: no rule in them is off by default.
   */
  ruleCategories?: readonly string[];
}

/**
 * What calls of one event, or of one tool on an event, have to mention to concern any of the hooks registered for them.
 */
export interface ConcernIndex {
  /**
   * JSON that maps each hook's name to the settings that a config file may have without changing what concerns the
   * hook.
   */
  hooks: string;
  /** Rule categories, delimited and enclosed by `|`: `|git|database|`. */
  ruleCategories: string;
  /** Words in the form `|word|word|`, which allows a single lookup. `mkfs.` matches every word that starts with it. */
  words: string;
  /**
   * Word lists of which a command has to mention every word, in the same form. The last word may list alternatives:
   * `|git push/reset|`.
   */
  wordLists: string;
  /** A word followed by substrings of which the command has to contain at least one: `|gh token auth|`. */
  wordParts: string;
  /** Words that match only without operands, followed by their option letters: `|set |export p|`. */
  bareWords: string;
  /** Word prefixes that don't end with a dot, such as `remove-` from `remove-*`. */
  wordStarts: readonly string[];
  /** Substrings of variable names. */
  expansions: readonly string[];
  names: readonly string[];
  /** Programs, in the form of `words`. */
  outward: string;
  texts: readonly string[];
  contents: readonly string[];
  /** Whether some hook looks for secrets in contents. */
  secrets: boolean;
  /**
   * `"alone"` if hooks look for secrets in results and nowhere else, `"too"` if they also match other parts of a call,
   * and `""` if they ignore results.
   */
  results: "alone" | "too" | "";
  variables: readonly string[];
}

/** Tools whose calls can be matched against an index. */
export const INDEXED_TOOLS = ["Bash", "Read", "Write", "Edit"] as const;
export type IndexedTool = (typeof INDEXED_TOOLS)[number];

/** Other tools, of which only the results of finished calls can be matched against an index. */
export const RESULT_TOOLS = ["Glob", "Grep", "WebFetch", "WebSearch", "Task", "MCP"] as const;
export type ResultTool = (typeof RESULT_TOOLS)[number];

/** Prefix of MCP tool names. */
export const MCP_PREFIX = "mcp__";

/** Returns whether a name consists of a server name and a tool name: `mcp__server__tool`. */
export const isMcpName = (name: string): boolean =>
  name.startsWith(MCP_PREFIX) && name.indexOf("__", MCP_PREFIX.length) > MCP_PREFIX.length;

/**
 * Formats an index as one line per field, with tabs between list items. Parsing it takes a third of the time that JSON
 * takes.
 * @returns `false` if a string contains a tab or a line break, or is empty and thus part of every call: hooks then have
 * to run on every call.
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

/**
 * Parses the output of `formatConcernIndex`. Avoids destructuring, because its first use takes as long as the rest of
 * the function.
 */
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
 * Formatted concern indexes, keyed by unified event and then by tool, or by the event's own name if the event isn't
 * about a tool. They stay strings because one call parses only one of them. `false` means that hooks have to run on
 * every call; if the event or tool is absent, no hook handles it.
 */
export type CallIndex = Readonly<Record<string, Readonly<Record<string, string | false>>>>;
