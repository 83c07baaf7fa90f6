import { basename, dirname } from "node:path";
import type { ConfigEntry, ConfigFile, Launch, MachineContext } from "../../protocol/host/install.ts";
import type { Env } from "../../protocol/host/payload.ts";
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
