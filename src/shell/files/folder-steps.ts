import { statSync } from "../../system/files.ts";
import { isAbsentError } from "../../system/errors.ts";
import { resolve } from "../../system/paths.ts";
import type { Command } from "../command.ts";
import { listMatchingFolders, type FolderContext, toCommandFolder } from "./folder-wildcards.ts";
import { getCdOperand, resolveCdTarget } from "./folder.ts";
import { listPipeSources, recordPipeSources } from "../runs/pipe-sources.ts";
import { type FolderStep, isChoice, type ShellScope } from "../scope.ts";
import type { Word } from "../words/word.ts";

/** Maximum number of `cd` commands to follow. Later `cd` commands are assumed to succeed. */
const MAX_STEPS = 64;
const folderSteps = new WeakMap<Command, FolderStep>();

/** Changes a scope's directory as a successful `cd` with these arguments would. */
export function changeFolder(scope: ShellScope, words: readonly Word[]): void {
  const { cwd, steps } = scope;
  scope.cwd = words[0]?.text === "-" ? scope.previousFolder : resolveCdTarget(cwd, words);
  scope.previousFolder = cwd;
  updateFolderVariables(scope, cwd);
  scope.steps = { previousStep: steps, words, requiresSuccess: false, count: (steps?.count ?? 0) + 1 };
}

/** Expressions for the current directory at the start of a string. */
const CURRENT_FOLDER_PREFIX = /^(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|~\+)(?=\/|$)/;

/** Updates variables that refer to the directory before a `cd`: `D=$PWD; cd x; rm -rf "$D"`. */
function updateFolderVariables(scope: ShellScope, previousFolder: string | undefined): void {
  // If no other previous directory is known, `$OLDPWD` refers to the directory in which the command line starts.
  const start =
    previousFolder === ""
      ? "$OLDPWD"
      : previousFolder !== undefined && /^[/~]/.test(previousFolder)
        ? previousFolder
        : undefined;
  if (start === undefined) return;
  const seenNames = new Set<string>();
  for (let at: ShellScope | undefined = scope; at; at = at.parent)
    for (const [name, values] of [...at.values]) {
      const isShadowed = seenNames.has(name);
      seenNames.add(name);
      if (
        isShadowed ||
        isChoice(values) ||
        !values?.some(([firstSegment]) => firstSegment?.isDynamic && CURRENT_FOLDER_PREFIX.test(firstSegment.text))
      )
        continue;
      scope.values.set(
        name,
        values.map(([firstSegment, ...otherSegments]) =>
          firstSegment
            ? [
                {
                  ...firstSegment,
                  text: firstSegment.isDynamic
                    ? firstSegment.text.replace(CURRENT_FOLDER_PREFIX, () => start)
                    : firstSegment.text,
                },
                ...otherSegments,
              ]
            : [],
        ),
      );
    }
}

export function recordFolderSteps(command: Command, { cwd, steps }: ShellScope): void {
  if (steps && steps.count <= MAX_STEPS && command.cwd === cwd && !command.remote) folderSteps.set(command, steps);
}

/** Copies recorded `cd` steps and pipe sources from one command to another. */
export function copyAnnotations(command: Command, original: Command, sources = listPipeSources(original)): void {
  const steps = folderSteps.get(original);
  if (steps) folderSteps.set(command, steps);
  recordPipeSources(command, sources);
}

/**
 * Copies the steps and sets `requiresSuccess` for all steps after `start`. A command after `&&` runs only if these
 * steps succeeded.
 */
export function markFolderSteps(
  steps: FolderStep | undefined,
  start: FolderStep | undefined,
  { requiresSuccess }: Pick<FolderStep, "requiresSuccess">,
): FolderStep | undefined {
  if (!steps || steps === start || steps.count > MAX_STEPS) return steps;
  return { ...steps, previousStep: markFolderSteps(steps.previousStep, start, { requiresSuccess }), requiresSuccess };
}

/** Programs that neither create nor remove the paths in their arguments. */
const READ_ONLY_PROGRAMS = new Set([
  "cd",
  "pushd",
  "chdir",
  "popd",
  "echo",
  "printf",
  "ls",
  "cat",
  "test",
  "[",
  "true",
  "false",
]);
const REMOVAL_PROGRAMS = new Set(["rm", "rmdir", "mv", "unlink", "trash"]);
/** Maximum number of commands to check. Once exceeded, every `cd` is assumed to succeed. */
const MAX_CHECKED_COMMANDS = 256;

/**
 * Adds the commands that run if a `cd` fails because its directory is missing and no earlier command creates it. In
 * that case, the commands after the `cd` run in the previous directory: `cd nowhere; rm -rf .git`.
 * @param folder the absolute initial directory of the command line
 * @param home the directory that `~` expands to
 * @param isUnset whether a variable is unset
 */
