import type { HostAnswer, LoweredResponse } from "../../../protocol/host/host.ts";
import { formatDocument, formatOutput } from "../../wire.ts";
import type { OpenCodeAnswerShape } from "../capabilities.ts";

const NO_REASON = "A hook denied this.";

/** One document for plugin.js, which converts it to what OpenCode accepts. A denial also has exit code 2. */
export function encodeAnswer(response: LoweredResponse, shape: OpenCodeAnswerShape): HostAnswer {
  const deny = response.decision === "deny" && (shape === "gate" || shape === "prompt" || shape === "any");
  const reason = response.reason ?? response.user_message ?? NO_REASON;
  return {
    stdout: formatDocument(buildDocument(response, shape, reason)),
    stderr: deny ? reason : "",
    exit_code: deny ? 2 : 0,
  };
}

function buildDocument(
  {
    decision,
    user_message: message,
    additional_context: context,
    input: args,
    output,
    session_env: env,
  }: LoweredResponse,
  shape: OpenCodeAnswerShape,
  reason: string,
) {
  const denied = decision === "deny" ? reason : undefined;
  switch (shape) {
    case "gate":
      return { deny: denied, args, context, message };
    case "prompt":
      return { deny: denied, context, message, env };
    case "any":
      return { deny: denied, context, message };
    case "result":
      return {
        output: output === undefined ? undefined : formatOutput(output),
        context: [denied, context].filter(Boolean).join("\n\n") || undefined,
        message,
      };
    case "stop":
      return { go_on: denied, message };
    case "context":
      return { context, message };
    case "message":
      return { message };
    case "none":
      return {};
  }
}
