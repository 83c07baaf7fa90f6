import { realpathSync } from "node:fs";
import { isAbsolute, posix, win32 } from "node:path";
import { words } from "../core/command.ts";
import type { Host } from "../core/host.ts";
import type { ConfigEntry, Place, Setup } from "../core/setup.ts";
import { hosts } from "../hosts/index.ts";
import { type AnyOptions, readOptions } from "../run/options.ts";

/** A hook call of this product, as some config has it. */
export interface Call {
  /** As it is written there. */
  program: string;
  /** The executable itself; absent: there is none. */
  file?: string;
  options: AnyOptions;
}

/** A program's file: a bare name is looked up on PATH, links are followed. */
export function programFile(program: string, { env, platform }: Pick<Place, "env" | "platform">): string | undefined {
  const path =
    isAbsolute(program) || (platform === "win32" && win32.isAbsolute(program))
      ? program
      : /[\\/]/.test(program)
        ? undefined
        : Bun.which(program, { PATH: env.PATH ?? "" });
  try {
    return path ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** The name of every executable that the build makes, unless it is told another. */
const NAMED = /^bridge-hooks(-[\w-]+)?(\.exe)?$/i;

/**
 * An entry as a hook call of this product: recognised by its program and its arguments, all of which have to be ours.
 * @param known programs with other names that are ours: this executable's, and those that were installed before.
 */
export function callOf(entry: ConfigEntry, setup: Setup, place: Place, known: ReadonlySet<string>): Call | undefined {
  const line = entry.args ? [entry.command, ...entry.args] : words(entry.command, setup.dialect(place.platform), place.env);
  const at = line?.[0] === "cmd" ? line.findIndex((word) => word.toLowerCase() === "/c") + 1 : 0;
  const [program, ...args] = line?.slice(at) ?? [];
  if (!program) return undefined;
  const { options, problem } = readOptions(args, {}, hosts);
  if (problem) return undefined;
  const file = programFile(program, place);
  const name = (program.includes("\\") ? win32 : posix).basename(program);
  if (!NAMED.test(name) && !known.has(program) && !(file && known.has(file))) return undefined;
  return { program, options, ...(file && { file }) };
}

/** The host of an id. @throws Error naming the known ones. */
export function hostNamed(id: string): Host {
  const host = hosts.find((one) => one.id === id);
  if (!host) throw new Error(`there is no host "${id}"; known: ${hosts.map((one) => one.id).join(", ")}`);
  return host;
}
