import * as z from "zod";
import type { LogLine } from "../../../src/call/log/log-line.ts";
import { createLine } from "../../support/log-lines.ts";

/**
 * Builds a log line whose time includes fractions of a second, and whose duration includes a fraction of a millisecond.
 */
export const createExactLine = (more: Partial<LogLine> = {}): LogLine =>
  createLine({ time: "2026-11-24T10:00:00.250Z", ms: 1.6, ...more });

// The request in protobuf's JSON format, based on its published definition:
// https://github.com/open-telemetry/opentelemetry-proto
const AnyValue: z.ZodType = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.lazy(() => AnyValue)) }) }),
]);
const Attributes = z.array(z.strictObject({ key: z.string().min(1), value: AnyValue }));
const Nanoseconds = z.string().regex(/^\d{19}$/);
export const ExportLogsServiceRequest = z.strictObject({
  resourceLogs: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes, droppedAttributesCount: z.int() }),
      scopeLogs: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          logRecords: z.array(
            z.strictObject({
              timeUnixNano: Nanoseconds,
              observedTimeUnixNano: Nanoseconds,
              severityNumber: z.int().min(1).max(24),
              severityText: z.string(),
              body: AnyValue,
              eventName: z.string(),
              attributes: Attributes,
              droppedAttributesCount: z.int(),
            }),
          ),
        }),
      ),
    }),
  ),
});
