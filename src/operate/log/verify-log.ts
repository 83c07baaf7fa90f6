import type { Env } from "../../protocol/host/host.ts";
import { PLAIN_NAME } from "../../call/log/log-head.ts";
import { hashLine } from "../../call/log/log-chain.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { parseLogLine } from "./line-schema.ts";
import { countLosses, type LogLosses } from "./losses.ts";
import { listLogFiles, openLogFile, readLines } from "./read-log.ts";
import { closeSync } from "node:fs";
import { getOwnCommand } from "../../system/own-command.ts";

/** The position and hash of the last line in a chain. */
export interface ChainAnchor {
  seq: number;
  hash: string;
}

/** A break in the chain. */
export interface ChainFinding {
  file: string;
  line: number;
  message: string;
}

export interface ChainReport {
  /** Number of lines in the chain, and number of lines outside the chain. */
  chained: number;
  outside: number;
  /** Sequence number of the chain's first line. */
  first?: number;
  last?: ChainAnchor;
  findings: ChainFinding[];
  /**
   * Lines that were never completely written because a process was killed or the disk was full. Counted from the start
   * of the chain or, without one, of the log.
   */
  losses: LogLosses;
}

const ANCHOR_PATTERN = /^(\d{1,15}):([0-9a-f]{64})$/;

export const formatAnchor = ({ seq, hash }: ChainAnchor): string => `${seq}:${hash}`;

/**
 * Parses an anchor printed by `--anchor`.
 * @throws Error if the text isn't an anchor.
 */
export function parseAnchor(text: string): ChainAnchor {
  const [, seq, hash = ""] = ANCHOR_PATTERN.exec(text.trim()) ?? [];
  if (seq === undefined)
    throw new Error(`--against must be an anchor printed by ${getOwnCommand()} log verify --anchor`);
  return { seq: Number(seq), hash };
}

/** Checks that each chained line contains the hash of the previous line, and that no line is missing. */
export function verifyLog(env: Env, anchor?: ChainAnchor): ChainReport {
  const report: ChainReport = { chained: 0, outside: 0, findings: [], losses: { details: 0, unwritten: 0 } };
  const files = listLogFiles(env);
  let isAnchored = false;
  let since: number | undefined;
  const compareHead = createHeadComparison();
  for (const file of files)
    for (const { at, text, line } of readNumberedLines(file)) {
      const contradiction = line && compareHead(line);
      if (contradiction !== undefined) report.findings.push({ file, line: at, message: contradiction });
      if (line?.part === "head") continue;
      if (text === undefined || line?.seq === undefined || line.prev === undefined) {
        report.outside++;
        continue;
      }
      const link = { seq: line.seq, prev: line.prev, hash: hashLine(text) };
      if (anchor?.seq === link.seq) isAnchored = true;
      const messages = [explainBrokenLink(link, report.last), explainHashMismatch(link, anchor)];
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
  report.losses = countLosses(env, since);
  return report;
}

/** Yields a file's non-empty lines with their line numbers. `text` is absent if a line is too long. */
function* readNumberedLines(file: string): Generator<{ at: number; text?: string; line?: LogLine | undefined }> {
  const openFile = openLogFile(file);
  if (!openFile) return;
  let at = 0;
  try {
    for (const { bytes } of readLines(openFile.fd, { to: openFile.size })) {
      at++;
      if (bytes?.length === 0) continue;
      const text = bytes?.toString("utf8");
      yield text === undefined ? { at } : { at, text, line: parseLogLine(text) };
    }
  } finally {
    closeSync(openFile.fd);
  }
}

/** Position of a line in the chain: the line's number and hash, and the hash of the previous line. */
interface ChainLink extends ChainAnchor {
  prev: string;
}

function explainBrokenLink({ seq, prev }: ChainLink, last: ChainAnchor | undefined): string | undefined {
  if (!last) return seq === 1 && prev !== "" ? "the first line refers to a previous line" : undefined;
  if (seq <= last.seq) return `the chain restarts: line ${seq} follows line ${last.seq}`;
  if (seq === last.seq + 2) return `line ${last.seq + 1} is missing before this line`;
  if (seq > last.seq + 1) return `lines ${last.seq + 1} to ${seq - 1} are missing before this line`;
  return prev === last.hash ? undefined : `the previous line (${last.seq}) was changed`;
}

/** Fields that a head and its full line have in common. */
const SHARED_HEAD_FIELDS = ["host", "event", "decision", "wanted", "mode", "hook", "rule"] as const;

/** Creates a function that explains how a complete line contradicts its head, an earlier and shorter record. Pass each head to the function before the complete line. */
function createHeadComparison(): (line: LogLine) => string | undefined {
  const heads = new Map<string, LogLine>();
  return (line) => {
    const head = heads.get(line.id);
    if (line.part === "head") heads.set(line.id, line);
    else heads.delete(line.id);
    return line.part === "head" ? undefined : explainHeadMismatch(line, head);
  };
}

/**
 * Explains how a full line contradicts its head. Names that are redacted in the full line or missing from the head
 * aren't contradictions.
 */
function explainHeadMismatch(line: LogLine, head: LogLine | undefined): string | undefined {
  if (!head) return undefined;
  const isOther = (field: (typeof SHARED_HEAD_FIELDS)[number]) =>
    line[field] !== head[field] && !/[[…]/.test(line[field] ?? "") && PLAIN_NAME.test(line[field] ?? head[field] ?? "");
  const field = SHARED_HEAD_FIELDS.find(isOther);
  return (
    field &&
    `the line contradicts its head: ${field} is ${line[field] ?? "absent"} instead of ${head[field] ?? "absent"}`
  );
}

const explainHashMismatch = ({ seq, hash }: ChainLink, anchor: ChainAnchor | undefined): string | undefined =>
  anchor?.seq === seq && anchor.hash !== hash
    ? `line ${seq} differs from the anchor; this line or an earlier one was changed`
    : undefined;

const explainMissingAnchor = ({ seq }: ChainAnchor, first: number | undefined): string =>
  first !== undefined && seq < first
    ? `line ${seq}, named in the anchor, was already deleted (retention); use a newer anchor`
    : `line ${seq}, named in the anchor, is missing; the log was truncated or replaced`;
