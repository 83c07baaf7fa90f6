import { closeSync, readSync, statSync } from "node:fs";
import type { Env } from "../../protocol/host/host.ts";
import { getLogFile } from "../../call/log/log-file.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { parseLogLine } from "./line-schema.ts";
import { openLogFile, type LogReading } from "./read-log.ts";

const INTERVAL_MS = 300;
const BLOCK_BYTES = 1 << 16;
const MAX_LINE_LENGTH = 1 << 21;

/** The lines that are written from now on; it ends with the signal. */
export async function* followLog(env: Env, reading: LogReading, signal?: AbortSignal): AsyncGenerator<LogLine> {
  const path = getLogFile(env);
  let opened = openExisting(path);
  let at = opened?.size ?? 0;
  let rest = "";
  const decoder = new TextDecoder();
  const block = new Uint8Array(BLOCK_BYTES);
  const readOn = function* (): Generator<LogLine> {
    if (!opened) return;
    for (let count = readSync(opened.fd, block, 0, BLOCK_BYTES, at); count > 0;) {
      at += count;
      const texts = (rest + decoder.decode(block.subarray(0, count), { stream: true })).split("\n");
      rest = texts.pop() ?? "";
      if (rest.length > MAX_LINE_LENGTH) rest = "";
      for (const text of texts) {
        const line = parseLogLine(text);
        if (line) yield line;
        else reading.skipped++;
      }
      count = readSync(opened.fd, block, 0, BLOCK_BYTES, at);
    }
  };
  while (!signal?.aborted) {
    yield* readOn();
    const current = statSync(path, { throwIfNoEntry: false });
    // A full file got another name, and the next one is there.
    if (current && (!opened || current.ino !== opened.ino)) {
      yield* readOn();
      if (opened) closeSync(opened.fd);
      opened = openExisting(path);
      [at, rest] = [0, ""];
      continue;
    }
    await Bun.sleep(INTERVAL_MS);
  }
  if (opened) closeSync(opened.fd);
}

function openExisting(path: string): { fd: number; size: number; ino: number } | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  const opened = found && openLogFile(path);
  return opened && { ...opened, ino: found.ino };
}
