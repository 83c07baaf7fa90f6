import type { EventOf } from "../../protocol/event.ts";
import { type IHookResponse, modify } from "../../protocol/response.ts";
import { shellCall } from "../../protocol/shell-call.ts";
import { type Command, commands } from "../../shell/index.ts";

/** An event whose shell line can be changed. */
type ChangeableEvent = EventOf<"PreToolUse" | "PermissionRequest">;

/**
 * Which commands are meant: a program's name with the first of its arguments (`"pip install"`), several of these, or a
 * function that is asked about each command.
 */
export type CommandMatch = string | readonly string[] | ((command: Command) => boolean);

/**
 * What stands there instead: words in place of those that matched (of a function, in place of the program's name), or a
 * function that returns the words of the whole command, program first; undefined leaves the command as it is.
 */
export type CommandReplacement =
  string | readonly string[] | ((command: Command) => readonly string[] | string | undefined);

/**
 * Replaces commands of a shell line: `replaceCommand(event, "pip install", "uv pip install")` makes `cd x && sudo pip
 * install "a b"` into `cd x && sudo uv pip install "a b"`. All else stays as it is written: quotes, redirections,
 * variables, wrappers, comments, and the code around a command in `$(…)`, `sh -c '…'` or a here-document. A text is split
 * at spaces; a word that has some is an item of a list.
 *
 * The new line is read again: it has the same commands but for those that were replaced, or it is not returned.
 * @returns the response to return; undefined if no command matches; null if one does and can't be replaced with certainty
 *   (its words are written in pieces, or come out of a variable): deny the call then, or let it pass.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply.
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

/** The new words of commands, by their index. */
type Changes = Map<number, { old: readonly string[]; wanted: readonly string[] }>;

function listChanges(found: readonly Command[], match: CommandMatch, replacement: CommandReplacement): Changes {
  const changes: Changes = new Map();
  for (const [at, command] of found.entries()) {
    const length = countMatched(command, match);
    const given = length === 0 ? undefined : getReplacement(command, length, replacement);
    if (given === undefined) continue;
    const old = listOwnWords(command);
    // Arguments that stand elsewhere in the line, or come with its input, stay where they are.
    const foreign = command.args.slice(Math.max(0, old.length - 1));
    const hasForeign = isSame(given.slice(given.length - foreign.length), foreign);
    const wanted = given.slice(0, given.length - foreign.length);
    if (!hasForeign || wanted.length === 0) changes.set(at, { old: [], wanted });
    else if (!isSame(old, wanted)) changes.set(at, { old, wanted });
  }
  return changes;
}

/** The command's words without its wrappers; empty if they are not the words of the line. */
function listOwnWords({ program, args, words }: Command): readonly string[] {
  const name = program.toLowerCase();
  const isProgram = (word: string) =>
    word
      .toLowerCase()
      .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
      .replace(/\.exe$/, "") === name;
  const at = words.findIndex(
    (word, from) => isProgram(word) && isSame(words.slice(from + 1), args.slice(0, words.length - from - 1)),
  );
  return at < 0 ? [] : words.slice(at);
}

/** How many words of a command match, its program included; 0 if it does not match. */
function countMatched(command: Command, match: CommandMatch): number {
  if (typeof match === "function") return match(command) ? 1 : 0;
  const words = [command.program, ...command.args];
  for (const one of typeof match === "string" ? [match] : match) {
    const wanted = splitWords(one);
    if (wanted.length > 0 && wanted.every((word, at) => words[at] === word)) return wanted.length;
  }
  return 0;
}

function getReplacement(
  command: Command,
  length: number,
  replacement: CommandReplacement,
): readonly string[] | undefined {
  const given = typeof replacement === "function" ? replacement(command) : replacement;
  if (given === undefined) return undefined;
  const words = typeof given === "string" ? splitWords(given) : given;
  return typeof replacement === "function" ? words : [...words, ...command.args.slice(length - 1)];
}

const splitWords = (text: string) => text.split(/\s+/).filter((word) => word !== "");
const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((word, at) => word === other[at]);

/** How often a line is read again; a line with more occurrences of a word is not changed. */
const MOST_TRIALS = 64;

type ReadLine = (line: string) => readonly Command[];

