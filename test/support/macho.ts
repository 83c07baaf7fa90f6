/**
 * Result of verifying the signature of a Mach-O executable, with the same checks that macOS makes when it loads pages:
 * every page's hash, and the offsets in the header.
 */

export interface Signature {
  identifier: string;
  flags: number;
  /** Pages whose bytes differ from those that were signed. */
  badPages: number[];
  pages: number;
  /** Problems other than changed pages. */
  problems: string[];
}

const HARDENED = 0x10000;

interface Layout {
  signature: { offset: number; size: number };
  segments: Record<string, { vmsize: number; offset: number; size: number }>;
}

function readLayout(image: Buffer): Layout {
  if (image.readUInt32LE(0) !== 0xfeedfacf) throw new Error("not a 64-bit Mach-O file");
  const found: Layout = { signature: { offset: 0, size: 0 }, segments: {} };
  let at = 32;
  for (let remaining = image.readUInt32LE(16); remaining > 0; remaining--) {
    const command = image.readUInt32LE(at);
    const long = (field: number) => Number(image.readBigUInt64LE(at + field));
    if (command === 0x19) {
      const name = image.toString("latin1", at + 8, at + 24).replace(/\0+$/, "");
      found.segments[name] = { vmsize: long(32), offset: long(40), size: long(48) };
    } else if (command === 0x1d)
      found.signature = { offset: image.readUInt32LE(at + 8), size: image.readUInt32LE(at + 12) };
    at += image.readUInt32LE(at + 4);
  }
  return found;
}

/** Compares an executable's first code directory with its contents. */
export function readSignature(image: Buffer): Signature {
  const problems: string[] = [];
  const check = (holds: boolean, problem: string) => void (holds || problems.push(problem));
  const { signature, segments } = readLayout(image);
  const { __TEXT: text, __LINKEDIT: linkEdit } = segments;
  const { offset: start, size } = signature;
  check(start % 16 === 0, "the signature is not aligned");
  check(start + size === image.length, "the signature is not the end of the file");
  check(
    linkEdit !== undefined && linkEdit.offset + linkEdit.size === image.length,
    "__LINKEDIT does not end with the file",
  );
  check(linkEdit !== undefined && linkEdit.vmsize >= linkEdit.size, "__LINKEDIT is larger than its place in memory");
  check(image.readUInt32BE(start) === 0xfade0cc0, "there is no signature where the header says");
  check(image.readUInt32BE(start + 4) <= size, "the signature is larger than its place");
  const directory = start + image.readUInt32BE(start + 16);
  check(image.readUInt32BE(directory) === 0xfade0c02, "the signature has no code directory");
  const field = (index: number) => image.readUInt32BE(directory + 4 * index);
  const [flags, hashes, name, specialSlots, pages, limit] = [
    field(3),
    field(4),
    field(5),
    field(6),
    field(7),
    field(8),
  ];
  check(image.readUInt16BE(directory + 36) === 0x2002, "the hashes are not SHA-256");
  check(limit === start, "bytes before the signature are not signed");
  check((flags & HARDENED) === 0, "the hardened runtime is on without the entitlements that a JIT needs");
  check(specialSlots === 0, "the signature refers to blobs besides the code directory");
  check(Number(image.readBigUInt64BE(directory + 64)) === text?.offset, "the executable segment has another offset");
  check(Number(image.readBigUInt64BE(directory + 72)) === text?.size, "the executable segment has another size");
  const bytes = 1 << image.readUInt8(directory + 39);
  check(pages === Math.ceil(start / bytes), "the number of hashes differs from the number of pages");
  const hashOf = (page: number) =>
    Bun.SHA256.hash(image.subarray(page * bytes, Math.min((page + 1) * bytes, start))) as Uint8Array;
  const readSignedHash = (page: number) =>
    image.subarray(directory + hashes + 32 * page, directory + hashes + 32 * (page + 1));
  const badPages = Array.from({ length: pages }, (_, page) => page).filter(
    (page) => !readSignedHash(page).equals(hashOf(page)),
  );
  const identifier = image.toString("latin1", directory + name, image.indexOf(0, directory + name));
  return { identifier, flags, badPages, pages, problems };
}
