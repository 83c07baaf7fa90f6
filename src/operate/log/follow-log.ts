import { closeSync, fstatSync, statSync } from "node:fs";
import { orAbsent } from "../../system/errors.ts";
import type { Env } from "../../protocol/host/host.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { getLogFile } from "../../call/log/log-path.ts";
import { parseLogLine } from "./line-schema.ts";
import { WRITE_SETTLE_MS } from "./losses.ts";
import { type ReadCounts, openLogFile, readLines } from "./read-log.ts";

const INTERVAL_MS = 300;

/**
 * Yields log lines as they are written, until the signal aborts. A call's head (a short line written before its full
 * line) is yielded only if the full line doesn't follow in time.
 */
export async function* followLog(env: Env, reading: ReadCounts, signal?: AbortSignal): AsyncGenerator<LogLine> {
  const path = getLogFile(env);
  let openFile = openExisting(path);
  let at = openFile?.size ?? 0;
  const heads = new Map<string, { line: LogLine; seenAt: number }>();
  const yieldNewLines = function* (): Generator<LogLine> {
    if (!openFile) return;
    for (const { bytes, end, isCut } of readLines(openFile.fd, { from: at, to: fstatSync(openFile.fd).size })) {
      if (isCut) return;
      at = end;
      const line = bytes && parseLogLine(bytes.toString("utf8"));
      if (!line) reading.skipped++;
      else if (line.part === "head") heads.set(line.id, { line, seenAt: performance.now() });
      else {
        heads.delete(line.id);
        yield line;
      }
    }
  };
  const yieldOverdueHeads = function* (): Generator<LogLine> {
    for (const [id, { line, seenAt }] of heads) {
      if (performance.now() - seenAt < WRITE_SETTLE_MS) continue;
      heads.delete(id);
      yield line;
    }
  };
  while (!signal?.aborted) {
    yield* yieldNewLines();
    yield* yieldOverdueHeads();
    const current = orAbsent(() => statSync(path));
    // After log rotation, continue with the new file.
    if (current && (!openFile || current.ino !== openFile.ino)) {
      yield* yieldNewLines();
      if (openFile) closeSync(openFile.fd);
      openFile = openExisting(path);
      at = 0;
      continue;
    }
    await Bun.sleep(INTERVAL_MS);
  }
  if (openFile) closeSync(openFile.fd);
}

function openExisting(path: string): { fd: number; size: number; ino: number } | undefined {
  const stats = orAbsent(() => statSync(path));
  const openFile = stats && openLogFile(path);
  return openFile && { ...openFile, ino: stats.ino };
}