/** Replaces the commands one place after the other; undefined if one of them can't be. */
function replaceAll(given: string, changes: Changes, read: ReadLine): string | undefined {
  const pending = new Map(changes);
  let line = given;
  let known = read(line);
  let trials = 0;
  for (const { old, wanted } of changes.values()) {
    if (old.length === 0) return undefined;
    for (const edit of listEdits(line, old, wanted)) {
      if (![...pending.values()].some((one) => one.old === old)) break;
      if (++trials > MOST_TRIALS) return undefined;
      const next = line.slice(0, edit.start) + edit.text + line.slice(edit.end);
      const after = read(next);
      const done = findReplaced(known, after, {
        pending,
        edit: { from: line.slice(edit.start, edit.end), to: edit.text },
      });
      if (done.length === 0) continue;
      for (const at of done) pending.delete(at);
      [line, known] = [next, after];
      break;
    }
  }
  return pending.size === 0 ? line : undefined;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The places of a line where some words may stand for the command, each with the ways to write the new ones there. */
function* listEdits(line: string, old: readonly string[], wanted: readonly string[]): Generator<Edit> {
  let first = 0;
  while (first < Math.min(old.length, wanted.length) && old[first] === wanted[first]) first++;
  let kept = 0;
  while (kept < Math.min(old.length, wanted.length) - first && old.at(-1 - kept) === wanted.at(-1 - kept)) kept++;
  const gone = old.slice(first, old.length - kept);
  const added = wanted.slice(first, wanted.length - kept);
  // What is only added stands before the next word, or behind the last one.
  const isLast = gone.length === 0 && kept === 0;
  const anchor = gone.length > 0 ? gone : [isLast ? (old.at(-1) as string) : (old[first] as string)];
  for (const { index, 0: found } of line.matchAll(buildPattern(anchor))) {
    const end = index + found.length;
    for (const text of new Set(QUOTES.map((quote) => added.map(quote).join(" ")))) {
      if (gone.length === 0)
        yield isLast ? { start: end, end, text: ` ${text}` } : { start: index, end: index, text: `${text} ` };
      else if (added.length > 0) yield { start: index, end, text };
      else yield withBlanks(line, { start: index, end, text: "" });
    }
  }
}

/** An edit that removes words removes the blanks before them as well. */
function withBlanks(line: string, edit: Edit): Edit {
  let { start } = edit;
  while (line[start - 1] === " " || line[start - 1] === "\t") start--;
  return { ...edit, start };
}

const PLAIN_WORD = /^[\w./:@%+=,-]+$/;
/** The ways in which a word may be written: the first that the line's shell reads as the word counts. */
const QUOTES = [
  (word: string) => (PLAIN_WORD.test(word) ? word : `'${word}'`),
  (word: string) => (PLAIN_WORD.test(word) ? word : `"${word}"`),
  (word: string) => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`),
  (word: string) => (PLAIN_WORD.test(word) ? word : word.replace(/[^\w./:@%+=,-]/g, "\\$&")),
];

/** Matches words as they stand in a line: bare, or in quotes as a whole. */
const buildPattern = (words: readonly string[]): RegExp => {
  const spelled = words.map((word) => `(?:${RegExp.escape(word)}|"${RegExp.escape(word)}"|'${RegExp.escape(word)}')`);
  return new RegExp(`(?<![\\w./:@%+,-])${spelled.join("(?:[ \\t]|\\\\\\n)+")}(?![\\w./:@%+,-])`, "g");
};

interface Trial {
  pending: Changes;
  edit: { from: string; to: string };
}

/** Which pending commands an edit replaces; none if it does anything else. */
function findReplaced(before: readonly Command[], after: readonly Command[], trial: Trial): number[] {
  if (before.length !== after.length) return [];
  const done: number[] = [];
  for (const [at, command] of before.entries()) {
    const next = after[at] as Command;
    const change = trial.pending.get(at);
    if (change && isReplaced(command, next, change)) done.push(at);
    else if (!isUnchanged(command, next, trial)) return [];
  }
  return done;
}

function isReplaced(
  command: Command,
  next: Command,
  { old, wanted }: { old: readonly string[]; wanted: readonly string[] },
) {
  const wrappers = command.words.slice(0, command.words.length - old.length);
  if (!isSame(next.words, [...wrappers, ...wanted]) || !hasSameRest(command, next)) return false;
  // A word that the shell expands may not become a text, nor the other way round.
  const isKept = (word: string, at: number) => wanted.includes(word) || at >= old.length - 1;
  const live = command.args.flatMap((word, at) => (isKept(word, at) ? (command.dynamic[at] ?? []) : []));
  return isSame(Object.values(next.dynamic).toSorted(), live.toSorted());
}

const hasSameRest = (command: Command, next: Command) =>
  Bun.deepEquals(
    [command.redirects, command.env, command.cwd, command.stdin, command.remote],
    [next.redirects, next.env, next.cwd, next.stdin, next.remote],
  );

/** Whether a command is the same, but for the edited text in one of its words, or for words that are the edited command. */
function isUnchanged(command: Command, next: Command, { edit: { from, to }, pending }: Trial): boolean {
  if (Bun.deepEquals(command, next)) return true;
  if (command.program !== next.program) return false;
  const hasCommand = [...pending.values()].some(({ old }) => command.args.join("\0").includes(old.join("\0")));
  if (command.words.length !== next.words.length && !hasCommand) return false;
  const [one, other] = [command, next].map(formatTexts) as [string, string];
  const [gone, added] = [from, to].map((text) => JSON.stringify(text).slice(1, -1)) as [string, string];
  // An insertion is at any place.
  return gone === ""
    ? other.replaceAll(added, "") === one.replaceAll(added, "")
    : other === one.replaceAll(gone, added);
}

/** A command as one text, in which its words stand as in a line. */
const formatTexts = ({ words, args, dynamic, ...rest }: Command) =>
  JSON.stringify({ ...rest, words: words.join(" "), args: args.join(" "), dynamic: Object.values(dynamic) });

/** The patch that gives a call its new line; null for arguments that have the line more than once. */
function createPatch(event: ChangeableEvent, command: string, line: string): IHookResponse | null {
  if (event.tool === "Bash") return modify({ command: line });
  if (event.tool !== "MCP") return null;
  const fields = Object.entries(event.input.arguments).filter(([, value]) => value === command);
  const [field] = fields.length === 1 ? (fields[0] as [string, unknown]) : [];
  return field === undefined ? null : modify({ arguments: { ...event.input.arguments, [field]: line } });
}
