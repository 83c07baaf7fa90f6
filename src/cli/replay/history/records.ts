import { copyFileSync, createReadStream, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { orAbsent } from "../../../system/errors.ts";
import type { HistorySource } from "../../../protocol/host/history.ts";
import type { Payload } from "../../../protocol/host/payload.ts";
import { splitLines } from "../../../call/serve.ts";
import { parseJsonObject } from "../../try/json.ts";

/** A source's record, or the reason why the record can't be read. */
export interface FoundRecord {
  /** The record's position in the source, counted from 1. */
  line: number;
  record?: Payload;
  problem?: string;
}

/**
 * The maximum size of a document in bytes. Larger documents aren't read, because a document is read into memory as a
 * whole.
 */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** The maximum size of a database that must be copied for reading, in bytes. */
const MAX_COPY_BYTES = 2 ** 31;

/**
 * Reads a source's records one by one without changing the source.
 * @param since milliseconds since the epoch; older database rows are skipped
 * @param folder an empty directory for temporary copies
 * @throws Error if the source can't be read completely.
 */
export async function* readRecords(source: HistorySource, since: number, folder: string): AsyncGenerator<FoundRecord> {
  if (source.kind === "lines") yield* readLines(source);
  else if (source.kind === "document") yield readDocument(source.path);
  else yield* readRows(source, since, folder);
}

async function* readLines({ path, compression }: HistorySource): AsyncGenerator<FoundRecord> {
  let line = 0;
  for await (const text of splitLines(await openStream(path, compression))) {
    line++;
    if (text === undefined) yield { line, problem: "too long for a record" };
    else if (text.trim() !== "") yield { line, ...parseRecord(text) };
  }
}

async function openStream(path: string, compression: HistorySource["compression"]): Promise<AsyncIterable<Uint8Array>> {
  const file = createReadStream(path);
  if (compression === undefined) return file;
  const { createZstdDecompress } = await import("node:zlib");
  const decompressor = createZstdDecompress();
  file.on("error", (error) => decompressor.destroy(error));
  return file.pipe(decompressor);
}

function parseRecord(text: string): Pick<FoundRecord, "record" | "problem"> {
  try {
    return { record: parseJsonObject(text, "it") };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function readDocument(path: string): FoundRecord {
  if (statSync(path).size > MAX_DOCUMENT_BYTES) return { line: 1, problem: "the document is too large" };
  return { line: 1, ...parseRecord(readFileSync(path, "utf8")) };
}

async function* readRows(
  { path, query = "" }: HistorySource,
  since: number,
  folder: string,
): AsyncGenerator<FoundRecord> {
  const { constants, Database } = await import("bun:sqlite");
  const database = new Database(
    chooseDatabase(path, folder),
    constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
  );
  try {
    let line = 0;
    for (const row of database.query<Payload, { $since: number }>(query).iterate({ $since: since })) {
      line++;
      yield { line, record: row };
    }
  } finally {
    database.close();
  }
}

/**
 * Returns the URI that opens a database without changing any file. Reading a write-ahead log requires its index, which
 * SQLite would create if missing, so in that case the URI opens a copy.
 * @throws Error if the database is too large to copy.
 */
function chooseDatabase(path: string, folder: string): string {
  const [log, index] = [`${path}-wal`, `${path}-shm`];
  const size = orAbsent(() => statSync(log))?.size ?? 0;
  if (size === 0) return `${pathToFileURL(path).href}?immutable=1`;
  if (existsSync(index)) return `${pathToFileURL(path).href}?mode=ro`;
  if (statSync(path).size + size > MAX_COPY_BYTES)
    throw new Error(
      "the database was not closed properly and is too large to copy; start the host once, then quit the host",
    );
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, `${Bun.hash(path).toString(36)}-${basename(path)}`);
  copyFileSync(path, copy);
  copyFileSync(log, `${copy}-wal`);
  return pathToFileURL(copy).href;
}
