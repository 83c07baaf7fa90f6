import { statSync } from "../../system/files.ts";
import { resolve } from "../../system/paths.ts";
import type { RegisteredHost } from "../../protocol/host/host.ts";
import type { Command } from "../../shell/index.ts";
import { listPossibleCommands } from "../../shell/runs/possible-commands.ts";
import { runsPackages } from "../../shell/programs/index.ts";
import { getProgramName, listProgramNames } from "../../shell/programs/names.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { getShellHome, toNativePath } from "./expand-word.ts";
import { describePolicyChange, mayChangePolicy, WRITING_COMMANDS } from "./own-commands.ts";
import { createFolderCache, findMatchingPaths } from "./wildcards.ts";
import { expandWord } from "./word-path.ts";

/** The parts of a command that are inspected. */
export type InspectedCommand = Pick<Command, "program" | "args" | "env" | "words" | "redirects" | "cwd"> &
  Partial<Pick<Command, "dynamic">>;

export const EXECUTABLE_NAME = "bridge-hooks";
/** The default names of executables that the build creates. */
const OWN_NAME = new RegExp(`^${EXECUTABLE_NAME}(-(linux|darwin|windows)-[\\w-]+)?$`, "i");
/** The name of this executable; undefined if hooks run in another program. */
export function getOwnName(): string | undefined {
  if (!Bun.isStandaloneExecutable) return undefined;
  return (ownName ??= getProgramName(process.execPath));
}
let ownName: string | undefined;
const isOwnName = (program: string) =>
  (program.length >= EXECUTABLE_NAME.length && OWN_NAME.test(program)) || program === getOwnName();

/** A file's size; undefined if it does not exist or can't be accessed. */
function readSize(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size;
  } catch {
    return undefined;
  }
}

/** Whether a program is this executable under another name: a link, or a copy, recognized by its size. */
function isOwnCopy(
  { words, args, dynamic, cwd: inside = "" }: InspectedCommand,
  cwd: string,
  covers: (path: string) => boolean,
): boolean {
  const word = words.at(-1 - args.length) ?? "";
  if (!/[\\/]/.test(word)) return false;
  const folder = resolve(cwd || "/", inside.replace(/^~(?=\/|$)/, getShellHome));
  const expanded = expandWord(word, dynamic?.[-1] ?? (word.startsWith("~") ? word : undefined), folder, cwd);
  const paths =
    expanded?.pattern === undefined
      ? [resolve(folder, expanded?.text ?? word)]
      : findMatchingPaths(resolve(folder, expanded.pattern), createFolderCache());
  return paths.some((path) => covers(path) || readSize(path) === readSize(process.execPath));
}

const COPYING_PROGRAMS = "cp mv ln link install rsync ditto cat dd copy copy-item".split(" ");
/** A word that ends in a program's name: `/usr/bin/x`, `if=x`, `$(readlink -f "$(which x)")`. */
const LAST_NAME = /(?<![\w.-])([\w.-]+)[)"'`\s]*$/;
const getLastName = (word: string) => getProgramName(LAST_NAME.exec(word)?.[1] ?? "");

/** The names that a command gives to copies of this executable. */
function findCopyNames({ program, args, redirects }: InspectedCommand, isKnown: (name: string) => boolean): string[] {
  if (!COPYING_PROGRAMS.includes(program.toLowerCase()) || !args.some((word) => isKnown(getLastName(word)))) return [];
  const written = redirects.flatMap(({ operator, target }) => (operator.includes(">") ? [target] : []));
  return [...written, ...args.slice(-1), ...args.filter((word) => word.startsWith("of="))].map(getLastName);
}

/** Whether a command uninstalls from a host: no other program has such options. */
const isUninstall = (args: readonly string[]) =>
  args.includes("uninstall") &&
  args.find((word) => !word.startsWith("-")) === "uninstall" &&
  hostRegistry.some(({ id }) =>
    args.some((word, at) => word === `--host=${id}` || (word === id && args[at - 1] === "--host")),
  );

/** Whether a word that selects processes is our name, or a pattern that matches it. */
function isOwnProcessPattern(word: string): boolean {
  if (word.startsWith("-")) return false;
  try {
    return new RegExp(word, "i").test(EXECUTABLE_NAME) || isOwnName(getProgramName(word));
  } catch {
    return false;
  }
}

