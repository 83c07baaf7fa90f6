import type { MachineContext } from "./install.ts";
import type { Payload } from "./payload.ts";

/** A tool call or a prompt from a past session, as the host would send it to its hooks. */
export interface PastCall {
  native_event: string;
  payload: Payload;
  /**
   * Identifies the call in the host's records, because some hosts record a call more than once. Absent if the call is
   * unique.
   */
  id?: string;
  /** The session from the user's point of view. A subagent's calls belong to the session that started the subagent. */
  session: string;
  /** Unix time in milliseconds; absent if the record contains no time. */
  at?: number;
  /** The host's version; absent if the records don't contain it. */
  version?: string;
}

/** Location of a host's session records. */
export interface HistorySource {
  path: string;
  /** Format of the records: JSON Lines, one JSON document, or an SQLite database. */
  kind: "lines" | "document" | "database";
  /** Compression of the JSON Lines file. */
  compression?: "zstd";
  /** For a database, the query that selects the records. A column named `since` can be compared with `$since`. */
  query?: string;
}

/** Reads the records of one source in order, keeping state between records. */
export interface SessionReader {
  /**
   * Returns the calls and prompts in a record.
   * @returns the kind of the record, as a string, if the reader doesn't support that kind. Some calls might then be
   * missing.
   */
  readRecord: (record: Payload) => readonly PastCall[] | string;
}

/** Reads the records that a host keeps of its sessions. Loaded only for commands that need it. */
export interface HistoryReader {
  /** Host versions whose records the reader supports. */
  releases: readonly string[];
  /** @throws Error if a directory can't be listed. */
  listSources: (machine: Pick<MachineContext, "home" | "env" | "platform">) => HistorySource[];
  openSource: (source: HistorySource) => SessionReader;
}
