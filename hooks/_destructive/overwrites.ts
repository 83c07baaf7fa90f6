import { statSync } from "bridge-hooks/files";
import { posix } from "bridge-hooks/paths";
import { type Command, type FileUse, listProgramNames, listReplacedFiles, wildcardPattern } from "bridge-hooks";
import { splitArguments } from "./given-options.ts";
import { type LineContext, type OperandPath, type OperandWord, toDiskPath } from "./line-context.ts";
import { createOutsidePathFinder, listNames } from "./outside.ts";
import { isBackupName } from "./outside-places.ts";
import { createPathFinder } from "./place-finder.ts";
import { isReplacedFile, resolveOperandPath } from "./places.ts";

/** Programs that replace files, except those with their own rules about replacing files. */
export const REPLACING_PROGRAMS: readonly string[] = "cp mv install ln rsync scp ditto curl wget sort".split(" ");
/** Programs with their own rules about system and user files. */
const PROGRAMS_WITH_OWN_RULES: readonly string[] = "tee dd sponge truncate".split(" ");
/** Programs that edit files in place with `-i`. */
const EDITING_PROGRAMS: readonly string[] = "sed gsed perl ruby".split(" ");
export const OVERWRITING_PROGRAMS: readonly string[] = [
  ...REPLACING_PROGRAMS,
  ...PROGRAMS_WITH_OWN_RULES,
  ...EDITING_PROGRAMS,
];

const isProgramIn = (programs: readonly string[], { program }: Command): boolean =>
  programs.includes(program) || listProgramNames(program).some((name) => programs.includes(name));

const findReplacedPath = createPathFinder(isReplacedFile);
const findOverwrittenPath = createOutsidePathFinder("overwritten");
const findEditedPath = createOutsidePathFinder("edited");

/** Whether a program edits files in place without a backup, as with `sed -i` but not `sed -i.bak`. */
const editsInPlace = (command: Command): boolean =>
  isProgramIn(EDITING_PROGRAMS, command) && command.args.some((arg) => /^(?:-[A-Za-z]*i|--in-place)$/.test(arg));

/** Overwritten files to name in messages. */
interface OverwrittenFiles {
  /** A system or user settings file that a program replaces. */
  replacedFile?: string | undefined;
  /** An overwritten file outside the project. */
  outside?: string | undefined;
}

/** Finds the protected files that a redirection or a file-writing program overwrites. */
export function findOverwrittenFiles(command: Command, context: LineContext): OverwrittenFiles {
  if (editsInPlace(command)) return { outside: findEditedPath(splitArguments(command).operands, command, context) };
  const isReplacing = isProgramIn(REPLACING_PROGRAMS, command);
  if (command.redirects.length === 0 && !isReplacing && !isProgramIn(PROGRAMS_WITH_OWN_RULES, command)) return {};
  const words = listReplacedWords(command, context);
  const isCopied = isReplacing && !command.args.includes("/dev/null");
  return {
    replacedFile: isCopied ? findReplacedPath(words, command, context) : undefined,
    outside: findOverwrittenPath(words, command, context),
  };
}

/** Lists the files that a command replaces, including those in a target directory. */
function listReplacedWords(command: Command, context: LineContext): OperandWord[] {
  return listReplacedFiles(command).flatMap((use): OperandWord[] => {
    const { text, dynamic, takes = [], remote } = use;
    if (remote && !command.remote) return [];
    const word: OperandWord = { text, ...(dynamic !== undefined && { dynamic }) };
    if (takes.length === 0) return [word];
    const target = resolveOperandPath(word, command, context);
    if (!target || !isFolder(target)) return isRestoredFromBackup(use) ? [] : [word];
    return takes.flatMap((name) => listAddedNames(name, command, context)).map((name) => addName(word, name));
  });
}

/** Lists the file names that a source adds to a directory. A wildcard or `x/.` can add more than one. */
function listAddedNames(name: string, command: Command, context: LineContext): readonly string[] {
  const isWholeFolder = name === ".";
  if (!isWholeFolder && !/[*?[]/.test(name)) return [name];
  const at = command.args.findIndex((arg) => arg === name || arg.endsWith(`/${name}`));
  const source = command.args[at];
  const dynamicWord = command.dynamic[at];
  if (source === undefined || (!isWholeFolder && dynamicWord === undefined)) return [name];
  const text = source.slice(0, source.length - name.length) || ".";
  const folder = resolveOperandPath(
    { text, ...(/[$`]/.test(text) && dynamicWord && { dynamic: dynamicWord }) },
    command,
    context,
  );
  if (!folder || folder.remote) return [name];
  const matches = isWholeFolder ? () => true : wildcardPattern(name);
  return listNames(folder.path).filter(
    (entryName) => matches(entryName) && (isWholeFolder || !entryName.startsWith(".")),
  );
}

const addName = ({ text, dynamic }: OperandWord, name: string): OperandWord => ({
  text: `${text}/${name}`,
  ...(dynamic !== undefined && { dynamic: `${dynamic}/${name.replace(/[\\$`*?[(]/g, "\\$&")}` }),
});

function isFolder({ path, remote }: OperandPath): boolean {
  try {
    return !remote && statSync(toDiskPath(path), { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Whether a file is restored from a backup in the same directory, as in `mv x.bak x`. */
const isRestoredFromBackup = ({ text, takes = [] }: FileUse): boolean =>
  takes.length === 1 && takes.every((from) => isBackupName(from, posix.basename(text)) && !TEMPLATE_NAME.test(from));
/** Suffixes of template files, which look like backups but aren't. */
const TEMPLATE_NAME = /\.(?:example|sample|template|dist|default|new)$/i;
