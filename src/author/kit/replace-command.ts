import type { EventOf } from "../../protocol/event.ts";
import { type IHookResponse, modify } from "../../protocol/response.ts";
import { shellCall } from "../../protocol/shell-call.ts";
import { type Command, commands } from "../../shell/index.ts";

/** An event with a shell command that a hook can change. */
type ChangeableEvent = EventOf<"PreToolUse" | "PermissionRequest">;

/**
 * Selects commands: a program name with its first arguments (`"pip install"`), a list of such strings, or a predicate.
 */
export type CommandMatch = string | readonly string[] | ((command: Command) => boolean);

/**
 * The replacement for the matched words (for a predicate, the program name): either words, or a function. The function
 * returns all words of the new command, program first, or undefined to leave the command unchanged.
 */
export type CommandReplacement =
  string | readonly string[] | ((command: Command) => readonly string[] | string | undefined);

/**
 * Replaces commands in a shell command line: `replaceCommand(event, "pip install", "uv pip install")` turns `cd x &&
 * sudo pip install "a b"` into `cd x && sudo uv pip install "a b"`. All other text stays as written: quotes,
 * redirections, variables, wrappers, comments, and the code around a command in `$(…)`, `sh -c '…'` or a here-document.
 * A string is split at spaces; pass a list for words that contain spaces.
 *
 * The new command line is parsed again, and returned only if nothing but the matched commands has changed.
 *
 * @param match Commands to replace. A string matches if a command's program and first arguments are exactly these
 * words, regardless of its path and wrappers: `"pip install"` matches `/usr/bin/pip install x` and
 * `sudo pip install x`, but not `pip -q install x`.
 * @returns The response to return. `undefined` means that no command matches. `null` means that a matching command
 * can't be replaced safely, because its words are split by quotes or come from a variable. A hook that returns `null`
 * allows the call, so return `deny(…)` instead if the original command must not run.
 * @throws Error named "ShellError" for a command line that is too long or nested too deeply.
 */
export function replaceCommand(
  event: ChangeableEvent,
  match: CommandMatch,
  replacement: CommandReplacement,
): IHookResponse | undefined | null {
  const call = shellCall(event);
  if (call === undefined) return undefined;
  const read = (command: string) => commands({ ...call, input: { ...call.input, command } });
  const changes = listChanges(commands(event), match, replacement);
  if (changes.size === 0) return undefined;
  const line = replaceAll(call.input.command, changes, read);
  return line === undefined ? null : createPatch(event, call.input.command, line);
}

/** Replacement words, keyed by the index of the command. */
type Changes = Map<number, { old: readonly string[]; wanted: readonly string[] }>;

function listChanges(commands: readonly Command[], match: CommandMatch, replacement: CommandReplacement): Changes {
  const changes: Changes = new Map();
  for (const [at, command] of commands.entries()) {
    const length = countMatched(command, match);
    const newWords = length === 0 ? undefined : getReplacement(command, length, replacement);
    if (newWords === undefined) continue;
    const old = listOwnWords(command);
    // Keep arguments that come from stdin or from elsewhere in the command line.
    const foreignWords = command.args.slice(Math.max(0, old.length - 1));
    const hasForeign = areWordsEqual(newWords.slice(newWords.length - foreignWords.length), foreignWords);
    const wanted = newWords.slice(0, newWords.length - foreignWords.length);
    if (!hasForeign || wanted.length === 0) changes.set(at, { old: [], wanted });
    else if (!areWordsEqual(old, wanted)) changes.set(at, { old, wanted });
  }
  return changes;
}

/**
 * Returns the command's words without its wrappers. Returns an empty list if the command line doesn't contain these
 * words.
 */
function listOwnWords({ program, args, words }: Command): readonly string[] {
  const name = program.toLowerCase();
  const isProgram = (word: string) =>
    word
      .toLowerCase()
      .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
      .replace(/\.exe$/, "") === name;
  const at = words.findIndex(
    (word, start) => isProgram(word) && areWordsEqual(words.slice(start + 1), args.slice(0, words.length - start - 1)),
  );
  return at < 0 ? [] : words.slice(at);
}

