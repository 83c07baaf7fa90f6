import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** What to write to an image, which contains only the headers, the module table and the trailer. */
interface ImageParts {
  /** File format. Defaults to "elf". */
  format?: "elf" | "mach-o" | "pe";
  /** Name of the entry module. Defaults to bridge-hooks' own. */
  entry?: string;
  /** Size in bytes. Defaults to the size of our executables. */
  size?: number;
  /** How many bytes lie between the end of the program and the end of its segment. */
  padding?: number;
}

const EXECUTABLE_TRAILER = "\n---- Bun! ----\n";
/** Offsets at which the program starts and its segment ends. */
const [PROGRAM, SEGMENT_END] = [0x10000, 0x20000];

function createHeaders(format: ImageParts["format"]): Buffer {
  const head = Buffer.alloc(4096);
  if (format === "mach-o") {
    head.writeUInt32LE(0xfeedfacf);
    head.writeUInt32LE(1, 16);
    head.writeUInt32LE(0x19, 32);
    head.writeUInt32LE(72, 36);
    head.write("__BUN\0", 40);
    head.writeBigUInt64LE(BigInt(PROGRAM), 72);
    head.writeBigUInt64LE(BigInt(SEGMENT_END - PROGRAM), 80);
  } else if (format === "pe") {
    head.write("MZ");
    head.writeUInt32LE(64, 0x3c);
    head.writeUInt16LE(1, 70);
    head.write(".bun\0", 88);
    head.writeUInt32LE(SEGMENT_END - PROGRAM, 104);
    head.writeUInt32LE(PROGRAM, 108);
  } else {
    head.write("\x7fELF\x02");
    head.writeBigUInt64LE(64n, 32);
    head.writeUInt16LE(56, 54);
    head.writeUInt16LE(1, 56);
    head.writeUInt32LE(1, 64);
    head.writeBigUInt64LE(BigInt(PROGRAM), 72);
    head.writeBigUInt64LE(BigInt(SEGMENT_END - PROGRAM), 96);
  }
  return head;
}

/** Writes a small file that's recognized as a bridge-hooks executable but can't be run. */
export function writeOwnImage(
  path: string,
  { format = "elf", entry = "bridge-hooks", size = 70_000_000, padding = 100 }: ImageParts = {},
): void {
  const name = `${format === "pe" ? "B:/~BUN/root/" : "/$bunfs/root/"}${entry}`;
  const [table, program] = [Buffer.alloc(52), Buffer.alloc(1000)];
  table.writeUInt32LE(8, 0);
  table.writeUInt32LE(name.length, 4);
  program.write(name, 8);
  table.copy(program, 500);
  const offsets = Buffer.alloc(32);
  offsets.writeBigUInt64LE(BigInt(program.length));
  offsets.writeUInt32LE(500, 8);
  offsets.writeUInt32LE(table.length, 12);
  const text = Buffer.concat([program, offsets, Buffer.from(EXECUTABLE_TRAILER)]);
  const file = openSync(path, "w", 0o755);
  writeSync(file, createHeaders(format));
  writeSync(file, text, 0, text.length, SEGMENT_END - padding - text.length);
  ftruncateSync(file, size);
  closeSync(file);
}
