import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../protocol/host/host.ts";
import { getStateDirectory } from "./state-directory.ts";

const MAX_LOG_BYTES = 1_000_000;

export const getLogFile = (env: Env) => join(getStateDirectory(env), "hooks.log");

export interface LoggedHook {
  entry: { readonly name: string };
  log: readonly string[];
}

/**
 * Appends what hooks logged to the log file, and rotates the file when it gets large. Write errors are ignored: the
 * call is more important.
 */
export function logMessages(outcomes: readonly LoggedHook[], session: string, env: Env): void {
  const file = getLogFile(env);
  const now = new Date().toISOString();
  const text = outcomes
    .flatMap(({ entry, log }) => log.map((message) => `${entry.name}: ${message.replaceAll("\n", "\n  ")}`))
    .map((line) => `${now} ${session || "-"} ${line}\n`)
    .join("");
  try {
    mkdirSync(getStateDirectory(env), { recursive: true, mode: 0o700 });
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found?.isFile() && found.size > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
    appendToFile(file, text);
  } catch {
    // Best effort: nobody reads errors here.
  }
}

/** Does not follow links, or wait for the reader of a pipe, where the system has such flags. */
const OPEN_FLAGS =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Appends to a regular file and leaves anything else alone: the answer must not wait for the log. */
function appendToFile(file: string, text: string): void {
  const opened = openSync(file, OPEN_FLAGS, 0o600);
  try {
    if (fstatSync(opened).isFile()) writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}
