import { hostname } from "node:os";
import { diag, DiagLogLevel } from "@opentelemetry/api";
import { SeverityNumber } from "@opentelemetry/api-logs";
import { ExportResultCode } from "@opentelemetry/core";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { JsonLogsSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import pkg from "../../../package.json" with { type: "json" };
import type { LogLine } from "../../call/log/log-line.ts";
import { classifyLine, type Outcome } from "../log/outcomes.ts";
import { escapeLine, escapeStrings } from "../text.ts";
import { describeLine } from "../log/describe.ts";
import { OTLP_DRAFTS, type OtlpDraft } from "./otlp-drafts.ts";

const SEVERITIES: Readonly<Record<Outcome, [SeverityNumber, string]>> = {
  denied: [SeverityNumber.WARN, "WARN"],
  asked: [SeverityNumber.INFO2, "INFO2"],
  rewritten: [SeverityNumber.INFO, "INFO"],
  warned: [SeverityNumber.INFO2, "INFO2"],
  withheld: [SeverityNumber.INFO2, "INFO2"],
  excepted: [SeverityNumber.INFO2, "INFO2"],
  failed: [SeverityNumber.ERROR, "ERROR"],
  passed: [SeverityNumber.INFO, "INFO"],
};

/**
 * Log fields for which the OpenTelemetry conventions define an attribute. The other fields get a name with the
 * product's prefix.
 */
const ATTRIBUTE_NAMES: Readonly<Partial<Record<keyof LogLine, string>>> = {
  host: "gen_ai.agent.name",
  session: "gen_ai.conversation.id",
  tool: "gen_ai.tool.name",
  user: "user.name",
  cwd: "process.working_directory",
};
const ATTRIBUTE_PREFIX = "bridge_hooks";
/** Fields that the log record already contains, so they aren't repeated as attributes. */
const OMITTED_FIELDS = new Set(["time", "v"]);

const INSTRUMENTATION_SCOPE = { name: "bridge-hooks", version: pkg.version };

/**
 * Flattens a line into attributes. Strings, numbers and string arrays are kept as is; nested values become JSON
 * strings.
 */
function flattenLine(line: LogLine): ReadableLogRecord["attributes"] {
  const attributes: ReadableLogRecord["attributes"] = { [`${ATTRIBUTE_PREFIX}.outcome`]: classifyLine(line) };
  for (const [key, value] of Object.entries(line)) {
    if (OMITTED_FIELDS.has(key)) continue;
    if (key === "policy")
      for (const [part, text] of Object.entries(line.policy ?? {}))
        attributes[`${ATTRIBUTE_PREFIX}.policy.${part}`] = text;
    else {
      const isFlat =
        typeof value !== "object" || (Array.isArray(value) && value.every((one) => typeof one === "string"));
      attributes[ATTRIBUTE_NAMES[key as keyof LogLine] ?? `${ATTRIBUTE_PREFIX}.${key}`] = isFlat
        ? value
        : JSON.stringify(value);
    }
  }
  return escapeStrings(attributes);
}

function createRecords(lines: readonly LogLine[], draft?: OtlpDraft): ReadableLogRecord[] {
  const resource = resourceFromAttributes({
    "service.name": "bridge-hooks",
    "service.version": pkg.version,
    "host.name": hostname(),
  });
  const now = toHighResolutionTime(Date.now());
  return lines.map((line) => {
    // Lines about policy changes have no verdict: they don't describe a call.
    const draftRecord = draft && !line.change ? OTLP_DRAFTS[draft](line) : undefined;
    const [severityNumber, severityText] = SEVERITIES[classifyLine(line)];
    return {
      hrTime: toHighResolutionTime(Date.parse(line.time)),
      hrTimeObserved: now,
      severityNumber,
      severityText,
      eventName: draftRecord?.eventName ?? `${ATTRIBUTE_PREFIX}.decision`,
      body: describeLine(line),
      resource,
      instrumentationScope: INSTRUMENTATION_SCOPE,
      attributes: { ...flattenLine(line), ...escapeStrings(draftRecord?.attributes ?? {}) },
      droppedAttributesCount: 0,
    };
  });
}

const toHighResolutionTime = (ms: number): [number, number] => [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];

/** Formats lines as one OTLP request in JSON, which a collector's file receiver can read. */
export const formatOtlp = (lines: readonly LogLine[], draft?: OtlpDraft): string =>
  new TextDecoder().decode(JsonLogsSerializer.serializeRequest(createRecords(lines, draft)));

/** Time limit for sending, in milliseconds, including retries while a receiver is busy. */
const TIMEOUT_MS = 10_000;

/**
 * Creates a function that sends lines over HTTP. Headers (such as a token) and certificates are configured with
 * OpenTelemetry's own environment variables.
 * @param warn receives the receiver's warnings about lines that it accepted
 */
export function createOtlpSender(
  url: string,
  warn: (text: string) => void,
  draft?: OtlpDraft,
): (lines: readonly LogLine[]) => Promise<void> {
  const ignore = () => {};
  // Even if the request succeeds, the receiver may have rejected individual records.
  const logger = { error: ignore, warn: (text: string, ...details: unknown[]) => warn(formatWarning(text, details)) };
  diag.setLogger({ ...logger, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const exporter = new OTLPLogExporter({ url: completeUrl(url), timeoutMillis: TIMEOUT_MS });
  return (lines) =>
    new Promise((resolve, reject) =>
      exporter.export(createRecords(lines, draft), ({ code, error }) =>
        code === ExportResultCode.SUCCESS
          ? resolve()
          : reject(
              new Error(escapeLine(`${url} did not accept the lines: ${error?.message || error?.name || "no answer"}`)),
            ),
      ),
    );
}

const formatWarning = (text: string, details: readonly unknown[]) =>
  escapeLine(`${text} ${details.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(" ")}`.trim());

/** Adds the default path for logs if the URL has no path. */
function completeUrl(text: string): string {
  const url = new URL(text);
  if (url.pathname === "/") url.pathname = "/v1/logs";
  return url.href;
}
