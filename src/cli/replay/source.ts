import { createReadStream, existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { splitLines } from "../../call/serve.ts";
import { explainSystemError } from "../system-errors.ts";
import { isJsonObject, parseJsonObject } from "../try/json.ts";

/** A file of payloads, or stdin. */
export interface PayloadSource {
  /** The name given on the command line. */
  file: string;
  /** The file's path; absent for stdin. */
  path?: string;
}

/** A document in a payload file, or the reason why the document can't be read. */
export interface RecordedDocument {
  file: string;
  /** The line, counted from 1; absent if the file is a single document. */
  line?: number;
  /** The document's text. */
  text?: string;
  problem?: string;
}

const LINE_EXTENSIONS = [".jsonl", ".ndjson"];
/** The maximum size of a file with a single payload, in bytes. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/**
 * Expands paths to payload files; a directory stands for its .json, .jsonl and .ndjson files at any depth.
 * @throws Error if none of the paths exist.
 */
export function findSources(paths: readonly string[]): PayloadSource[] {
  if (!paths.some((path) => path === "-" || existsSync(path)))
    throw new Error(
      `no such file or directory: ${paths.join(", ")}; pass recorded payloads, or a directory with such files`,
    );
  return paths.flatMap((path) => {
    if (path === "-") return { file: "stdin" };
    if (!existsSync(path) || !statSync(path).isDirectory()) return { file: path, path };
    const names = readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
    return names
      .filter((name) => [".json", ...LINE_EXTENSIONS].includes(extname(name)))
      .map((name) => ({ file: join(path, name), path: join(path, name) }));
  });
}

/** Reads a file's documents lazily. */
export async function* readDocuments({ file, path }: PayloadSource): AsyncGenerator<RecordedDocument> {
  try {
    const isSingleDocument =
      path === undefined || LINE_EXTENSIONS.includes(extname(path)) ? undefined : readWholeDocument(path);
    if (isSingleDocument !== undefined) yield { file, ...isSingleDocument };
    else yield* readLines(file, path);
  } catch (error) {
    yield { file, problem: `can't be read (${explainSystemError(error)})` };
  }
}

/** Reads a file as a single document. Returns undefined if the first line is already a complete document. */
function readWholeDocument(path: string): Pick<RecordedDocument, "text" | "problem"> | undefined {
  if (statSync(path).size > MAX_DOCUMENT_BYTES) return undefined;
  const text = readFileSync(path, "utf8").replace(/^\ufeff/, "");
  const [first = "", ...rest] = text.trimStart().split("\n", 2);
  if (rest.length > 0 && isJsonObject(first)) return text.trim().includes("\n") ? undefined : { text };
  try {
    parseJsonObject(text, "");
    return { text };
  } catch (error) {
    return { problem: (error as Error).message.trim() };
  }
}

async function* readLines(file: string, path: string | undefined): AsyncGenerator<RecordedDocument> {
  let line = 0;
  for await (const text of splitLines(path === undefined ? process.stdin : createReadStream(path))) {
    line++;
    if (text === undefined) yield { file, line, problem: "too long for a payload" };
    else if (text.trim() !== "") yield { file, line, text };
  }
}

type DocumentPosition = Pick<RecordedDocument, "file" | "line">;

export const formatFullLocation = ({ file, line }: DocumentPosition): string =>
  `${file}${line === undefined ? "" : `:${line}`}`;

/** Formats a file name without its directory, and a line, for tables. */
export const formatShortLocation = ({ file, line }: DocumentPosition): string =>
  formatFullLocation({ file: basename(file), line });
