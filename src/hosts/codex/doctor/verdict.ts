import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import type { CommandResult, AnswerVerdict } from "../../../protocol/host/install.ts";
import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { isObject } from "../../../protocol/object.ts";

const words = () => v.optional(v.string());
const common = {
  systemMessage: words(),
  continue: v.optional(v.boolean()),
  stopReason: words(),
  suppressOutput: v.optional(v.boolean()),
};
const block = { decision: v.optional(v.literal("block")), reason: words() };
/** The name is required, but any name is accepted [seen 0.169.0, 2026-11-21], whatever the schemas say. */
const specific = <T extends v.ObjectEntries>(entries: T) =>
  v.optional(v.strictObject({ hookEventName: v.string(), ...entries }));
const context = () => specific({ additionalContext: words() });

/**
 * From the JSON Schemas inside the released binary: one unknown key fails the whole answer
 * [shipped 0.169.0; seen 2026-11-21].
 */
const OUTPUTS: Readonly<Record<string, () => v.GenericSchema>> = {
  PreToolUse: () =>
    v.strictObject({
      ...common,
      decision: v.optional(v.picklist(["approve", "block"])),
      reason: words(),
      hookSpecificOutput: specific({
        additionalContext: words(),
        permissionDecision: v.optional(v.picklist(["allow", "deny", "ask"])),
        permissionDecisionReason: words(),
        updatedInput: v.optional(v.unknown()),
      }),
    }),
  PermissionRequest: () =>
    v.strictObject({
      ...common,
      hookSpecificOutput: specific({
        decision: v.optional(
          v.strictObject({
            behavior: v.picklist(["allow", "deny"]),
            message: words(),
            interrupt: v.optional(v.literal(false)),
          }),
        ),
      }),
    }),
  PostToolUse: () => v.strictObject({ ...common, ...block, hookSpecificOutput: context() }),
  UserPromptSubmit: () => v.strictObject({ ...common, ...block, hookSpecificOutput: context() }),
  Stop: () => v.strictObject({ ...common, ...block }),
  SubagentStop: () => v.strictObject({ ...common, ...block }),
  SessionStart: () => v.strictObject({ ...common, hookSpecificOutput: context() }),
  SubagentStart: () => v.strictObject({ ...common, hookSpecificOutput: context() }),
  PreCompact: () => v.strictObject(common),
  PostCompact: () => v.strictObject(common),
  Interrupt: () => v.strictObject({ systemMessage: words() }),
};

const isNonEmptyText = (text: unknown) => typeof text === "string" && text.trim() !== "";
const denied: AnswerVerdict = { kind: "denied" };
const passed: AnswerVerdict = { kind: "passed" };
const broken = (why: string): AnswerVerdict => ({
  kind: "broken",
  blocks: false,
  why: `${why}, and Codex goes on as if there were no hook`,
});

/** Why Codex refuses a well-formed answer [seen 0.169.0, 2026-11-21]. */
function explainRefusal(native_event: string, answer: Payload): string | undefined {
  const { permissionDecision, permissionDecisionReason, updatedInput } = toObject(answer.hookSpecificOutput);
  const gate = native_event === "PreToolUse" || native_event === "PermissionRequest";
  if (gate && (answer.continue === false || isNonEmptyText(answer.stopReason) || answer.suppressOutput === true))
    return "it says continue, stopReason or suppressOutput, which Codex does not take at this event";
  if (answer.decision === "approve") return 'it says "approve"';
  if (answer.decision === "block" && !isNonEmptyText(answer.reason)) return "it blocks without a reason";
  if (permissionDecision === "ask") return 'it says "ask", which Codex does not have';
  if (permissionDecision === "allow" && updatedInput === undefined) return 'it says "allow" and changes nothing';
  if (permissionDecision === "deny" && !isNonEmptyText(permissionDecisionReason)) return "it denies without a reason";
  return updatedInput !== undefined && permissionDecision !== "allow"
    ? 'it changes the input without "allow"'
    : undefined;
}

function judgeDocument(native_event: string, text: string): AnswerVerdict {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return broken("its stdout begins as a document, but is not valid JSON");
  }
  if (!isObject(document)) return broken("its document is a list");
  const result = v.safeParse((OUTPUTS[native_event] as () => v.GenericSchema)(), document);
  if (!result.success)
    return broken(
      `its document does not fit the event (${v.getDotPath(result.issues[0]) ?? "all of it"}: ${result.issues[0].message})`,
    );
  const answer = toObject(document);
  const why = explainRefusal(native_event, answer);
  if (why) return broken(why);
  const { permissionDecision, decision } = toObject(answer.hookSpecificOutput);
  if (answer.decision === "block" || permissionDecision === "deny" || toObject(decision).behavior === "deny")
    return denied;
  // At Stop this ends the turn, while a denial would continue it; some of the other events can't be stopped.
  const stops = ["PostToolUse", "UserPromptSubmit", "SessionStart", "PreCompact"].includes(native_event);
  return answer.continue === false && stops ? denied : passed;
}

const getShape = (native_event: string) => findCapabilityRow(capabilities, createUnknownEventRow, native_event).shape;

/** Judges an answer the way Codex does. */
export function judgeAnswer(
  native_event: string,
  { stdout, stderr, exit_code }: CommandResult,
  handler: Payload,
): AnswerVerdict {
  // Codex doesn't wait for it [seen 0.169.0, 2026-11-21].
  if (handler.async === true) return passed;
  const shape = getShape(native_event);
  if (exit_code === 2) {
    if (shape === "none") return passed;
    // SessionStart and PreCompact treat it as a failure [seen 0.169.0, 2026-11-21].
    if (shape === "stop" || shape === "context" || shape === "message")
      return broken("it exited with code 2, which does nothing here");
    // Codex does not read stdout then [seen 0.169.0, 2026-11-21].
    return isNonEmptyText(stderr) ? denied : broken("it exited with code 2 and said nothing on stderr");
  }
  if (exit_code !== 0) return broken(exit_code === null ? "it was killed" : `it exited with code ${exit_code}`);
  const text = stdout.trim();
  if (text === "" || shape === "none") return passed;
  if (/^[{[]/.test(text) && Object.hasOwn(OUTPUTS, native_event)) return judgeDocument(native_event, text);
  // At other events plain text becomes context or is ignored [seen 0.169.0, 2026-11-21].
  return ["Stop", "SubagentStop", "Interrupt"].includes(native_event) ? broken("it printed plain text") : passed;
}
