import { homedir } from "../../system/home.ts";

/** The home directory as a shell sees it. */
export const getShellHome = (): string => process.env.HOME || homedir();

/** Converts a path of Git Bash or Cygwin to Windows: `/c/x` and `/cygdrive/c/x` become `c:/x`. */
export const toNativePath = (path: string, platform: NodeJS.Platform = process.platform): string =>
  platform === "win32" ? path.replace(/^\/(?:cygdrive\/)?([a-z])(?:\/|$)/i, "$1:/") : path;
