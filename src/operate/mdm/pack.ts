import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import type { PackFile } from "../../protocol/host/pack.ts";
import { replaceFile } from "../../system/replace-file.ts";

const CHECKSUM_FILE = "SHA256SUMS";
/** Name of the manifest, which lists the files that the pack places on a client. */
export const MANIFEST_FILE = "pack.json";
export const hashBytes = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
export const encodeFile = ({ text, encoding, bytes }: PackFile) =>
  bytes ?? Buffer.from(text, encoding === "utf-16le" ? "utf16le" : "utf8");

/**
 * Checks that a path stays inside the pack.
 * @throws Error for a path outside the pack.
 */
export function checkPackPath(path: string): string {
  if (posix.normalize(path) !== path || /^(\/|\.\.(\/|$))|[\\:]/.test(path))
    throw new Error(`${path} would be outside the pack; no changes made`);
  return path;
}

/** Lists the regular files in a directory tree. The recursive mode of `readdir` would follow links [seen Bun 1.4.5]. */
function listRegularFiles(dir: string, subfolder = ""): string[] {
  return readdirSync(join(dir, subfolder), { withFileTypes: true }).flatMap((entry) => {
    const path = subfolder ? `${subfolder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) return listRegularFiles(dir, path);
    if (!entry.isFile()) throw new Error(`${join(dir, path)} is not a regular file; pass an empty directory`);
    return [path];
  });
}

/**
 * Lists the files of an earlier pack.
 * @throws Error if the directory contains other files, a changed file, or the other kind of output (a pack and a
 * marketplace can't share a directory).
 */
function findEarlierFiles(dir: string, expectedSums: ReadonlyMap<string, string>): string[] {
  const stats = orAbsent(() => statSync(dir));
  if (stats && !stats.isDirectory()) throw new Error(`${dir} is not a directory; pass an empty or new one`);
  const existingPaths = stats ? listRegularFiles(dir) : [];
  const sums = existingPaths.includes(CHECKSUM_FILE) ? readFileSync(join(dir, CHECKSUM_FILE), "utf8") : "";
  const knownSums = new Map(
    [...sums.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, sum, path]) => [path as string, sum]),
  );
  if (knownSums.size > 0 && knownSums.has(MANIFEST_FILE) !== expectedSums.has(MANIFEST_FILE))
    throw new Error(
      `${dir} contains ${knownSums.has(MANIFEST_FILE) ? "a pack from mdm --out" : "marketplaces from mdm --plugin"}; pass another directory`,
    );
  return existingPaths.filter((path) => {
    if (path === CHECKSUM_FILE) return false;
    const sum = hashBytes(readFileSync(join(dir, path)));
    // A file may already have the new contents if an earlier run was interrupted.
    if (sum === expectedSums.get(path) || sum === knownSums.get(path)) return true;
    const problem = knownSums.has(path)
      ? "was changed after bridge-hooks mdm wrote it"
      : "was not written by bridge-hooks mdm";
    throw new Error(`${join(dir, path)} ${problem}; move it away or pass an empty directory`);
  });
}

function writeFileAtomically(file: string, bytes: Uint8Array | string): void {
  mkdirSync(dirname(file), { recursive: true });
  replaceFile(file, bytes);
}

function removePackFile(dir: string, path: string): void {
  rmSync(join(dir, path));
  for (
    let folder = posix.dirname(path);
    folder !== "." && readdirSync(join(dir, folder)).length === 0;
    folder = posix.dirname(folder)
  )
    rmdirSync(join(dir, folder));
}

/**
 * Writes the files to a directory, which must be new or empty, or contain only an earlier pack. An earlier pack is
 * replaced.
 * @returns the paths of the written files, relative to the directory.
 * @throws Error if the directory contains anything else. In that case, nothing is written.
 */
export function writePack(dir: string, files: readonly PackFile[]): string[] {
  const newFiles = new Map(files.map((file) => [checkPackPath(file.path), encodeFile(file)]));
  const sums = new Map([...newFiles].map(([path, bytes]) => [path, hashBytes(bytes)]));
  const oldPaths = findEarlierFiles(dir, sums);
  for (const [path, bytes] of newFiles) writeFileAtomically(join(dir, path), bytes);
  for (const path of oldPaths) if (!newFiles.has(path)) removePackFile(dir, path);
  writeFileAtomically(join(dir, CHECKSUM_FILE), [...sums].map(([path, sum]) => `${sum}  ${path}\n`).join(""));
  return [...newFiles.keys(), CHECKSUM_FILE];
}