/** Returns how many words at the start of a command match, including the program, or 0. */
function countMatched(command: Command, match: CommandMatch): number {
  if (typeof match === "function") return match(command) ? 1 : 0;
  const words = [command.program, ...command.args];
  for (const text of typeof match === "string" ? [match] : match) {
    const expectedWords = splitWords(text);
    if (expectedWords.length > 0 && expectedWords.every((word, at) => words[at] === word)) return expectedWords.length;
  }
  return 0;
}

function getReplacement(
  command: Command,
  length: number,
  replacement: CommandReplacement,
): readonly string[] | undefined {
  const newWords = typeof replacement === "function" ? replacement(command) : replacement;
  if (newWords === undefined) return undefined;
  const words = typeof newWords === "string" ? splitWords(newWords) : newWords;
  return typeof replacement === "function" ? words : [...words, ...command.args.slice(length - 1)];
}

const splitWords = (text: string) => text.split(/\s+/).filter((word) => word !== "");
const areWordsEqual = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((word, at) => word === b[at]);

/** Maximum number of parses. A command line that needs more is left unchanged. */
const MAX_PARSES = 64;

type ParseLine = (line: string) => readonly Command[];

/** Replaces the commands one by one. Returns undefined if any command can't be replaced. */
function replaceAll(original: string, changes: Changes, read: ParseLine): string | undefined {
  const pendingChanges = new Map(changes);
  let line = original;
  let currentCommands = read(line);
  let parseCount = 0;
  for (const { old, wanted } of changes.values()) {
    if (old.length === 0) return undefined;
    for (const edit of listEdits(line, old, wanted)) {
      if (![...pendingChanges.values()].some((change) => change.old === old)) break;
      if (++parseCount > MAX_PARSES) return undefined;
      const nextLine = line.slice(0, edit.start) + edit.text + line.slice(edit.end);
      const nextCommands = read(nextLine);
      const replacedIndexes = findReplaced(currentCommands, nextCommands, {
        pending: pendingChanges,
        edit: { from: line.slice(edit.start, edit.end), to: edit.text },
      });
      if (replacedIndexes.length === 0) continue;
      for (const at of replacedIndexes) pendingChanges.delete(at);
      [line, currentCommands] = [nextLine, nextCommands];
      break;
    }
  }
  return pendingChanges.size === 0 ? line : undefined;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Yields edits that replace the words with the new ones, for each possible position and way of quoting. */
function* listEdits(line: string, old: readonly string[], wanted: readonly string[]): Generator<Edit> {
  let first = 0;
  while (first < Math.min(old.length, wanted.length) && old[first] === wanted[first]) first++;
  let keptCount = 0;
  while (
    keptCount < Math.min(old.length, wanted.length) - first &&
    old.at(-1 - keptCount) === wanted.at(-1 - keptCount)
  )
    keptCount++;
  const removedWords = old.slice(first, old.length - keptCount);
  const addedWords = wanted.slice(first, wanted.length - keptCount);
  // Insert added words before the next word, or after the last word.
  const isLast = removedWords.length === 0 && keptCount === 0;
  const anchor = removedWords.length > 0 ? removedWords : [isLast ? (old.at(-1) as string) : (old[first] as string)];
  for (const { index, 0: found } of line.matchAll(buildPattern(anchor))) {
    const end = index + found.length;
    for (const text of new Set(QUOTE_STYLES.map((quote) => addedWords.map(quote).join(" ")))) {
      if (removedWords.length === 0)
        yield isLast ? { start: end, end, text: ` ${text}` } : { start: index, end: index, text: `${text} ` };
      else if (addedWords.length > 0) yield { start: index, end, text };
      else yield extendToWhitespace(line, { start: index, end, text: "" });
    }
  }
}

/** Extends an edit that removes words to include the whitespace before them. */
function extendToWhitespace(line: string, edit: Edit): Edit {
  let { start } = edit;
  while (line[start - 1] === " " || line[start - 1] === "\t") start--;
  return { ...edit, start };
}

const PLAIN_WORD = /^[\w./:@%+=,-]+$/;
/** Ways to quote a word, tried in order until the shell parses the result as that word. */
const QUOTE_STYLES = [
  (word: string) => (PLAIN_WORD.test(word) ? word : `'${word}'`),
  (word: string) => (PLAIN_WORD.test(word) ? word : `"${word}"`),
  (word: string) => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`),
  (word: string) => (PLAIN_WORD.test(word) ? word : word.replace(/[^\w./:@%+=,-]/g, "\\$&")),
];

/** Builds a pattern that matches words as written, either unquoted or entirely in quotes. */
const buildPattern = (words: readonly string[]): RegExp => {
  const spellings = words.map((word) => `(?:${RegExp.escape(word)}|"${RegExp.escape(word)}"|'${RegExp.escape(word)}')`);
  return new RegExp(`(?<![\\w./:@%+,-])${spellings.join("(?:[ \\t]|\\\\\\n)+")}(?![\\w./:@%+,-])`, "g");
};

interface ReplacementTrial {
  pending: Changes;
  edit: { from: string; to: string };
}

/**
 * Returns the indexes of the pending commands that an edit replaces. Returns an empty list if the edit changes anything
 * else.
 */
function findReplaced(
  oldCommands: readonly Command[],
  newCommands: readonly Command[],
  trial: ReplacementTrial,
): number[] {
  if (oldCommands.length !== newCommands.length) return [];
  const indexes: number[] = [];
  for (const [at, command] of oldCommands.entries()) {
    const newCommand = newCommands[at] as Command;
    const change = trial.pending.get(at);
    if (change && isReplaced(command, newCommand, change)) indexes.push(at);
    else if (!isUnchanged(command, newCommand, trial)) return [];
  }
  return indexes;
}

function isReplaced(
  command: Command,
  newCommand: Command,
  { old, wanted }: { old: readonly string[]; wanted: readonly string[] },
) {
  const wrappers = command.words.slice(0, command.words.length - old.length);
  if (!areWordsEqual(newCommand.words, [...wrappers, ...wanted]) || !hasSameRest(command, newCommand)) return false;
  // A word that the shell expands must not become literal, and a literal word must not be expanded.
  const isUnchangedWord = (word: string, at: number) => wanted.includes(word) || at >= old.length - 1;
  const dynamicWords = command.args.flatMap((word, at) =>
    isUnchangedWord(word, at) ? (command.dynamic[at] ?? []) : [],
  );
  return areWordsEqual(Object.values(newCommand.dynamic).toSorted(), dynamicWords.toSorted());
}

const hasSameRest = (command: Command, newCommand: Command) =>
  Bun.deepEquals(
    [command.redirects, command.env, command.cwd, command.stdin, command.remote],
    [newCommand.redirects, newCommand.env, newCommand.cwd, newCommand.stdin, newCommand.remote],
  );

/** Whether a command differs only in the edited text, inside one word or across several. */
function isUnchanged(
  command: Command,
  newCommand: Command,
  { edit: { from, to }, pending }: ReplacementTrial,
): boolean {
  if (Bun.deepEquals(command, newCommand)) return true;
  if (command.program !== newCommand.program) return false;
  const hasCommand = [...pending.values()].some(({ old }) => command.args.join("\0").includes(old.join("\0")));
  if (command.words.length !== newCommand.words.length && !hasCommand) return false;
  const [one, other] = [command, newCommand].map(formatWords) as [string, string];
  const [gone, added] = [from, to].map((text) => JSON.stringify(text).slice(1, -1)) as [string, string];
  // The text could have been inserted at any position.
  return gone === ""
    ? other.replaceAll(added, "") === one.replaceAll(added, "")
    : other === one.replaceAll(gone, added);
}

/** Formats a command as one string, with its words joined as in a command line. */
const formatWords = ({ words, args, dynamic, ...rest }: Command) =>
  JSON.stringify({ ...rest, words: words.join(" "), args: args.join(" "), dynamic: Object.values(dynamic) });

/** Creates the patch with the new command line. Returns null unless exactly one argument is the old command line. */
function createPatch(event: ChangeableEvent, command: string, line: string): IHookResponse | null {
  if (event.tool === "Bash") return modify({ command: line });
  if (event.tool !== "MCP") return null;
  const fields = Object.entries(event.input.arguments).filter(([, value]) => value === command);
  const [field] = fields.length === 1 ? (fields[0] as [string, unknown]) : [];
  return field === undefined ? null : modify({ arguments: { ...event.input.arguments, [field]: line } });
}
