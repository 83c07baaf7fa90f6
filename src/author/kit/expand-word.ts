import { homedir } from "../../system/home.ts";

/** Returns the home directory as a shell sees it. */
export const getShellHome = (): string => process.env.HOME || homedir();

/** Converts a Git Bash or Cygwin path to a Windows path: `/c/x` and `/cygdrive/c/x` become `c:/x`. */
export const toNativePath = (path: string, platform: NodeJS.Platform = process.platform): string =>
  platform === "win32" ? path.replace(/^\/(?:cygdrive\/)?([a-z])(?:\/|$)/i, "$1:/") : path;
