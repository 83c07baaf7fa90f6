import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { computeHash } from "../../call/log/compute-hash.ts";

/** What a module may import of its folder. */
const SOURCE = /\.(?:[cm]?[jt]sx?|json)$/;
const TEST = /\.(?:test|spec|d)\.[cm]?[jt]sx?$/;
/** More is not read: the folder may be anybody's. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The hash of all sources in a hooks folder but tests: the same as long as an executable of it would be.
 * @throws Error if one can't be read, or there is too much.
 */
export function hashHookSources(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => SOURCE.test(name) && !TEST.test(name) && !/(?:^|\/)(?:node_modules|\.[^/]*)\//.test(name))
    .sort()
    .map((name) => ({ name, found: statSync(join(folder, name)) }))
    .filter(({ found }) => found.isFile());
  const bytes = files.reduce((sum, { found }) => sum + found.size, 0);
  if (bytes > MAX_BYTES) throw new Error(`${folder} has more than ${MAX_BYTES} bytes of sources`);
  return computeHash(files.flatMap(({ name }) => [name, readFileSync(join(folder, name), "base64")]));
}
