import { readFileSync, statSync } from "../../system/files.ts";
import { resolve } from "../../system/paths.ts";
import { listPossibleCommands } from "../../shell/runs/possible-commands.ts";
import { isInterpreter, runsPackages } from "../../shell/programs/index.ts";
import { getProgramName } from "../../shell/programs/names.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { getShellHome, toNativePath } from "./expand-word.ts";
import { findPrintedWord, FIND_SUBSTITUTION, readFinder } from "./substituted-words.ts";
import {
  describeHostsSwitchOff,
  HOME_VARIABLES,
  isVariableChange,
  listHostWords,
  removeVersion,
  VARIABLE_BUILTINS,
} from "./host-switch-off.ts";
import type { InspectedCommand } from "./inspected-command.ts";
import { describePolicyChange, isPolicyWord, omitGlobalOptions, WRITING_COMMANDS } from "./own-commands.ts";
import {
  expandSearchPath,
  findProgramWord,
  isOwnProgram,
  listOwnNames,
  mayFindOwnProgram,
  type ProgramWord,
} from "./own-program.ts";
import { describePackageChange } from "./package-managers.ts";

export const EXECUTABLE_NAME = "bridge-hooks";
/** Matches the default names of built executables. */
const OWN_NAME = new RegExp(`^${EXECUTABLE_NAME}(-(linux|darwin|windows)-[\\w-]+)?$`, "i");
/** Returns this executable's name. Returns undefined if hooks run in another program. */
export function getOwnName(): string | undefined {
  if (!Bun.isStandaloneExecutable) return undefined;
  return (ownName ??= getProgramName(process.execPath));
}
let ownName: string | undefined;
const isOwnName = (program: string) =>
  (program.length >= EXECUTABLE_NAME.length && OWN_NAME.test(program)) || program === getOwnName();

const COPYING_PROGRAMS = "cp mv ln link install rsync scp ditto cat dd copy copy-item".split(" ");
/** Matches the program name at the end of a word: `x` in `/usr/bin/x`, `if=x` and `$(readlink -f "$(which x)")`. */
const TRAILING_PROGRAM_NAME = /(?<![\w.-])([\w.-]+)[)"'`\s]*$/;
const getLastName = (word: string) => getProgramName(TRAILING_PROGRAM_NAME.exec(word)?.[1] ?? "");

/** Returns the names under which a command creates copies of this executable. */
function findCopyNames(command: InspectedCommand, earlierCommands: EarlierCommands): string[] {
  const { program, args, redirects } = command;
  if (!COPYING_PROGRAMS.includes(program.toLowerCase())) return [];
  const toWord = (text: string, at: number): ProgramWord => ({
    text: text.replace(/^if=/, ""),
    dynamic: command.dynamic?.[at],
  });
  const isOwn = (text: string, at: number) =>
    isKnownName(getLastName(text), earlierCommands) ||
    mayBeOwn(toWord(text, at), { ...command, env: { PATH: "" } }, earlierCommands);
  // A file copied into a directory keeps its name.
  const folderCopies = args.flatMap((text, at) =>
    text.startsWith("-") ? [] : listNamesBelow(toWord(text, at), command, earlierCommands),
  );
  if (folderCopies.length === 0 && !args.some(isOwn)) return [];
  const redirectTargets = redirects.flatMap(({ operator, target }) => (operator.includes(">") ? [target] : []));
  const targetNames = [...redirectTargets, ...args.slice(-1), ...args.filter((word) => word.startsWith("of="))].map(
    getLastName,
  );
  return [...targetNames, ...folderCopies.map(getProgramName)];
}

/** Lists the names of this executable's files that a word refers to, either directly or through a directory. */
function listNamesBelow(word: ProgramWord, command: InspectedCommand, earlierCommands: EarlierCommands): string[] {
  if (!earlierCommands.mayRunOwn) return [];
  const { cwd, covers, finder } = earlierCommands;
  const folder = findFolder(command, earlierCommands);
  const startFolders = word.text === "{}" ? readFinder(finder, folder)[0].map((text) => ({ text })) : [word];
  return startFolders.flatMap((start) => listOwnNames(start, { cwd, covers, folder, path: "" }));
}

const findFolder = ({ cwd: inside = "" }: InspectedCommand, { cwd }: SwitchOffScope): string =>
  resolve(cwd || "/", inside.replace(/^~(?=\/|$)/, getShellHome));

/**
 * Whether the arguments uninstall a host's entries. No other program has these options, so the program's name doesn't
 * matter.
 */
const isUninstall = (args: readonly string[]) =>
  args.includes("uninstall") &&
  args.find((word) => !word.startsWith("-")) === "uninstall" &&
  hostRegistry.some(({ id }) =>
    args.some((word, at) => word === `--host=${id}` || (word === id && args[at - 1] === "--host")),
  );

