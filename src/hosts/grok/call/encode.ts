import type { HostAnswer, LoweredResponse } from "../../../protocol/host/host.ts";
import { formatDocument } from "../../wire.ts";
import type { Shape } from "../capabilities.ts";

/** Exit code 2 denies, with the document's reason [docs https://docs.x.ai/build/features/hooks]; stderr has it too. */
export function encode({ decision, reason = "A hook denied it." }: LoweredResponse, shape: Shape): HostAnswer {
  if (decision !== "deny" || shape === "none") return { stdout: "", stderr: "", exit_code: 0 };
  return {
    stdout: formatDocument({ decision: shape === "stop" ? "block" : "deny", reason }),
    stderr: reason,
    exit_code: 2,
  };
}
