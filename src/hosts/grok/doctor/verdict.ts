import type { Payload } from "../../../protocol/host/host.ts";
import type { CommandResult, AnswerVerdict } from "../../../protocol/host/install.ts";
import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import { parseJsonObject } from "../../parse-answer.ts";
import { capabilities, type GrokAnswerShape, createUnknownEventRow } from "../capabilities.ts";

const DENIALS: readonly unknown[] = ["deny", "block"];
const DECISIONS: readonly unknown[] = [...DENIALS, "allow", "approve", "ask", "defer", undefined];

/** Returns a gate's decision: the nested one if present. */
export const decisionOf = (answer: Payload): unknown =>
  toObject(answer.hookSpecificOutput).permissionDecision ?? answer.decision;

/** Whether the document denies, whatever the exit code; undefined if it does not say. */
function isDenial(answer: Payload, shape: GrokAnswerShape): boolean | undefined {
  switch (shape) {
    case "gate":
      return DENIALS.includes(decisionOf(answer)) || undefined;
    case "prompt":
    case "feedback":
      return answer.decision === "block" || undefined;
    // It takes precedence over the exit code.
    case "stop":
      return answer.continue !== false && answer.decision === "block";
    case "context":
    case "none":
      return false;
  }
}

/** Judges an answer the way Grok Build is documented to [shipped 1.0.41, read and not run]. */
export function judgeAnswer(native_event: string, { stdout, exit_code }: CommandResult): AnswerVerdict {
  const { shape } = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
  const document = parseJsonObject(stdout);
  const denied = document && isDenial(document, shape);
  if (denied !== undefined) return { kind: denied ? "denied" : "passed" };
  const gate = shape !== "context" && shape !== "none";
  if (exit_code === 2 && gate) return { kind: "denied" };
  const broken = (why: string): AnswerVerdict => ({
    kind: "broken",
    blocks: false,
    why: `${why}, and Grok Build goes on as if there were no hook`,
  });
  if (exit_code === null) return broken("it was killed");
  if (exit_code !== 0) return broken(`it exited with code ${exit_code}`);
  return shape === "gate" && document && !DECISIONS.includes(decisionOf(document))
    ? broken("its decision is not one that Grok Build has")
    : { kind: "passed" };
}
