import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { MachineContext, InstallScope, Setup } from "../../protocol/host/install.ts";
import { entries } from "../../call/built/hooks.ts";
import { describeAnnouncer } from "../../call/session/announce.ts";
import { ENFORCED_MODE_POLICY, type ModePolicy, readModes } from "../../policy/modes.ts";
import { hosts } from "../../hosts/index.ts";
import { findProgram } from "../../hosts/find-program.ts";
import { isInProject, isSameFile } from "../../hosts/follow-links.ts";
import { runProgram } from "../../hosts/run-program.ts";
import { homedir } from "../../system/home.ts";
import { findProjectRoot } from "../../system/project.ts";
import { getOwnCommand, nameProgram, ownExecutable } from "../../system/own-command.ts";
import { requireHost, resolveProgram } from "./entry-command.ts";

/** Context for commands that manage installations. */
export interface InstallContext {
  machine: MachineContext;
  /** Hooks compiled into this executable. */
  entries: readonly HookDescriptor[];
  /** Path of this executable; absent when running from source. */
  self?: string;
  /** Path of another program that counts as bridge-hooks. */
  otherProgram?: string;
}

/**
 * Determines where to look for hosts. `root` replaces the scope's base directory: the home directory, the project or
 * the file system root.
 */
export function resolveMachineContext(root: string | undefined, scope: InstallScope | undefined): MachineContext {
  const { platform, env } = process;
  const rootPath = root === undefined ? undefined : resolve(root);
  if (rootPath !== undefined && (root === "" || !orAbsent(() => statSync(rootPath))?.isDirectory()))
    throw new Error(`--root ${root}: no such directory`);
  const home = homedir();
  const cwd = process.cwd();
  const project = findProjectRoot(cwd, home);
  // Files with project scope belong in the project's root. For other scopes, use the directory in which a session would
  // start.
  const roots = project === undefined ? [] : [scope === "project" || scope === "local" ? project : cwd];
  const machine: MachineContext = { roots, home, platform, env };
  if (rootPath === undefined) return machine;
  switch (scope) {
    case "user":
      // Omit variables that relocate a host's directory: they apply only to the current user.
      return {
        ...machine,
        home: rootPath,
        env: { PATH: env.PATH, XDG_STATE_HOME: env.XDG_STATE_HOME, LOCALAPPDATA: env.LOCALAPPDATA, HOME: env.HOME },
      };
    case "managed":
      return { ...machine, system: rootPath.replace(/[\\/]$/, "") };
    case "project":
    case "local":
    case undefined:
      return { ...machine, roots: [rootPath] };
  }
}

/**
 * Creates the context for this executable. If config files enable the session-start message, the context includes the
 * hook that sends it.
 */
export async function createInstallContext(root?: string, scope?: InstallScope): Promise<InstallContext> {
  const machine = resolveMachineContext(root, scope);
  // With another root, ignore the config files on this machine.
  return {
    machine,
    entries: listExecutableHooks(root === undefined ? await readModes() : ENFORCED_MODE_POLICY),
    self: ownExecutable,
  };
}

/** Lists this executable's hooks, including the one for the session-start message if config files enable it. */
export const listExecutableHooks = ({ announce }: Pick<ModePolicy, "announce">): readonly HookDescriptor[] =>
  announce ? [...entries, describeAnnouncer(announce)] : entries;

/** A host on this machine, and the paths of its programs. The first program is run to get the host's version. */
export interface PresentHost {
  host: Host;
  setup: Setup;
  programs: readonly string[];
}

/** Finds the hosts with the given IDs. Without IDs, finds all hosts on the machine. */
export async function findPresentHosts(hostIds: readonly string[], machine: MachineContext): Promise<PresentHost[]> {
  const ids = [...new Set(hostIds)].filter((id) => id !== "auto");
  const candidates = ids.length > 0 ? ids.map(requireHost) : hosts;
  const all = await Promise.all(
    candidates.map(async (host) => {
      const setup = await host.setup();
      // Never run programs that a project adds to PATH.
      const isTrustedPath = (path: string) => !isInProject(machine, path);
      const programs = host.programs
        .flatMap((name) => findProgram(name, { path: machine.env.PATH ?? "" }) ?? [])
        .filter(isTrustedPath);
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

/** Runs a program with `--version` and returns the version that it prints. */
export async function readVersion(
  program: string | undefined,
  env: MachineContext["env"],
): Promise<string | undefined> {
  if (!program) return undefined;
  try {
    // Run the program in its own directory: files in the project might affect it.
    const cwd = dirname(program);
    const { stdout } = await runProgram({ argv: [program, "--version"], cwd, env, timeout: 1_500 });
    return /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

/**
 * Returns the path of this executable to use in configs. Prefers a path found through PATH, which remains valid after
 * updates.
 */
export function findStablePath(self: string, machine: MachineContext): string {
  const name = self.split(/[\\/]/).at(-1) as string;
  const pathPrograms = [name, "bridge-hooks"].map((one) => findProgram(one, { path: machine.env.PATH ?? "" }));
  const isStable = (path: string) => isAbsolute(path) && !path.includes("node_modules") && !isInProject(machine, path);
  return pathPrograms.find((path) => path !== undefined && isStable(path) && isSameFile(path, self)) ?? self;
}

/** Formats the command for running this executable. */
export const formatOwnCommand = ({ machine, self }: Pick<InstallContext, "machine" | "self">): string =>
  self === undefined ? getOwnCommand() : nameProgram(resolveProgram(self, machine) ?? self, machine);
