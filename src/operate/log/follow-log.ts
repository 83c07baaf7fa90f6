import { closeSync, fstatSync, statSync } from "node:fs";
import { orAbsent } from "../../system/errors.ts";
import type { Env } from "../../protocol/host/host.ts";
import { getLogFile } from "../../call/log/log-file.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { parseLogLine } from "./line-schema.ts";
import { type LogReading, openLogFile, readLines } from "./read-log.ts";

const INTERVAL_MS = 300;

/** The lines that are written from now on; it ends with the signal. */
export async function* followLog(env: Env, reading: LogReading, signal?: AbortSignal): AsyncGenerator<LogLine> {
  const path = getLogFile(env);
  let opened = openExisting(path);
  let at = opened?.size ?? 0;
  const readOn = function* (): Generator<LogLine> {
    if (!opened) return;
    for (const { bytes, end, isCut } of readLines(opened.fd, { from: at, to: fstatSync(opened.fd).size })) {
      if (isCut) return;
      at = end;
      const line = bytes && parseLogLine(bytes.toString("utf8"));
      if (line) yield line;
      else reading.skipped++;
    }
  };
  while (!signal?.aborted) {
    yield* readOn();
    const current = orAbsent(() => statSync(path));
    // A full file got another name, and the next one is there.
    if (current && (!opened || current.ino !== opened.ino)) {
      yield* readOn();
      if (opened) closeSync(opened.fd);
      opened = openExisting(path);
      at = 0;
      continue;
    }
    await Bun.sleep(INTERVAL_MS);
  }
  if (opened) closeSync(opened.fd);
}

function openExisting(path: string): { fd: number; size: number; ino: number } | undefined {
  const found = orAbsent(() => statSync(path));
  const opened = found && openLogFile(path);
  return opened && { ...opened, ino: found.ino };
}
