import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import type { CommandResult, AnswerVerdict } from "../../../protocol/host/install.ts";
import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { isObject } from "../../../protocol/object.ts";

const message = () => v.optional(v.string());
/**
 * The fields that make an answer invalid if their type is wrong; unknown keys are ignored
 * [seen @cursor/sdk 1.0.32, 2026-11-21].
 */
const Answer = () => v.looseObject({ user_message: message(), agent_message: message() });
const permission = (...values: string[]) =>
  v.looseObject({ ...Answer().entries, permission: v.optional(v.picklist(values)) });
/** These events treat "ask" as a broken answer and block [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const NO_ASK = ["beforeReadFile", "beforeTabFileRead"];
const LIMIT = 10_000;

/** Finds the document in a text: all of it, or else the last one at its end [seen @cursor/sdk 1.0.32, 2026-11-21]. */
export function findLastDocument(stdout: string): unknown {
  const text = stdout.replace(/^\ufeff/, "").trim();
  const tried = (from: number): unknown => {
    try {
      return JSON.parse(text.slice(from));
    } catch {
      return undefined;
    }
  };
  let found = tried(0);
  if (!text.endsWith("}")) return found;
  for (let at = text.lastIndexOf("{"); found === undefined && at > 0; at = text.lastIndexOf("{", at - 1))
    found = tried(at);
  return found;
}

const getShape = (native_event: string) => findCapabilityRow(capabilities, createUnknownEventRow, native_event).shape;

/** Returns why the host finds an answer invalid; `blocks`: it blocks to be safe, whatever the entry says. */
function findFault(
  native_event: string,
  { stdout, exit_code }: CommandResult,
  closed: boolean,
): { why: string; blocks?: true } | undefined {
  const shape = getShape(native_event);
  if (exit_code !== 0) return { why: exit_code === null ? "it was killed" : `it exited with code ${exit_code}` };
  // Without failClosed this counts as no opinion.
  if (stdout.trim() === "") return closed ? { why: "it printed nothing" } : undefined;
  const gate = shape === "permission" || shape === "any";
  const schema =
    shape !== "permission"
      ? Answer()
      : NO_ASK.includes(native_event)
        ? permission("allow", "deny")
        : permission("allow", "deny", "ask");
  const document = findLastDocument(stdout);
  const result = v.safeParse(schema, document);
  // Cursor does not accept a list as an object.
  if (!result.success || !isObject(document))
    return { why: "its stdout is not a document that Cursor takes", ...(gate && { blocks: true as const }) };
  const { additional_context } = result.output as Payload;
  const long =
    native_event === "preToolUse" && typeof additional_context === "string" && additional_context.length > LIMIT;
  return long && closed ? { why: `its additional_context is longer than ${LIMIT} characters` } : undefined;
}

/** Judges an answer the way Cursor does. */
export function judgeAnswer(native_event: string, result: CommandResult, handler: Payload): AnswerVerdict {
  const shape = getShape(native_event);
  const stops = shape === "permission" || shape === "continue" || shape === "any";
  // The document is ignored [seen @cursor/sdk 1.0.32, 2026-11-21].
  if (result.exit_code === 2) return { kind: stops ? "denied" : "passed" };
  const closed = handler.failClosed === true && stops;
  const fault = findFault(native_event, result, closed);
  if (fault) {
    const what = fault.blocks
      ? "blocks for safety"
      : closed
        ? "blocks because of failClosed"
        : "goes on as if there were no hook";
    return { kind: "broken", blocks: closed || fault.blocks === true, why: `${fault.why}, and Cursor ${what}` };
  }
  const answer = toObject(findLastDocument(result.stdout));
  return { kind: isDenial(answer, shape) ? "denied" : "passed" };
}

function isDenial(answer: Payload, shape: ReturnType<typeof getShape>): boolean {
  switch (shape) {
    case "permission":
      return answer.permission === "deny";
    case "continue":
      return answer.continue === false;
    case "any":
      return answer.permission === "deny" || answer.continue === false;
    case "followup":
      return Boolean(answer.followup_message) || (answer.decision === "block" && Boolean(answer.reason));
    case "context":
    case "message":
    case "none":
      return false;
  }
}
