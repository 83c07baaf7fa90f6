import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent } from "../protocol/event.ts";
import { isToolCallEvent } from "../protocol/event.ts";
import type { Env, Payload } from "../protocol/host/host.ts";
import { stateDirectory } from "./state-directory.ts";

// Calls that a host tells of at two events. The first one leaves a mark where it changed the call, or where hooks logged something; at
// the second one the same lines are left away, and another change of the same fields. Nothing else is: a mark can be forged.

const DAY = 24 * 60 * 60 * 1000;
/** With more of them old ones go: of calls that the second event did not come for. */
const MANY = 64;
/** Bytes of a mark: the names of a tool's fields. */
const LARGEST = 4096;

/** What an earlier event left. */
export interface Mark {
  path: string;
  /** The fields of the call that it changed. */
  changed: readonly string[];
}

const folderOf = (env: Env) => join(stateDirectory(env), "judged");

/** Where its mark lies: named after what is to run, in unified words that both events have; nothing where a host tells of such calls once. */
function pathOf(event: AnyEvent, patch: Payload, env: Env): string | undefined {
  if (!isToolCallEvent(event)) return undefined;
  const { command, file_path, tool, arguments: given }: Payload = { ...event.input, ...patch };
  const subject = { Bash: command, Read: file_path, MCP: [tool, given] }[event.tool as string];
  if (subject === undefined) return undefined;
  const text = JSON.stringify([event.host, event.session_id || event.cwd, event.tool, subject]);
  return join(folderOf(env), new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32));
}

/** The mark that an earlier event left of this very call: it may run as it stands. */
export function findMark(event: AnyEvent, env: Env): Mark | undefined {
  const path = pathOf(event, {}, env);
  try {
    const found = path && lstatSync(path, { throwIfNoEntry: false });
    if (!found || !found.isFile() || found.size > LARGEST || Date.now() - found.mtimeMs >= DAY) return undefined;
    return { path, changed: readFileSync(path, "utf8").split("\n") };
  } catch {
    return undefined;
  }
}

/** Takes a mark away: it counts once. */
export function dropMark(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It ends by itself after a day.
  }
}

/** Whether a patch changes only fields that the earlier event changed. */
export const changesSameFields = ({ changed }: Mark, patch: Payload): boolean =>
  Object.keys(patch).every((key) => changed.includes(key));

/** Leaves a mark of a call that may run with the patch. What can't be kept makes the second event stricter. */
export function keepMark(event: AnyEvent, patch: Payload | undefined, env: Env): void {
  const path = pathOf(event, patch ?? {}, env);
  if (!path) return;
  const folder = folderOf(env);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(folder);
    for (const old of names.length > MANY ? names.map((name) => join(folder, name)) : [])
      if (Date.now() - lstatSync(old).mtimeMs > DAY) dropMark(old);
    dropMark(path);
    writeFileSync(path, Object.keys(patch ?? {}).join("\n"), { flag: "wx", mode: 0o600 });
  } catch {
    // Nobody is there to be told.
  }
}
