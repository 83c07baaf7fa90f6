import { isAbsolute, posix, win32 } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { splitCommand } from "../../protocol/host/quote.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { ConfigEntry, ConfigFile, MachineContext, Setup } from "../../protocol/host/install.ts";
import { hosts } from "../../hosts/index.ts";
import { findProgram } from "../../hosts/find-program.ts";
import { followLinks, isSameFile } from "../../hosts/follow-links.ts";
import { type AnyOptions, readOptions } from "../../run/options.ts";

/** A hook call of this product, as some config has it. */
export interface EntryCommand {
  /** As it is written there. */
  program: string;
  /** The executable itself; absent: there is none. */
  file?: string;
  options: AnyOptions;
}

/** A program's file: a bare name is looked up on PATH, links are followed. */
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

/** The names that the build gives to executables, unless it is told another. */
const OUR_PROGRAM_NAME = /^bridge-hooks(-(linux|darwin|windows)-(x64|arm64)(-baseline|-musl)?)?(\.exe)?$/i;

/** The words of an entry's command line, without what only starts it; nothing where a shell would make something else of it. */
function splitCommandLine(
  { command, args }: ConfigEntry,
  setup: Setup,
  { platform, env }: MachineContext,
): readonly string[] | undefined {
  if (args) return [command, ...args];
  const [line, ...others] = setup.listDialects(platform).map((dialect) => splitCommand(command, dialect, env));
  if (!line || others.some((other) => !isDeepStrictEqual(other, line))) return undefined;
  if (line[0] === "cmd") return line.slice(line.findIndex((word) => word.toLowerCase() === "/c") + 1);
  return line[0] === "exec" ? line.slice(1) : line;
}

/**
 * An entry as a hook call of this product: recognised by its program and its arguments, all of which have to be ours.
 * @param known programs with other names that are ours: this executable's, and those that were installed before.
 */
export function parseEntryCommand(
  entry: ConfigEntry,
  setup: Setup,
  place: MachineContext,
  known: ReadonlySet<string>,
): EntryCommand | undefined {
  const [program, ...args] = splitCommandLine(entry, setup, place) ?? [];
  if (!program) return undefined;
  const { options, problem } = readOptions(args, {}, hosts);
  if (problem || options.host === undefined) return undefined;
  const file = resolveProgram(program, place);
  const name = (program.includes("\\") ? win32 : posix).basename(program);
  if (!OUR_PROGRAM_NAME.test(name) && !known.has(program) && !(file && known.has(file))) return undefined;
  return { program, options, ...(file && { file }) };
}

/**
 * Whether an executable may be started for looking at it. What a project's files name is this one or none: nothing that
 * comes with a repository is run.
 */
export const mayRunProgram = ({ file }: EntryCommand, scope: ConfigFile["scope"], self: string | undefined): boolean =>
  file !== undefined && ((scope !== "project" && scope !== "local") || (self !== undefined && isSameFile(file, self)));

/** Whether it is another executable than this one: what its hooks subscribe to is not known here. */
export const isOtherExecutable = ({ file }: EntryCommand, self: string | undefined): boolean =>
  file !== undefined && self !== undefined && !isSameFile(file, self);

/** The host of an id. @throws Error naming the known ones. */
export function requireHost(id: string): Host {
  const host = hosts.find((one) => one.id === id);
  if (!host) throw new Error(`there is no host "${id}"; known: ${hosts.map((one) => one.id).join(", ")}`);
  return host;
}
