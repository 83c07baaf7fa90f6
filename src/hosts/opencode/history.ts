import { join } from "node:path";
import type { HistoryReader, PastCall, SessionReader } from "../../protocol/host/history.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined, toObject } from "../../protocol/object.ts";
import { asString, listRecordFiles, parseObject, parseTime } from "../codec/history-records.ts";

/** Selects message parts with their session, ordered so that the parts of a message stay together. */
const QUERY = `
  SELECT part.id, part.message_id, part.session_id, part.time_created AS since, part.data,
    message.data AS message, session.parent_id, session.directory, session.version
  FROM part JOIN message ON message.id = part.message_id JOIN session ON session.id = part.session_id
  WHERE part.time_created >= $since AND (
    part.data LIKE '{"type":"tool"%' OR message.data LIKE '%"role":"user"%'
  )
  ORDER BY part.session_id, part.message_id, part.id`;

function openSource(): SessionReader {
  return {
    readRecord(row) {
      const part = parseObject(row.data);
      const message = parseObject(row.message);
      const [sessionId = "", parent, cwd] = [row.session_id, row.parent_id, row.directory].map(asString);
      const session = parent ?? sessionId;
      const build = (native_event: string, fields: Payload): readonly PastCall[] => [
        {
          native_event,
          id: asString(row.id),
          session,
          at: parseTime(row.since),
          version: asString(row.version),
          payload: omitUndefined({
            host: "opencode",
            event: native_event,
            cwd,
            ...(parent !== undefined && { session_id: parent, agent_id: sessionId }),
            ...fields,
          }),
        },
      ];
      if (part.type === "tool") {
        const tool = asString(part.tool);
        if (tool === undefined) return [];
        return build("tool.execute.before", {
          input: { tool, sessionID: sessionId, callID: part.callID },
          output: { args: toObject(toObject(part.state).input) },
          mcp: guessServers(tool),
        });
      }
      // A subagent's prompt comes from a tool call, and OpenCode doesn't report it to plugins again [seen 1.18.33,
      // 2026-11-24].
      if (parent !== undefined || message.role !== "user" || part.type !== "text" || part.synthetic === true) return [];
      return build("chat.message", {
        input: { sessionID: sessionId },
        output: { message: { role: "user" }, parts: [{ type: "text", text: part.text }] },
      });
    },
  };
}

/** OpenCode's own tools whose names contain "_" [shipped 1.18.33]. */
const OWN_TOOLS = ["apply_patch", "plan_enter", "plan_exit"];

/** Guesses a tool's MCP server from the part before the first "_", because the records don't name the server. */
const guessServers = (tool: string): string[] =>
  tool.includes("_") && !OWN_TOOLS.includes(tool) ? [tool.slice(0, tool.indexOf("_"))] : [];

/**
 * Reads OpenCode's session records from its database [seen 1.18.33, 2026-11-24]. Files of earlier releases are not
 * read.
 */
export const history: HistoryReader = {
  releases: ["1.18.33"],
  listSources: ({ home, env }) =>
    listRecordFiles(join(env.XDG_DATA_HOME || join(home, ".local/share"), "opencode"), /^opencode[\w-]*\.db$/).map(
      (path) => ({ path, kind: "database", query: QUERY }),
    ),
  openSource,
};
