import { createReadStream } from "node:fs";
import type { Env } from "../../protocol/host/host.ts";
import { hashLine } from "../../call/log/log-chain.ts";
import { splitLines } from "../../call/serve.ts";
import { parseLogLine } from "./line-schema.ts";
import { listLogFiles, openLogFile } from "./read-log.ts";
import { closeSync } from "node:fs";

/** The place that a chain had reached. */
export interface ChainAnchor {
  seq: number;
  hash: string;
}

/** A place where the chain does not hold. */
export interface ChainFinding {
  file: string;
  line: number;
  message: string;
}

export interface ChainReport {
  /** Lines of the chain, and those outside of it. */
  chained: number;
  outside: number;
  /** The first number that is there. */
  first?: number;
  last?: ChainAnchor;
  findings: ChainFinding[];
}

const ANCHOR = /^(\d{1,15}):([0-9a-f]{64})$/;

export const formatAnchor = ({ seq, hash }: ChainAnchor): string => `${seq}:${hash}`;

/** @throws Error for anything else than what `--anchor` prints. */
export function parseAnchor(text: string): ChainAnchor {
  const [, seq, hash = ""] = ANCHOR.exec(text.trim()) ?? [];
  if (seq === undefined) throw new Error("--against takes what bridge-hooks log verify --anchor printed");
  return { seq: Number(seq), hash };
}

/** Checks that each line of the chain holds the hash of the one before, and that none is missing between them. */
export async function verifyLog(env: Env, anchor?: ChainAnchor): Promise<ChainReport> {
  const report: ChainReport = { chained: 0, outside: 0, findings: [] };
  let isAnchored = false;
  for (const file of listLogFiles(env)) {
    const opened = openLogFile(file);
    if (!opened) continue;
    closeSync(opened.fd);
    let at = 0;
    for await (const text of splitLines(createReadStream(file))) {
      at++;
      const add = (message: string) => void report.findings.push({ file, line: at, message });
      if (text === "") continue;
      const line = text === undefined ? undefined : parseLogLine(text);
      if (text === undefined || !line || line.seq === undefined || line.prev === undefined) {
        report.outside++;
        continue;
      }
      const { seq, prev } = line;
      const { last } = report;
      report.chained++;
      report.first ??= seq;
      if (last && seq === last.seq + 1 && prev !== last.hash) add(`line ${last.seq} before it was changed`);
      else if (last && seq > last.seq + 1) add(`lines ${last.seq + 1} to ${seq - 1} before it are missing`);
      else if (last && seq <= last.seq) add(`the chain starts again: ${seq} follows ${last.seq}`);
      else if (!last && seq === 1 && prev !== "") add("the first line names one before it");
      const hash = hashLine(text);
      if (anchor?.seq === seq) {
        isAnchored = true;
        if (anchor.hash !== hash) add(`line ${seq} differs from the anchor: it, or lines before it, were changed`);
      }
      report.last = { seq, hash };
    }
  }
  if (anchor && !isAnchored)
    report.findings.push({
      file: listLogFiles(env).at(-1) ?? "",
      line: 0,
      message:
        report.first !== undefined && anchor.seq < report.first
          ? `line ${anchor.seq} of the anchor is older than what is kept; take a newer anchor`
          : `line ${anchor.seq} of the anchor is missing: the end of the log was cut off, or all of it was replaced`,
    });
  return report;
}
