import type { RegisteredHost } from "../../protocol/host/host.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { runsPackages } from "../../shell/programs/index.ts";
import { listProgramNames } from "../../shell/programs/names.ts";
import type { InspectedCommand } from "./inspected-command.ts";

/** Shell commands that set or unset a variable for later commands. */
export const VARIABLE_BUILTINS = new Set(["export", "declare", "typeset", "readonly", "set", "setx", "unset"]);
/** Variables that determine a program's config location. */
export const HOME_VARIABLES = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME"];

/** Whether a command sets or unsets a variable for later commands, such as `export HOME=/x` or `HOME=/x`. */
export const isVariableChange = ({ program, args, env }: InspectedCommand, variable: string) =>
  program === "unset"
    ? args.includes(variable)
    : (program === "" && variable in env) ||
      (VARIABLE_BUILTINS.has(program) && args.some((word) => word.startsWith(`${variable}=`)));

/** Programs that change a host's managed settings. */
const PREFERENCE_PROGRAM = /^(defaults|reg)$/i;
export const removeVersion = (word: string) => (word.includes("@") ? word.replace(/(?<=.)@[^@/]*$/, "") : word);

/** Variables that disable a host's hooks or make the host read another config. */
const HOST_VARIABLES = new Set(hostRegistry.flatMap(({ hookControls }) => hookControls.variables));

/** Returns the program and package names of all hosts. */
export function listHostWords(): ReadonlySet<string> {
  if (hostWords) return hostWords;
  hostWords = new Set();
  for (const { programs, packages } of hostRegistry) {
    for (const word of programs) hostWords.add(word);
    for (const word of packages) hostWords.add(word);
  }
  return hostWords;
}
let hostWords: Set<string> | undefined;

/**
 * Whether a command could involve a host. A quick check, since a script can contain hundreds of commands that don't.
 */
function mayConcernHosts({ program, args, env }: InspectedCommand): boolean {
  if (VARIABLE_BUILTINS.has(program) || PREFERENCE_PROGRAM.test(program)) return true;
  for (const name in env) if (HOST_VARIABLES.has(name)) return true;
  const words = listHostWords();
  if (words.has(removeVersion(program)) || listProgramNames(program).some((name) => words.has(name))) return true;
  if (!runsPackages(program)) return false;
  for (const word of args) if (words.has(word) || words.has(removeVersion(word))) return true;
  return false;
}

/** Context for judging a command that starts a host. */
interface HostScope {
  /** Variables from `HOME_VARIABLES` that earlier commands set. */
  movedVariables: ReadonlySet<string>;
  /** Reads a file that an argument names. Returns undefined if the file can't be read. */
  readText: (path: string) => string | undefined;
}

/** Describes how a command would stop a host from calling hooks. */
function describeHostSwitchOff(
  { hookControls, name, programs, packages, preferences }: RegisteredHost,
  { program, args, env }: InspectedCommand,
  { movedVariables, readText }: HostScope,
): string | undefined {
  const isSetter = VARIABLE_BUILTINS.has(program);
  const setsVariable = (variable: string) => args.some((word) => word.split("=")[0] === variable);
  const variable = hookControls.variables.find(
    (candidate) => candidate in env || (isSetter && setsVariable(candidate)),
  );
  if (variable !== undefined) return `sets ${variable}, which makes ${name} call different hooks or none`;
  const names = (text: string) => args.some((word) => word.toLowerCase().includes(text.toLowerCase()));
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
  const home = HOME_VARIABLES.find((name) => name in env || movedVariables.has(name));
  return home === undefined
    ? hookControls.describeBypass(args.slice(at + 1), readText)
    : `starts ${name} with a different ${home}, where different hooks or none are configured`;
}

/** Describes how a command would start a host without its hooks, or change the hook config that the host reads. */
export function describeHostsSwitchOff(command: InspectedCommand, scope: HostScope): string | undefined {
  if (!mayConcernHosts(command)) return undefined;
  for (const host of hostRegistry) {
    const effect = describeHostSwitchOff(host, command, scope);
    if (effect !== undefined) return effect;
  }
  return undefined;
}
