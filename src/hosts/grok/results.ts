import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import type { Payload, ReplaceResult } from "../../protocol/host/host.ts";
import { isObject } from "../../protocol/object.ts";
import type { ToolCall, ToolOutput } from "../../protocol/tool.ts";
import { formatNewResult, formatOutput } from "../codec/wire.ts";

/**
 * Which fields of a result contain text. Hooks read the first field in `texts`; the other fields repeat its text in
 * another form.
 */
interface ResultShape {
  texts: readonly string[];
  /** The nested object with the text fields. Defaults to the result itself. */
  container?: string;
  /** Fields that repeat the text. They are emptied when the text is replaced. */
  repeatedFields?: readonly string[];
}

/** Result formats by `type` [seen 1.0.41, 2026-11-27]. Text can be encoded as an array of bytes. */
const SHAPES: Readonly<Record<string, ResultShape>> = {
  Bash: { texts: ["output_for_prompt"], repeatedFields: ["output"] },
  ReadFile: { container: "FileContent", texts: ["raw_output", "content", "content_concise"] },
  SearchReplace: { container: "EditsApplied", texts: ["tool_output_for_prompt", "tool_output_for_prompt_concise"] },
  ListDir: { container: "Content", texts: ["content"] },
  GrepSearch: { texts: ["stdout"], repeatedFields: ["file_matches"] },
  MCP: { container: "output", texts: ["OkayOutput"] },
  Todo: { container: "TodosUpdated", texts: ["summary_for_prompt"] },
  WebSearch: { texts: ["content"] },
  SearchTool: { texts: ["content"] },
  Text: { texts: ["text"] },
  // Result of a background command or subagent.
  TaskOutput: { container: "Result", texts: ["output"] },
};

const getShape = (raw: unknown): ResultShape | undefined =>
  isObject(raw) && typeof raw.type === "string" && Object.hasOwn(SHAPES, raw.type) ? SHAPES[raw.type] : undefined;

/** Returns the object that contains a result's text fields. */
const getTexts = (raw: Payload, { container }: ResultShape): Payload => {
  const parent = container === undefined ? raw : raw[container];
  return isObject(parent) ? parent : {};
};

const isByteArray = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256);

/** Reads a text field, which can be an array of bytes. */
function readText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return isByteArray(value) ? Buffer.from(value).toString() : undefined;
}

/** Decodes a call's result. */
export function decodeOutput(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  const shape = getShape(raw);
  const text = shape && readText(getTexts(raw as Payload, shape)[shape.texts[0] as string]);
  const { exit_code } = isObject(raw) ? raw : {};
  // Earlier releases might send a result with text but without a type [unverified].
  const knownText = text ?? (isObject(raw) ? readText(raw.output_for_prompt) : undefined);
  return {
    text: knownText ?? formatOutput(raw),
    raw,
    ...(tool === "Bash" && typeof exit_code === "number" && { exit_code }),
  };
}

/**
 * Converts a modified result to the tool's own format. Grok Build ignores plain text, except for MCP tools [seen
 * 1.0.41, 2026-11-27].
 */
export function replaceOutput(event: AnyEvent, output: string | Payload): ReplaceResult {
  if (!isToolCallEvent(event) || event.event !== "PostToolUse")
    return { unsupported: "this event has no result; return a modified result in a PostToolUse hook" };
  const { raw } = event.output;
  if (event.tool === "MCP" || typeof raw === "string") return { output: formatNewResult(output) };
  const shape = getShape(raw);
  if (shape && typeof output === "string") return { output: replaceText(raw as Payload, shape, output) };
  if (isObject(raw) && isObject(output) && output.type === raw.type) return { output };
  return {
    unsupported: `Grok Build rejects this result for ${event.tool_name}; return event.output.raw with its text changed`,
  };
}

function replaceText(raw: Payload, shape: ResultShape, text: string): Payload {
  const texts = getTexts(raw, shape);
  const newFields: Payload = { ...texts };
  for (const name of shape.texts)
    if (Object.hasOwn(texts, name)) newFields[name] = isByteArray(texts[name]) ? [...Buffer.from(text)] : text;
  for (const name of shape.repeatedFields ?? []) if (Object.hasOwn(texts, name)) newFields[name] = [];
  return shape.container === undefined ? newFields : { ...raw, [shape.container]: newFields };
}
