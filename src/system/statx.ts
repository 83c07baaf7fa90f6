/**
 * Signature of `statx` in the C library. The constants below are its flags and the layout of its result, which are the
 * same on all Linux systems.
 */
export const STATX_SYMBOL = { args: ["i32", "ptr", "i32", "u32", "ptr"], returns: "i32" } as const;

export const AT_FDCWD = -100;
export const AT_SYMLINK_NOFOLLOW = 0x100;
export const AT_EMPTY_PATH = 0x1000;
export const STATX_BASIC_STATS = 0x7ff;
export const STATX_BIRTH_TIME = 0x800;

/** Size of `struct statx` and the offsets of its fields, in bytes. */
export const STAT_BYTES = 256;
export const STATX_OFFSETS = {
  mask: 0,
  attributes: 8,
  links: 16,
  mode: 28,
  inode: 32,
  size: 40,
  knownAttributes: 56,
  birthSeconds: 80,
  modifiedSeconds: 112,
  ownMajor: 128,
  ownMinor: 132,
  deviceMajor: 136,
  deviceMinor: 140,
} as const;

export const FILE_TYPE = 0xf000;
export const REGULAR_FILE = 0x8000;
export const DIRECTORY = 0x4000;
export const SYMBOLIC_LINK = 0xa000;

/** Combines the two 32-bit halves of a 64-bit field. */
export const readUint64 = (readWord: (at: number) => number, at: number): number =>
  readWord(at) + readWord(at + 4) * 2 ** 32;
