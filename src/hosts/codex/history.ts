import type { PastCall, SessionReader } from "../../protocol/host/history.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined, toObject } from "../../protocol/object.ts";
import { toList, asString, defineFileHistory, joinParts, parseObject, parseTime } from "../codec/history-records.ts";
import { codex as hostIdentity } from "../entries.ts";

/** Record types that contain neither a call nor a prompt [seen 0.169.0, 2026-11-24; `compacted` unverified]. */
const IGNORED_RECORD_TYPES = new Set(["compacted", "token_usage_record", "world_state"]);

/** Quotes one argument of a command that was given as a list of arguments. */
const quoteWord = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Returns a call's shell command. Older releases record it as a list of arguments instead of a string [unverified]. */
function readShellLine(commandValue: unknown): string | undefined {
  if (!Array.isArray(commandValue)) return asString(commandValue);
  const words = commandValue.map(String);
  const [shell = "", flag = "", line] = words;
  return /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && words.length === 3
    ? line
    : words.map(quoteWord).join(" ");
}

/**
 * Converts a call to the form that hooks receive: every shell is named `Bash`, and other tool names start with their
 * namespace [seen 0.169.0, 2026-11-24].
 */
function nameCall(name: string, namespace: string | undefined, input: Payload): { name: string; input: Payload } {
  if (namespace?.startsWith("mcp__")) return { name: `${namespace}__${name}`, input };
  const line = readShellLine(input.cmd ?? input.command);
  if (/^(?:exec_command|shell|shell_command|local_shell|container\.exec)$/.test(name) && line !== undefined)
    return { name: "Bash", input: { command: line } };
  return { name: namespace === undefined || name === "spawn_agent" ? name : `${namespace}${name}`, input };
}

/** Session data, initialized by the first record and updated by each turn. */
type Session = { path: string } & Partial<Record<"id" | "agent" | "version" | "cwd" | "model", string | undefined>>;

function buildCalls(
  { path, id: session_id, agent: agent_id, version, cwd, model }: Session,
  native_event: string,
  { timestamp, id }: Payload,
  fields: Payload,
): readonly PastCall[] {
  return [
    {
      native_event,
      ...(id !== undefined && { id: `${agent_id ?? session_id} ${String(id)}` }),
      session: session_id ?? path,
      at: parseTime(timestamp),
      version,
      payload: omitUndefined({
        session_id,
        agent_id,
        transcript_path: path,
        cwd,
        model,
        hook_event_name: native_event,
        ...fields,
      }),
    },
  ];
}

function readCall(session: Session, { timestamp }: Payload, callRecord: Payload): readonly PastCall[] {
  const id = asString(callRecord.call_id);
  const tool = asString(callRecord.name) ?? "local_shell";
  const { name, input } =
    callRecord.type === "custom_tool_call"
      ? { name: tool, input: { command: callRecord.input } }
      : nameCall(tool, asString(callRecord.namespace), parseObject(callRecord.arguments ?? callRecord.action));
  const fields = { tool_name: name, tool_input: input, tool_use_id: id };
  return buildCalls(session, "PreToolUse", { timestamp, id }, fields);
}

/** Reads a prompt. Older releases record it as `user_message` [unverified]. */
function readPrompt(session: Session, { timestamp }: Payload, { type, message, item: rawItem }: Payload) {
  const item = toObject(rawItem);
  const text =
    type === "user_message"
      ? asString(message)
      : item.type === "UserMessage"
        ? joinParts(toList(item.content))
        : undefined;
  const id = asString(item.id);
  return text === undefined ? [] : buildCalls(session, "UserPromptSubmit", { timestamp, id }, { prompt: text });
}

function readSession(session: Session, payload: Payload): void {
  const id = asString(payload.id);
  session.id = asString(payload.session_id) ?? id;
  // A subagent runs as a separate thread of the same session [seen 0.169.0, 2026-11-24].
  session.agent = asString(payload.parent_thread_id) && id !== session.id ? id : undefined;
  session.version = asString(payload.cli_version);
  session.cwd = asString(payload.cwd);
}

function openSource(path: string): SessionReader {
  const session: Session = { path };
  return {
    readRecord(record) {
      const payload = toObject(record.payload);
      switch (record.type) {
        case "session_meta":
          readSession(session, payload);
          return [];
        case "turn_context":
          session.cwd = asString(payload.cwd) ?? session.cwd;
          session.model = asString(payload.model) ?? session.model;
          return [];
        case "response_item":
          return /^(?:function_call|custom_tool_call|local_shell_call)$/.test(String(payload.type))
            ? readCall(session, record, payload)
            : [];
        case "event_msg":
          return readPrompt(session, record, payload);
        default:
          return IGNORED_RECORD_TYPES.has(String(record.type)) ? [] : String(record.type);
      }
    },
  };
}

/** Reads Codex's session records, one JSONL file per thread [seen 0.169.0, 2026-11-24]. */
export const history = defineFileHistory({
  identity: hostIdentity,
  releases: ["0.169.0", "0.171.0"],
  files: ["sessions", "archived_sessions"].map((folder) => [folder, /(?:^|\/)rollout-[^/]+\.jsonl$/] as const),
  open: openSource,
});
