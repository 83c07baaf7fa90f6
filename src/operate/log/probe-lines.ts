import type { LogLine } from "../../call/log/log-line.ts";
import { PROBE, PROBE_SESSION } from "../../protocol/probe.ts";

/**
 * Whether a line is about a call that `doctor` or a smoke test made. This executable writes no such line; an older one,
 * or a program between the two that drops what it does not know, may have.
 */
export const isProbeLine = ({ session, subject, asked }: LogLine): boolean =>
  session === PROBE_SESSION ||
  subject === PROBE ||
  (typeof asked === "object" && asked !== null && Object.values(asked).includes(PROBE));
