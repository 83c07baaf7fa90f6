import { basename, join } from "node:path";
import type { HistoryReader, HistorySource, PastCall, SessionReader } from "../../protocol/host/history.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined, toObject } from "../../protocol/object.ts";
import { toList, asString, joinParts, listRecordFiles, parseObject, parseTime } from "../codec/history-records.ts";
import { openclaw as hostIdentity } from "../entries.ts";

/**
 * Record types that contain neither calls nor prompts [seen 2026.9.6, 2026-11-24; `compaction` and the types after it
 * read in the source].
 */
const IGNORED_RECORD_TYPES = new Set([
  "custom",
  "model_change",
  "thinking_level_change",
  "reset",
  "compaction",
  "branch_summary",
  "custom_message",
  "label",
  "leaf",
  "session_info",
]);

const QUERY = `
  SELECT event.session_id, event.event_json, event.event_zstd, event.created_at AS since, place.session_key
  FROM transcript_events AS event LEFT JOIN session_windows AS place ON place.session_id = event.session_id
  WHERE event.created_at >= $since OR event.seq <= 1
  ORDER BY event.session_id, event.seq`;

/** Lists a call and, for `tool_call`, the call it wraps, because hooks see both [seen 2026.9.6, 2026-11-24]. */
function listNestedCalls({ name, arguments: callArguments }: Payload): { toolName: unknown; params: unknown }[] {
  const { id, args } = toObject(callArguments);
  const outerCall = { toolName: name, params: callArguments };
  return name === "tool_call" && asString(id) !== undefined ? [outerCall, { toolName: id, params: args }] : [outerCall];
}

function openSource(path: string): SessionReader {
  let [session, cwd, key]: (string | undefined)[] = [];
  const readMessage = (record: Payload): readonly PastCall[] => {
    const { role, content, timestamp } = toObject(record.message);
    const build = (native_event: string, id: unknown, fields: Payload): PastCall => ({
      native_event,
      ...(typeof id === "string" && { id: `${session} ${id}` }),
      session: session ?? path,
      at: parseTime(record.timestamp) ?? parseTime(timestamp),
      payload: omitUndefined({
        ...fields,
        ctx: omitUndefined({ sessionId: session, sessionKey: key }),
        cwd,
        host: "openclaw",
        event: native_event,
      }),
    });
    const parts = toList(content).map(toObject);
    if (role === "user") {
      const prompt = joinParts(content);
      return prompt === "" ? [] : [build("before_agent_run", record.id, { prompt })];
    }
    if (role !== "assistant") return [];
    return parts
      .filter(({ type, name }) => type === "toolCall" && asString(name) !== undefined)
      .flatMap((call) =>
        listNestedCalls(call).map((fields, at) =>
          build("before_tool_call", `${String(call.id)}${at === 0 ? "" : ` ${at}`}`, {
            ...fields,
            ...(at === 0 && { toolCallId: call.id }),
          }),
        ),
      );
  };
  return {
    readRecord(rawRecord) {
      const isRow = "event_json" in rawRecord;
      if (isRow) key = asString(rawRecord.session_key);
      const record = isRow ? parseObject(rawRecord.event_json ?? decompress(rawRecord.event_zstd)) : rawRecord;
      if (record.type === "session") {
        session = asString(record.id) ?? basename(path);
        cwd = asString(record.cwd);
        return [];
      }
      if (isRow && asString(rawRecord.session_id) !== session)
        [session, cwd] = [asString(rawRecord.session_id), undefined];
      if (record.type === "message") return readMessage(record);
      return IGNORED_RECORD_TYPES.has(String(record.type)) ? [] : String(record.type);
    },
  };
}

/** Decompresses an event. The database limits events to 4 MiB [seen 2026.9.6, 2026-11-24]. */
const decompress = (bytes: unknown): string =>
  bytes instanceof Uint8Array ? new TextDecoder().decode(Bun.zstdDecompressSync(bytes)) : "";

/**
 * Matches session files, including compressed ones and files left over from a reset or deletion [seen 2026.9.6,
 * 2026-11-24].
 */
const SESSION_FILE = /^[^/]+\/sessions\/[^./]+\.jsonl(?:\.(?:deleted|reset)\.[^/]+)?$/;
const DATABASE_PATH = /^[^/]+\/agent\/openclaw-agent\.sqlite$/;

/** Reads OpenClaw's session records from one database per agent and from one file per reset or deleted session. */
export const history: HistoryReader = {
  releases: ["2026.9.6"],
  listSources(machine) {
    const agents = join(hostIdentity.folders.user(machine), "agents");
    return [
      ...listRecordFiles(agents, SESSION_FILE).map((path): HistorySource => ({
        path,
        kind: "lines",
        ...(path.endsWith(".zst") && { compression: "zstd" }),
      })),
      ...listRecordFiles(agents, DATABASE_PATH).map((path): HistorySource => ({
        path,
        kind: "database",
        query: QUERY,
      })),
    ];
  },
  openSource: ({ path }) => openSource(path),
};
