import type { HostAnswer, LoweredResponse } from "../../../protocol/host/host.ts";
import { truncateText } from "../../../protocol/lower.ts";
import { openclaw } from "../../entries.ts";
import { formatDocument, formatOutput } from "../../wire.ts";
import type { OpenClawAnswerShape } from "../capabilities.ts";

const ID = openclaw.plugin;

/** OpenClaw refuses a longer description, and the call with it [seen 2026.9.6, 2026-11-22]. */
const DESCRIPTION_LIMIT = 512;

const NO_REASON = "A hook denied it.";

/** One document for the plugin; plugin.js defines its meaning for OpenClaw. A denial also has exit code 2. */
export function encodeAnswer(response: LoweredResponse, shape: OpenClawAnswerShape): HostAnswer {
  const blocks = response.decision === "deny" && (shape === "gate" || shape === "prompt" || shape === "any");
  const reason = response.reason ?? response.user_message ?? NO_REASON;
  return {
    stdout: formatDocument(buildDocument({ ...response, reason }, shape)),
    stderr: blocks ? reason : "",
    exit_code: blocks ? 2 : 0,
  };
}

const joinParagraphs = (...texts: (string | undefined)[]) => texts.filter(Boolean).join("\n\n") || undefined;

function buildDocument(
  { decision, reason, user_message: log, additional_context: context, input: params, output }: LoweredResponse,
  shape: OpenClawAnswerShape,
) {
  const denied = decision === "deny";
  switch (shape) {
    case "gate":
      // OpenClaw does not show an empty reason, so there is always one. Lasting approvals can't be stored, so they are
      // not offered.
      if (denied) return { block: true, blockReason: joinParagraphs(reason, context), log };
      if (decision === "ask") {
        const description = truncateText(
          joinParagraphs(reason, log) ?? "A hook wants a person to decide.",
          DESCRIPTION_LIMIT,
        );
        const allowedDecisions = ["allow-once", "deny"];
        // For a policy's request, OpenClaw requires the plugin's id [seen 2026.9.6, 2026-11-22].
        const requireApproval = { pluginId: ID, title: ID, description, severity: "warning", allowedDecisions };
        return { requireApproval, params, context };
      }
      return { params, context, log };
    case "prompt":
      return denied ? { outcome: "block", message: joinParagraphs(log, reason) } : { prependContext: context, log };
    case "start":
      return { prependContext: context, log };
    case "result":
      return {
        output: output === undefined ? undefined : formatOutput(output),
        append: joinParagraphs(denied ? reason : undefined, context),
        denied: denied || undefined,
        log,
      };
    case "finalize":
      return denied ? { action: "revise", reason, log } : { log };
    case "any":
      return denied ? { block: true, blockReason: reason, log } : { log };
    case "none":
      return { log };
  }
}
