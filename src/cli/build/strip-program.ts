import { readLoadCommands, isMachO, findSegment } from "./macho.ts";

/**
 * Removes the program that Bun embedded in a Mach-O or PE executable, because Bun can only replace a program in an ELF
 * image. May modify its argument. A Mach-O image has to be signed again afterwards (`sign.ts`).
 */
export function stripProgram(image: Buffer): Buffer {
  if (isMachO(image)) return stripMachO(image);
  if (image.toString("latin1", 0, 2) === "MZ") return stripPE(image);
  return image;
}

/** The size in bytes of the program placeholder in Bun's own images. */
const EMPTY_PROGRAM_BYTES = 0x4000;

/** Maps each load command with file offsets to the positions of the offsets within it. */
const OFFSET_FIELDS: Readonly<Record<number, readonly number[]>> = {
  0x2: [8, 16],
  0xb: [32, 40, 48, 56, 64, 72],
  0x1d: [8],
  0x1e: [8],
  0x22: [8, 16, 24, 32, 40],
  0x26: [8],
  0x29: [8],
  0x2b: [8],
  0x80000022: [8, 16, 24, 32, 40],
  0x80000033: [8],
  0x80000034: [8],
};

/** Shrinks the program's segment to its original size and moves everything after it. */
function stripMachO(image: Buffer): Buffer {
  const [own, last] = [findSegment(image, "__BUN"), findSegment(image, "__LINKEDIT")];
  if (own === undefined || last === undefined)
    throw new Error("this executable has no section for an embedded program");
  const start = Number(image.readBigUInt64LE(own + 40));
  const size = Number(image.readBigUInt64LE(own + 48));
  const less = size - EMPTY_PROGRAM_BYTES;
  if (less <= 0) return image;
  const placeholderSize = BigInt(EMPTY_PROGRAM_BYTES);
  for (const at of [own + 32, own + 48, own + 72 + 40]) image.writeBigUInt64LE(placeholderSize, at);
  for (const at of [last + 24, last + 40]) image.writeBigUInt64LE(image.readBigUInt64LE(at) - BigInt(less), at);
  for (const { at, kind } of readLoadCommands(image)) {
    for (const field of OFFSET_FIELDS[kind] ?? []) {
      const offset = image.readUInt32LE(at + field);
      if (offset > start) image.writeUInt32LE(offset - less, at + field);
    }
  }
  image.fill(0, start, start + EMPTY_PROGRAM_BYTES);
  image.copy(image, start + EMPTY_PROGRAM_BYTES, start + size);
  return image.subarray(0, image.length - less);
}

/** Removes the last section, which contains the program. */
function stripPE(image: Buffer): Buffer {
  const header = image.readUInt32LE(0x3c);
  const count = image.readUInt16LE(header + 6);
  const options = header + 24;
  const section = options + image.readUInt16LE(header + 20) + 40 * (count - 1);
  if (image.toString("latin1", section, section + 8) !== ".bun\0\0\0\0") return image;
  const address = image.readUInt32LE(section + 12);
  const start = image.readUInt32LE(section + 20);
  image.writeUInt16LE(count - 1, header + 6);
  image.writeUInt32LE(address, options + 56);
  image.fill(0, section, section + 40);
  return image.subarray(0, start);
}
