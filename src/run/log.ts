import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../protocol/host/host.ts";
import { stateDirectory } from "./state-directory.ts";

const LARGEST = 1_000_000;

export const logFile = (env: Env) => join(stateDirectory(env), "hooks.log");

export interface Logged {
  entry: { readonly name: string };
  log: readonly string[];
}

/**
 * Appends what hooks logged to the log file, and rotates the file when it gets large. Write errors are ignored: the
 * call is more important.
 */
export function logMessages(outcomes: readonly Logged[], session: string, env: Env): void {
  const file = logFile(env);
  const now = new Date().toISOString();
  const text = outcomes
    .flatMap(({ entry, log }) => log.map((message) => `${entry.name}: ${message.replaceAll("\n", "\n  ")}`))
    .map((line) => `${now} ${session || "-"} ${line}\n`)
    .join("");
  try {
    mkdirSync(stateDirectory(env), { recursive: true, mode: 0o700 });
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found?.isFile() && found.size > LARGEST) renameSync(file, `${file}.1`);
    append(file, text);
  } catch {
    // Best effort: nobody reads errors here.
  }
}

/** Does not follow links, or wait for the reader of a pipe, where the system has such flags. */
const OPENING =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Appends to a regular file and leaves anything else alone: the answer must not wait for the log. */
function append(file: string, text: string): void {
  const opened = openSync(file, OPENING, 0o600);
  try {
    if (fstatSync(opened).isFile()) writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}
