import { readdirSync, readFileSync } from "node:fs";
import type { MachineContext } from "../../protocol/host/install.ts";
import { homedir } from "../../system/home.ts";
import { cline } from "../entries.ts";

// Matches script names. Cline runs every regular file in these directories that is named after an event, either without
// an extension or with one of these [shipped 3.0.65]. It doesn't run symbolic links [seen 3.0.65, 2026-11-29].
const SCRIPT_NAME = /^([a-z]+)(?:\.(?:sh|bash|zsh|[mc]?[jt]s|py|ps1))?$/;

/** Returns the event that a lowercase script name stands for; undefined if it isn't a script name. */
const getScriptEvent = (name: string): string | undefined => SCRIPT_NAME.exec(name.toLowerCase())?.[1];

interface ScriptFolder {
  scope: "user" | "project";
  path: string;
}

/** Lists the script directories of each scope. `install` writes to the first one in each scope. */
export const listScriptFolders = (machine: Pick<MachineContext, "home" | "env" | "roots">): ScriptFolder[] => [
  { scope: "user", path: `${cline.folders.user(machine)}/hooks` },
  { scope: "user", path: `${machine.home}/Documents/Cline/Hooks` },
  ...machine.roots.flatMap((root): ScriptFolder[] => [
    { scope: "project", path: `${root}/.clinerules/hooks` },
    { scope: "project", path: `${root}/.cline/hooks` },
  ]),
];

/** Lists an event's scripts in a directory; returns an empty list if the directory can't be read. */
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
 * Whether a different script runs for the same event; its input could replace ours [seen 3.0.65, 2026-11-29]. A copy of
 * our script doesn't count, because it gives the same answer.
 */
export function hasOtherScripts(event: string): boolean {
  const machine = { home: homedir(), env: process.env, roots: [process.cwd()] };
  const scripts = listScriptFolders(machine).flatMap(({ path }) => listScripts(path, event));
  return scripts.length > 1 && new Set(scripts.map(readScript)).size > 1;
}

function readScript(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return path;
  }
}
