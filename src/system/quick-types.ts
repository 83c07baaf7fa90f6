import type { Payload } from "../protocol/host/payload.ts";

/** What a path names, links not followed: `other` is a link, a file with several names, the root of a mount, or unknown. */
export type FileKind = "absent" | "file" | "folder" | "mount" | "other";

export interface InspectedFile {
  kind: FileKind;
  /** The device that it is on. */
  device: string;
  /** In bytes. */
  size: number;
}

/** What was read of stdin. */
export interface QuickInput {
  bytes: Uint8Array;
  /** The input has ended. */
  isWhole: boolean;
  /** The bytes as text, and what it says as JSON, where the call was looked at: neither is made twice. */
  text?: string;
  payload?: Payload | undefined;
  /** Loads what tells the hooks that the call concerns, where it could be read. */
  loadHookFilter?: LoadHookFilter | undefined;
}

/** Whether a call may concern the hook of a name. */
export type HookFilter = (hook: string) => boolean;
export type LoadHookFilter = () => Promise<HookFilter>;

/** What the quick path needs of the system; none of it loads `node:fs`, which takes longer than all of the rest. */
export interface QuickSystem {
  /** Whether stdin is a terminal. */
  isTerminal: () => boolean;
  /** Reads stdin until it ends, the time is up, or the system reports something unusual. */
  readStdin: (timeoutMs: number) => QuickInput;
  /** Whether stdout took the text; if not, nothing was written. */
  writeStdout: (text: string) => boolean;
  inspect: (path: string) => InspectedFile;
  /** The size in bytes of what a path leads to, links followed; 0 if nothing is there. */
  measure: (path: string) => number;
  /** On Windows: the path of a file by which the system knows it. */
  toNativePath?: (path: string) => string;
  /** What was inspected already, where several calls share it. */
  known?: Map<string, InspectedFile>;
  /** The text of a file of that many bytes; undefined if it has more, is too large, can't be read, or is a link. */
  readFile: (path: string, size: number) => string | undefined;
}

export const POLLIN = 1;
export const POLLOUT = 4;
/** No host sends a larger payload. */
export const MAX_INPUT_BYTES = 1 << 28;
/** A host that does not read the rest of an answer for this long is gone. */
export const STUCK_MS = 1_000;
/** Larger config files are refused the long way. */
export const MAX_FILE_BYTES = 1_000_000;