/** What is known of the commands of a line before one of them. */
interface EarlierCommands {
  cwd: string;
  covers: (path: string) => boolean;
  /** A command ends the processes that another one selects. */
  kills: boolean;
  /** Those of `HOME_VARIABLES` that were set. */
  moved: Set<string>;
  /** Names of copies of this executable. */
  copies: Set<string>;
}

/**
 * Describes how commands would switch hooks off, as a phrase that follows "it". `covers` says whether a file keeps
 * hooks in force.
 */
export function describeSwitchOff(
  given: readonly InspectedCommand[],
  cwd: string,
  covers: (path: string) => boolean,
): string | undefined {
  const commands = listPossibleCommands(given, listProgramsOfHooks());
  const kills = commands.some(
    ({ program, args }) => program === "kill" || (program === "xargs" && args.includes("kill")),
  );
  const earlier: EarlierCommands = { cwd, covers, kills, moved: new Set(), copies: new Set() };
  for (const command of commands) {
    const { program } = command;
    if (program === "" || SETTERS.has(program))
      for (const home of HOME_VARIABLES) if (isVariableChange(command, home)) earlier.moved.add(home);
    for (const name of findCopyNames(command, (one) => isKnownName(one, earlier))) earlier.copies.add(name);
    const what = describeOwnSwitchOff(command, earlier) ?? describeHostsSwitchOff(command, earlier.moved);
    if (what !== undefined) return what;
  }
  return undefined;
}

const isKnownName = (name: string, { copies }: EarlierCommands): boolean => isOwnName(name) || copies.has(name);

/** Describes what a command would change by this executable, or how it would end or uninstall it. */
function describeOwnSwitchOff(command: InspectedCommand, earlier: EarlierCommands): string | undefined {
  const { program, args } = command;
  const { cwd, covers, kills } = earlier;
  if (
    isKnownName(program, earlier) ||
    isUninstall(args) ||
    (mayChangePolicy(args) && isOwnCopy(command, cwd, covers))
  ) {
    const what = describeOwnCommand(args, (word) => covers(resolve(cwd || "/", toNativePath(word))));
    if (what !== undefined) return what;
  }
  const run = runsPackages(program) ? args.findIndex((word) => isOwnName(removeVersion(word))) : -1;
  const what = run < 0 ? undefined : describeOwnCommand(args.slice(run + 1), () => false);
  if (what !== undefined) return what;
  const ends = KILLERS.includes(program.toLowerCase()) || (kills && /^(pgrep|pidof)$/.test(program));
  if (ends && args.some(isOwnProcessPattern)) return `ends ${EXECUTABLE_NAME}`;
  return MANAGERS.includes(program) && args.some((word) => REMOVERS.test(word)) && args.includes(EXECUTABLE_NAME)
    ? `uninstalls ${EXECUTABLE_NAME}`
    : undefined;
}

function describeHostsSwitchOff(command: InspectedCommand, moved: ReadonlySet<string>): string | undefined {
  if (!mayConcernHosts(command)) return undefined;
  for (const host of hostRegistry) {
    const what = describeHostSwitchOff(host, command, moved);
    if (what !== undefined) return what;
  }
  return undefined;
}

/** The names of this program, of the hosts', and of this executable's copies for other systems. */
function listProgramsOfHooks(): string[] {
  const builds = ["linux", "darwin", "windows"].flatMap((system) =>
    ["x64", "arm64"].map((processor) => `${EXECUTABLE_NAME}-${system}-${processor}`),
  );
  return [EXECUTABLE_NAME, getOwnName() ?? EXECUTABLE_NAME, ...builds, ...listHostWords()];
}

/** Programs that end or find others by a part of their names, or hold a host's managed settings. */
export const SELECTING_PROGRAMS = "pkill killall taskkill stop-process kill pgrep pidof defaults reg".split(" ");
const KILLERS = ["pkill", "killall", "taskkill", "stop-process"];
const MANAGERS = "npm pnpm yarn bun brew apt apt-get dnf pip winget choco scoop".split(" ");
const REMOVERS = /^(uninstall|un|remove|rm|purge|unlink)$/;

