import type { Payload } from "../../../protocol/host/host.ts";
import type { CommandResult, AnswerVerdict } from "../../../protocol/host/install.ts";
import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import { isPascalCase } from "../../value-tests.ts";
import { capabilities, type CopilotAnswerShape, createUnknownEventRow } from "../capabilities.ts";
import { isObject } from "../../../protocol/object.ts";

const denied: AnswerVerdict = { kind: "denied" };
const passed: AnswerVerdict = { kind: "passed" };

/** Parses the document; noise before it makes all of it unreadable [seen 1.0.102, 2026-11-21]. */
function parseAnswerDocument(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

function isDenial(answer: Payload, shape: CopilotAnswerShape, native_event: string): boolean {
  const said = typeof answer.reason === "string" && answer.reason !== "";
  switch (shape) {
    case "permission":
    case "any": {
      const { permissionDecision } = isPascalCase(native_event) ? toObject(answer.hookSpecificOutput) : ({} as Payload);
      return (answer.permissionDecision ?? permissionDecision) === "deny";
    }
    case "behavior":
      return answer.behavior === "deny";
    case "block":
      return answer.decision === "block" && said;
    case "context":
    case "none":
      return false;
  }
}

/** Judges an answer the way Copilot CLI does. */
export function judgeAnswer(native_event: string, { stdout, exit_code }: CommandResult): AnswerVerdict {
  const { shape } = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
  const gate = shape === "permission" || shape === "behavior";
  const document = parseAnswerDocument(stdout);
  const answer = toObject(document);
  // Before a call the document is ignored; after it and at a prompt the document still counts
  // [seen 1.0.102, 2026-11-22].
  if (exit_code === 2) return gate || isDenial(answer, shape, native_event) ? denied : passed;
  if (exit_code !== 0) {
    const what = exit_code === null ? "it was killed" : `it exited with code ${exit_code}`;
    const then = gate ? "blocks the call for safety" : "goes on as if there were no hook";
    return { kind: "broken", blocks: gate, why: `${what}, and Copilot ${then}` };
  }
  if (stdout.trim() === "" || shape === "none") return passed;
  if (!isObject(document))
    return {
      kind: "broken",
      blocks: false,
      why: "its stdout is not a document, and Copilot goes on as if there were no hook",
    };
  return isDenial(answer, shape, native_event) ? denied : passed;
}
