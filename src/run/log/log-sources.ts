import { getManagedConfig, getUserConfigSteps } from "../config-paths.ts";
import { isThere, joinPath } from "../file-checks.ts";
import { homedir } from "../home.ts";
import type { ConfigSource } from "../settings.ts";

/** The files that set the log, the strongest first. A project's file can't: whatever is cloned could turn it off. */
export const listLogSources = (): ConfigSource[] => [
  { scope: "managed", path: getManagedConfig() },
  { scope: "user", path: joinPath(homedir(), ...getUserConfigSteps()) },
];

/** Those that exist. */
export const findLogSources = (): ConfigSource[] => listLogSources().filter(({ path }) => isThere(path));
