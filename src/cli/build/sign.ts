import { readFileSync, writeFileSync } from "node:fs";
import { readLoadCommands, findSegment } from "./macho.ts";

/**
 * The load command of a Mach-O signature. macOS kills a program whose pages don't match its signature; no certificate
 * is needed. Bun signs executables for arm64. For x64, Bun keeps its runtime's signature, although inserting the
 * program invalidates that signature.
 */

const LC_CODE_SIGNATURE = 0x1d;
const PAGE_BITS = 12;
const PAGE_BYTES = 1 << PAGE_BITS;
/** The sizes in bytes of a version 0x20400 code directory and of a superblob with one blob. */
const [DIRECTORY, SUPERBLOB] = [88, 20];
/**
 * Marks the signature as ad hoc and linker-signed, so that `codesign` can replace it. The hardened runtime flag is left
 * out, because it breaks the JIT.
 */
const SIGNATURE_FLAGS = 0x20002;
const MAIN_BINARY = 1n;
/** The alignment of segments in memory. */
const SEGMENT_PAGE = 0x4000;

/**
 * Replaces an executable's signature. May modify `image`. The result must not be changed afterwards.
 * @throws Error if the headers needed for a signature are missing.
 */
export function signImage(image: Buffer, identifier = "bridge-hooks"): Buffer {
  const command = [...readLoadCommands(image)].find(({ kind }) => kind === LC_CODE_SIGNATURE)?.at;
  const [text, last] = [findSegment(image, "__TEXT"), findSegment(image, "__LINKEDIT")];
  if (command === undefined || text === undefined || last === undefined)
    throw new Error("this Mach-O executable has no LC_CODE_SIGNATURE, __TEXT or __LINKEDIT");
  const limit = image.readUInt32LE(command + 8);
  const pages = Math.ceil(limit / PAGE_BYTES);
  const hashes = DIRECTORY + identifier.length + 1;
  const size = SUPERBLOB + hashes + 32 * pages;

  // The header contains the signature's size and is itself signed.
  image.writeUInt32LE(size, command + 12);
  const bytes = limit + size - Number(image.readBigUInt64LE(last + 40));
  image.writeBigUInt64LE(BigInt(bytes), last + 48);
  if (image.readBigUInt64LE(last + 32) < bytes)
    image.writeBigUInt64LE(BigInt(Math.ceil(bytes / SEGMENT_PAGE) * SEGMENT_PAGE), last + 32);

  const signature = Buffer.alloc(size);
  const write = (at: number, values: readonly number[]) =>
    values.forEach((value, index) => signature.writeUInt32BE(value, at + 4 * index));
  write(0, [0xfade0cc0, size, 1, 0, SUPERBLOB]);
  write(SUPERBLOB, [0xfade0c02, size - SUPERBLOB, 0x20400, SIGNATURE_FLAGS, hashes, DIRECTORY, 0, pages, limit]);
  // Hash size (32 bytes), hash type (SHA-256), platform (any), page size.
  signature.set([32, 2, 0, PAGE_BITS], SUPERBLOB + 36);
  const segment = [image.readBigUInt64LE(text + 40), image.readBigUInt64LE(text + 48), MAIN_BINARY];
  for (const [index, value] of segment.entries()) signature.writeBigUInt64BE(value, SUPERBLOB + 64 + 8 * index);
  signature.write(identifier, SUPERBLOB + DIRECTORY);
  for (let page = 0; page < pages; page++) {
    const content = image.subarray(page * PAGE_BYTES, Math.min((page + 1) * PAGE_BYTES, limit));
    signature.set(Bun.SHA256.hash(content) as Uint8Array, SUPERBLOB + hashes + 32 * page);
  }
  return Buffer.concat([image.subarray(0, limit), signature]);
}

/** Signs a file in place. The file must not have been run yet, because macOS caches program signatures. */
export const signFile = (file: string): void => writeFileSync(file, signImage(readFileSync(file)));