/** Whether a process selector is the product's name, or a pattern that matches the name. */
function isOwnProcessPattern(word: string): boolean {
  if (word.startsWith("-")) return false;
  try {
    return new RegExp(word, "i").test(EXECUTABLE_NAME) || isOwnName(getProgramName(word));
  } catch {
    return false;
  }
}

/** Context for judging an event's commands. */
export interface SwitchOffScope {
  cwd: string;
  /** Whether a path is a guarded file. */
  covers: (path: string) => boolean;
  /** Whether a word resolves to this executable, cached by word and search path. */
  ownByWord: Map<string, boolean>;
}

/** State from the commands before the current one. */
interface EarlierCommands extends SwitchOffScope {
  /** Whether an earlier command kills processes selected by another command. */
  kills: boolean;
  /** Variables from `HOME_VARIABLES` that have been set so far. */
  movedVariables: Set<string>;
  /** Names of copies of this executable. */
  copies: Set<string>;
  /** The current value of PATH. */
  path: string;
  /** Whether any word could be a subcommand of this executable. */
  mayRunOwn: boolean;
  /** The `find` command whose results replace `{}`. */
  finder?: InspectedCommand;
}

/** Describes how commands would switch hooks off, as a phrase that follows "it". */
export function describeSwitchOff(
  inspectedCommands: readonly InspectedCommand[],
  scope: SwitchOffScope,
): string | undefined {
  const commands = listPossibleCommands(inspectedCommands, listProgramsOfHooks());
  const kills = commands.some(
    ({ program, args }) => program === "kill" || (program === "xargs" && args.includes("kill")),
  );
  const path = process.env.PATH ?? "";
  const mayRunOwn = commands.some((command) => command.args.some(isPolicyWord) || describeUnknownCommand(command));
  const earlierCommands: EarlierCommands = {
    ...scope,
    kills,
    movedVariables: new Set(),
    copies: new Set(),
    path,
    mayRunOwn,
  };
  // In the list of commands, a `find` in a substitution comes after the command that contains the substitution.
  const finder = commands.find(({ program }) => program === "find");
  if (finder) earlierCommands.finder = finder;
  for (const command of commands) {
    const { program } = command;
    if (program === "" || VARIABLE_BUILTINS.has(program))
      for (const home of HOME_VARIABLES) if (isVariableChange(command, home)) earlierCommands.movedVariables.add(home);
    if (program === "find") earlierCommands.finder = command;
    if (program === "" || VARIABLE_BUILTINS.has(program))
      earlierCommands.path = readSearchPath(command, earlierCommands.path);
    for (const name of findCopyNames(command, earlierCommands)) earlierCommands.copies.add(name);
    const effect =
      describeOwnSwitchOff(command, earlierCommands) ??
      describeHostsSwitchOff(command, {
        movedVariables: earlierCommands.movedVariables,
        readText: (path) =>
          readSettings(resolve(findFolder(command, earlierCommands), path.replace(/^~(?=\/|$)/, getShellHome))),
      });
    if (effect !== undefined) return effect;
  }
  return undefined;
}

const MAX_SETTINGS_BYTES = 1 << 20;

