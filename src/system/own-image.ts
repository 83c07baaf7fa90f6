import { closeSync, openSync, readSync, statSync } from "./files.ts";
import { orAbsent } from "./errors.ts";
import { MIN_OWN_BYTES } from "../protocol/executable-size.ts";

/** The name that the build gives every executable's entry module, regardless of the executable's own file name. */
export const ENTRY_NAME = "bridge-hooks";

/** Size of an executable's headers, and size of the padding between the embedded program and the end of its segment. */
const [HEADER_BYTES, SLACK_BYTES] = [8192, 4096];
/** Maximum size of that padding. On some processors, segments end at a multiple of 64 kB. */
const MAX_SLACK_BYTES = 1 << 16;
const EXECUTABLE_TRAILER = "\n---- Bun! ----\n";
/** Size of the offsets before the trailer: the program's length and the position of its module table. */
const OFFSETS_BYTES = 32;
/** Path prefixes of embedded modules on Windows and on other systems. */
const MODULE_FOLDERS = ["B:/~BUN/root/", "/$bunfs/root/"];

/** Upper bound for where the embedded program ends. */
type ProgramEnd = number | undefined;

const readText = (bytes: Buffer, at: number, size: number): string => bytes.toString("latin1", at, at + size);

/** Returns where the last loaded segment of an ELF file ends. */
function findElfEnd(head: Buffer): ProgramEnd {
  const [at, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
  let end: ProgramEnd;
  for (let n = 0; n < count && at + (n + 1) * size <= head.length; n++) {
    const header = at + n * size;
    if (head.readUInt32LE(header) !== 1) continue;
    end = Number(head.readBigUInt64LE(header + 8) + head.readBigUInt64LE(header + 32));
  }
  return end;
}

/** Returns where the `__BUN` segment of a Mach-O file ends. */
function findMachOEnd(head: Buffer): ProgramEnd {
  let at = 32;
  for (let remaining = head.readUInt32LE(16); remaining > 0 && at + 56 <= head.length; remaining--) {
    if (head.readUInt32LE(at) === 0x19 && readText(head, at + 8, 6) === "__BUN\0")
      return Number(head.readBigUInt64LE(at + 40) + head.readBigUInt64LE(at + 48));
    at += head.readUInt32LE(at + 4);
  }
  return undefined;
}

/** Returns where the `.bun` section of a PE file ends. */
function findPortableEnd(head: Buffer): ProgramEnd {
  const start = head.readUInt32LE(0x3c);
  const sections = start + 24 + head.readUInt16LE(start + 20);
  for (let n = 0; n < head.readUInt16LE(start + 6); n++) {
    const at = sections + 40 * n;
    if (readText(head, at, 5) === ".bun\0") return head.readUInt32LE(at + 20) + head.readUInt32LE(at + 16);
  }
  return undefined;
}

function findProgramEnd(head: Buffer): ProgramEnd {
  const magic = readText(head, 0, 4);
  if (magic === "\x7fELF") return findElfEnd(head);
  if (magic === "\xcf\xfa\xed\xfe") return findMachOEnd(head);
  return magic.startsWith("MZ") ? findPortableEnd(head) : undefined;
}

type ReadAt = (at: number, size: number) => Buffer;

/** Returns the file name of an image's entry module, or undefined if it doesn't have one. */
function readEntryName(readAt: ReadAt): string | undefined {
  const end = findProgramEnd(readAt(0, HEADER_BYTES));
  if (end === undefined) return undefined;
  for (const slack of [SLACK_BYTES, MAX_SLACK_BYTES]) {
    const from = Math.max(0, end - slack);
    const tail = readAt(from, end - from);
    const trailer = tail.lastIndexOf(EXECUTABLE_TRAILER);
    if (trailer < OFFSETS_BYTES) continue;
    const offsets = trailer - OFFSETS_BYTES;
    const start = from + offsets - Number(tail.readBigUInt64LE(offsets));
    const entry = readAt(start + tail.readUInt32LE(offsets + 8), 8);
    const path = readAt(start + entry.readUInt32LE(0), Math.min(entry.readUInt32LE(4), 256)).toString("latin1");
    const folder = MODULE_FOLDERS.find((one) => path.startsWith(one));
    return folder && path.slice(folder.length).replace(/\.(?:exe|js)$/, "");
  }
  return undefined;
}

/**
 * Returns whether a file is a bridge-hooks executable. Recognizes any build for any system, regardless of its file
 * name, even with data appended. Opens only large files and reads only a few kilobytes.
 */
export function isOwnImage(path: string): boolean {
  try {
    const stats = orAbsent(() => statSync(path));
    if (!stats?.isFile() || stats.size < MIN_OWN_BYTES) return false;
    const file = openSync(path, "r");
    try {
      return (
        readEntryName((at, size) => {
          const bytes = Buffer.alloc(size);
          return bytes.subarray(0, readSync(file, bytes, 0, size, at));
        }) === ENTRY_NAME
      );
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
