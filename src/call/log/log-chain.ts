import { dirname } from "node:path";
import { isAbsentError } from "../../system/errors.ts";
import { appendLine, listFullFiles, lockLog, type LogTarget } from "./log-file.ts";
import { READ_FLAGS } from "./log-files.ts";
import { isLogFile } from "./log-path.ts";

/** A line's position in the chain. */
export interface ChainLink {
  seq: number;
  /** SHA-256 of the previous line; empty for the first line. */
  prev: string;
}

/** How long to wait for other processes before writing a line outside the chain, in milliseconds. */
export const CHAIN_WAIT_MS = 1_000;
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 16;

export const hashLine = (line: string): string => new Bun.CryptoHasher("sha256").update(line).digest("hex");

/** Appends a line to the chain. Reading the last line and adding a new one is limited to one process at a time. */
export async function appendChainedLine(
  target: LogTarget,
  formatLine: (link: ChainLink | undefined) => string,
): Promise<boolean> {
  const unlock = await waitForLock(target);
  if (!unlock) return appendLine(target, formatLine(undefined));
  try {
    const lastLink = await findLastLink(target);
    return await appendLine(target, formatLine(lastLink ?? { seq: 1, prev: "" }), true);
  } finally {
    await unlock();
  }
}

async function waitForLock(target: LogTarget): Promise<(() => unknown) | undefined> {
  const end = performance.now() + CHAIN_WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const unlock = await takeLock(target);
    if (unlock || performance.now() + pauseMs > end) return unlock;
    // Wait for a random time so that processes don't all retry at once.
    await Bun.sleep(pauseMs * (0.5 + Math.random()));
  }
}

async function takeLock(target: LogTarget): Promise<(() => unknown) | undefined> {
  try {
    return await lockLog(target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    // The directory doesn't exist until the first line is written.
    await target.files.mkdir(dirname(target.file));
    return lockLog(target);
  }
}

/** Finds the position after the last line of the chain. Returns undefined if there are no lines yet. */
async function findLastLink(target: LogTarget): Promise<ChainLink | undefined> {
  const currentLink = await findLinkIn(target, target.file);
  if (currentLink) return currentLink;
  const fullFiles = listFullFiles(target.file, await target.files.list(dirname(target.file)));
  for (const path of fullFiles.reverse()) {
    const link = await findLinkIn(target, path);
    if (link) return link;
  }
  return undefined;
}

/** How many bytes to read from the end of a file. If they don't contain a line of the chain, the next size is tried. */
const TAIL_BYTES = [1 << 14, 1 << 20, 1 << 23];

async function findLinkIn({ files }: LogTarget, path: string): Promise<ChainLink | undefined> {
  let fd: number;
  try {
    fd = await files.open(path, READ_FLAGS);
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
  try {
    const stats = await files.stat(fd);
    if (!isLogFile(stats)) return undefined;
    for (const limit of TAIL_BYTES) {
      const bytes = new Uint8Array(Math.min(stats.size, limit));
      const count = await files.read(fd, bytes, stats.size - bytes.length);
      const lines = new TextDecoder().decode(bytes.subarray(0, count)).split("\n");
      // The first line may be incomplete.
      if (stats.size > bytes.length) lines.shift();
      for (const line of lines.reverse()) {
        const seq = readSequence(line);
        if (seq !== undefined) return { seq: seq + 1, prev: hashLine(line) };
      }
      if (stats.size <= limit) return undefined;
    }
    return undefined;
  } finally {
    await files.close(fd);
  }
}

/** Returns a line's sequence number, or undefined if the line isn't in the chain. */
function readSequence(line: string): number | undefined {
  if (!line.includes('"seq":')) return undefined;
  try {
    const { seq, prev } = JSON.parse(line) as Partial<ChainLink>;
    return Number.isSafeInteger(seq) && typeof prev === "string" ? seq : undefined;
  } catch {
    return undefined;
  }
}
