import { gunzipSync, inflateRawSync } from "node:zlib";

/** Maximum size of an unpacked executable in bytes. The typical size is about 130 MB. */
const MAX_BYTES = 512 * 1024 * 1024;
const DECOMPRESSION_LIMIT = { maxOutputLength: MAX_BYTES };

/**
 * Extracts one regular file from a release archive by its exact path. Paths in the archive are never used as file
 * system paths.
 * @throws Error if the archive is corrupt or too large, or doesn't contain the file.
 */
export function unpackFile(archive: Buffer, path: string): Buffer {
  const content = path.endsWith(".exe")
    ? readZipEntry(archive, path)
    : readTarEntry(gunzipSync(archive, DECOMPRESSION_LIMIT), path);
  if (content === undefined) throw new Error(`the archive does not contain ${path}`);
  return content;
}

const TAR_BLOCK = 512;
/** Tar entry types of regular files. Links and devices with the same name are ignored. */
const REGULAR_FILE_TYPES = ["0", ""];

function readTarEntry(tar: Buffer, path: string): Buffer | undefined {
  for (let at = 0; at + TAR_BLOCK <= tar.length;) {
    const readText = (from: number, length: number) =>
      tar.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(readText(124, 12), 8);
    const contentStart = at + TAR_BLOCK;
    if (!Number.isSafeInteger(size) || size < 0 || contentStart + size > tar.length) return undefined;
    const folder = readText(345, 155);
    if ((folder === "" ? "" : `${folder}/`) + readText(0, 100) === path)
      return REGULAR_FILE_TYPES.includes(readText(156, 1))
        ? tar.subarray(contentStart, contentStart + size)
        : undefined;
    at = contentStart + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  return undefined;
}

function readZipEntry(zip: Buffer, path: string): Buffer | undefined {
  for (let at = 0; at + 30 <= zip.length && zip.readUInt32LE(at) === 0x04034b50;) {
    const [packedSize, name, extra] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26), zip.readUInt16LE(at + 28)];
    const contentStart = at + 30 + name + extra;
    if (zip.toString("utf8", at + 30, at + 30 + name) === path)
      return inflateRawSync(zip.subarray(contentStart, contentStart + packedSize), DECOMPRESSION_LIMIT);
    at = contentStart + packedSize;
  }
  return undefined;
}
