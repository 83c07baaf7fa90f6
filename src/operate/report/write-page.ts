import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import { replaceFile } from "../../system/replace-file.ts";
import { formatPage, PAGE_START } from "./page.ts";
import type { Report } from "./report.ts";

/** The page has what the log has. */
const PAGE_MODE = 0o600;

/**
 * Writes the page, and returns its path.
 * @throws Error if something else than an earlier report is there.
 */
export function writePage(out: string, report: Report): string {
  const file = resolve(out);
  const found = orAbsent(() => statSync(file));
  if (found && !(found.isFile() && readFileSync(file, "utf8").startsWith(PAGE_START)))
    throw new Error(`${file} is not a report of bridge-hooks; name another file with --out`);
  replaceFile(file, formatPage(report), { mode: PAGE_MODE });
  return file;
}
