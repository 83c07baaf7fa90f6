import { pickCell } from "../../../protocol/capability.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { CommandResult, AnswerVerdict } from "../../../protocol/host/install.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { isObject } from "../../../protocol/object.ts";

const createBrokenVerdict = (why: string, blocks = false): AnswerVerdict => ({
  kind: "broken",
  blocks,
  why: `${why}, and Gemini CLI ${blocks ? "treats all of it as a denial" : "goes on as if there were no hook"}`,
});

/** Finds the document in an answer: in stderr if stdout is empty, and also inside a JSON string [shipped 0.61.0]. */
export function parseAnswerDocument(text: string): Payload | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const document: unknown = typeof parsed === "string" ? JSON.parse(parsed) : parsed;
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** Judges an answer the way Gemini CLI does [seen 0.61.0, 2026-11-22]. */
export function judgeAnswer(native_event: string, { stdout, stderr, exit_code }: CommandResult): AnswerVerdict {
  const can =
    pickCell(findCapabilityRow(capabilities, createUnknownEventRow, native_event).deny, undefined).support !==
    "unenforceable";
  const text = stdout.trim() || stderr.trim();
  const document = parseAnswerDocument(text);
  // Whatever the exit code.
  if (document) {
    const denies = document.decision === "deny" || document.decision === "block" || document.continue === false;
    return { kind: denies && can ? "denied" : "passed" };
  }
  if (exit_code === null) return createBrokenVerdict("it was killed");
  if (exit_code === 0)
    return stdout.trim() === ""
      ? { kind: "passed" }
      : createBrokenVerdict("its stdout is text for the user, not a document");
  if (text === "") return createBrokenVerdict(`it exited with code ${exit_code} and said nothing`);
  if (exit_code === 1) return createBrokenVerdict("it exited with code 1");
  // Without a document, the exit code and the text on stderr decide: that is a denial of its own kind.
  if (stdout.trim() === "") return { kind: can ? "denied" : "passed" };
  return createBrokenVerdict(`it exited with code ${exit_code}, and its stdout is not a document`, can);
}
