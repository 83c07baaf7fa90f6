import type { AnswerVerdict } from "../../protocol/host/install.ts";
import { parseJsonObject, toObject } from "../../protocol/object.ts";
import {
  createAnswerReader,
  createInvalidVerdict,
  describeExit,
  type CommandAnswer,
  judgeDenial,
} from "../codec/answer-reader.ts";
import { toNonEmptyString } from "../codec/answer-values.ts";
import { answers } from "./answers.ts";
import type { KimiAnswerShape } from "./capabilities.ts";
import { kimi } from "./index.ts";

const HOST_NAME = "Kimi Code";

/** Evaluates an answer the way Kimi Code does [seen 2.1.0, 2026-11-27]. */
function judgeCommandAnswer({ shape, result: { exit_code }, isDenied }: CommandAnswer<KimiAnswerShape>): AnswerVerdict {
  if (exit_code === 2) return judgeDenial(shape !== "none");
  return exit_code === 0 ? judgeDenial(isDenied) : createInvalidVerdict(HOST_NAME, describeExit(exit_code));
}

export const { judgeAnswer, parseAnswer, translatePatch } = createAnswerReader({
  name: HOST_NAME,
  host: kimi,
  table: answers,
  // With any other exit code, Kimi Code ignores stdout.
  findDocument: ({ stdout, exit_code }) => (exit_code === 0 ? parseJsonObject(stdout.trim()) : undefined),
  judgeCommandAnswer,
  readInput: () => undefined,
  adjust(response, { native_event, document, result }) {
    if (response.decision === "deny" || native_event !== "UserPromptSubmit" || result.exit_code !== 0) return response;
    // The model reads all of stdout, unless stdout is a document with a message, in which case it reads only the
    // message [seen 2.1.0, 2026-11-27].
    const message = [document?.message, toObject(document?.hookSpecificOutput).message]
      .map(toNonEmptyString)
      .find(Boolean);
    return { ...response, additional_context: message ?? toNonEmptyString(result.stdout) };
  },
});
