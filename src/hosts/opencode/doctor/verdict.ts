import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import type { CommandResult, AnswerVerdict } from "../../../protocol/host/install.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import { extractAnswer } from "../../resident.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { isObject } from "../../../protocol/object.ts";

const words = () => v.optional(v.string());
/** The documents that plugin.js accepts. */
const Answer = () =>
  v.strictObject({
    deny: words(),
    go_on: words(),
    context: words(),
    message: words(),
    args: v.optional(v.record(v.string(), v.unknown())),
    output: words(),
    env: v.optional(v.record(v.string(), v.string())),
  });

const isNonEmptyText = (text: unknown) => typeof text === "string" && text.trim() !== "";

/** Judges an answer the way plugin.js does; without an answer, the entry's own --on-error applies. */
export function judgeAnswer(native_event: string, result: CommandResult, handler: Payload): AnswerVerdict {
  const { stdout, stderr, exit_code } = extractAnswer(result);
  const { shape } = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
  const gate = shape === "gate" || shape === "prompt";
  const args = Array.isArray(handler.args) ? handler.args : [];
  const blocks = gate && args[args.indexOf("--on-error") + 1] === "deny";
  const broken = (why: string): AnswerVerdict => ({
    kind: "broken",
    blocks,
    why: `${why}, and the plugin ${blocks ? "blocks the call" : "lets OpenCode go on"}`,
  });
  if (exit_code !== 0 && exit_code !== 1 && exit_code !== 2)
    return broken(exit_code === null ? "it was killed" : `it exited with code ${exit_code}`);
  const text = stdout.trim();
  if (text === "") {
    // The executable's exit code for a failure that lets the call pass.
    if (exit_code === 1)
      return { kind: "broken", blocks: false, why: `${stderr || "it failed"}, and the plugin lets OpenCode go on` };
    return { kind: exit_code === 2 && gate ? "denied" : "passed" };
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return broken("its stdout is not valid JSON");
  }
  if (!isObject(document) || !v.is(Answer(), document)) return broken("its document is not one that the plugin knows");
  if (exit_code === 1) return broken("it gave a document with exit code 1");
  const { deny, go_on } = document;
  // The plugin then denies with the text on stderr.
  if (exit_code === 2 && gate) return { kind: "denied" };
  return { kind: (gate && isNonEmptyText(deny)) || (shape === "stop" && isNonEmptyText(go_on)) ? "denied" : "passed" };
}
