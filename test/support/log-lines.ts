import type { LogLine } from "../../src/call/log/log-line.ts";

/** Builds a line of the decision log, with fields in the log's order. */
export const createLine = ({
  id = "aaaaaaaa",
  time = "2026-11-24T10:00:00.000Z",
  part,
  ...more
}: Partial<LogLine> = {}): LogLine => ({
  v: 1,
  id,
  time,
  ...(part && { part }),
  decision: "deny",
  mode: "enforce",
  content: "redacted",
  ms: 1,
  ...more,
});
