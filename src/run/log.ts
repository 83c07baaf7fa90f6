import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../protocol/host/host.ts";
import { stateDirectory } from "./state-directory.ts";

const LARGEST = 1_000_000;

export const logFile = (env: Env) => join(stateDirectory(env), "hooks.log");

/** What a hook logged. */
export interface Logged {
  entry: { readonly name: string };
  log: readonly string[];
}

/** Adds what hooks logged to the log file; the previous file is kept when it gets large. What can't be written is lost: a call is more important. */
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
    // Nobody is there to be told.
  }
}

/** Not by a link, and without waiting for whoever reads a pipe; where the system lacks such an opening, it is without. */
const OPENING =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** What is no plain file is left alone: the answer comes after the log. */
function append(file: string, text: string): void {
  const opened = openSync(file, OPENING, 0o600);
  try {
    if (fstatSync(opened).isFile()) writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}
