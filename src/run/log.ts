import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../core/host.ts";
import { stateDirectory } from "./continuations.ts";

const LARGEST = 1_000_000;

/** A line that a hook logged. */
export interface LogLine {
  hook: string;
  message: string;
}

export const logFile = (env: Env) => join(stateDirectory(env), "hooks.log");

/** Adds lines to the log file; the one before it is kept when it gets large. What can't be written is lost: a call is more important. */
export function writeLog(lines: readonly LogLine[], session: string, env: Env): void {
  const file = logFile(env);
  const now = new Date().toISOString();
  const text = lines.map(({ hook, message }) => `${now} ${session || "-"} ${hook}: ${message.replaceAll("\n", "\n  ")}\n`).join("");
  try {
    mkdirSync(stateDirectory(env), { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(file, `${file}.1`);
    appendFileSync(file, text, { mode: 0o600 });
  } catch {
    // Nobody is there to be told.
  }
}
