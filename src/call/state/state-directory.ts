import type { Env } from "../../protocol/host/host.ts";
import { joinSteps } from "../../system/file-checks.ts";
import { homedir } from "../../system/home.ts";
import { isAbsolute } from "../../system/paths.ts";

let substituteDirectory: string | undefined;

/**
 * Keeps all small state of this process in another directory, so that a trial leaves no trace. Without an argument, in
 * the usual place again.
 */
export const setStateDirectory = (directory?: string): void => void (substituteDirectory = directory);

/** The same until the returned function is called. */
export function replaceStateDirectory(directory: string): () => void {
  const before = substituteDirectory;
  substituteDirectory = directory;
  return () => setStateDirectory(before);
}

/** Where bridge-hooks keeps small state: the XDG directory on Linux, the platform's own elsewhere. */
export const getStateDirectory = (env: Env, platform: NodeJS.Platform = process.platform): string =>
  substituteDirectory ?? getUsualStateDirectory(env, platform);

/** The same where no trial keeps it elsewhere. */
export function getUsualStateDirectory(env: Env, platform: NodeJS.Platform = process.platform): string {
  // A relative path would depend on the session's directory.
  const variable = platform === "win32" ? env.LOCALAPPDATA : platform === "darwin" ? undefined : env.XDG_STATE_HOME;
  return variable && isAbsolute(variable)
    ? joinSteps(variable, ["bridge-hooks"])
    : joinSteps(homedir(), getStateSteps(platform));
}

/** The state directory in a home directory: its parts. */
export function getStateSteps(platform: NodeJS.Platform = process.platform): readonly string[] {
  if (platform === "win32") return ["AppData", "Local", "bridge-hooks"];
  if (platform === "darwin") return ["Library", "Application Support", "bridge-hooks"];
  return [".local", "state", "bridge-hooks"];
}
