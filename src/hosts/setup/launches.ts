import { basename, dirname } from "node:path";
import type { ConfigEntry, ConfigFile, HostDoctor, Launch, MachineContext } from "../../protocol/host/install.ts";
import type { Env } from "../../protocol/host/payload.ts";
import type { ScriptCodec } from "../../protocol/host/scripts.ts";
import { toObject } from "../../protocol/object.ts";
import { parseJsonOrText } from "../codec/plugin-answers.ts";
import { systemProgram } from "../find-program.ts";

/** The environment of a process, with a host's own variables added. */
export const completeEnv = (env: Env, more: Env = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...env, ...more }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

/** The project root of a call: the file's own for a project's file. */
export const findCallRoot = ({ path }: Pick<ConfigFile, "path">, { roots, home }: MachineContext): string =>
  roots.find((root) => path.startsWith(`${root}/`) || path.startsWith(`${root}\\`)) ?? roots[0] ?? home;

/** The directory of a config file; for a project's `<root>/.host/file`, the root. */
export const getConfigFolder = ({ path, scope }: ConfigFile): string => {
  const folder = dirname(path);
  return (scope === "project" || scope === "local") && basename(folder).startsWith(".") ? dirname(folder) : folder;
};

/** PowerShell, as hosts on Windows start it [unverified]. */
export const buildPowerShellArgv = (command: string): string[] => [
  systemProgram("WindowsPowerShell\\v1.0\\powershell"),
  "-NoProfile",
  "-NonInteractive",
  "-Command",
  command,
];

/**
 * Starts an entry's command in bash, or in PowerShell, in its project; with the variables of a hook's environment, and
 * the entry's own, which win.
 */
export const createShellLauncher =
  ({ buildScriptEnv }: Pick<ScriptCodec, "buildScriptEnv">): HostDoctor["listLaunches"] =>
  ({ command, handler }, file, payload, place) => {
    const cwd = findCallRoot(file, place);
    const [, session_id] = /"session_id"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
    const env = completeEnv(place.env, { ...buildScriptEnv(cwd, { session_id }), ...(toObject(handler.env) as Env) });
    const argv = place.platform === "win32" ? buildPowerShellArgv(command) : ["bash", "-c", command];
    return [{ argv, cwd, env, stdin: payload }];
  };

/**
 * The two ways in which a plugin runs an entry's executable: one process per call, and one line to the resident
 * process.
 */
export function listPluginLaunches(
  { command, args = [] }: ConfigEntry,
  file: Pick<ConfigFile, "path">,
  payload: string,
  place: MachineContext,
): Launch[] {
  const base = { cwd: findCallRoot(file, place), env: completeEnv(place.env) };
  const host = args[args.indexOf("--host") + 1] ?? "";
  const line = JSON.stringify({ id: 1, argv: args, payload: parseJsonOrText(payload) });
  return [
    { ...base, way: "in a process of its own", argv: [command, ...args], stdin: payload },
    { ...base, way: "in the resident process", argv: [command, "serve", "--host", host], stdin: `${line}\n` },
  ];
}
