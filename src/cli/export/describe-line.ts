import type { LogLine } from "../../call/log/log-line.ts";
import { describeAsked, describeDecision } from "../log/text.ts";
import { truncateLine } from "../terminal/layout.ts";

const MOST_LETTERS = 500;

/** `deny: git push --force (git/push-force)`: a line for people, without anything that a terminal or a log would obey. */
export function describeLine(line: LogLine): string {
  const by = line.rule ?? line.hook;
  const text = `${describeDecision(line)}: ${describeAsked(line)}${by === undefined ? "" : ` (${by})`}`;
  return truncateLine(text, MOST_LETTERS);
}
