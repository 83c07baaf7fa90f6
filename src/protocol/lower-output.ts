import { describeCell, getCells, pickCell } from "./capability.ts";
import type { AnyEvent } from "./event.ts";
import type { Host, LoweredResponse, Payload, ReplaceResult } from "./host/host.ts";
import type { ReportLoss, LoweringTarget } from "./field-loss.ts";

/** Sets the new result in `lowered`. If the model will read the original result instead, returns the reason. */
export function lowerOutput(
  output: string | Payload,
  { row, event, host }: LoweringTarget,
  lowered: LoweredResponse,
  reportLoss: ReportLoss,
): string | undefined {
  const cell = pickCell(getCells(row, "modified_output"), event.host_version);
  if (cell.support === "drop") reportLoss("modified_output", "modified_output was dropped");
  if (cell.support === "drop" || isUnchangedOutput(output, event)) return undefined;
  const result =
    cell.support === "unenforceable" ? { unsupported: describeCell(cell) } : tryReplaceOutput(host, event, output);
  if ("unsupported" in result) {
    const cause = result.unsupported;
    reportLoss("modified_output", "modified_output can't be enforced: the model reads the original", {
      support: "unenforceable",
      how: cause,
    });
    // Leave out the remedy, which is for the hook's author and not for the user.
    return cell.support === "unenforceable" ? cell.how : cause;
  }
  lowered.output = result.output;
  if (cell.support === "emulated") reportLoss("modified_output", "modified_output was sent in a different form");
  return undefined;
}

/** Returns whether the hook's result equals the original result. */
function isUnchangedOutput(output: string | Payload, event: AnyEvent): boolean {
  if (event.event === "PostToolUseFailure") return output === event.error;
  return event.event === "PostToolUse" && (output === event.output?.text || Bun.deepEquals(output, event.output?.raw));
}

/** Calls the host's code to replace the result. If that code throws, the replacement is unsupported. */
function tryReplaceOutput(host: Host, event: AnyEvent, output: string | Payload): ReplaceResult {
  try {
    return host.replaceOutput?.(event, output) ?? { output };
  } catch (error) {
    return { unsupported: `the result doesn't match this call (${(error as Error).message}); return a string` };
  }
}
