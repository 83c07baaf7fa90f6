import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import { number, policyText, text } from "../../wire.ts";

/** Common to all events [seen @cursor/sdk 1.0.32, 2026-11-21]; the reference without event names has none of it. */
export const Common = () =>
  v.object({
    conversation_id: text(),
    session_id: text(),
    cursor_version: text(),
    model: text(),
    transcript_path: text(),
    cwd: policyText(),
    workspace_roots: v.nullish(v.array(v.string()), () => []),
    context: v.fallback(v.optional(v.looseObject({ workspaceFolder: text() })), undefined),
  });

/** JSON in a string where Cursor sends it so; text that is no JSON stays text. */
const Embedded = () =>
  v.pipe(
    v.unknown(),
    v.transform((value) => {
      if (typeof value !== "string") return value;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        return value;
      }
    }),
  );
const Json = () => v.optional(Embedded());
/** A tool's input, also where it comes as JSON in a string. */
export const Input = Json;

export const Call = () =>
  v.object({
    tool_name: v.string(),
    tool_input: Input(),
    tool_output: Json(),
    duration: number(),
  });

export const Shell = () =>
  v.object({
    command: v.string(),
    cwd: policyText(),
    output: v.optional(v.unknown()),
    duration: number(),
  });

export const MCP = () =>
  v.object({
    tool_name: v.string(),
    tool_input: Input(),
    mcp_server_name: policyText(),
    result_json: Json(),
    duration: number(),
  });

export const File = () =>
  v.object({
    file_path: v.string(),
    content: policyText(),
    edits: v.nullish(v.array(v.object({ old_string: v.string(), new_string: v.string() })), () => []),
  });

export const Prompt = () =>
  v.object({
    prompt: v.string(),
    attachments: v.nullish(v.array(v.looseObject({ file_path: policyText() })), () => []),
    context: v.nullish(v.looseObject({ files: v.nullish(v.array(v.looseObject({ path: policyText() })), () => []) })),
  });

export const Stop = () => v.object({ loop_count: number(), summary: text() });

/** With `output` [seen @cursor/sdk 1.0.32, 2026-11-21], or with `stdout` and maybe `stderr` [docs https://cursor.com/docs/hooks.md]. */
export const ShellResult = () => v.object({ output: text(), stdout: text(), stderr: text(), exitCode: number() });

/**
 * A reference of Cursor's inputs that circulates has no event names and other fields [no release is known to send that]. By what they must
 * have, the first that fits.
 */
const SHAPES: readonly [event: string, keys: readonly string[]][] = [
  ["beforeMCPExecution", ["tool", "params"]],
  ["afterMCPExecution", ["tool", "result"]],
  ["afterFileEdit", ["file", "changes"]],
  ["afterAgentResponse", ["response"]],
  ["stop", ["total_turns"]],
  ["beforeSubmitPrompt", ["prompt"]],
  ["stop", ["reason"]],
];

/** The event of a payload in that reference's form. */
export function eventByShape(payload: Payload): string | undefined {
  return SHAPES.find(([, keys]) => keys.every((key) => key in payload))?.[0];
}

/** That reference's names, in Cursor's own; its results are no JSON in a text. */
export function modern(payload: Payload): Payload {
  if (payload.hook_event_name !== undefined) return payload;
  const { tool, params, result, file, changes, response, duration_ms, ...rest } = payload;
  const known = {
    tool_name: tool,
    tool_input: params,
    result_json: typeof result === "string" ? JSON.stringify(result) : result,
    file_path: file,
    text: response,
    duration: duration_ms,
  };
  return { ...rest, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) };
}
