import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import { getToolRow } from "../../tool-table.ts";
import { createFlagSchema, createNumberSchema, createPolicyTextSchema, createTextSchema } from "../../wire.ts";
import { TOOLS } from "../tools.ts";

/** Fields by which Copilot CLI says in camelCase what it (and VS Code) says in snake_case under other names of the event. */
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

/** The payload in snake_case. Of a field that has two spellings the first counts: a later one hides nothing. */
export function toSnakeCase(payload: Payload): Payload {
  const found: Payload = {};
  for (const key in payload) {
    const name = Object.hasOwn(SNAKE, key) ? (SNAKE[key] as string) : key;
    if (!Object.hasOwn(found, name)) found[name] = payload[key];
  }
  return found;
}

/** Which event a camelCase payload is, by the first key that it has: it says no name [seen 1.0.102, 2026-11-21]. */
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
 * The event's name. What the entry says comes first for a payload in camelCase: some say none, some that of the other
 * spelling [seen 1.0.102, 2026-11-22: permissionRequest under both keys, Notification under both].
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

/** Texts that any event may carry. */
export const COMMON_FIELDS = ["session_id", "transcript_path", "agent_id", "agent_type"] as const;

export const createCallSchema = () => v.object({ tool_name: v.string(), tool_use_id: createTextSchema() });

/** The fields of a tool that have a name of their own. */
export function ownNames(tool_name: string): [field: string, native: string][] {
  const [, names = {}] = getToolRow(TOOLS, tool_name);
  const found: [string, string][] = [];
  for (const field in names) {
    const all = names[field] ?? [];
    for (const native of typeof all === "string" ? [all] : all) if (native !== field) found.push([field, native]);
  }
  return found;
}

/** An input with its fields in unified names. */
export function unifyInput(tool_name: string, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const found: Payload = { ...input };
  for (const [field, native] of ownNames(tool_name))
    if (Object.hasOwn(input, native)) found[field] = (input as Payload)[native];
  return found;
}

/** A tool's input: an object, the same as JSON in a string (older releases), or the text of a patch; what else it is comes as it is. */
export function parseInput(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}

/** One or several, as one text. */
const createTextOrListSchema = () =>
  v.union([
    v.string(),
    v.pipe(
      v.array(v.string()),
      v.transform((all) => all.join(" ")),
    ),
  ]);
/** Inputs of the tools, in unified names, as far as policies need them. */
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
  /** VS Code's [docs https://code.visualstudio.com/docs/agents/reference/hooks-reference; Replacements unverified]. */
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

/** What the CLI gives as a call's result, in both spellings; VS Code gives a text. */
export const createResultSchema = () =>
  v.union([v.object({ text_result_for_llm: v.string() }), v.object({ textResultForLlm: v.string() })]);
