import { downgrade, emulated, pickCell, type CapabilityRow } from "../../protocol/capability.ts";

/** Why the host may ignore an answer given before a call, or a result replaced by a hook. */
interface AnswerDoubts {
  call: string;
  result: string;
}

/**
 * Makes a capability row stricter for a payload of unknown origin. A denial still works through the exit code, but the
 * host may ignore unknown fields in the JSON document.
 */
export function createCautiousRow(row: CapabilityRow, { call, result }: AnswerDoubts): CapabilityRow {
  if (row.event === "PostToolUse" || row.event === "PostToolUseFailure") {
    if (pickCell(row.modified_output, undefined).support === "unenforceable") return row;
    return { ...row, modified_output: emulated(result, "unverified") };
  }
  if (row.event !== "PreToolUse" && row.event !== "PermissionRequest") return row;
  const strictCells = downgrade([call, "deny instead, or update bridge-hooks"], "unverified");
  return { ...row, ask: strictCells, modified_input: strictCells };
}
