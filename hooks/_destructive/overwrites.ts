import { statSync } from "bridge-hooks/files";
import { posix } from "bridge-hooks/paths";
import { type Command, type FileUse, listProgramNames, listReplacedFiles, wildcardPattern } from "bridge-hooks";
import { splitArguments } from "./given-options.ts";
import { type LineContext, type OperandPlace, type OperandWord, toDiskPath } from "./line-context.ts";
import { createOutsideFinder, listNames } from "./outside.ts";
import { isCopyName } from "./outside-places.ts";
import { createPlaceFinder } from "./place-finder.ts";
import { isReplacedFile, resolvePlace } from "./places.ts";

/** Programs that replace the content of files, beside those whose rules are about that alone. */
export const REPLACING_PROGRAMS: readonly string[] = "cp mv install ln rsync scp ditto curl wget sort".split(" ");
/** Programs with a rule of their own about the system's and the user's files. */
const RULED_PROGRAMS: readonly string[] = "tee dd sponge truncate".split(" ");
/** Programs that change files in place, with `-i`. */
const EDITING_PROGRAMS: readonly string[] = "sed gsed perl ruby".split(" ");
export const OVERWRITING_PROGRAMS: readonly string[] = [...REPLACING_PROGRAMS, ...RULED_PROGRAMS, ...EDITING_PROGRAMS];

const isOneOf = (programs: readonly string[], { program }: Command): boolean =>
  programs.includes(program) || listProgramNames(program).some((name) => programs.includes(name));

const findReplaced = createPlaceFinder(isReplacedFile);
const findOutside = createOutsideFinder("overwritten");
const findEdited = createOutsideFinder("edited");

/** Whether a program changes files in place, and keeps no copy of them: `sed -i`, not `sed -i.bak`. */
const editsInPlace = (command: Command): boolean =>
  isOneOf(EDITING_PROGRAMS, command) && command.args.some((arg) => /^(?:-[A-Za-z]*i|--in-place)$/.test(arg));

/** What a command overwrites, as a message shows it. */
interface Overwriting {
  /** A file of the system or of the user's settings that a program replaces by another. */
  replaced?: string | undefined;
  /** A file outside of the project. */
  outside?: string | undefined;
}

/** The files to keep that a command overwrites: by a redirection, or as a program that writes whole files. */
export function findOverwriting(command: Command, here: LineContext): Overwriting {
  if (editsInPlace(command)) return { outside: findEdited(splitArguments(command).operands, command, here) };
  const isReplacing = isOneOf(REPLACING_PROGRAMS, command);
  if (command.redirects.length === 0 && !isReplacing && !isOneOf(RULED_PROGRAMS, command)) return {};
  const words = listReplacedWords(command, here);
  const isCopied = isReplacing && !command.args.includes("/dev/null");
  return {
    replaced: isCopied ? findReplaced(words, command, here) : undefined,
    outside: findOutside(words, command, here),
  };
}

/** The files that a command replaces, those in a folder that it names included. */
function listReplacedWords(command: Command, here: LineContext): OperandWord[] {
  return listReplacedFiles(command).flatMap((use): OperandWord[] => {
    const { text, dynamic, takes = [], remote } = use;
    if (remote && !command.remote) return [];
    const word: OperandWord = { text, ...(dynamic !== undefined && { dynamic }) };
    if (takes.length === 0) return [word];
    const target = resolvePlace(word, command, here);
    if (!target || !isFolder(target)) return isRestored(use) ? [] : [word];
    return takes.flatMap((name) => listTakenNames(name, command, here)).map((name) => addName(word, name));
  });
}

/** What a folder gets of a source by its last name: the files that its wildcard fits, or those right in it with `x/.`. */
function listTakenNames(name: string, command: Command, here: LineContext): readonly string[] {
  const isFolderItself = name === ".";
  if (!isFolderItself && !/[*?[]/.test(name)) return [name];
  const at = command.args.findIndex((arg) => arg === name || arg.endsWith(`/${name}`));
  const source = command.args[at];
  const hidden = command.dynamic[at];
  if (source === undefined || (!isFolderItself && hidden === undefined)) return [name];
  const text = source.slice(0, source.length - name.length) || ".";
  const folder = resolvePlace({ text, ...(/[$`]/.test(text) && hidden && { dynamic: hidden }) }, command, here);
  if (!folder || folder.remote) return [name];
  const fits = isFolderItself ? () => true : wildcardPattern(name);
  return listNames(folder.path).filter((one) => fits(one) && (isFolderItself || !one.startsWith(".")));
}

const addName = ({ text, dynamic }: OperandWord, name: string): OperandWord => ({
  text: `${text}/${name}`,
  ...(dynamic !== undefined && { dynamic: `${dynamic}/${name.replace(/[\\$`*?[(]/g, "\\$&")}` }),
});

function isFolder({ path, remote }: OperandPlace): boolean {
  try {
    return !remote && statSync(toDiskPath(path), { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Whether a file comes back from a copy beside it: `mv x.bak x`. */
const isRestored = ({ text, takes = [] }: FileUse): boolean =>
  takes.length === 1 && takes.every((from) => isCopyName(from, posix.basename(text)) && !TEMPLATE_NAME.test(from));
/** A name that says that a file is not an older state of the one that is there. */
const TEMPLATE_NAME = /\.(?:example|sample|template|dist|default|new)$/i;
