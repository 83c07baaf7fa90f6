import { lookUpProgram } from "../programs/index.ts";
import {
  type OptionTable,
  getOptionTable,
  isValueInNextWord,
  mayTakeNextWord,
  readLastOption,
  type ValueKind,
} from "../programs/options.ts";
import type { FileAccess, FileChangeKind, OperandFiles, Program } from "../programs/program.ts";

/** An argument or part of an argument. */
export interface WordPiece {
  text: string;
  /** Value in the format of `Command.dynamic`. */
  dynamic?: string;
}

/** A word that is, or may be, a file name. */
export interface FileUse extends WordPiece {
  access: FileAccess;
  /** Original word, if `text` differs from it. */
  given?: string;
  /** Whether the use is a guess: the word might not be a file, or the command might use the file differently. */
  uncertain?: true;
  /** Whether the file is on another machine or in a container. */
  remote?: true;
  /** If the path is a directory, the names of the files that the command writes to it. */
  takes?: readonly string[];
  /** Whether the path is a directory that receives files whose names are unknown. */
  fills?: true;
  /**
   * Whether the command replaces the contents of an existing file. If the path is a directory with `takes`, this refers
   * to the files in `takes`.
   */
  replaces?: true;
  /** Change that the command is certain to make to the file. */
  change?: FileChangeKind;
}

export const createWordPiece = (text: string, dynamic: string | undefined): WordPiece =>
  dynamic === undefined ? { text } : { text, dynamic };

/** Removes a literal prefix from a word. */
export const removeWordPrefix = ({ text, dynamic }: WordPiece, length: number): WordPiece =>
  createWordPiece(text.slice(length), dynamic?.slice(length));

/**
 * Lists the files in a program's arguments. If the program isn't in the program table, lists every word that may be a
 * file.
 */
export function listUsedFiles(program: string, words: readonly WordPiece[]): FileUse[] {
  const knownProgram = lookUpProgram(program);
  return knownProgram?.files ? listFilesByTable(knownProgram, words) : words.flatMap(guessFiles);
}

/**
 * Returns the last option in a word with its value. The value may be in the same word (`--output=x`, `-ox`, `-vox`) or
 * in the next word.
 */
function readOptionValue(
  word: WordPiece,
  nextWord: WordPiece | undefined,
  table: OptionTable,
): { kind: ValueKind; value: WordPiece } | undefined {
  const option = readLastOption(word.text, nextWord?.text, table);
  const kind = option?.value === undefined ? undefined : table.get(option.name);
  if (option?.value === undefined || kind === undefined) return undefined;
  const value = option.words === 2 ? nextWord : removeWordPrefix(word, word.text.length - option.value.length);
  return value && { kind, value };
}

/** Lists the values of options of one kind: `-I x`, `-Ix`, `-vIx`, `--rsh=x`. */
export function listOptionValues(words: readonly WordPiece[], table: OptionTable, kind: ValueKind): WordPiece[] {
  return words.flatMap((word, at) => {
    const option = readOptionValue(word, words[at + 1], table);
    return option?.kind === kind ? option.value : [];
  });
}

/** How a program accesses the file in an option value. */
const OPTION_ACCESS: Readonly<Partial<Record<ValueKind, FileAccess>>> = {
  source: "read",
  reads: "read",
  uses: "read",
  writes: "write",
  into: "write",
  fills: "write",
  makes: "write",
};
const getLastName = (path: string) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

/** Lists the files in a program's arguments as described by the program table. */
export function listFilesByTable(
  program: Program,
  words: readonly WordPiece[],
  use: OperandFiles = program.files ?? {},
): FileUse[] {
  const table = getOptionTable(program);
  const { optionFiles, operands, options, targetFolder, hasText } = splitArguments(table, words, use);
  const hasOptionOf: OptionTest = (names) => options.some((option) => isAnyOptionIn(names, option));
  const access = getOperandAccess(use, hasOptionOf);
  if (access === undefined) return optionFiles;
  const hasPatternOption = hasOptionOf(use.replacingOptions) || options.some((option) => hasCodeOption(table, option));
  const files = operands.slice(hasText ? 1 : hasPatternOption ? 0 : use.leadingOperands);
  const replacement = replacesFiles(use, hasOptionOf) ? { replaces: true as const } : {};
  if (targetFolder) Object.assign(targetFolder, { takes: files.map(({ text }) => getLastName(text)), ...replacement });
  const lastAccess = targetFolder ? undefined : use.lastOperand;
  files.forEach((word, at) => {
    if (use.hasScriptArguments && at > 0) optionFiles.push(...guessFiles(word));
    else if (lastAccess && at > 0 && at === files.length - 1)
      optionFiles.push({
        ...word,
        access: lastAccess,
        takes: files.slice(0, -1).map(({ text }) => getLastName(text)),
        ...replacement,
      });
    else optionFiles.push({ ...word, access, ...(use.replacesContent && replacement) });
  });
  if (use.outputFolder && !optionFiles.some(({ fills }) => fills)) {
    const outputFolder =
      use.outputFolder === "last" || (use.outputFolder === "other" && files.length > 1) ? optionFiles.pop() : undefined;
    optionFiles.push({ ...(outputFolder ?? { text: "." }), access: "write", fills: true });
  }
  return optionFiles;
}

