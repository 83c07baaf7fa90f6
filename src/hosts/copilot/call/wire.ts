import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import { getToolRow } from "../../codec/tool-table.ts";
import { createFlagSchema, createNumberSchema, createPolicyTextSchema, createTextSchema } from "../../codec/wire.ts";
import { TOOLS } from "../tools.ts";

/**
 * Copilot CLI's camelCase fields, mapped to the snake_case ones that it (and VS Code) sends under other event names.
 */
const SNAKE: Readonly<Record<string, string>> = {
  sessionId: "session_id",
  transcriptPath: "transcript_path",
  agentId: "agent_id",
  agentType: "agent_type",
  toolName: "tool_name",
  toolArgs: "tool_input",
  toolInput: "tool_input",
  toolResult: "tool_result",
  toolUseId: "tool_use_id",
  stopHookActive: "stop_hook_active",
  notificationType: "notification_type",
  response: "last_assistant_message",
};

/** Converts the payload to snake_case. If a field has both spellings, the first counts: a later one hides nothing. */
export function toSnakeCase(payload: Payload): Payload {
  const found: Payload = {};
  for (const key in payload) {
    const name = Object.hasOwn(SNAKE, key) ? (SNAKE[key] as string) : key;
    if (!Object.hasOwn(found, name)) found[name] = payload[key];
  }
  return found;
}

/**
 * Identifies the event of a camelCase payload by the first key present: it has no event name
 * [seen 1.0.102, 2026-11-21].
 */
const SHAPES: readonly [key: string, event: string][] = [
  ["notification_type", "notification"],
  ["serverName", "preMcpToolCall"],
  ["toolResult", "postToolUse"],
  ["errorContext", "errorOccurred"],
  ["error", "postToolUseFailure"],
  ["toolName", "preToolUse"],
  ["transformedPrompt", "userPromptTransformed"],
  ["prompt", "userPromptSubmitted"],
  ["source", "sessionStart"],
  ["reason", "sessionEnd"],
  ["response", "subagentStop"],
  ["agentName", "subagentStart"],
  ["stopReason", "agentStop"],
  ["trigger", "preCompact"],
];

/**
 * Returns the event's name. For a camelCase payload the entry's event comes first: some payloads have no name, others
 * have that of the other spelling
 * [seen 1.0.102, 2026-11-22: permissionRequest under both keys, Notification under both].
 */
export function getEventName(payload: Payload, hint: string | undefined): string {
  const { hook_event_name, hookEventName, hookName } = payload;
  if (
    hint !== undefined &&
    payload.session_id === undefined &&
    hookEventName === undefined &&
    payload.sessionId !== undefined
  )
    return hint;
  for (const name of [hook_event_name, hookEventName, hookName]) if (typeof name === "string") return name;
  if (hint !== undefined) return hint;
  for (const [key, event] of SHAPES) if (payload[key] !== undefined) return event;
  return "";
}

/** Text fields of any event. */
export const COMMON_FIELDS = ["session_id", "transcript_path", "agent_id", "agent_type"] as const;

/** Returns the fields of a tool that have a native name. */
export function ownNames(tool_name: string): [field: string, native: string][] {
  const [, names = {}] = getToolRow(TOOLS, tool_name);
  const found: [string, string][] = [];
  for (const field in names) {
    const all = names[field] ?? [];
    for (const native of typeof all === "string" ? [all] : all) if (native !== field) found.push([field, native]);
  }
  return found;
}

/** Renames an input's fields to the unified names. */
export function unifyInput(tool_name: string, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const found: Payload = { ...input };
  for (const [field, native] of ownNames(tool_name))
    if (Object.hasOwn(input, native)) found[field] = (input as Payload)[native];
  return found;
}

/**
 * Parses a tool's input: an object, a JSON string of one (older releases), or the text of a patch; any other value is
 * returned unchanged.
 */
export function parseInput(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}

/** One text or several, joined. */
const createTextOrListSchema = () =>
  v.union([
    v.string(),
    v.pipe(
      v.array(v.string()),
      v.transform((all) => all.join(" ")),
    ),
  ]);
/** The tools' inputs in unified names, as far as policies need them. */
export const inputs = {
  Bash: () => v.object({ command: v.string(), description: createTextSchema(), run_in_background: createFlagSchema() }),
  Read: () =>
    v.object({
      file_path: v.string(),
      view_range: v.fallback(v.optional(v.array(v.number())), undefined),
      offset: createNumberSchema(),
      limit: createNumberSchema(),
    }),
  Write: () => v.object({ file_path: v.string(), content: v.nullish(v.string(), "") }),
  Change: () =>
    v.object({
      file_path: v.string(),
      old_string: createPolicyTextSchema(),
      new_string: createPolicyTextSchema(),
      diff: createPolicyTextSchema(),
    }),
  Patch: () => v.object({ input: v.string() }),
  /**
   * VS Code's inputs [docs https://code.visualstudio.com/docs/agents/reference/hooks-reference; Replacements
   * unverified].
   */
  Files: () => v.object({ files: v.array(v.string()) }),
  Replacements: () => v.object({ replacements: v.array(v.looseObject({})) }),
  Search: () =>
    v.object({
      pattern: createPolicyTextSchema(),
      path: v.nullish(createTextOrListSchema(), () => undefined),
      glob: createPolicyTextSchema(),
    }),
  WebFetch: () => v.object({ url: createTextOrListSchema(), prompt: createPolicyTextSchema() }),
  WebSearch: () => v.object({ query: v.nullish(v.string(), "") }),
  Task: () =>
    v.object({
      prompt: v.nullish(v.string(), ""),
      description: createTextSchema(),
      agent_type: createPolicyTextSchema(),
    }),
};

/** The CLI's results of a call, in both spellings; VS Code sends a text. */
export const createResultSchema = () =>
  v.union([v.object({ text_result_for_llm: v.string() }), v.object({ textResultForLlm: v.string() })]);
