import { closeSync, openSync, readSync, statSync } from "./files.ts";
import { orAbsent } from "./errors.ts";
import { MIN_OWN_BYTES } from "../protocol/own-image.ts";

/** The name of the entry module in every executable, whatever its file is called: the build sees to that. */
export const ENTRY_NAME = "bridge-hooks";

/** The headers of an image, and what may lie between the end of its program and the end of the segment that holds it. */
const [HEADER_BYTES, SLACK_BYTES] = [8192, 4096];
/** Segments end at pages of 64 kB on some processors. */
const MAX_SLACK_BYTES = 1 << 16;
const TRAILER = "\n---- Bun! ----\n";
/** The offsets in front of the trailer: the length of the program, and where its table of modules is. */
const OFFSETS_BYTES = 32;
/** How paths of modules begin: on Windows, and elsewhere. */
const MODULE_FOLDERS = ["B:/~BUN/root/", "/$bunfs/root/"];

/** Where a part of the file ends that holds the program, at the latest. */
type ProgramEnd = number | undefined;

const readText = (bytes: Buffer, at: number, size: number): string => bytes.toString("latin1", at, at + size);

/** The end of the last segment that an ELF file has loaded. */
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

/** The end of the segment `__BUN` of a Mach-O file. */
function findMachOEnd(head: Buffer): ProgramEnd {
  let at = 32;
  for (let left = head.readUInt32LE(16); left > 0 && at + 56 <= head.length; left--) {
    if (head.readUInt32LE(at) === 0x19 && readText(head, at + 8, 6) === "__BUN\0")
      return Number(head.readBigUInt64LE(at + 40) + head.readBigUInt64LE(at + 48));
    at += head.readUInt32LE(at + 4);
  }
  return undefined;
}

/** The end of the section `.bun` of a PE file. */
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

/** The name of the module that an image starts with, without its folder; undefined if it has none. */
function readEntryName(readAt: ReadAt): string | undefined {
  const end = findProgramEnd(readAt(0, HEADER_BYTES));
  if (end === undefined) return undefined;
  for (const slack of [SLACK_BYTES, MAX_SLACK_BYTES]) {
    const from = Math.max(0, end - slack);
    const tail = readAt(from, end - from);
    const trailer = tail.lastIndexOf(TRAILER);
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
 * Whether a file is an executable of bridge-hooks: of any build, for any system, under any name, and with anything behind
 * its end. Only large files are opened, and of them a few kilobytes are read.
 */
export function isOwnImage(path: string): boolean {
  try {
    const found = orAbsent(() => statSync(path));
    if (!found?.isFile() || found.size < MIN_OWN_BYTES) return false;
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
