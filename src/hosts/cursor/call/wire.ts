import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import { createNumberSchema, createPolicyTextSchema, createTextSchema } from "../../codec/wire.ts";

/** Common to all events [seen @cursor/sdk 1.0.32, 2026-11-21]; the reference without event names has none of it. */
export const createCommonSchema = () =>
  v.object({
    conversation_id: createTextSchema(),
    session_id: createTextSchema(),
    cursor_version: createTextSchema(),
    model: createTextSchema(),
    transcript_path: createTextSchema(),
    cwd: createPolicyTextSchema(),
    workspace_roots: v.nullish(v.array(v.string()), () => []),
    context: v.fallback(v.optional(v.looseObject({ workspaceFolder: createTextSchema() })), undefined),
  });

/** Parses JSON that Cursor sends as a string; text that is not valid JSON stays text. */
const createEmbeddedJsonSchema = () =>
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
const createOptionalJsonSchema = () => v.optional(createEmbeddedJsonSchema());
/** A tool's input, which may be a JSON string. */
export const createInputSchema = createOptionalJsonSchema;

export const createCallSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_input: createInputSchema(),
    tool_output: createOptionalJsonSchema(),
    duration: createNumberSchema(),
  });

export const createShellSchema = () =>
  v.object({
    command: v.string(),
    cwd: createPolicyTextSchema(),
    output: v.optional(v.unknown()),
    duration: createNumberSchema(),
  });

export const createMcpSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_input: createInputSchema(),
    mcp_server_name: createPolicyTextSchema(),
    result_json: createOptionalJsonSchema(),
    duration: createNumberSchema(),
  });

export const createFileSchema = () =>
  v.object({
    file_path: v.string(),
    content: createPolicyTextSchema(),
    edits: v.nullish(v.array(v.object({ old_string: v.string(), new_string: v.string() })), () => []),
  });

export const createPromptSchema = () =>
  v.object({
    prompt: v.string(),
    attachments: v.nullish(v.array(v.looseObject({ file_path: createPolicyTextSchema() })), () => []),
    context: v.nullish(
      v.looseObject({ files: v.nullish(v.array(v.looseObject({ path: createPolicyTextSchema() })), () => []) }),
    ),
  });

export const createStopSchema = () => v.object({ loop_count: createNumberSchema(), summary: createTextSchema() });

/**
 * With `output` [seen @cursor/sdk 1.0.32, 2026-11-21], or with `stdout` and maybe `stderr`
 * [docs https://cursor.com/docs/hooks.md].
 */
export const createShellResultSchema = () =>
  v.object({
    output: createTextSchema(),
    stdout: createTextSchema(),
    stderr: createTextSchema(),
    exitCode: createNumberSchema(),
  });

/**
 * A reference of Cursor's inputs that circulates has no event names and other fields [no release is known to send
 * that]. The first event whose required fields are present applies.
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

/** Identifies the event of a payload in that reference's format. */
export function findEventByFields(payload: Payload): string | undefined {
  return SHAPES.find(([, keys]) => keys.every((key) => key in payload))?.[0];
}

/** Converts that reference's names to Cursor's own; its results are not JSON strings. */
export function convertReferencePayload(payload: Payload): Payload {
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
