import type { Payload } from "../protocol/host/payload.ts";

/**
 * The kind of file at a path, without following links. `other` is a link, a file with several hard links, a root of a
 * mount that can't be checked, or an unknown kind.
 */
export type FileKind = "absent" | "file" | "folder" | "mount" | "other";

export interface InspectedFile {
  kind: FileKind;
  /** Id of the device that contains the file. */
  device: string;
  /** Size in bytes. */
  size: number;
}

/** What was read from stdin. */
export interface QuickInput {
  bytes: Uint8Array;
  /** Whether the input ended. */
  isWhole: boolean;
  /**
   * The bytes as a string, and the parsed payload, if the call was checked before, so that neither is computed twice.
   */
  text?: string;
  payload?: Payload | undefined;
  /** Loads the filter of the hooks that the call concerns, if the call could be parsed. */
  loadHookFilter?: LoadHookFilter | undefined;
}

/** Returns whether a call may concern the hook with a given name. */
export type HookFilter = (hook: string) => boolean;
export type LoadHookFilter = () => Promise<HookFilter>;

/** What the quick path needs from the system. None of it loads `node:fs`, which takes longer than everything else. */
export interface QuickSystem {
  /** Returns whether stdin is a terminal. */
  isTerminal: () => boolean;
  /** Reads stdin until it ends, the time is up, or the system reports something unusual. */
  readStdin: (timeoutMs: number) => QuickInput;
  /** Writes a text to stdout. Returns false if nothing was written. */
  writeStdout: (text: string) => boolean;
  inspect: (path: string) => InspectedFile;
  /** Returns the size in bytes of the file at a path, with links followed; 0 if it doesn't exist. */
  measure: (path: string) => number;
  /** Converts a path to the system's own notation. Only on Windows. */
  toNativePath?: (path: string) => string;
  /** Inspection results that several calls share. */
  known?: Map<string, InspectedFile>;
  /**
   * Returns the text of a file of that size in bytes, or undefined if it is larger, too large, unreadable, or a link.
   */
  readFile: (path: string, size: number) => string | undefined;
}

export const POLLIN = 1;
export const POLLOUT = 4;
/** Maximum size of a payload in bytes. No host sends a larger one. */
export const MAX_INPUT_BYTES = 1 << 28;
/** Time in milliseconds after which a host that doesn't read the rest of an answer is considered gone. */
export const STUCK_MS = 1_000;
/**
 * Maximum size of a config file in bytes on the quick path. Larger files are rejected when the config is fully parsed.
 */
export const MAX_FILE_BYTES = 1_000_000;
