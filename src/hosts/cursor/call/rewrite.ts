import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import { namesOf } from "../../tools.ts";
import { checked, patched, patchedArguments, recordOf } from "../../wire.ts";
import { TOOLS } from "../tools.ts";
import { Input } from "./wire.ts";

/** The input with the patch, where the tool honours every changed key: a rewrite that is ignored would run the original. */
export function rewrite(event: AnyEvent, patch: Payload): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite on preToolUse" };
  const input = recordOf(checked(Input, event._native.tool_input, "tool_input"));
  if (event.tool === "MCP") return mergedArguments(event.input.arguments, patch);
  const names = namesOf(TOOLS, event.tool_name) ?? {};
  const ignored = Object.keys(patch).filter((key) => !Object.hasOwn(names, key));
  if (ignored.length === 0) {
    // The documentation's name for the folder of a shell call: the old one beside a new cwd would leave open where it runs.
    const { cwd: working_directory } = patch;
    const renamed = Object.hasOwn(input, "working_directory") && working_directory !== undefined;
    return patched(renamed ? { ...input, working_directory } : input, patch, names);
  }
  const honoured = Object.keys(names).join(", ") || "nothing";
  return {
    unsupported: `Cursor ignores a new ${ignored.join(", ")} for ${event.tool_name} (it honours ${honoured}); deny instead, and say what to do`,
  };
}

/** Cursor lays new arguments over the old ones [seen @cursor/sdk 1.0.32, 2026-11-21]: none can be taken away. */
function mergedArguments(given: Payload, patch: Payload): Rewritten {
  const result = patchedArguments(patch);
  if (!("input" in result)) return result;
  const kept = Object.keys(given).find((key) => !Object.hasOwn(result.input, key));
  return kept === undefined
    ? result
    : { unsupported: `Cursor keeps the argument "${kept}" whatever a hook takes away; deny instead` };
}
