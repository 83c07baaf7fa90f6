import type { Payload } from "../../../protocol/host/host.ts";
import type { Result, Verdict } from "../../../protocol/host/install.ts";
import { objectOf, rowIn } from "../../check.ts";
import { isPascal } from "../../marks.ts";
import { capabilities, type Shape, unknown } from "../capabilities.ts";
import { isObject } from "../../../protocol/object.ts";

const denied: Verdict = { kind: "denied" };
const passed: Verdict = { kind: "passed" };

/** The document; noise in front of it keeps all of it from being read [seen 1.0.102, 2026-11-21]. */
function documentIn(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

function denies(answer: Payload, shape: Shape, native_event: string): boolean {
  const said = typeof answer.reason === "string" && answer.reason !== "";
  switch (shape) {
    case "permission":
    case "any": {
      const { permissionDecision } = isPascal(native_event) ? objectOf(answer.hookSpecificOutput) : ({} as Payload);
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

/** What Copilot CLI makes of an answer. */
export function verdict(native_event: string, { stdout, exit_code }: Result): Verdict {
  const { shape } = rowIn(capabilities, unknown, native_event);
  const gate = shape === "permission" || shape === "behavior";
  const document = documentIn(stdout);
  const answer = objectOf(document);
  // Whatever the document says; behind the call and at a prompt the document counts all the same [seen 1.0.102, 2026-11-22].
  if (exit_code === 2) return gate || denies(answer, shape, native_event) ? denied : passed;
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
      why: "its stdout is no document, and Copilot goes on as if there were no hook",
    };
  return denies(answer, shape, native_event) ? denied : passed;
}
