import type { Env } from "../../protocol/host/host.ts";
import { hashLine } from "../../call/log/log-chain.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { parseLogLine } from "./line-schema.ts";
import { countLosses, type LogLosses } from "./losses.ts";
import { listLogFiles, openLogFile, readLines } from "./read-log.ts";
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
  /** Lines since the beginning of the chain that it lacks: processes were ended, or the disk was full. */
  losses: LogLosses;
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
export function verifyLog(env: Env, anchor?: ChainAnchor): ChainReport {
  const report: ChainReport = { chained: 0, outside: 0, findings: [], losses: { details: 0, unwritten: 0 } };
  const files = listLogFiles(env);
  let isAnchored = false;
  let since: number | undefined;
  for (const file of files)
    for (const { at, text, line } of readPlacedLines(file)) {
      if (line?.part === "head") continue;
      if (text === undefined || line?.seq === undefined || line.prev === undefined) {
        report.outside++;
        continue;
      }
      const link = { seq: line.seq, prev: line.prev, hash: hashLine(text) };
      if (anchor?.seq === link.seq) isAnchored = true;
      const messages = [explainBrokenLink(link, report.last), explainOtherHash(link, anchor)];
      for (const message of messages) if (message !== undefined) report.findings.push({ file, line: at, message });
      report.chained++;
      report.first ??= link.seq;
      since ??= Date.parse(line.time);
      report.last = { seq: link.seq, hash: link.hash };
    }
  if (anchor && !isAnchored)
    report.findings.push({
      file: files.at(-1) ?? "",
      line: 0,
      message: explainMissingAnchor(anchor, report.first),
    });
  if (since !== undefined) report.losses = countLosses(env, since);
  return report;
}

/** The lines of a file that are not empty, with their numbers; without a text if one is too long. */
function* readPlacedLines(file: string): Generator<{ at: number; text?: string; line?: LogLine | undefined }> {
  const opened = openLogFile(file);
  if (!opened) return;
  let at = 0;
  try {
    for (const { bytes } of readLines(opened.fd, { to: opened.size })) {
      at++;
      if (bytes?.length === 0) continue;
      const text = bytes?.toString("utf8");
      yield text === undefined ? { at } : { at, text, line: parseLogLine(text) };
    }
  } finally {
    closeSync(opened.fd);
  }
}

/** A line of the chain: its number and hash, and the hash of the line before. */
interface ChainLink extends ChainAnchor {
  prev: string;
}

function explainBrokenLink({ seq, prev }: ChainLink, last: ChainAnchor | undefined): string | undefined {
  if (!last) return seq === 1 && prev !== "" ? "the first line names one before it" : undefined;
  if (seq <= last.seq) return `the chain starts again: ${seq} follows ${last.seq}`;
  if (seq > last.seq + 1) return `lines ${last.seq + 1} to ${seq - 1} before it are missing`;
  return prev === last.hash ? undefined : `line ${last.seq} before it was changed`;
}

const explainOtherHash = ({ seq, hash }: ChainLink, anchor: ChainAnchor | undefined): string | undefined =>
  anchor?.seq === seq && anchor.hash !== hash
    ? `line ${seq} differs from the anchor: it, or lines before it, were changed`
    : undefined;

const explainMissingAnchor = ({ seq }: ChainAnchor, first: number | undefined): string =>
  first !== undefined && seq < first
    ? `line ${seq} of the anchor is older than what is kept; take a newer anchor`
    : `line ${seq} of the anchor is missing: the end of the log was cut off, or all of it was replaced`;