/** Reads a settings file. Returns undefined if the file is missing, not a regular file, or too large. */
function readSettings(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_SETTINGS_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

const isKnownName = (name: string, { copies }: EarlierCommands): boolean => isOwnName(name) || copies.has(name);

/** Describes how a command would use this executable to change the policy, or would stop or uninstall it. */
function describeOwnSwitchOff(command: InspectedCommand, earlierCommands: EarlierCommands): string | undefined {
  const { program, args } = command;
  const effect = describeOwnRun(command, earlierCommands);
  if (effect !== undefined) return effect;
  const endsProcesses =
    KILL_PROGRAMS.includes(program.toLowerCase()) || (earlierCommands.kills && /^(pgrep|pidof)$/.test(program));
  if (endsProcesses && args.some(isOwnProcessPattern)) return `ends ${EXECUTABLE_NAME}`;
  return describePackageChange(program, args);
}

/**
 * Describes the change that a command would make by running this executable under any name, directly or through another
 * program.
 */
function describeOwnRun(command: InspectedCommand, earlierCommands: EarlierCommands): string | undefined {
  const { program, args } = command;
  const { cwd, covers } = earlierCommands;
  const isGuarded = (word: string) => covers(resolve(cwd || "/", toNativePath(word)));
  if (isKnownName(program, earlierCommands) || isUninstall(args))
    return describeOwnCommand(args, isGuarded) ?? describeUnknownCommand(command);
  if (runsPackages(program) || isInterpreter(program) || program === "nix") {
    const effect = describePackageRun(args);
    if (effect !== undefined) return effect;
  }
  for (const { word, effect } of listRuns(command)) if (mayBeOwn(word, command, earlierCommands)) return effect;
  return undefined;
}

/**
 * Describes the change made by running this executable through a package runner or interpreter: `npx -p bridge-hooks
 * bridge-hooks pause`.
 */
function describePackageRun(args: readonly string[]): string | undefined {
  for (const [at, word] of args.entries()) {
    if (!isOwnName(getProgramName(removeVersion(word).replace(/^.*[:#](?=.)/, "")))) continue;
    const effect = describeOwnCommand(args.slice(at + 1), () => false);
    if (effect !== undefined) return effect;
  }
  return undefined;
}

/** A word that could be this executable, and the effect of the command if it is. */
interface PossibleRun {
  word: ProgramWord;
  /** The change, as a phrase that follows "it". */
  effect: string;
}

function* listRuns(command: InspectedCommand): Generator<PossibleRun> {
  const { program, args, words, dynamic } = command;
  const ownEffect = describePolicyChange(args) ?? describeUnknownCommand(command);
  if (ownEffect !== undefined)
    yield { word: { text: findProgramWord(program, words, args), dynamic: dynamic?.[-1] }, effect: ownEffect };
  const start = words.length - args.length;
  let lastOwnWord = -1;
  for (const [at, text] of words.entries()) {
    const effect =
      lastOwnWord >= 0 && isPolicyWord(text) ? describePolicyChange(words.slice(at, at + MAX_WORDS)) : undefined;
    if (effect !== undefined)
      yield { word: { text: words[lastOwnWord] as string, dynamic: dynamic?.[lastOwnWord - start] }, effect };
    if (!text.startsWith("-") && words[at - 1] !== "--color") lastOwnWord = at;
  }
}
/** Number of words to examine after the subcommand. */
const MAX_WORDS = 32;

function mayBeOwn(word: ProgramWord, command: InspectedCommand, earlierCommands: EarlierCommands): boolean {
  const { cwd, covers, copies, finder, ownByWord } = earlierCommands;
  const { env } = command;
  if (copies.has(getProgramName(word.text))) return true;
  const printedWord = findPrintedWord(word.dynamic);
  if (printedWord !== undefined) return mayBeOwn({ text: printedWord, dynamic: printedWord }, command, earlierCommands);
  const folder = findFolder(command, earlierCommands);
  if (word.text === "{}" || (finder && FIND_SUBSTITUTION.test(word.dynamic ?? "")))
    return mayFindOwnProgram(...readFinder(finder, folder));
  const path = env.PATH === undefined ? earlierCommands.path : expandSearchPath(env.PATH, earlierCommands.path);
  const key = [word.text, word.dynamic, folder, path].join("\0");
  const isOwn = ownByWord.get(key) ?? isOwnProgram(word, { cwd, folder, path, covers });
  ownByWord.set(key, isOwn);
  return isOwn;
}

/** Describes a run with a subcommand that is known only at run time: `bridge-hooks $X`. */
function describeUnknownCommand({ args, dynamic, more }: InspectedCommand): string | undefined {
  const first = args.findIndex((word) => !word.startsWith("-"));
  const isUnknown = first < 0 ? more === true : dynamic?.[first] !== undefined;
  return isUnknown ? `runs a ${EXECUTABLE_NAME} command that is known only at run time` : undefined;
}

/** Returns the value of PATH after a command that might set it. */
const readSearchPath = ({ args, env }: InspectedCommand, previousPath: string): string => {
  const assignedPath = env.PATH ?? args.find((word) => word.startsWith("PATH="))?.slice("PATH=".length);
  return assignedPath === undefined ? previousPath : expandSearchPath(assignedPath, previousPath);
};

/** Lists the names of this program, of its builds for other systems, and of the hosts. */
function listProgramsOfHooks(): string[] {
  const builds = ["linux", "darwin", "windows"].flatMap((system) =>
    ["x64", "arm64"].map((processor) => `${EXECUTABLE_NAME}-${system}-${processor}`),
  );
  return [EXECUTABLE_NAME, getOwnName() ?? EXECUTABLE_NAME, ...builds, ...listHostWords()];
}

/** Programs that find or kill processes by part of their name, or change a host's managed settings. */
export const SELECTING_PROGRAMS = "pkill killall taskkill stop-process kill pgrep pidof defaults reg".split(" ");
const KILL_PROGRAMS = ["pkill", "killall", "taskkill", "stop-process"];

/** Describes the effect of a subcommand of this executable. */
function describeOwnCommand(args: readonly string[], covers: (word: string) => boolean): string | undefined {
  const change = describePolicyChange(args);
  if (change !== undefined) return change;
  const [verb = ""] = omitGlobalOptions(args).filter((word) => !word.startsWith("-"));
  const writtenFile = args.flatMap((word) => [word, ...word.split("=").slice(1)]).find(covers);
  return WRITING_COMMANDS.includes(verb) && writtenFile !== undefined ? `writes to ${writtenFile}` : undefined;
}
