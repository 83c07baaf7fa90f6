import type { Payload } from "../protocol/host/payload.ts";

/**
 * Kind of the file at a path, without following links. "other" is a link, a file with several hard links, a directory
 * that might be a mount root, or anything else.
 */
export type FileKind = "absent" | "file" | "folder" | "mount" | "other";

export interface InspectedFile {
  kind: FileKind;
  /** Id of the device that the file is stored on. */
  device: string;
  size: number;
}

/** Input read from stdin. */
export interface QuickInput {
  bytes: Uint8Array;
  /** Whether the input was read to its end. */
  isWhole: boolean;
  /** The bytes as a string, and as a parsed payload, if an earlier check has already produced them. */
  text?: string;
  payload?: Payload | undefined;
  /** Loads the filter that selects the hooks for this call. Undefined if the call couldn't be parsed. */
  loadHookFilter?: LoadHookFilter | undefined;
}

/** Returns whether a hook might apply to the call. */
export type HookFilter = (hook: string) => boolean;
export type LoadHookFilter = () => Promise<HookFilter>;

/**
 * System functions for the quick path. On Linux, they avoid `node:fs`, since loading it takes longer than the rest of a
 * call.
 */
export interface QuickSystem {
  /** Returns whether stdin is a terminal. */
  isTerminal: () => boolean;
  /** Reads stdin until the input ends, the time is up, or an error occurs. */
  readStdin: (timeoutMs: number) => QuickInput;
  /** Writes a string to stdout. Returns false if nothing was written. */
  writeStdout: (text: string) => boolean;
  inspect: (path: string) => InspectedFile;
  /** Returns a file's size in bytes, or 0 if it doesn't exist. Follows links. */
  measure: (path: string) => number;
  /** Converts a path to the system's notation. Only defined on Windows. */
  toNativePath?: (path: string) => string;
  /** Results of `inspect`, shared by several calls. */
  inspections?: Map<string, InspectedFile>;
  /**
   * Returns the text of a file of `size` bytes. Returns undefined if the file has grown, exceeds the limit, is
   * unreadable, or is a link.
   */
  readFile: (path: string, size: number) => string | undefined;
}

export const POLLIN = 1;
export const POLLOUT = 4;
/** Maximum size of a payload in bytes. Hosts don't send larger ones. */
export const MAX_INPUT_BYTES = 1 << 28;
/** How long a host can stop reading the answer, in milliseconds, before it is considered gone. */
export const STUCK_MS = 1_000;
/** Maximum size in bytes of a config file on the quick path. The full config parser rejects larger files. */
export const MAX_FILE_BYTES = 1_000_000;
