import { basename, dirname } from "node:path";
import type { ConfigEntry, ConfigFile, HostDoctor, Launch, MachineContext } from "../../protocol/host/install.ts";
import type { Env } from "../../protocol/host/payload.ts";
import type { ScriptCodec } from "../../protocol/host/scripts.ts";
import { toObject } from "../../protocol/object.ts";
import { parseJsonOrText } from "../codec/plugin-answers.ts";
import { systemProgram } from "../find-program.ts";

/** Returns the environment without undefined values, plus the host's variables. */
export const buildHostEnv = (env: Env, extraVariables: Env = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...env, ...extraVariables }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

/**
 * Returns the project root for a call: the root that contains the config file, or the session's first root if none
 * does.
 */
export const findCallRoot = ({ path }: Pick<ConfigFile, "path">, { roots, home }: MachineContext): string =>
  roots.find((root) => path.startsWith(`${root}/`) || path.startsWith(`${root}\\`)) ?? roots[0] ?? home;

/**
 * Returns a config file's directory, or the project root for a project file in a dot directory (`<root>/.host/file`).
 */
export const getConfigFolder = ({ path, scope }: ConfigFile): string => {
  const folder = dirname(path);
  return (scope === "project" || scope === "local") && basename(folder).startsWith(".") ? dirname(folder) : folder;
};

/** Builds the command line that hosts on Windows use to start PowerShell [unverified]. */
export const buildPowerShellArgv = (command: string): string[] => [
  systemProgram("WindowsPowerShell\\v1.0\\powershell"),
  "-NoProfile",
  "-NonInteractive",
  "-Command",
  command,
];

/**
 * Launches an entry's command in its project, using bash or PowerShell. Variables set by the entry override those that
 * the host sets for hooks.
 */
export const createShellLauncher =
  ({ buildScriptEnv }: Pick<ScriptCodec, "buildScriptEnv">): HostDoctor["listLaunches"] =>
  ({ command, handler }, file, payload, machine) => {
    const cwd = findCallRoot(file, machine);
    const [, session_id] = /"session_id"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
    const env = buildHostEnv(machine.env, {
      ...buildScriptEnv(cwd, { session_id }),
      ...(toObject(handler.env) as Env),
    });
    const argv = machine.platform === "win32" ? buildPowerShellArgv(command) : ["bash", "-c", command];
    return [{ argv, cwd, env, stdin: payload }];
  };

/**
 * Returns the two ways a plugin can call the executable: by starting a process for each call, or by sending a line to
 * the resident process.
 */
export function listPluginLaunches(
  { command, args = [] }: ConfigEntry,
  file: Pick<ConfigFile, "path">,
  payload: string,
  machine: MachineContext,
): Launch[] {
  const base = { cwd: findCallRoot(file, machine), env: buildHostEnv(machine.env) };
  const host = args[args.indexOf("--host") + 1] ?? "";
  const line = JSON.stringify({ id: 1, argv: args, payload: parseJsonOrText(payload) });
  return [
    { ...base, way: "in a separate process", argv: [command, ...args], stdin: payload },
    { ...base, way: "in the resident process", argv: [command, "serve", "--host", host], stdin: `${line}\n` },
  ];
}
