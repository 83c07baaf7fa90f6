import type { Payload } from "../protocol/host/payload.ts";

/**
 * Kind of the file at a path. Links aren't followed. `other` is a link, a file with several hard links, a directory
 * that may be a mount root, or a file of an unknown kind.
 */
export type FileKind = "absent" | "file" | "folder" | "mount" | "other";

export interface InspectedFile {
  kind: FileKind;
  /** Id of the device on which the file is stored. */
  device: string;
  /** Size in bytes. */
  size: number;
}

/** Input read from stdin. */
export interface QuickInput {
  bytes: Uint8Array;
  /** Whether the end of the input was reached. */
  isWhole: boolean;
  /** The bytes as a string, and the parsed payload. These fields are set if an earlier check has computed them. */
  text?: string;
  payload?: Payload | undefined;
  /** Loads the filter that selects the hooks for this call. This field is set if the call could be parsed. */
  loadHookFilter?: LoadHookFilter | undefined;
}

/** Returns whether a hook may apply to the call. */
export type HookFilter = (hook: string) => boolean;
export type LoadHookFilter = () => Promise<HookFilter>;

/**
 * System functions for the quick path. On Linux, none of them loads `node:fs`, because loading that module takes longer
 * than the rest of a call.
 */
export interface QuickSystem {
  /** Returns whether stdin is a terminal. */
  isTerminal: () => boolean;
  /** Reads stdin until the input ends, the time is up, or the system reports an error. */
  readStdin: (timeoutMs: number) => QuickInput;
  /** Writes a string to stdout. Returns false if nothing was written. */
  writeStdout: (text: string) => boolean;
  inspect: (path: string) => InspectedFile;
  /** Returns a file's size in bytes, or 0 if the file doesn't exist. Follows links. */
  measure: (path: string) => number;
  /** Converts a path to the system's notation. Defined only on Windows. */
  toNativePath?: (path: string) => string;
  /** Inspection results shared by several calls. */
  inspections?: Map<string, InspectedFile>;
  /**
   * Returns the text of a file whose size in bytes is `size`. Returns undefined if the file is larger than `size`,
   * larger than the limit, unreadable, or a link.
   */
  readFile: (path: string, size: number) => string | undefined;
}

export const POLLIN = 1;
export const POLLOUT = 4;
/** Maximum payload size in bytes. Hosts don't send larger payloads. */
export const MAX_INPUT_BYTES = 1 << 28;
/** Time in milliseconds after which a host that has stopped reading the answer counts as gone. */
export const STUCK_MS = 1_000;
/** Maximum size in bytes of a config file on the quick path. The full config parser rejects larger files. */
export const MAX_FILE_BYTES = 1_000_000;
