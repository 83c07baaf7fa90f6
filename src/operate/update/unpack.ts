import { gunzipSync, inflateRawSync } from "node:zlib";

/** Maximum size of an unpacked executable in bytes. A typical executable has about 130 MB. */
const MAX_BYTES = 512 * 1024 * 1024;
const LIMIT = { maxOutputLength: MAX_BYTES };

/**
 * Extracts one regular file from a release archive by its exact path. Paths from the archive never reach the file
 * system.
 * @throws Error if the archive is corrupt or too large, or doesn't contain the file.
 */
export function unpackFile(archive: Buffer, path: string): Buffer {
  const found = path.endsWith(".exe") ? readZipEntry(archive, path) : readTarEntry(gunzipSync(archive, LIMIT), path);
  if (found === undefined) throw new Error(`the archive does not contain ${path}`);
  return found;
}

const TAR_BLOCK = 512;
/** Tar entry types of regular files. Links and devices with the same name are ignored. */
const REGULAR = ["0", ""];

function readTarEntry(tar: Buffer, path: string): Buffer | undefined {
  for (let at = 0; at + TAR_BLOCK <= tar.length;) {
    const text = (from: number, length: number) =>
      tar.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 12), 8);
    const begin = at + TAR_BLOCK;
    if (!Number.isSafeInteger(size) || size < 0 || begin + size > tar.length) return undefined;
    const folder = text(345, 155);
    if ((folder === "" ? "" : `${folder}/`) + text(0, 100) === path)
      return REGULAR.includes(text(156, 1)) ? tar.subarray(begin, begin + size) : undefined;
    at = begin + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  return undefined;
}

function readZipEntry(zip: Buffer, path: string): Buffer | undefined {
  for (let at = 0; at + 30 <= zip.length && zip.readUInt32LE(at) === 0x04034b50;) {
    const [packed, name, extra] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26), zip.readUInt16LE(at + 28)];
    const begin = at + 30 + name + extra;
    if (zip.toString("utf8", at + 30, at + 30 + name) === path)
      return inflateRawSync(zip.subarray(begin, begin + packed), LIMIT);
    at = begin + packed;
  }
  return undefined;
}
