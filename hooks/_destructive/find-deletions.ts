import { type Command, type FindStep, readFindArguments, wildcardPattern } from "bridge-hooks";
import { mayPromptBeAnswered } from "../_answered.ts";
import { isInteractiveRemoval } from "./conditions.ts";
import { isRegeneratedName } from "./outside-places.ts";
import { createPathFinder } from "./place-finder.ts";
import { isSameOrAbove, type LineContext, type OperandWord } from "./line-context.ts";
import { isPrecious, isSystemPath, isTopFolder, resolveOperandPath } from "./places.ts";

/** `find` tests that select only some files. */
const SELECTIVE_TEST =
  /^-(i?(name|path|wholename|regex|lname)|[acm](time|min)|newer\w*|size|empty|user|group|uid|gid|perm|inum|samefile|links|nouser)$/;
const REMOVAL_PROGRAMS = "(rm|srm|shred|unlink|truncate|rimraf)\\s";
/** A command that `find` runs to delete files, such as `rm …` or `sh -c 'rm …'`. */
const DELETION_COMMAND = new RegExp(
  `^(sudo\\s+)?((\\S*/)?${REMOVAL_PROGRAMS}|\\S*sh\\s+-\\w*c\\s.*\\b${REMOVAL_PROGRAMS})`,
  "s",
);
/** A command that `find` runs to change permissions or owners. */
const PERMISSION_COMMAND = /^(sudo\s+)?(\S*\/)?(chmod|chown|chgrp|setfacl)\s/;
/** A command that `find` runs to select files by their contents or link target. */
const SELECTION_COMMAND = /^(\S*\/)?(test|\[|grep|cmp)\s/;

const REMOVAL_PROGRAM = /^(?:rm|srm|shred|unlink|truncate|rimraf)$/;
/**
 * Whether a `find` action runs a removal program under another name or through other programs, as in
 * `-exec /bin/r? {} +`.
 */
function runsRemoval({ kind, values }: FindStep, command: Command, { commands }: LineContext): boolean {
  if (kind !== "run") return false;
  const depth = command.via.length;
  const text = ` ${values.join(" ")}`;
  for (let at = commands.indexOf(command) + 1; at > 0 && commands[at]?.via[depth] === "find"; at++) {
    const { program, args } = commands[at] as Command;
    if (REMOVAL_PROGRAM.test(program) && args.length > 0 && text.endsWith(` ${args.join(" ")}`)) return true;
  }
  return false;
}

const runsCommand = ({ kind, values }: FindStep, command: RegExp) => kind === "run" && command.test(values.join(" "));

/**
 * Returns the directory below which `find` deletes precious files. Deletions restricted by a test are allowed, except
 * in top-level directories.
 */
export const findDeletedFolder = (command: Command, context: LineContext): string | undefined =>
  findStartOf(command, context, createDeletionTest(command, context));

/**
 * Creates a predicate for `find` actions that delete files without a prompt, or with a prompt that the shell command
 * answers.
 */
const createDeletionTest =
  (command: Command, context: LineContext) =>
  (step: FindStep): boolean =>
    step.word === "-delete"
      ? true
      : step.word.startsWith("-exec") &&
        (runsCommand(step, DELETION_COMMAND) || runsRemoval(step, command, context)) &&
        !(
          /^(.*\/)?rm$/s.test(step.values[0] ?? "") &&
          isInteractiveRemoval(step.values.slice(1)) &&
          !mayPromptBeAnswered(command, context)
        );

/** Lists the start directories of a search that could delete files that can't be regenerated. */
export function listDeletedStartFolders(command: Command, context: LineContext): OperandWord[] {
  const { starts, steps } = readFindArguments(command.args);
  if (!steps.some(createDeletionTest(command, context))) return [];
  const names = steps.filter(({ kind }, at) => kind === "name" && !/^(!|-not)$/.test(steps[at - 1]?.word ?? ""));
  if (names.length > 0 && names.every(({ values: [name = ""] }) => isRegeneratedName(name)))
    return deletesInstalledParts(names, steps)
      ? listStartFolders(command, starts).filter((startPath) => startsAtHome(startPath, command, context))
      : [];
  // Deleting empty files and symlinks is harmless.
  if (steps.some(({ word, values: [kind] }) => word === "-empty" || (/^-x?type$/.test(word) && kind === "l")))
    return [];
  return listStartFolders(command, starts);
}

/**
 * Whether a search starting in the home directory would delete parts of installed programs, as with
 * `-name node_modules`.
 */
const deletesInstalledParts = (names: readonly FindStep[], steps: readonly FindStep[]): boolean =>
  names.some(({ values: [name = ""] }) => /^(?:node_modules|\.?venv)$/.test(name)) &&
  !steps.some(({ word, values: [value = ""] }) => (word === "-maxdepth" ? Number(value) < 4 : /\/\.\*?/.test(value)));

const startsAtHome = (start: OperandWord, command: Command, context: LineContext): boolean => {
  const path = resolveOperandPath(start, command, context)?.path;
  return path !== undefined && isSameOrAbove(path, context.home);
};

/** Returns the directory below which `find -ok` deletes files, if the shell command answers the prompts. */
export const findConfirmedFolder = (command: Command, context: LineContext): string | undefined =>
  mayPromptBeAnswered(command, context)
    ? findStartOf(command, context, (step) => step.word.startsWith("-ok") && runsCommand(step, DELETION_COMMAND))
    : undefined;

/** Returns the system or home directory below which `find` changes the permissions or owner of every file. */
export function findChangedFolder(command: Command, context: LineContext): string | undefined {
  const { starts, steps } = readFindArguments(command.args);
  const isChange = (step: FindStep) => step.word.startsWith("-exec") && runsCommand(step, PERMISSION_COMMAND);
  if (!steps.some(isChange) || areAllNarrowed(steps, isChange, command.args)) return undefined;
  const find = createPathFinder(({ path }, { home }) => isSystemPath(path, home));
  return find(listStartFolders(command, starts), command, context);
}

const listStartFolders = ({ args, dynamic }: Command, starts: readonly number[]): OperandWord[] =>
  starts.length === 0
    ? [{ text: "." }]
    : starts.map((at) => ({
        text: args[at] as string,
        ...(dynamic[at] !== undefined && { dynamic: dynamic[at] }),
      }));

function findStartOf(
  command: Command,
  context: LineContext,
  isDeletion: (step: FindStep) => boolean,
): string | undefined {
  const { args } = command;
  const { starts, steps } = readFindArguments(args);
  if (!steps.some(isDeletion)) return undefined;
  const isNarrowed = areAllNarrowed(steps, isDeletion, args);
  const from = listStartFolders(command, starts);
  const startFolder = createPathFinder((target, at) =>
    isNarrowed ? isTopFolder(target.path) : isPrecious({ ...target, isContents: true }, at),
  )(from, command, context);
  return (
    startFolder ??
    (steps.some((step) => isRepositoryTest(args, step))
      ? createPathFinder(isPrecious)(from.map(toRepositoryOperand), command, context)
      : undefined)
  );
}

/** Whether each deletion is preceded, in the same `-o` branch, by a test that selects only some files. */
function areAllNarrowed(
  steps: readonly FindStep[],
  isDeletion: (step: FindStep) => boolean,
  args: readonly string[],
): boolean {
  const followsLinks = args.findLast((arg) => /^-[HLP]$/.test(arg)) === "-L";
  let depth = 0;
  let isRestricted = false;
  for (const [at, step] of steps.entries()) {
    const { word } = step;
    if (word === "(") depth++;
    else if (word === ")") depth--;
    else if (/^(-or?|,)$/.test(word) && depth <= 0) isRestricted = false;
    else if (isSelectiveTest(step, steps[at - 1]?.word, followsLinks)) isRestricted = true;
    else if (isDeletion(step) && !isRestricted) return false;
  }
  return true;
}

function isSelectiveTest(step: FindStep, precedingWord: string | undefined, followsLinks: boolean): boolean {
  const { word, values } = step;
  const [value = ""] = values;
  if (runsCommand(step, SELECTION_COMMAND)) return true;
  if (/^(!|-not)$/.test(precedingWord ?? "")) return false;
  // This test selects only broken symlinks.
  if (word === "-xtype" || (word === "-type" && followsLinks)) return value === "l";
  return SELECTIVE_TEST.test(word) && !/^(\*|\.\*|\*\.\*)$/.test(value);
}

const toRepositoryOperand = ({ text, dynamic }: OperandWord): OperandWord => ({
  text: `${text}/.git`,
  ...(dynamic !== undefined && { dynamic: `${dynamic}/.git` }),
});

/** Whether a wildcard for hidden names matches `.git`, and the search includes directories. */
const matchesRepository = (args: readonly string[], value: string): boolean =>
  /^(?:\.|\[)[^/]*[*?[]|^\[/.test(value) &&
  wildcardPattern(value)(".git") &&
  !args.some((arg, at) => arg === "-type" && args[at + 1] !== "d");

/** Whether a test selects the start directory's own `.git` directory. */
function isRepositoryTest(args: readonly string[], { kind, at, values: [value = ""] }: FindStep): boolean {
  const isNamed = /^(\*?\/?|\.\/)\.git(\/\*)?$/.test(value) || matchesRepository(args, value);
  if (kind !== "name" || !isNamed) return false;
  const [precedingWords, after] = [
    args.slice(Math.max(0, at - MAX_SURROUNDING_WORDS), at).join(" "),
    args.slice(at + 2, at + MAX_SURROUNDING_WORDS).join(" "),
  ];
  const openExpression = precedingWords.slice(Math.max(0, precedingWords.lastIndexOf(")")));
  const isExcluded =
    /(^| )(!|-not)( \(|$)/.test(openExpression) || /^([^-]|-(?!prune ))*-prune (\) )*-or? /.test(after);
  return !isExcluded && !(Number(args[args.indexOf("-mindepth") + 1]) > 1);
}
/** Maximum number of words to check on each side of the test. */
const MAX_SURROUNDING_WORDS = 20;
