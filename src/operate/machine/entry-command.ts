import { isAbsolute, posix, win32 } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { splitCommand } from "../../protocol/host/quote.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { ConfigEntry, ConfigFile, MachineContext, Setup } from "../../protocol/host/install.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { hosts } from "../../hosts/index.ts";
import { describeOtherAgent } from "../../hosts/other-agents.ts";
import { findProgram } from "../../hosts/find-program.ts";
import { followLinks, isSameFile } from "../../hosts/follow-links.ts";
import { type AnyOptions, readOptions } from "../../call/options.ts";
import { findWrappedCommand } from "./wrapped-command.ts";

/** A bridge-hooks command in a host's config. */
export interface EntryCommand {
  /** Program as written in the config. */
  program: string;
  /** Path of the program file. Absent if no file was found. */
  file?: string;
  options: AnyOptions;
  /** Set if a launcher such as `env` starts the program, or if the command redirects stderr. */
  wrapped?: "plainly" | "with variables";
}

/** Resolves a program to its file. Looks up bare names on PATH and follows links. */
export function resolveProgram(
  program: string,
  { env, platform }: Pick<MachineContext, "env" | "platform">,
): string | undefined {
  const path =
    isAbsolute(program) || (platform === "win32" && win32.isAbsolute(program))
      ? program
      : /[\\/]/.test(program)
        ? undefined
        : findProgram(program, { path: env.PATH ?? "" });
  return path ? followLinks(path) : undefined;
}

/** Matches the default names of built executables. */
const DEFAULT_PROGRAM_NAME = /^bridge-hooks(-(linux|darwin|windows)-(x64|arm64)(-baseline|-musl)?)?(\.exe)?$/i;

/**
 * Splits an entry's command into words and leaves out any launcher. Returns undefined if different shells would
 * interpret the command differently.
 */
function splitCommandLine(
  { command, args }: ConfigEntry,
  setup: Setup,
  { platform, env }: MachineContext,
): readonly string[] | undefined {
  if (args) return [command, ...args];
  const [line, ...otherLines] = setup.listDialects(platform).map((dialect) => splitCommand(command, dialect, env));
  if (!line || otherLines.some((otherLine) => !isDeepStrictEqual(otherLine, line))) return undefined;
  if (line[0] === "cmd") return line.slice(line.findIndex((word) => word.toLowerCase() === "/c") + 1);
  return line[0] === "exec" ? line.slice(1) : line;
}

/**
 * Parses an entry as a bridge-hooks command. The program must be known or have a default name, and all arguments must
 * be valid.
 * @param knownPrograms programs that count as bridge-hooks whatever their name, such as this executable and the
 * previously installed one
 */
export function parseEntryCommand(
  entry: ConfigEntry,
  setup: Setup,
  machine: MachineContext,
  knownPrograms: ReadonlySet<string>,
): EntryCommand | undefined {
  const plain = parseOwnWords(splitCommandLine(entry, setup, machine) ?? [], machine, knownPrograms);
  if (plain || !setup.listDialects(machine.platform).includes("sh")) return plain;
  const wrappedCommand = findWrappedCommand(entry, machine);
  const innerCommand = wrappedCommand && parseOwnWords(wrappedCommand.words, machine, knownPrograms);
  return innerCommand && { ...innerCommand, wrapped: wrappedCommand.setsVariables ? "with variables" : "plainly" };
}

function parseOwnWords(
  [program, ...args]: readonly string[],
  machine: MachineContext,
  knownPrograms: ReadonlySet<string>,
): EntryCommand | undefined {
  if (!program) return undefined;
  const { options, problem } = readOptions(args, {}, hosts);
  if (problem || options.host === undefined) return undefined;
  const file = resolveProgram(program, machine);
  const name = (program.includes("\\") ? win32 : posix).basename(program);
  if (!DEFAULT_PROGRAM_NAME.test(name) && !knownPrograms.has(program) && !(file && knownPrograms.has(file)))
    return undefined;
  return { program, options, ...(file && { file }) };
}

/**
 * Returns whether an executable may be started for inspection. A repository must not choose which program runs, or set
 * variables for it. So entries in a project's files, and in plugins that a project might have enabled, may start only
 * this executable.
 */
export const mayRunProgram = (
  { file, wrapped }: EntryCommand,
  { scope, plugin }: Pick<ConfigFile, "scope" | "plugin">,
  self: string | undefined,
): boolean =>
  file !== undefined &&
  ((scope !== "project" && scope !== "local" && plugin?.isManaged !== false) ||
    (self !== undefined && wrapped !== "with variables" && isSameFile(file, self)));

/** Returns whether an entry calls a different executable, whose subscriptions are unknown. */
export const isOtherExecutable = ({ file }: EntryCommand, self: string | undefined): boolean =>
  file !== undefined && self !== undefined && !isSameFile(file, self);

/**
 * Looks up a host by its ID.
 * @throws Error for an unknown ID. The message describes the agent with this name, suggests a similar ID, or lists all
 * hosts.
 */
export function requireHost(id: string): Host {
  const host = hosts.find((one) => one.id === id);
  if (host) return host;
  const agentNote = describeOtherAgent(id);
  if (agentNote) throw new Error(`unknown host "${id}": ${agentNote}`);
  const hostIds = hosts.map((one) => one.id);
  throw new Error(`unknown host "${id}"${suggestName(id, hostIds) || `; known: ${hostIds.join(", ")}`}`);
}
