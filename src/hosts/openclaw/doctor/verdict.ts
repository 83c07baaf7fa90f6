import type { Payload } from "../../../protocol/host/host.ts";
import type { CommandResult, AnswerVerdict } from "../../../protocol/host/install.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import { extractAnswer } from "../../resident.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { isObject } from "../../../protocol/object.ts";

const isNonEmptyText = (text: unknown) => typeof text === "string" && text.trim() !== "";

/**
 * Judges an answer the way the plugin and OpenClaw do; without an answer, the plugin applies the entry's --on-error.
 */
export function judgeAnswer(native_event: string, result: CommandResult, handler: Payload): AnswerVerdict {
  const { stdout, stderr, exit_code } = extractAnswer(result);
  const { shape } = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
  const gate = shape === "gate" || shape === "prompt" || shape === "any";
  const args = Array.isArray(handler.args) ? handler.args : [];
  const blocks = gate && args[args.indexOf("--on-error") + 1] === "deny";
  const broken = (why: string): AnswerVerdict => ({
    kind: "broken",
    blocks,
    why: `${why}, and the plugin ${blocks ? "blocks the call" : "lets OpenClaw go on"}`,
  });
  if (exit_code !== 0 && exit_code !== 1 && exit_code !== 2)
    return broken(exit_code === null ? "it was killed" : `it exited with code ${exit_code}`);
  const text = stdout.trim();
  if (text === "") {
    // The executable's exit code for a failure that lets the call pass.
    if (exit_code === 1)
      return {
        kind: "broken",
        blocks: false,
        why: `${stderr.trim() || "it failed"}, and the plugin lets OpenClaw go on`,
      };
    // The plugin then denies without the hook's reason.
    return { kind: exit_code === 2 && gate ? "denied" : "passed" };
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return broken("its stdout is not a JSON document");
  }
  if (!isObject(document)) return broken("its document is not an object");
  if (exit_code === 1) return broken("it gave a document with exit code 1");
  // The plugin then denies with the text on stderr.
  return { kind: isDenial(document, shape) || (exit_code === 2 && gate) ? "denied" : "passed" };
}

/** The same as in plugin.js. */
function isDenial({ block, outcome, action, denied, reason }: Payload, shape: string): boolean {
  switch (shape) {
    case "gate":
    case "any":
      return block === true;
    case "prompt":
      return outcome === "block";
    case "result":
      return denied === true;
    case "finalize":
      return action === "revise" && isNonEmptyText(reason);
    default:
      return false;
  }
}
