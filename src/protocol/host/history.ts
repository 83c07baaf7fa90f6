import type { MachineContext } from "./install.ts";
import type { Payload } from "./payload.ts";

/** A tool call or a prompt of a past session, as the host would send it to its hooks. */
export interface PastCall {
  native_event: string;
  payload: Payload;
  /**
   * Identifies the call among all records of the host, because some hosts write a call more than once; absent if it is
   * unique.
   */
  id?: string;
  /** The session that a user would name: a subagent belongs to the session that started it. */
  session: string;
  /** Unix time in milliseconds; absent if the record contains no time. */
  at?: number;
  /** The host's version; absent if the records don't contain it. */
  version?: string;
}

/** Where a host keeps records of its sessions. */
export interface HistorySource {
  path: string;
  /** JSON Lines, one JSON document, or an SQLite database. */
  kind: "lines" | "document" | "database";
  /** Compression of a file of JSON lines. */
  compression?: "zstd";
  /** For a database, the query whose rows are the records. A column named `since` can be compared with `$since`. */
  query?: string;
}

/** Reads the records of one source in order and keeps the state that later records need. */
export interface SessionReader {
  /**
   * Returns the calls and prompts in a record.
   * @returns the record's kind, as a string, if the reader doesn't know that kind: some calls may then be missing.
   */
  readRecord: (record: Payload) => readonly PastCall[] | string;
}

/** Reads a host's own records of its sessions. Loaded only for commands that need it. */
export interface HistoryReader {
  /** The host versions whose records the reader was written for. */
  releases: readonly string[];
  /** @throws Error if a directory can't be listed. */
  listSources: (machine: Pick<MachineContext, "home" | "env" | "platform">) => HistorySource[];
  openSource: (source: HistorySource) => SessionReader;
}
