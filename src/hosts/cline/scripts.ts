import { readdirSync, readFileSync } from "node:fs";
import type { MachineContext } from "../../protocol/host/install.ts";
import { homedir } from "../../system/home.ts";
import { cline } from "../entries.ts";

// Cline runs each file in these folders whose name is that of an event, with one of these extensions or none
// [shipped 3.0.65]; a link is none of them [seen 3.0.65, 2026-11-29].
const NAME = /^([a-z]+)(?:\.(?:sh|bash|zsh|[mc]?[jt]s|py|ps1))?$/;

/** The event of a script's name, in lowercase; undefined: not a script. */
const getScriptEvent = (name: string): string | undefined => NAME.exec(name.toLowerCase())?.[1];

interface ScriptFolder {
  scope: "user" | "project";
  path: string;
}

/** The folders with scripts; the first one of each scope is ours. */
export const listScriptFolders = (place: Pick<MachineContext, "home" | "env" | "roots">): ScriptFolder[] => [
  { scope: "user", path: `${cline.folders.user(place)}/hooks` },
  { scope: "user", path: `${place.home}/Documents/Cline/Hooks` },
  ...place.roots.flatMap((root): ScriptFolder[] => [
    { scope: "project", path: `${root}/.clinerules/hooks` },
    { scope: "project", path: `${root}/.cline/hooks` },
  ]),
];

/** Lists the scripts of an event in a folder; none if it can't be listed. */
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
 * Whether another script runs at the same event: what it gives as the call's input may take the place of ours
 * [seen 3.0.65, 2026-11-29]. A copy of ours answers alike.
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
