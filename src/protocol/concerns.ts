import type { Tool } from "./tool.ts";

/**
 * Words and paths that a tool call must mention for a hook to run. If a call mentions none of them, the hook isn't even
 * loaded. A hook without `concerns` runs on every call that its event, tool and matcher match.
 *
 * A hook is skipped only if the call can be parsed with certainty: shell commands made of plain words, quotes, `&&`,
 * `||`, `;`, `|` and redirections to `/dev/null` or another stream; files whose path contains no symlink; and prompts.
 * Hooks always run on a command with a variable, a wildcard, a substitution or an escape. They also run on every call
 * if a config file changes which calls could concern them.
 *
 * All strings are lowercase and compared with the lowercased call, except `contents`, which are case-sensitive.
 */
export interface Concerns {
  /**
   * Words anywhere in a shell command: `terraform` matches `cd x && sudo terraform apply` and `sh -c "terraform
   * apply"`. An entry with several words, such as `git push`, requires all of them. `mkfs.*` matches every word that
   * starts with `mkfs.`, and `gh *token*` matches a command that mentions `gh` and contains `token`.
   */
  words?: readonly string[];
  /**
   * Commands that match only without operands, each with its allowed option letters: `{ set: "", export: "p" }` matches
   * `set` and `export -p`, but neither `set -e` nor `export A=1`.
   */
  bareWords?: Readonly<Record<string, string>>;
  /** Strings found in the names of the variables a shell command expands: `token` matches `curl -H "$API_TOKEN"`. */
  expansions?: readonly string[];
  /**
   * File names that a quoted wildcard could match if it's passed to a program that finds files by pattern: `.env`
   * matches `find . -name '.e*'`.
   */
  names?: readonly string[];
  /** Substrings of a shell command, its working directory, or a file tool's path: `.env`, `/secrets/`. */
  texts?: readonly string[];
  /** Substrings of a file tool's path. For shell commands on the same file, use `words` or `texts`. */
  paths?: readonly string[];
  /**
   * Programs that match if the command names an absolute path outside the session's directory and `/tmp`, or runs in
   * another directory. File tools with a path outside these directories always match.
   */
  outward?: readonly string[];
  /**
   * Substrings of the content that a call writes: file content, the new text of an edit, a prompt or a shell command.
   * `"secrets"` stands for any content in which `secrets()` might find something. A prompt that contains `@` always
   * runs the hook, because it might attach a file.
   */
  contents?: "secrets" | readonly string[];
  /**
   * With `"secrets"`, the hook runs on any finished call whose result might contain something that `secrets()` finds.
   * If a hook sets only `results`, it doesn't run on any other results.
   */
  results?: "secrets";
  /**
   * Environment variables that make every call concern the hook while they are set. `NAME=value` applies only on
   * Windows, and only while the variable has a different value.
   */
  variables?: readonly string[];
  /**
   * Names of settings of the hook that are lists of strings and can only exclude calls, such as `allow`. If a config
   * file sets only these settings, the hook can still be skipped. If it sets any other option of the hook, every call
   * runs the hook.
   */
  narrowedBy?: readonly string[];
  /**
   * Tools whose calls run the hook only because of rules added in config files, regardless of the other fields. Set
   * this field on hooks that guard changes but not reads.
   */
  onlyByRules?: readonly Tool[];
  /**
   * Rule categories of the hook, such as `git` in `git/push-force`, in which every rule is on by default. Whatever
   * config files set for these categories, the other fields already cover every call that their rules could match.
   */
  ruleCategories?: readonly string[];
}

/**
 * Words and paths that tell whether a call could concern a registered hook, for one event or for one tool on an event.
 */
export interface ConcernIndex {
  /**
   * JSON that maps each hook's name to its `narrowedBy` settings. A config file can contain these settings without
   * changing which calls concern the hook.
   */
  hooks: string;
  /** Rule categories, delimited and enclosed by `|`: `|git|database|`. */
  ruleCategories: string;
  /**
   * Words in the form `|word|word|`, so that a single search finds a word. `mkfs.` matches every word that starts with
   * `mkfs.`.
   */
  words: string;
  /**
   * Lists of words that a command must mention together, in the same form as `words`. The last word of a list can have
   * alternatives: `|git push/reset|`.
   */
  wordLists: string;
  /**
   * Words, each followed by substrings. A command matches if it contains the word and at least one of its substrings:
   * `|gh token auth|`.
   */
  wordParts: string;
  /** Words that match only without operands, followed by their option letters: `|set |export p|`. */
  bareWords: string;
  /** Prefixes of words that don't end with a dot, such as `remove-` for `remove-*`. */
  wordStarts: readonly string[];
  /** Substrings of the variable names that a command expands. */
  expansions: readonly string[];
  names: readonly string[];
  /** Programs that match if they access anything outside the session's directory, in the same form as `words`. */
  outward: string;
  texts: readonly string[];
  contents: readonly string[];
  /** Whether any hook looks for secrets in contents. */
  secrets: boolean;
  /**
   * `""` if no hook looks for secrets in results, `"alone"` if the hooks look for nothing else, and `"too"` if the
   * hooks also match other parts of a call.
   */
  results: "alone" | "too" | "";
  variables: readonly string[];
}

/** Tools whose calls can be matched against an index. */
export const INDEXED_TOOLS = ["Bash", "Read", "Write", "Edit"] as const;
export type IndexedTool = (typeof INDEXED_TOOLS)[number];

/** Tools for which only the results of finished calls can be matched against an index. */
export const RESULT_TOOLS = ["Glob", "Grep", "WebFetch", "WebSearch", "Task", "MCP"] as const;
export type ResultTool = (typeof RESULT_TOOLS)[number];

/** Prefix of MCP tool names. */
export const MCP_PREFIX = "mcp__";

/** Returns whether a name consists of a server name and a tool name: `mcp__server__tool`. */
export const isMcpName = (name: string): boolean =>
  name.startsWith(MCP_PREFIX) && name.indexOf("__", MCP_PREFIX.length) > MCP_PREFIX.length;

/**
 * Formats an index as one line per field, with tabs between list items. This format parses in a third of the time that
 * JSON takes.
 * @returns `false` if a string contains a tab or a line break, or is empty and thus part of every call. Hooks then have
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
 * about a tool. They stay strings because a call parses only one of them. `false` means that hooks have to run on every
 * call. If an event or tool is absent, no hook handles its calls.
 */
export type CallIndex = Readonly<Record<string, Readonly<Record<string, string | false>>>>;