/** Checks whether the command has one of the given options. */
type OptionTest = (names: readonly string[] | undefined) => boolean;

/** Returns how a command accesses its operands. Undefined if they aren't files. */
function getOperandAccess(use: OperandFiles, hasOptionOf: OptionTest): FileAccess | undefined {
  if (hasOptionOf(use.listOnlyOptions)) return "list";
  if (hasOptionOf(use.inPlaceOptions)) return "write";
  return hasOptionOf(use.readOnlyOptions) && use.operands === "write" ? "read" : use.operands;
}

const replacesFiles = ({ keepOptions, forceOptions }: OperandFiles, hasOptionOf: OptionTest): boolean =>
  !hasOptionOf(keepOptions) && (forceOptions === undefined || hasOptionOf(forceOptions));

/** Program arguments split into options and operands. */
interface SplitArguments {
  /** Files named by options. */
  optionFiles: FileUse[];
  /** Directory that receives the copied or moved operands. */
  targetFolder?: FileUse;
  operands: WordPiece[];
  options: string[];
  /** Whether the first operand is a shell script. */
  hasText: boolean;
}

function splitArguments(
  table: OptionTable,
  words: readonly WordPiece[],
  { scriptOptions }: OperandFiles,
): SplitArguments {
  const split: SplitArguments = { optionFiles: [], operands: [], options: [], hasText: false };
  const { optionFiles: namedFiles, operands, options } = split;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as WordPiece;
    if (scriptOptions && operands.length === 0 && /^\+./.test(word.text)) continue;
    if (word.text === "--") return { ...split, operands: [...operands, ...words.slice(at + 1)] };
    if (!/^-./.test(word.text)) {
      operands.push(word);
      continue;
    }
    split.hasText ||= operands.length === 0 && isAnyOptionIn(scriptOptions, word.text);
    options.push(word.text);
    const option = readOptionValue(word, words[at + 1], table);
    const optionFiles = listOptionFiles(table, word, option);
    namedFiles.push(...optionFiles);
    if (option?.kind === "into" && optionFiles[0]) split.targetFolder = optionFiles[0];
    if (isValueInNextWord(table, word.text, mayTakeNextWord)) at++;
  }
  return split;
}

/** Lists the files in an option value. */
function listOptionFiles(table: OptionTable, word: WordPiece, option: ReturnType<typeof readOptionValue>): FileUse[] {
  const access = option && OPTION_ACCESS[option.kind];
  if (access) {
    const isReplaced = option.kind === "writes" || option.kind === "makes";
    return [
      {
        ...option.value,
        access,
        ...(option.kind === "fills" && { fills: true }),
        ...(isReplaced && { replaces: true }),
      },
    ];
  }
  const isKnown = mayTakeNextWord(table.get(word.text.split("=")[0] as string)) || mayTakeNextWord(option?.kind);
  return isKnown ? [] : guessFiles(word);
}

/**
 * Whether a word contains an option that supplies code or a pattern: `-e` in `-e`, `-ex` and `-ne`, `--regexp` in
 * `--regexp=x`.
 */
function hasCodeOption(table: OptionTable, word: string): boolean {
  const isCode = (name: string) => {
    const kind = table.get(name);
    return kind === "code" || kind === "source";
  };
  if (word.startsWith("--")) return isCode(word.split("=", 1)[0] as string);
  return (/^-[A-Za-z]+/.exec(word)?.[0] ?? "").split("").some((letter) => isCode(`-${letter}`));
}

const isAnyOptionIn = (names: readonly string[] | undefined, word: string) =>
  names?.some((name) => isOptionIn(name, word)) === true;

/** Whether a word contains a specific option: `-i` in `-i`, `-i.bak` and `-ni`, `--in-place` in `--in-place=.bak`. */
const isOptionIn = (name: string, word: string) =>
  name.startsWith("--") ? word.split("=")[0] === name : new RegExp(`^-[A-Za-z]*${name[1]}`).test(word);

/**
 * Lists possible files in an argument of unknown meaning: the entire word, and the parts after "=", "@", ":" or an
 * option letter.
 */
function guessFiles(word: WordPiece): FileUse[] {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(word.text)) return [];
  const candidates: WordPiece[] = !word.text.startsWith("-")
    ? [word]
    : /^-[A-Za-z][./~]/.test(word.text)
      ? [removeWordPrefix(word, 2)]
      : [];
  for (const separator of "=@:") {
    const at = word.text.indexOf(separator) + 1;
    if (at > 0)
      candidates.push(createWordPiece(word.text.slice(at), word.dynamic?.slice(word.dynamic.indexOf(separator) + 1)));
  }
  return candidates.map((candidate) => ({ ...candidate, access: "write", uncertain: true }));
}

/** Resolves a file name relative to a directory. */
export function resolveAgainstFolder(folder: WordPiece, name: WordPiece): WordPiece {
  if (/^[/~$]/.test(name.text)) return name;
  const dynamic = folder.dynamic ?? name.dynamic;
  return createWordPiece(
    `${folder.text}/${name.text}`,
    dynamic === undefined ? undefined : `${folder.dynamic ?? folder.text}/${name.dynamic ?? name.text}`,
  );
}
