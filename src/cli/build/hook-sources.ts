import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { computeHash } from "../../call/log/compute-hash.ts";

/** Matches files that modules in the same directory can import. */
const IMPORTABLE_FILE = /\.(?:[cm]?[jt]sx?|json)$/;
const TEST_OR_DECLARATION_FILE = /\.(?:test|spec|d)\.[cm]?[jt]sx?$/;
/** Maximum total size of the files to read. The directory could belong to anyone, so its size can't be trusted. */
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;

/**
 * Hashes all sources in a hooks directory except tests. If two hashes are equal, builds produce the same program.
 * @throws Error if a file can't be read, or if the directory is too large.
 */
export function hashHookSources(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter(
      (name) =>
        IMPORTABLE_FILE.test(name) &&
        !TEST_OR_DECLARATION_FILE.test(name) &&
        !/(?:^|\/)(?:node_modules|\.[^/]*)\//.test(name),
    )
    .sort()
    .map((name) => ({ name, found: statSync(join(folder, name)) }))
    .filter(({ found }) => found.isFile());
  const bytes = files.reduce((sum, { found }) => sum + found.size, 0);
  if (bytes > MAX_TOTAL_BYTES) throw new Error(`${folder} has more than ${MAX_TOTAL_BYTES} bytes of sources`);
  return computeHash(files.flatMap(({ name }) => [name, readFileSync(join(folder, name), "base64")]));
}
