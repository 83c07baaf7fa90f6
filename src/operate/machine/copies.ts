import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import type { Env } from "../../protocol/host/host.ts";
import { replaceFile } from "../../system/replace-file.ts";

const locateRecord = (env: Env) => join(getStateDirectory(env), "copies.json");

/** Lists the copies of executables that `install` made and that still exist. */
export function listExecutableCopies(env: Env): string[] {
  try {
    return (JSON.parse(readFileSync(locateRecord(env), "utf8")) as string[]).filter((copy) => existsSync(copy));
  } catch {
    return [];
  }
}

/** Records a copy: receipts forget a copy as soon as no entry calls it. */
export function recordExecutableCopy(env: Env, copy: string): void {
  const copies = listExecutableCopies(env);
  if (copies.includes(copy)) return;
  const file = locateRecord(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, `${JSON.stringify([...copies, copy])}\n`, { mode: 0o600 });
}
