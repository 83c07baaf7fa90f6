import type { PastCall, SessionReader } from "../../protocol/host/history.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined, toObject } from "../../protocol/object.ts";
import { asString, defineFileHistory, parseTime } from "../codec/history-records.ts";
import { copilot as hostIdentity } from "../entries.ts";

/** Known record types [seen 1.0.102, 2026-11-24; `abort`, `permission`, `skill` and `model` unverified]. */
const KNOWN_RECORD_TYPE =
  /^(?:abort|assistant|function|hook|model|permission|session|skill|subagent|system|tool|user)(?:\.[\w.]+)?$/;

function openSource(path: string): SessionReader {
  let [session, version, cwd]: (string | undefined)[] = [];
  const agents = new Map<string, string>();
  const build = (native_event: string, record: Payload, id: unknown, fields: Payload): readonly PastCall[] => {
    const agent = asString(record.agentId);
    const at = parseTime(record.timestamp);
    return [
      {
        native_event,
        ...(typeof id === "string" && { id: `${session} ${id}` }),
        session: session ?? path,
        at,
        version,
        // In a subagent's calls, the session ID is the subagent's own ID [seen 1.0.102, 2026-11-24].
        payload: omitUndefined({
          sessionId: agent ?? session,
          timestamp: at,
          cwd,
          ...fields,
          agentId: agent,
          agentType: agent === undefined ? undefined : agents.get(agent),
          parentAgentId: agent === undefined ? undefined : session,
        }),
      },
    ];
  };
  return {
    readRecord(record) {
      const data = toObject(record.data);
      switch (record.type) {
        case "session.start":
        case "session.resume": {
          session = asString(data.sessionId) ?? session;
          version = asString(data.copilotVersion) ?? version;
          cwd = asString(toObject(data.context).cwd) ?? cwd;
          return [];
        }
        case "session.context_changed":
          cwd = asString(data.cwd) ?? cwd;
          return [];
        case "subagent.started": {
          const agent = asString(record.agentId);
          if (agent !== undefined) agents.set(agent, asString(data.agentType) ?? "");
          return [];
        }
        case "user.message": {
          const prompt = asString(data.content);
          return prompt === undefined ? [] : build("userPromptSubmitted", record, data.messageId, { prompt });
        }
        case "tool.execution_start":
          return asString(data.toolName) === undefined
            ? []
            : build("preToolUse", record, data.toolCallId, { toolName: data.toolName, toolArgs: data.arguments });
        default:
          return KNOWN_RECORD_TYPE.test(String(record.type)) ? [] : String(record.type);
      }
    },
  };
}

/**
 * Reads Copilot CLI's session records. Each session has one JSONL file, which includes its subagents [seen 1.0.102,
 * 2026-11-24].
 */
export const history = defineFileHistory({
  identity: hostIdentity,
  releases: ["1.0.102"],
  files: [["session-state", /^[^/]+\/events\.jsonl$/]],
  open: openSource,
});