export function addFailedCdCommands(
  commands: readonly Command[],
  folder: string,
  home: string,
  isUnset: (name: string) => boolean = () => false,
): readonly Command[] {
  if (!commands.some((command) => folderSteps.has(command)) || !isFolder(folder)) return commands;
  const folderPairs = new Map<FolderStep, { assumed: string | undefined; real: string | undefined }>();
  const resolveStep = (
    step: FolderStep | undefined,
    index: number,
  ): { assumed: string | undefined; real: string | undefined } => {
    if (!step) return { assumed: "", real: "" };
    const cachedPair = folderPairs.get(step);
    if (cachedPair) return cachedPair;
    const { assumed, real } = resolveStep(step.previousStep, index);
    const target = real === undefined ? undefined : resolveCdTarget(real, step.words);
    const isSuccessful =
      step.requiresSuccess ||
      folderPairs.size > MAX_CHECKED_COMMANDS ||
      target === undefined ||
      mayExist(target, index);
    const end = { assumed: resolveCdTarget(assumed, step.words), real: isSuccessful ? target : real };
    folderPairs.set(step, end);
    return end;
  };
  const mayExist = (target: string, index: number): boolean => {
    const path = resolve(
      folder,
      target.replace(/^~(?=\/|$)/, () => home),
    );
    const missingName = findNonexistentName(path, folder);
    const name = missingName ?? path.slice(path.lastIndexOf("/") + 1);
    const lastUse = commands
      .slice(0, index)
      .findLast((command) => !READ_ONLY_PROGRAMS.has(command.program) && mentionsName(command, name));
    return lastUse ? !REMOVAL_PROGRAMS.has(lastUse.program) : missingName === undefined;
  };
  const moveCommand = (command: Command, cwd: string): Command => {
    const movedCommand = { ...command, cwd };
    recordPipeSources(movedCommand, listPipeSources(command));
    return movedCommand;
  };
  const matchedFolders = new Map<FolderStep, MatchedFolders>();
  return commands.flatMap((command, index) => {
    const steps = folderSteps.get(command);
    if (!steps) return command;
    if (command.cwd === undefined) {
      const context = { folder, home, earlierCommands: commands.slice(0, index), readCached: readDisk, isUnset };
      return [command, ...listMatchedFolders(steps, context, matchedFolders).map((cwd) => moveCommand(command, cwd))];
    }
    const { assumed, real } = resolveStep(steps, index);
    // Branches can change the directory in ways the recorded steps don't show.
    if (assumed !== command.cwd || real === undefined || real === assumed) return command;
    return [command, moveCommand(command, real)];
  });
}

/** Directories that a step may change to, in the format of `Command.cwd`. */
interface MatchedFolders {
  folders: readonly string[];
  /** Whether any `cd` argument had a wildcard or variable to expand. */
  isExpanded: boolean;
}

/**
 * Lists the directories that a `cd` with wildcards or variables may change to. The list is empty if the arguments
 * contain neither.
 */
function listMatchedFolders(
  steps: FolderStep,
  context: FolderContext,
  matchedFolders: Map<FolderStep, MatchedFolders>,
): readonly string[] {
  const matchStep = (step: FolderStep | undefined): MatchedFolders => {
    if (!step) return { folders: [""], isExpanded: false };
    let matches = matchedFolders.get(step);
    if (!matches) {
      const previousFolders = matchStep(step.previousStep);
      const targets = previousFolders.folders.map((folder) => listStepFolders(step, folder, context));
      const folders = [...new Set(targets.flatMap((target) => target.folders))].slice(0, MAX_FOLDERS);
      matches = { folders, isExpanded: previousFolders.isExpanded || targets.some((target) => target.isExpanded) };
      matchedFolders.set(step, matches);
    }
    return matches;
  };
  const { folders, isExpanded } = matchStep(steps);
  return isExpanded ? folders : [];
}
const MAX_FOLDERS = 8;

function listStepFolders(
  { words, requiresSuccess }: FolderStep,
  currentFolder: string,
  context: FolderContext,
): MatchedFolders {
  const target = resolveCdTarget(currentFolder, words);
  if (target !== undefined) return { folders: [target], isExpanded: false };
  const word = getCdOperand(words)?.dynamic;
  const { folder, home } = context;
  const absoluteFolder = currentFolder.replace(/^~(?=\/|$)/, () => home);
  const matches = word === undefined ? undefined : listMatchingFolders(resolve(folder, absoluteFolder), word, context);
  const [, name] = /^\$\{?([A-Za-z_]\w*)(?::?-)?\}?\/?$/.exec(word ?? "") ?? [];
  // If the variable is unset, `cd "$X"` stays in the current directory, `cd $X` changes to the home directory, and `cd
  // $X/` changes to the root.
  if (!matches && name !== undefined && context.isUnset(name))
    return {
      folders: [word?.endsWith("/") ? "/" : getCdOperand(words)?.mayVanish ? "~" : currentFolder],
      isExpanded: true,
    };
  if (!matches) return { folders: [], isExpanded: false };
  const folders =
    matches.length === 0 && !requiresSuccess ? [currentFolder] : matches.map((path) => toCommandFolder(path, folder));
  return { folders, isExpanded: true };
}

const mentionsName = ({ words, redirects }: Command, name: string): boolean =>
  words.some((word) => word.includes(name)) || redirects.some(({ target }) => target.includes(name));

/** Reads from the disk. A long-running process replaces this function with one that uses a shared cache. */
let readDisk = <T>(_question: string, ask: () => T): T => ask();
export const shareDiskReads = (readShared: typeof readDisk): void => void (readDisk = readShared);

const isFolder = (path: string): boolean =>
  readDisk(`folder ${path}`, () => {
    try {
      return statSync(path).isDirectory();
    } catch (error) {
      // A path that can't be inspected is assumed to exist.
      return !isAbsentError(error) && (error as NodeJS.ErrnoException).code !== "ENAMETOOLONG";
    }
  });

/** Returns the name of the first missing directory in a path. */
function findNonexistentName(path: string, start: string): string | undefined {
  if (isFolder(path)) return undefined;
  const searchStart = path.startsWith(`${start}/`) ? start.length : 0;
  for (let at = path.indexOf("/", searchStart + 1); at > 0; at = path.indexOf("/", at + 1))
    if (!isFolder(path.slice(0, at))) return path.slice(path.lastIndexOf("/", at - 1) + 1, at);
  return path.slice(path.lastIndexOf("/") + 1);
}
