import type { LogLine } from "../../call/log/log-line.ts";
import { PROBE, PROBE_SESSION } from "../../protocol/probe.ts";

/**
 * Returns whether a line records a call made by `doctor` or a smoke test. Older releases logged these calls. This
 * release does so only if a wrapper around the executable drops unknown payload fields.
 */
export const isProbeLine = ({ session, subject, asked }: LogLine): boolean =>
  session === PROBE_SESSION ||
  subject === PROBE ||
  (typeof asked === "object" && asked !== null && Object.values(asked).includes(PROBE));
