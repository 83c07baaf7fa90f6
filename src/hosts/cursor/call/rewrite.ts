import type { CallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import { getPatchableFields } from "../../codec/tool-table.ts";
import { parseWith, patchInput, patchMcpArguments, toRecord } from "../../codec/wire.ts";
import { TOOLS } from "../tools.ts";
import { createInputSchema } from "./wire.ts";

/** Applies the patch if the tool honours every changed key; with an ignored rewrite the original would run. */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const input = toRecord(parseWith(createInputSchema, event._native.tool_input, "tool_input"));
  if (event.tool === "MCP") return mergeArguments(event.input.arguments, patch);
  const names = getPatchableFields(TOOLS, event.tool_name) ?? {};
  const ignored = Object.keys(patch).filter((key) => !Object.hasOwn(names, key));
  if (ignored.length === 0) {
    // The documentation's name for a shell call's directory. If the old one stayed beside a new cwd, it would be
    // ambiguous where the command runs.
    const { cwd: working_directory } = patch;
    const renamed = Object.hasOwn(input, "working_directory") && working_directory !== undefined;
    return patchInput(renamed ? { ...input, working_directory } : input, patch, names);
  }
  const honoured = Object.keys(names).join(", ") || "nothing";
  return {
    unsupported: `Cursor ignores a new ${ignored.join(", ")} for ${event.tool_name} (it honours ${honoured}); deny instead, and say what to do`,
  };
}

/** Cursor merges new arguments over the old ones [seen @cursor/sdk 1.0.32, 2026-11-21], so none can be removed. */
function mergeArguments(given: Payload, patch: Payload): RewriteResult {
  const result = patchMcpArguments(patch);
  if (!("input" in result)) return result;
  const kept = Object.keys(given).find((key) => !Object.hasOwn(result.input, key));
  return kept === undefined
    ? result
    : { unsupported: `Cursor keeps the argument "${kept}" whatever a hook takes away; deny instead` };
}
