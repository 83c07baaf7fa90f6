import { closeSync, constants, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { FILE_MODE } from "../../call/log/log-files.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { formatJson } from "../text.ts";
import type { Destination } from "./export.ts";
import { OTLP_DRAFTS, type OtlpDraft } from "./otlp-drafts.ts";

export const EXPORT_FORMATS = ["json", "ocsf", "otlp"] as const;
export type Format = (typeof EXPORT_FORMATS)[number];

export interface ExportOrder {
  format?: string | undefined;
  otlp?: string | undefined;
  /** Syslog socket path or URL. An empty string stands for the local system log. */
  syslog?: string | undefined;
  out?: string | undefined;
  /** Draft of the OpenTelemetry conventions whose attributes are added to each record. */
  draft?: string | undefined;
  /** Overrides the bookmark name derived from the destination. */
  bookmark?: string | undefined;
}

/** Where an export writes its output and warnings. */
export interface ExportOutput {
  write: (text: string) => void;
  warn: (text: string) => void;
}

/**
 * Creates the destination that the options select; stdout by default.
 * @throws Error if more than one destination is given, or if the destination doesn't support the format.
 */
export async function createDestination(order: ExportOrder, { write, warn }: ExportOutput): Promise<Destination> {
  const { otlp, syslog, out } = order;
  const options = Object.entries({ otlp, syslog, out }).filter(([, value]) => value !== undefined);
  if (options.length > 1) throw new Error(`pass only one of ${options.map(([name]) => `--${name}`).join(" and ")}`);
  const format = readFormat(order);
  const draft = readDraft(order.draft, format);
  const name = (defaultName?: string) => {
    const text = order.bookmark ?? defaultName;
    return text === undefined ? {} : { name: text };
  };
  if (otlp !== undefined) {
    checkUrl(otlp);
    const { createOtlpSender } = await import("./otlp.ts");
    return { ...name(`otlp ${otlp}`), send: createOtlpSender(otlp, warn, draft) };
  }
  const formatLines = await createFormatter(format, draft);
  if (syslog !== undefined) {
    const { createSyslogSender } = await import("./syslog.ts");
    const formatMessage = (line: LogLine) => shortenMessage(line, formatLines);
    return { ...name(`syslog ${syslog} ${format}`), send: createSyslogSender(syslog, formatMessage) };
  }
  if (out === undefined) return { ...name(), send: async (lines) => write(formatLines(lines)) };
  const file = resolve(out);
  return { ...name(`file ${file} ${format}`), send: async (lines) => appendToFile(file, formatLines(lines)) };
}

function readFormat({ format, otlp, syslog }: ExportOrder): Format {
  const knownFormat = EXPORT_FORMATS.find((one) => one === (format ?? (otlp === undefined ? "json" : "otlp")));
  if (!knownFormat) throw new Error(`unknown format "${format}"; known: ${EXPORT_FORMATS.join(", ")}`);
  if (otlp !== undefined && knownFormat !== "otlp")
    throw new Error(`--otlp requires the format otlp, not ${knownFormat}`);
  if (syslog !== undefined && knownFormat === "otlp")
    throw new Error("--syslog requires the format json or ocsf, not otlp");
  return knownFormat;
}

function readDraft(draft: string | undefined, format: Format): OtlpDraft | undefined {
  if (draft === undefined) return undefined;
  if (format !== "otlp") throw new Error(`--draft requires the format otlp, not ${format}`);
  const drafts = Object.keys(OTLP_DRAFTS) as OtlpDraft[];
  const knownDraft = drafts.find((one) => one === draft);
  if (!knownDraft) throw new Error(`unknown draft "${draft}"; known: ${drafts.join(", ")}`);
  return knownDraft;
}

function checkUrl(text: string): void {
  if (!/^https?:\/\/[^/]/.test(text) || !URL.canParse(text))
    throw new Error(`--otlp must be a receiver's URL such as http://localhost:4318, not "${text}"`);
}

/**
 * Creates a function that formats log lines and ends each with a newline. Control characters and line breaks in values
 * are escaped.
 */
async function createFormatter(format: Format, draft?: OtlpDraft): Promise<(lines: readonly LogLine[]) => string> {
  if (format === "otlp") {
    const { formatOtlp } = await import("./otlp.ts");
    return (lines) => `${formatOtlp(lines, draft)}\n`;
  }
  const { formatOcsf } = await import("./ocsf.ts");
  const convert = format === "ocsf" ? formatOcsf : (line: LogLine) => line;
  return (lines) => lines.map((line) => `${formatJson(convert(line), 0)}\n`).join("");
}

/**
 * Maximum size of a syslog message in bytes. A longer message might not fit into a datagram, or the daemon might
 * truncate it.
 */
const MAX_MESSAGE_BYTES = 60_000;
/** Fields to remove from a message that is too long, one at a time and longest first. */
const REMOVABLE_FIELDS = ["asked", "messages", "losses", "failures", "reason", "subject", "others"] as const;

function shortenMessage(line: LogLine, formatLines: (lines: readonly LogLine[]) => string): string {
  const shortLine: Record<string, unknown> = { ...line };
  for (const field of [undefined, ...REMOVABLE_FIELDS]) {
    if (field !== undefined && field in shortLine) delete shortLine[field];
    const text = formatLines([shortLine as unknown as LogLine]).trimEnd();
    if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return text;
  }
  return formatLines([{ ...(shortLine as unknown as LogLine), project: "[cut]", cwd: "[cut]" }]).trimEnd();
}

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;

/** Appends to a file and flushes it to disk. A newly created file is readable only by its owner. */
function appendToFile(file: string, text: string): void {
  const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, FILE_MODE);
  try {
    if (!fstatSync(fd).isFile()) throw new Error(`${file} is not a regular file`);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
