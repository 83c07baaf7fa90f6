import * as v from "valibot";
import { pickCell } from "../../../protocol/capability.ts";
import type { HostDoctor, AnswerVerdict } from "../../../protocol/host/install.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";

/** Events that ignore `onFailure` [shipped 2.1.330]. */
const NO_ON_FAILURE = ["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"];

/**
 * The document fields that Claude Code reads. It ignores unknown keys [seen 2.1.330] and rejects other values of these
 * [unverified].
 */
const Answer = () =>
  v.looseObject({
    continue: v.optional(v.boolean()),
    decision: v.optional(v.picklist(["approve", "block"])),
    hookSpecificOutput: v.optional(
      v.looseObject({
        hookEventName: v.optional(v.string()),
        permissionDecision: v.optional(v.picklist(["allow", "deny", "ask", "defer"])),
        decision: v.optional(v.looseObject({ behavior: v.picklist(["allow", "deny"]) })),
        action: v.optional(v.picklist(["accept", "decline", "cancel"])),
      }),
    ),
  });
type Answer = v.InferOutput<ReturnType<typeof Answer>>;

function parseDocument(text: string): Answer | undefined {
  try {
    const result = v.safeParse(Answer(), JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

function isDenial({ decision, hookSpecificOutput: specific, ...rest }: Answer, native_event: string): boolean {
  const { shape } = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
  // The prompt is not sent; a tool call still runs, and the turn ends after it [seen 2.1.330, 2026-11-21].
  if (rest.continue === false && native_event === "UserPromptSubmit") return true;
  if (decision === "block" && (shape === "permission" || shape === "block" || shape === "exit")) return true;
  // Ignored if the event's name is missing or wrong [seen 2.1.330, 2026-11-21].
  if (specific?.hookEventName !== native_event) return false;
  switch (shape) {
    case "permission":
      return specific.permissionDecision === "deny";
    case "behavior":
      return specific.decision?.behavior === "deny";
    case "elicitation":
      return specific.action === "decline" || specific.action === "cancel";
    case "block":
    case "context":
    case "message":
    case "exit":
      return false;
  }
}

/** Judges an answer the way Claude Code does. */
export const judgeAnswer: HostDoctor["judgeAnswer"] = (native_event, { stdout, exit_code }, handler): AnswerVerdict => {
  // Claude Code doesn't wait for it [seen 2.1.330, 2026-11-21].
  if (handler.async === true) return { kind: "passed" };
  const row = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
  const can = pickCell(row.deny, undefined).support !== "unenforceable";
  const answer = (denied: boolean): AnswerVerdict => ({ kind: denied && can ? "denied" : "passed" });
  // PermissionRequest only reads the document [seen 2.1.330, 2026-11-21].
  if (exit_code === 2 && row.shape !== "behavior") return answer(true);
  const isDocument = stdout.trimStart().startsWith("{");
  const document = isDocument ? parseDocument(stdout) : undefined;
  // The document decides, whatever the exit code [seen 2.1.330, 2026-11-21].
  if (document) return answer(isDenial(document, native_event));
  if (exit_code === 0 && !isDocument) return { kind: "passed" };
  const blocks = handler.onFailure === "block" && !NO_ON_FAILURE.includes(native_event);
  const why = isDocument
    ? "its stdout begins as a document, but is not JSON that Claude Code takes"
    : exit_code === null
      ? "it was killed"
      : `it exited with code ${exit_code}`;
  return {
    kind: "broken",
    blocks,
    why: `${why}, and Claude Code ${blocks ? "blocks because of onFailure" : "goes on as if there were no hook"}`,
  };
};
