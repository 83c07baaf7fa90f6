import { type AnyEvent, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload, ReplaceResult } from "../../../protocol/host/host.ts";
import { formatOutput } from "../../codec/wire.ts";
import { isObject } from "../../../protocol/object.ts";

/**
 * Converts a result to the tool's own format; for any other format, Claude Code silently shows the model the original
 * [seen 2.1.197 and 2.1.330, 2026-11-22].
 */
export function replaceOutput(event: AnyEvent, output: string | Payload): ReplaceResult {
  if (!isToolCallEvent(event) || event.event !== "PostToolUse")
    return { unsupported: "there is no result at this event; return it at PostToolUse" };
  const { raw } = event.output;
  if (typeof raw === "string") return { output: formatOutput(output) };
  // An MCP tool's result; only newer releases accept an object that contains a list
  // [seen 2.1.330, not 2.1.197, 2026-11-22].
  if (Array.isArray(raw))
    return { output: isObject(output) && Array.isArray(output.content) ? output.content : formatOutput(output) };
  if (typeof output === "string") return replaceText(event.tool_name, raw, output);
  const wrong = findMismatchedField(raw, output);
  return wrong === undefined
    ? { output }
    : {
        unsupported: `Claude Code ignores a result without the fields of event.output.raw, and "${wrong}" is missing or of another type`,
      };
}

/** Replaces the text that the model reads of such a result. */
function replaceText(tool_name: string, raw: unknown, text: string): ReplaceResult {
  if (isObject(raw) && typeof raw.stdout === "string")
    return { output: { ...omitCopies(raw), stdout: text, stderr: "" } };
  if (isObject(raw) && isObject(raw.file) && typeof raw.file.content === "string") {
    const numLines = text.split("\n").length;
    return { output: { ...raw, file: { ...raw.file, content: text, numLines } } };
  }
  return {
    unsupported: `Claude Code accepts no text as the result of ${tool_name}; return event.output.raw with its texts changed`,
  };
}

/** Removes the reference to the file with the full output, which Claude Code would pass to the model. */
const omitCopies = (raw: Payload): Payload =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !/^(persisted|raw)Output/.test(name)));

const getKind = (value: unknown) => (Array.isArray(value) ? "list" : typeof value);

/** Returns a field of the original that is missing or has another type. */
function findMismatchedField(raw: unknown, output: Payload, path = ""): string | undefined {
  if (!isObject(raw)) return path || "the result";
  for (const [name, value] of Object.entries(raw)) {
    const given = output[name];
    if (value === null) continue;
    if (getKind(given) !== getKind(value) || given === null) return path + name;
    const inner = isObject(value) ? findMismatchedField(value, given as Payload, `${path}${name}.`) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
