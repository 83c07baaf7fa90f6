import { readdirSync, readFileSync } from "node:fs";
import type { MachineContext } from "../../protocol/host/install.ts";
import { homedir } from "../../system/home.ts";
import { cline } from "../entries.ts";

// Cline runs every regular file in these directories that is named after an event, with one of these extensions or none
// [shipped 3.0.65]. It does not run symbolic links [seen 3.0.65, 2026-11-29].
const NAME = /^([a-z]+)(?:\.(?:sh|bash|zsh|[mc]?[jt]s|py|ps1))?$/;

/** Returns the event of a script's name in lowercase; undefined if it isn't a script. */
const getScriptEvent = (name: string): string | undefined => NAME.exec(name.toLowerCase())?.[1];

interface ScriptFolder {
  scope: "user" | "project";
  path: string;
}

/** Lists the script directories. We install into the first one of each scope. */
export const listScriptFolders = (place: Pick<MachineContext, "home" | "env" | "roots">): ScriptFolder[] => [
  { scope: "user", path: `${cline.folders.user(place)}/hooks` },
  { scope: "user", path: `${place.home}/Documents/Cline/Hooks` },
  ...place.roots.flatMap((root): ScriptFolder[] => [
    { scope: "project", path: `${root}/.clinerules/hooks` },
    { scope: "project", path: `${root}/.cline/hooks` },
  ]),
];

/** Lists an event's scripts in a directory; returns none if the directory can't be read. */
export function listScripts(folder: string, event: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && getScriptEvent(entry.name) === event.toLowerCase())
      .map(({ name }) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

/**
 * Whether a different script runs for the same event. Its input may replace ours [seen 3.0.65, 2026-11-29], whereas a
 * copy of our script gives the same answer.
 */
export function hasOtherScripts(event: string): boolean {
  const place = { home: homedir(), env: process.env, roots: [process.cwd()] };
  const scripts = listScriptFolders(place).flatMap(({ path }) => listScripts(path, event));
  return scripts.length > 1 && new Set(scripts.map(readScript)).size > 1;
}

function readScript(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return path;
  }
}
