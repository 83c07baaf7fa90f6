import { gunzipSync, inflateRawSync } from "node:zlib";

/**
 * Takes one file out of an archive of a release, by its path.
 * @throws Error if the archive is broken, or lacks it.
 */
export function unpackFile(archive: Buffer, path: string): Buffer {
  const found = path.endsWith(".exe") ? readZipEntry(archive, path) : readTarEntry(gunzipSync(archive), path);
  if (found === undefined) throw new Error(`the archive has no ${path}`);
  return found;
}

const TAR_BLOCK = 512;

function readTarEntry(tar: Buffer, path: string): Buffer | undefined {
  for (let at = 0; at + TAR_BLOCK <= tar.length;) {
    const text = (from: number, length: number) =>
      tar.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 12), 8);
    if (text(0, 100) === path) return tar.subarray(at + TAR_BLOCK, at + TAR_BLOCK + size);
    if (!Number.isFinite(size)) return undefined;
    at += TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  return undefined;
}

function readZipEntry(zip: Buffer, path: string): Buffer | undefined {
  for (let at = 0; at + 30 <= zip.length && zip.readUInt32LE(at) === 0x04034b50;) {
    const [packed, name, extra] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26), zip.readUInt16LE(at + 28)];
    const begin = at + 30 + name + extra;
    if (zip.toString("utf8", at + 30, at + 30 + name) === path)
      return inflateRawSync(zip.subarray(begin, begin + packed));
    at = begin + packed;
  }
  return undefined;
}
