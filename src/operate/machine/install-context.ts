import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { MachineContext, InstallScope, Setup } from "../../protocol/host/install.ts";
import { entries } from "../../call/built/hooks.ts";
import { describeAnnouncer } from "../../call/session/announce.ts";
import { ENFORCED, type ModePolicy, readModes } from "../../policy/modes.ts";
import { hosts } from "../../hosts/index.ts";
import { findProgram } from "../../hosts/find-program.ts";
import { isInProject, isSameFile } from "../../hosts/follow-links.ts";
import { runProgram } from "../../hosts/run-program.ts";
import { homedir } from "../../system/home.ts";
import { findProjectRoot } from "../../system/project.ts";
import { getOwnCommand, nameProgram, ownExecutable } from "../../system/own-command.ts";
import { requireHost, resolveProgram } from "./entry-command.ts";

/** The context of the commands that manage installations. */
export interface InstallContext {
  machine: MachineContext;
  /** The hooks compiled into this executable. */
  entries: readonly HookDescriptor[];
  /** This executable; absent in a run from source. */
  self?: string;
  /** Another program that counts as ours. */
  also?: string;
}

/**
 * Resolves where hosts are looked for. `root` replaces the base folder of a scope's files: home, project, or file
 * system.
 */
export function resolveMachineContext(root: string | undefined, scope: InstallScope | undefined): MachineContext {
  const { platform, env } = process;
  const given = root === undefined ? undefined : resolve(root);
  if (given !== undefined && (root === "" || !orAbsent(() => statSync(given))?.isDirectory()))
    throw new Error(`--root ${root}: there is no such folder`);
  const home = homedir();
  const cwd = process.cwd();
  const project = findProjectRoot(cwd, home);
  // Shared files belong at the project's root, and what holds here is what a session that starts here reads.
  const roots = project === undefined ? [] : [scope === "project" || scope === "local" ? project : cwd];
  const machine: MachineContext = { roots, home, platform, env };
  if (given === undefined) return machine;
  switch (scope) {
    case "user":
      // Variables that move a host's folder apply only to the person at this machine.
      return {
        ...machine,
        home: given,
        env: { PATH: env.PATH, XDG_STATE_HOME: env.XDG_STATE_HOME, LOCALAPPDATA: env.LOCALAPPDATA, HOME: env.HOME },
      };
    case "managed":
      return { ...machine, system: given.replace(/[\\/]$/, "") };
    case "project":
    case "local":
    case undefined:
      return { ...machine, roots: [given] };
  }
}

/** The context for this executable, with the hook that config files ask for. */
export async function createInstallContext(root?: string, scope?: InstallScope): Promise<InstallContext> {
  const machine = resolveMachineContext(root, scope);
  // The config files of this machine say nothing about another folder's.
  return { machine, entries: listWantedHooks(root === undefined ? await readModes() : ENFORCED), self: ownExecutable };
}

/** The hooks in this executable, and the one that config files ask for. */
export const listWantedHooks = ({ announce }: Pick<ModePolicy, "announce">): readonly HookDescriptor[] =>
  announce ? [...entries, describeAnnouncer(announce)] : entries;

/** A host on this machine, and its programs; the first one represents the host. */
export interface PresentHost {
  host: Host;
  setup: Setup;
  programs: readonly string[];
}

/** Finds the hosts that were named, or those present on the machine. */
export async function findPresentHosts(named: readonly string[], machine: MachineContext): Promise<PresentHost[]> {
  const ids = [...new Set(named)].filter((id) => id !== "auto");
  const asked = ids.length > 0 ? ids.map(requireHost) : hosts;
  const all = await Promise.all(
    asked.map(async (host) => {
      const setup = await host.setup();
      // Programs that a project puts on PATH are not run to inspect them.
      const own = (path: string) => !isInProject(machine, path);
      const programs = host.programs
        .flatMap((name) => findProgram(name, { path: machine.env.PATH ?? "" }) ?? [])
        .filter(own);
      return { host, setup, programs };
    }),
  );
  return ids.length > 0
    ? all
    : all.filter(
        ({ setup, programs }) =>
          programs.length > 0 || setup.listTraceFolders(machine).some((path) => existsSync(path)),
      );
}

/** Reads the release that a program reports. */
export async function readVersion(
  program: string | undefined,
  env: MachineContext["env"],
): Promise<string | undefined> {
  if (!program) return undefined;
  try {
    // Runs outside the project, so that no project file affects the program.
    const cwd = dirname(program);
    const { stdout } = await runProgram({ argv: [program, "--version"], cwd, env, timeout: 1_500 });
    return /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

/**
 * Returns the path by which a config names this executable: one on PATH that leads to it, since that survives an
 * update, else its own path.
 */
export function findStablePath(self: string, machine: MachineContext): string {
  const name = self.split(/[\\/]/).at(-1) as string;
  const onPath = [name, "bridge-hooks"].map((one) => findProgram(one, { path: machine.env.PATH ?? "" }));
  const lasts = (path: string) => isAbsolute(path) && !path.includes("node_modules") && !isInProject(machine, path);
  return onPath.find((path) => path !== undefined && lasts(path) && isSameFile(path, self)) ?? self;
}

/** How a person calls the executable of a context, in the terminal of this process. */
export const formatOwnCommand = ({ machine, self }: Pick<InstallContext, "machine" | "self">): string =>
  self === undefined ? getOwnCommand() : nameProgram(resolveProgram(self, machine) ?? self, machine);
