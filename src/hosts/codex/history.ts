import { join } from "node:path";
import type { HistoryReader, PastCall, SessionReader } from "../../protocol/host/history.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined, toObject } from "../../protocol/object.ts";
import { asList, asText, listRecordFiles, parseObject, parseTime } from "../codec/history-records.ts";
import { codex as hostIdentity } from "../entries.ts";

/** Records whose payload has no call and no prompt [seen 0.169.0, 2026-11-24; `compacted` unverified]. */
const OTHER_RECORDS = new Set(["compacted", "token_usage_record", "world_state"]);

/** Quotes a word of a command that was given as a list. */
const quoteWord = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The shell line of a call: a text, or a list of words in earlier releases [unverified]. */
function readShellLine(given: unknown): string | undefined {
  if (!Array.isArray(given)) return asText(given);
  const words = given.map(String);
  const [shell = "", flag = "", line] = words;
  return /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && words.length === 3
    ? line
    : words.map(quoteWord).join(" ");
}

/** The call as hooks see it: the shell as `Bash`, and a group's name before the tool's [seen 0.169.0, 2026-11-24]. */
function nameCall(name: string, namespace: string | undefined, input: Payload): { name: string; input: Payload } {
  if (namespace?.startsWith("mcp__")) return { name: `${namespace}__${name}`, input };
  const line = readShellLine(input.cmd ?? input.command);
  if (/^(?:exec_command|shell|shell_command|local_shell|container\.exec)$/.test(name) && line !== undefined)
    return { name: "Bash", input: { command: line } };
  return { name: namespace === undefined || name === "spawn_agent" ? name : `${namespace}${name}`, input };
}

function openSource(path: string): SessionReader {
  /** What the first record says of the session, and the latest turn of itself. */
  let [session, agent]: (string | undefined)[] = [];
  let [version, cwd, model]: (string | undefined)[] = [];
  const build = (
    native_event: string,
    { timestamp }: Payload,
    id: string | undefined,
    fields: Payload,
  ): readonly PastCall[] => [
    {
      native_event,
      ...(id !== undefined && { id: `${agent ?? session} ${id}` }),
      session: session ?? path,
      at: parseTime(timestamp),
      version,
      payload: omitUndefined({
        session_id: session,
        agent_id: agent,
        transcript_path: path,
        cwd,
        model,
        hook_event_name: native_event,
        ...fields,
      }),
    },
  ];
  const readCall = (record: Payload, called: Payload): readonly PastCall[] => {
    const id = asText(called.call_id);
    const tool = asText(called.name) ?? "local_shell";
    const { name, input } =
      called.type === "custom_tool_call"
        ? { name: tool, input: { command: called.input } }
        : nameCall(tool, asText(called.namespace), parseObject(called.arguments ?? called.action));
    return build("PreToolUse", record, id, { tool_name: name, tool_input: input, tool_use_id: id });
  };
  return {
    readRecord(record) {
      const { type } = record;
      const payload = toObject(record.payload);
      switch (type) {
        case "session_meta": {
          const id = asText(payload.id);
          session = asText(payload.session_id) ?? id;
          // A subagent is a thread of its own in the same session [seen 0.169.0, 2026-11-24].
          agent = asText(payload.parent_thread_id) && id !== session ? id : undefined;
          version = asText(payload.cli_version);
          cwd = asText(payload.cwd);
          return [];
        }
        case "turn_context":
          cwd = asText(payload.cwd) ?? cwd;
          model = asText(payload.model) ?? model;
          return [];
        case "response_item":
          return /^(?:function_call|custom_tool_call|local_shell_call)$/.test(String(payload.type))
            ? readCall(record, payload)
            : [];
        case "event_msg": {
          const item = toObject(payload.item);
          // `user_message` is the form of earlier releases [unverified].
          const text =
            payload.type === "user_message"
              ? asText(payload.message)
              : item.type === "UserMessage"
                ? asList(item.content)
                    .map((part) => asText(toObject(part).text) ?? "")
                    .join("")
                : undefined;
          return text === undefined ? [] : build("UserPromptSubmit", record, asText(item.id), { prompt: text });
        }
        default:
          return OTHER_RECORDS.has(String(type)) ? [] : String(type);
      }
    },
  };
}

/** Codex's records: a file of JSON lines for each thread [seen 0.169.0, 2026-11-24]. */
export const history: HistoryReader = {
  releases: ["0.169.0"],
  listSources: (place) =>
    ["sessions", "archived_sessions"].flatMap((folder) =>
      listRecordFiles(join(hostIdentity.folders.user(place), folder), /(?:^|\/)rollout-[^/]+\.jsonl$/).map((path) => ({
        path,
        kind: "lines" as const,
      })),
    ),
  openSource: ({ path }) => openSource(path),
};
