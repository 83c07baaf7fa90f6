import type { Tool } from "./tool.ts";

/**
 * Words and paths that a tool call must mention for a hook to run. A call that mentions none of these words and paths
 * runs without loading the hook. A hook without `concerns` runs on every call that its event, tool and matcher match.
 *
 * A hook is skipped only if the call can be parsed with certainty: shell commands made of plain words, quotes, `&&`,
 * `||`, `;`, `|` and redirections to `/dev/null` or another stream; files whose path contains no symlink; and prompts.
 * Hooks always run on a command with a variable, a wildcard, a substitution or an escape. They also run on every call
 * if a config file changes what may concern them.
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
   * Words that match only as a command without operands, each with its allowed option letters: `{ set: "", export: "p"
   * }` matches `set` and `export -p`, but neither `set -e` nor `export A=1`.
   */
  bareWords?: Readonly<Record<string, string>>;
  /** Substrings of variable names that a shell command expands: `token` matches `curl -H "$API_TOKEN"`. */
  expansions?: readonly string[];
  /**
   * File names that a quoted wildcard may match, as an argument of a program that finds files by pattern: `.env`
   * matches `find . -name '.e*'`.
   */
  names?: readonly string[];
  /**
   * Substrings of a shell command, of the command's working directory, or of a file tool's path: `.env`, `/secrets/`.
   */
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
   * `"secrets"` stands for any content in which `secrets()` may find something. A prompt that contains `@` always runs
   * the hook, because the prompt may attach a file.
   */
  contents?: "secrets" | readonly string[];
  /**
   * With `"secrets"`, the hook runs on any finished call whose result may contain something that `secrets()` finds. A
   * hook that sets only `results` runs on no other results.
   */
  results?: "secrets";
  /**
   * Environment variables that make every call concern the hook while they are set. `NAME=value` applies only on
   * Windows, and only while the variable has another value.
   */
  variables?: readonly string[];
  /**
   * Names of the hook's settings that are lists of strings and only exclude calls, such as `allow`. If a config file
   * sets only these settings, the hook may still be skipped. If the config file sets any other option of the hook,
   * every call runs the hook.
   */
  narrowedBy?: readonly string[];
  /**
   * Tools whose calls run the hook only because of rules that config files add, regardless of the other fields. Set
   * this field on hooks that guard changes but not reads.
   */
  onlyByRules?: readonly Tool[];
  /**
   * Rule categories of the hook, such as `git` in `git/push-force`, in which every rule is on by default. For these
   * categories, the other fields stay complete regardless of what config files set.
   */
  ruleCategories?: readonly string[];
}

/**
 * Words and paths that indicate whether a call may concern a registered hook, for one event or for one tool on an
 * event.
 */
export interface ConcernIndex {
  /**
   * JSON that maps each hook's name to its harmless settings. A config file may contain these settings without changing
   * which calls concern the hook.
   */
  hooks: string;
  /** Rule categories, delimited and enclosed by `|`: `|git|database|`. */
  ruleCategories: string;
  /**
   * Words in the form `|word|word|`, which allows a single lookup. `mkfs.` matches every word that starts with `mkfs.`.
   */
  words: string;
  /**
   * Lists of words that a command must mention together, in the form of `words`. The last word may list alternatives:
   * `|git push/reset|`.
   */
  wordLists: string;
  /**
   * Words that are each followed by substrings. The command must contain the word and at least one of the substrings:
   * `|gh token auth|`.
   */
  wordParts: string;
  /** Words that match only without operands, followed by their option letters: `|set |export p|`. */
  bareWords: string;
  /** Word prefixes that don't end with a dot, such as `remove-` from `remove-*`. */
  wordStarts: readonly string[];
  /** Substrings of the variable names that a command expands. */
  expansions: readonly string[];
  names: readonly string[];
  /** Programs that match if they reach outside the session's directory, in the same form as `words`. */
  outward: string;
  texts: readonly string[];
  contents: readonly string[];
  /** Whether a hook looks for secrets in contents. */
  secrets: boolean;
  /**
   * `""` if no hook looks for secrets in results, `"alone"` if the hooks look for nothing else, and `"too"` if they
   * also match other parts of a call.
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
 * Formats an index as one line per field, with tabs between list items. Parsing this format takes a third of the time
 * that parsing JSON takes.
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
 * Parses the output of `formatConcernIndex`. Avoids destructuring, because the first use of destructuring takes as long
 * as all other code in the function.
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
 * about a tool. The indexes stay strings because one call parses only one of them. `false` means that hooks have to run
 * on every call. If an event or tool is absent, no hook handles its calls.
 */
export type CallIndex = Readonly<Record<string, Readonly<Record<string, string | false>>>>;
