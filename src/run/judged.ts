import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent } from "../core/event.ts";
import { isCall } from "../core/event.ts";
import type { Env, Payload } from "../core/host.ts";
import { stateDirectory } from "./continuations.ts";

// Calls that a host tells of at two events. The first one leaves a mark where it changed the call, or where hooks logged something; at
// the second one the same rewrite and the same lines are left away. Nothing else is: a mark can be forged.

const DAY = 24 * 60 * 60 * 1000;
/** With more of them old ones go: of calls that the second event did not come for. */
const MANY = 64;

const folderOf = (env: Env) => join(stateDirectory(env), "judged");

/** What is to run, in unified words that both events have; nothing where a host tells of such calls once. */
function markOf(event: AnyEvent, patch: Payload, env: Env): string | undefined {
  if (!isCall(event)) return undefined;
  const { command, file_path, tool, arguments: given }: Payload = { ...event.input, ...patch };
  const subject = { Bash: command, Read: file_path, MCP: [tool, given] }[event.tool as string];
  if (subject === undefined) return undefined;
  const text = JSON.stringify([event.host, event.session_id || event.cwd, event.tool, subject]);
  return join(folderOf(env), new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32));
}

/** The mark that an earlier event left of this very call: it may run as it stands. */
export function findMark(event: AnyEvent, env: Env): string | undefined {
  const mark = markOf(event, {}, env);
  try {
    const found = mark && lstatSync(mark, { throwIfNoEntry: false });
    return found && found.isFile() && Date.now() - found.mtimeMs < DAY ? mark : undefined;
  } catch {
    return undefined;
  }
}

/** Takes a mark away: it counts once. */
export function dropMark(mark: string): void {
  try {
    rmSync(mark, { force: true });
  } catch {
    // It ends by itself after a day.
  }
}

/** Leaves a mark of a call that may run with the patch. What can't be kept makes the second event stricter. */
export function keepMark(event: AnyEvent, patch: Payload | undefined, env: Env): void {
  const mark = markOf(event, patch ?? {}, env);
  if (!mark) return;
  const folder = folderOf(env);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(folder);
    for (const path of names.length > MANY ? names.map((name) => join(folder, name)) : [])
      if (Date.now() - lstatSync(path).mtimeMs > DAY) dropMark(path);
    dropMark(mark);
    writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
  } catch {
    // Nobody is there to be told.
  }
}
