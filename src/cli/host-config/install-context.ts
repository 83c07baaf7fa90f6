import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { quoteCommand } from "../../protocol/host/quote.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { MachineContext, InstallScope, Setup } from "../../protocol/host/install.ts";
import { hosts } from "../../hosts/index.ts";
import { findProgram } from "../../hosts/find-program.ts";
import { isSameFile, isUnder, resolveLinks } from "../../hosts/follow-links.ts";
import { runProgram } from "../../hosts/run-program.ts";
import { homedir } from "../../run/home.ts";
import { requireHost, resolveProgram } from "./entry-command.ts";

/** What the commands about installations work with. */
export interface InstallContext {
  place: MachineContext;
  /** The hooks compiled into this executable. */
  entries: readonly HookDescriptor[];
  /** This executable; absent where it is not one (a run from source). */
  self?: string;
  /** Another program that is ours. */
  also?: string;
}

/** The project around a folder: the nearest one with a repository, else the folder itself. */
function findProjectRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Where hosts are looked for. `root` takes the place of the folder that a scope's files lie in: home, project, or file system. */
export function resolveMachineContext(root: string | undefined, scope: InstallScope | undefined): MachineContext {
  const { platform, env } = process;
  const given = root === undefined ? undefined : resolve(root);
  if (given !== undefined && (root === "" || !statSync(given, { throwIfNoEntry: false })?.isDirectory()))
    throw new Error(`--root ${root}: there is no such folder`);
  const home = homedir();
  const project = findProjectRoot(process.cwd());
  // A home folder, or a whole disk, is nobody's project: its files are the user's.
  const roots = project === home || dirname(project) === project ? [] : [project];
  const place: MachineContext = { roots, home, platform, env };
  if (given === undefined) return place;
  switch (scope) {
    case "user":
      // Variables that move a host's folder are about the person at this machine.
      return {
        ...place,
        home: given,
        env: { PATH: env.PATH, XDG_STATE_HOME: env.XDG_STATE_HOME, LOCALAPPDATA: env.LOCALAPPDATA, HOME: env.HOME },
      };
    case "managed":
      return { ...place, system: given.replace(/[\\/]$/, "") };
    case "project":
    case "local":
    case undefined:
      return { ...place, roots: [given] };
  }
}

/** A host that is on the machine, and its programs, the first of which stands for it. */
export interface PresentHost {
  host: Host;
  setup: Setup;
  programs: readonly string[];
}

/** The hosts that were named, or those that the machine shows. */
export async function findPresentHosts(named: readonly string[], place: MachineContext): Promise<PresentHost[]> {
  const ids = [...new Set(named)].filter((id) => id !== "auto");
  const asked = ids.length > 0 ? ids.map(requireHost) : hosts;
  const all = await Promise.all(
    asked.map(async (host) => {
      const setup = await host.setup();
      // What a project brings onto PATH is not started to look at it.
      const own = (path: string) =>
        !place.roots.some((root) => isUnder(resolveLinks(root), resolveLinks(path)) || isUnder(root, path));
      const programs = host.programs
        .flatMap((name) => findProgram(name, { path: place.env.PATH ?? "" }) ?? [])
        .filter(own);
      return { host, setup, programs };
    }),
  );
  return ids.length > 0
    ? all
    : all.filter(
        ({ setup, programs }) => programs.length > 0 || setup.listTraceFolders(place).some((path) => existsSync(path)),
      );
}

/** The release that a program tells. */
export async function readVersion(
  program: string | undefined,
  env: MachineContext["env"],
): Promise<string | undefined> {
  if (!program) return undefined;
  try {
    // Nothing that lies in the project is to have a say.
    const cwd = dirname(program);
    const { stdout } = await runProgram({ argv: [program, "--version"], cwd, env, timeout: 1_500 });
    return /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

/**
 * The path by which a config is to name this executable: one on PATH that leads to it, since that stays when a new release
 * comes, else its own.
 */
export function findStablePath(self: string, { env, roots }: MachineContext): string {
  const name = self.split(/[\\/]/).at(-1) as string;
  const onPath = [name, "bridge-hooks"].map((one) => findProgram(one, { path: env.PATH ?? "" }));
  const lasts = (path: string) =>
    isAbsolute(path) && !path.includes("node_modules") && !roots.some((root) => isUnder(root, path));
  return onPath.find((path) => path !== undefined && lasts(path) && isSameFile(path, self)) ?? self;
}

/** The word that runs this executable: its name where PATH leads to it, else its full path. */
export function formatOwnCommand({ place, self }: Pick<InstallContext, "place" | "self">): string {
  if (self === undefined) return "bridge-hooks";
  const names = ["bridge-hooks", self.split(/[\\/]/).at(-1) as string];
  const file = resolveProgram(self, place);
  const onPath = names.find((name) => file !== undefined && resolveProgram(name, place) === file);
  return onPath ?? quoteCommand([self], place.platform === "win32" ? "powershell" : "sh");
}

/** A text whose commands are to be run by this executable. */
export const qualifyCommands = (text: string, context: Pick<InstallContext, "place" | "self">): string =>
  text.replace(/(?<!\S)bridge-hooks(?= (?:doctor|install|list|uninstall)\b)/g, () => formatOwnCommand(context));
