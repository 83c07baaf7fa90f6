import type { Payload } from "../../protocol/host/payload.ts";
import { parseJsonObject } from "../../protocol/object.ts";
import {
  createAnswerReader,
  createInvalidVerdict,
  DENIED_VERDICT,
  describeExit,
  PASSED_VERDICT,
} from "../codec/answer-reader.ts";
import { toNonEmptyString } from "../codec/answer-values.ts";
import type { AnswerTable } from "../codec/answer.ts";
import { answers } from "./answers.ts";
import { decodeToolCall, getCallPart } from "./call.ts";
import type { ClineAnswerShape } from "./capabilities.ts";
import { DENIAL_PREFIX } from "./denials.ts";
import { cline } from "./index.ts";

const HOST_NAME = "Cline";

/** Returns the last line that starts with the prefix, or all of stdout if there is none [seen 3.0.65, 2026-11-29]. */
function findAnswerText(stdout: string): string {
  const prefix = String(answers.prefix);
  const lines = stdout.split("\n").map((line) => line.trim());
  return lines.findLast((line) => line.startsWith(prefix))?.slice(prefix.length) ?? stdout.trim();
}

/**
 * Reduces the JSON to the fields that Cline reads [shipped 3.0.65]. A denial that replaces the input is converted to
 * `cancel`.
 */
function normalizeDocument(document: Payload): Payload {
  const { cancel, overrideInput, errorMessage } = document;
  const [context, error] = [document.context ?? document.contextModification, errorMessage].map(toNonEmptyString);
  if (cancel === true) return { cancel, errorMessage: error ?? context };
  if (context?.startsWith(DENIAL_PREFIX) && overrideInput !== undefined)
    return { cancel: true, errorMessage: context.slice(DENIAL_PREFIX.length) };
  return { overrideInput, contextModification: context ?? error };
}

/** Answer table that uses the `cancel` format for every denial. */
const table: AnswerTable<ClineAnswerShape> = {
  ...answers,
  shapes: { ...answers.shapes, commands: answers.shapes.cancel, feedback: answers.shapes.cancel },
};

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: HOST_NAME,
  host: cline,
  table,
  findDocument({ stdout }) {
    const document = parseJsonObject(findAnswerText(stdout));
    return document && normalizeDocument(document);
  },
  judgeCommandAnswer({ shape, document, isDenied, result: { stdout, exit_code } }) {
    if (shape === "none") return PASSED_VERDICT;
    if (isDenied) return DENIED_VERDICT;
    if (document) return PASSED_VERDICT;
    if (stdout.trim() !== "") return createInvalidVerdict(HOST_NAME, "its stdout is not a JSON object");
    return exit_code === 0 ? PASSED_VERDICT : createInvalidVerdict(HOST_NAME, describeExit(exit_code));
  },
  readInput({ payload }) {
    const { name, input } = getCallPart(payload);
    return { input, read: (changedInput) => decodeToolCall(String(name), changedInput).input };
  },
  adjust: (response, { shape }) => (shape === "none" ? {} : response),
});
