import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import type { Env } from "../../protocol/host/host.ts";
import { orAbsent } from "../../system/errors.ts";
import { replaceFile } from "../../system/replace-file.ts";
import { formatPage, PAGE_START } from "./page.ts";
import type { Report } from "./report.ts";

/** File mode of the page. Only its owner may read it, because it contains data from the log. */
const PAGE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Writes the page to the state directory, because a project shouldn't get an untracked file with data from the log.
 * Returns the page's path, or undefined if the directory can't be created.
 */
export function writeDefaultPage(env: Env, report: Report): string | undefined {
  const folder = getStateDirectory(env);
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  } catch {
    return undefined;
  }
  return writePage(join(folder, "report.html"), report);
}

/**
 * Writes the page and returns its path.
 * @throws Error if the path exists and isn't an earlier report.
 */
export function writePage(out: string, report: Report): string {
  const file = resolve(out);
  const stats = orAbsent(() => statSync(file));
  if (stats && !(stats.isFile() && readFileSync(file, "utf8").startsWith(PAGE_START)))
    throw new Error(`${file} exists and is not a bridge-hooks report; pass another file with --out`);
  replaceFile(file, formatPage(report), { mode: PAGE_MODE });
  return file;
}
