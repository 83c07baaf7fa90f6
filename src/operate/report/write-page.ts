import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import { replaceFile } from "../../system/replace-file.ts";
import { formatPage, PAGE_START } from "./page.ts";
import type { Report } from "./report.ts";

/** File mode of the page. Only the owner may read it, because it contains data from the log. */
const PAGE_MODE = 0o600;

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
