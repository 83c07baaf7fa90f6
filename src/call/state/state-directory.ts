import type { Env } from "../../protocol/host/host.ts";
import { joinSteps } from "../../system/file-checks.ts";
import { homedir } from "../../system/home.ts";
import { isAbsolute } from "../../system/paths.ts";

let substituteDirectory: string | undefined;

/**
 * Moves all of this process's local state to another directory, so that a trial leaves no trace. Called without a
 * directory, switches back to the usual one.
 */
export const setStateDirectory = (directory?: string): void => void (substituteDirectory = directory);

/** Moves the state directory until the returned function is called. */
export function replaceStateDirectory(directory: string): () => void {
  const previous = substituteDirectory;
  substituteDirectory = directory;
  return () => setStateDirectory(previous);
}

/**
 * Returns the local state directory, which is the XDG directory on Linux and the platform's own directory elsewhere.
 */
export const getStateDirectory = (env: Env, platform: NodeJS.Platform = process.platform): string =>
  substituteDirectory ?? getDefaultStateDirectory(env, platform);

/** Returns the state directory used outside trials. */
export function getDefaultStateDirectory(env: Env, platform: NodeJS.Platform = process.platform): string {
  // Ignore a relative path, which would depend on the session's directory.
  const variable = platform === "win32" ? env.LOCALAPPDATA : platform === "darwin" ? undefined : env.XDG_STATE_HOME;
  return variable && isAbsolute(variable)
    ? joinSteps(variable, ["bridge-hooks"])
    : joinSteps(homedir(), getStateSteps(platform));
}

/** Returns the path segments of the state directory, relative to the home directory. */
export function getStateSteps(platform: NodeJS.Platform = process.platform): readonly string[] {
  if (platform === "win32") return ["AppData", "Local", "bridge-hooks"];
  if (platform === "darwin") return ["Library", "Application Support", "bridge-hooks"];
  return [".local", "state", "bridge-hooks"];
}
