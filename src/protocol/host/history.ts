import type { MachineContext } from "./install.ts";
import type { Payload } from "./payload.ts";

/** A tool call or a prompt of a past session, as the host would send it to its hooks. */
export interface PastCall {
  native_event: string;
  payload: Payload;
  /** Identifies it among all records of the host, since some hosts write a call more than once; absent: it is unique. */
  id?: string;
  /** The session that a person would name: a subagent belongs to the session that started it. */
  session: string;
  /** In milliseconds since 1970; absent if the record does not say. */
  at?: number;
  /** The host's release; absent if the records do not say. */
  version?: string;
}

/** Where a host keeps records of sessions. */
export interface HistorySource {
  path: string;
  /** Lines of JSON, one JSON document, or an SQLite database. */
  kind: "lines" | "document" | "database";
  /** Lines that are compressed. */
  compression?: "zstd";
  /** Of a database: the query whose rows are the records. A column `since` can be compared with `$since`. */
  query?: string;
}

/** Reads the records of one source in order, and remembers what later ones need of earlier ones. */
export interface SessionReader {
  /**
   * Returns the calls and prompts in a record.
   * @returns a text, the record's kind, where that kind was never seen: something may be missing then.
   */
  readRecord: (record: Payload) => readonly PastCall[] | string;
}

/** A host's records of its sessions. Loaded only when a person asks for them. */
export interface HistoryReader {
  /** The releases from whose records it was written. */
  releases: readonly string[];
  /** @throws Error if a folder can't be listed. */
  listSources: (machine: Pick<MachineContext, "home" | "env" | "platform">) => HistorySource[];
  openSource: (source: HistorySource) => SessionReader;
}
