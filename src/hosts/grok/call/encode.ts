import type { HostAnswer, LoweredResponse } from "../../../protocol/host/host.ts";
import { formatDocument } from "../../wire.ts";
import type { GrokAnswerShape } from "../capabilities.ts";

const said = (stdout: string): HostAnswer => ({ stdout, stderr: "", exit_code: 0 });
const joinParagraphs = (...texts: (string | undefined)[]) => texts.filter(Boolean).join("\n\n");

/** Exit code 2 denies, with the document's reason [docs https://docs.x.ai/build/features/hooks]; stderr repeats it. */
export function encodeAnswer(
  { decision, reason, additional_context }: LoweredResponse,
  shape: GrokAnswerShape,
  native_event: string,
): HostAnswer {
  const why = decision === "deny" ? reason || "A hook denied it." : undefined;
  const refused = (word: "deny" | "block", text: string): HostAnswer => ({
    stdout: formatDocument({ decision: word, reason: text }),
    stderr: text,
    exit_code: 2,
  });
  const noted = (text: string | undefined, denial = {}) =>
    said(
      formatDocument({
        ...denial,
        hookSpecificOutput: text ? { hookEventName: native_event, additionalContext: text } : undefined,
      }),
    );
  switch (shape) {
    // Context is dropped beside a denial, and with an exit code other than 0 [shipped 1.0.41, read and not run].
    case "gate":
      return why ? refused("deny", joinParagraphs(why, additional_context)) : noted(additional_context);
    case "prompt":
    case "stop":
      return why ? refused("block", why) : said("");
    case "feedback":
      return noted(additional_context, why && { decision: "block", reason: why });
    case "context":
      return noted(joinParagraphs(why, additional_context));
    case "none":
      return said("");
  }
}
