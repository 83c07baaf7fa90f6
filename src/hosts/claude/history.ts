import { resolve } from "node:path";
import type { PastCall, SessionReader } from "../../protocol/host/history.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined, toObject } from "../../protocol/object.ts";
import { toList, asString, defineFileHistory, parseTime } from "../codec/history-records.ts";
import { claude as hostIdentity } from "../entries.ts";

/**
 * Types of records that contain neither calls nor prompts [seen 2.1.197 and 2.1.330, 2026-11-24; the others
 * unverified].
 */
const IGNORED_RECORD_TYPES = new Set([
  "ai-title",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "attachment",
  "cost-state",
  "custom-title",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "queue-operation",
  "summary",
  "system",
  "tag",
  "tools-used",
]);

/** User messages that the terminal adds on its own, without calling hooks [unverified]. */
const GENERATED_MESSAGE = /^<(?:command-(?:name|message)|local-command-|bash-(?:input|stdout|stderr))/;

function readPrompt(content: unknown): string | undefined {
  const blocks = toList(content).map(toObject);
  // Tool results are also recorded as user messages.
  if (blocks.some(({ type }) => type === "tool_result")) return undefined;
  const text = blocks.flatMap((block) => (block.type === "text" ? (asString(block.text) ?? []) : [])).join("\n");
  const prompt = typeof content === "string" ? content : text;
  return prompt === "" || GENERATED_MESSAGE.test(prompt) ? undefined : prompt;
}

/**
 * Resolves a relative file path: hooks receive the absolute path, but the record has the path as the model wrote it
 * [seen 2.1.330, 2026-11-24].
 */
function resolveFile(path: unknown, cwd: unknown): unknown {
  const { file_path } = toObject(path);
  if (typeof file_path !== "string" || typeof cwd !== "string" || /^[/~\\]|^[A-Za-z]:/.test(file_path)) return path;
  return { ...toObject(path), file_path: resolve(cwd, file_path) };
}

function openSource(path: string): SessionReader {
  const describeSession = (record: Payload) => ({
    session_id: asString(record.sessionId),
    transcript_path: path,
    cwd: asString(record.cwd),
    agent_id: asString(record.agentId),
  });
  const common = (record: Payload) => ({
    session: asString(record.sessionId) ?? path,
    at: parseTime(record.timestamp),
    version: asString(record.version),
  });
  return {
    readRecord(record) {
      const { type, uuid, isSidechain, isMeta, isCompactSummary } = record;
      const { content } = toObject(record.message);
      if (type === "assistant")
        return toList(content)
          .map(toObject)
          .filter((block) => block.type === "tool_use" && asString(block.name) !== undefined)
          .map(({ id, name, input }): PastCall => ({
            ...common(record),
            native_event: "PreToolUse",
            // Identifies duplicates: a resumed session might repeat the previous session's records [unverified].
            id: asString(id),
            payload: omitUndefined({
              ...describeSession(record),
              hook_event_name: "PreToolUse",
              tool_name: name,
              tool_input: resolveFile(input, record.cwd),
              tool_use_id: id,
            }),
          }));
      if (type !== "user") return IGNORED_RECORD_TYPES.has(String(type)) ? [] : String(type);
      // Skip a subagent's prompt: hooks have already seen it in the tool call that started the subagent.
      const prompt =
        isSidechain === true || isMeta === true || isCompactSummary === true ? undefined : readPrompt(content);
      if (prompt === undefined) return [];
      return [
        {
          ...common(record),
          native_event: "UserPromptSubmit",
          id: asString(uuid),
          payload: omitUndefined({ ...describeSession(record), hook_event_name: "UserPromptSubmit", prompt }),
        },
      ];
    },
  };
}

/**
 * Reads Claude Code's session records, one JSONL file per session and one per subagent [seen 2.1.197 and 2.1.330,
 * 2026-11-24].
 */
export const history = defineFileHistory({
  identity: hostIdentity,
  releases: ["2.1.197", "2.1.330", "2.1.332"],
  files: [["projects", /\.jsonl$/]],
  open: openSource,
});