/** What a command of our own executable would change. */
function describeOwnCommand(args: readonly string[], covers: (word: string) => boolean): string | undefined {
  const change = describePolicyChange(args);
  if (change !== undefined) return change;
  const [verb = ""] = args.filter((word) => !word.startsWith("-"));
  const written = args.flatMap((word) => [word, ...word.split("=").slice(1)]).find(covers);
  return WRITING_COMMANDS.includes(verb) && written !== undefined ? `writes to ${written}` : undefined;
}

/** Shell commands that set or unset a variable for later commands. */
const SETTERS = new Set(["export", "declare", "typeset", "readonly", "set", "setx", "unset"]);
/** Variables that decide where a program looks for its configs. */
const HOME_VARIABLES = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME"];

/** Whether a command sets or unsets a variable for later commands: `export HOME=/x`, `HOME=/x`. */
const isVariableChange = ({ program, args, env }: InspectedCommand, variable: string) =>
  program === "unset"
    ? args.includes(variable)
    : (program === "" && variable in env) ||
      (SETTERS.has(program) && args.some((word) => word.startsWith(`${variable}=`)));

/** Programs that change a host's managed settings. */
const PREFERENCE_PROGRAM = /^(defaults|reg)$/i;
const removeVersion = (word: string) => (word.includes("@") ? word.replace(/(?<=.)@[^@/]*$/, "") : word);

/** The variables by which a host asks other hooks. */
const HOST_VARIABLES = new Set(hostRegistry.flatMap(({ hookControls }) => hookControls.variables));

/** The programs and packages of all hosts. */
function listHostWords(): ReadonlySet<string> {
  if (hostWords) return hostWords;
  hostWords = new Set();
  for (const { programs, packages } of hostRegistry) {
    for (const word of programs) hostWords.add(word);
    for (const word of packages) hostWords.add(word);
  }
  return hostWords;
}
let hostWords: Set<string> | undefined;

/** Whether a command may have to do with any host: most don't, and a line may have hundreds of them. */
function mayConcernHosts({ program, args, env }: InspectedCommand): boolean {
  if (SETTERS.has(program) || PREFERENCE_PROGRAM.test(program)) return true;
  for (const name in env) if (HOST_VARIABLES.has(name)) return true;
  const words = listHostWords();
  if (words.has(removeVersion(program)) || listProgramNames(program).some((name) => words.has(name))) return true;
  if (!runsPackages(program)) return false;
  for (const word of args) if (words.has(word) || words.has(removeVersion(word))) return true;
  return false;
}

/**
 * Describes how a command would keep a host from calling hooks.
 * @param moved those of `HOME_VARIABLES` that earlier commands have set
 */
function describeHostSwitchOff(
  { hookControls, name, programs, packages, preferences }: RegisteredHost,
  { program, args, env }: InspectedCommand,
  moved: ReadonlySet<string>,
): string | undefined {
  const isSetter = SETTERS.has(program);
  const sets = (variable: string) => args.some((word) => word.split("=")[0] === variable);
  const variable = hookControls.variables.find((one) => one in env || (isSetter && sets(one)));
  if (variable !== undefined) return `sets ${variable}, by which ${name} asks other hooks or none`;
  const names = (what: string) => args.some((word) => word.toLowerCase().includes(what.toLowerCase()));
  if (
    PREFERENCE_PROGRAM.test(program) &&
    preferences &&
    Object.values(preferences).some(names) &&
    !/^(read|read-type|query|export|find|domains)$/i.test(args[0] ?? "")
  )
    return `changes the managed settings of ${name}`;
  const isHost = (word: string) =>
    packages.includes(removeVersion(word)) || listProgramNames(word).some((name) => programs.includes(name));
  const at = runsPackages(program) ? args.findIndex(isHost) : -1;
  if (at < 0 && !isHost(program)) return undefined;
  const home = HOME_VARIABLES.find((one) => one in env || moved.has(one));
  return home === undefined
    ? hookControls.describeBypass(args.slice(at + 1))
    : `starts ${name} with another ${home}, where other hooks are configured or none`;
}
