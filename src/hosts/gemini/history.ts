import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { HistoryReader, PastCall, SessionReader } from "../../protocol/host/history.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined, toObject } from "../../protocol/object.ts";
import { asList, asText, listRecordFiles, parseTime } from "../codec/history-records.ts";
import { gemini as hostIdentity } from "../entries.ts";

/** What Gemini CLI, or a hook's context, puts before what a person typed [seen 0.61.0, 2026-11-24]. */
const HOOK_CONTEXT = /^<hook_context>[^]*?<\/hook_context>\n\n/;
const NOT_TYPED = /^<session_context>/;

/** Kinds of messages without calls or prompts [seen 0.61.0, 2026-11-24: none; unverified]. */
const OTHER_MESSAGES = new Set(["info", "error", "warning"]);

/** The project of a session: the file beside its folder says it [seen 0.61.0, 2026-11-24]. */
function readProject(path: string): string | undefined {
  for (let at = dirname(path); dirname(at) !== at && basename(at) !== "tmp"; at = dirname(at)) {
    try {
      return readFileSync(join(at, ".project_root"), "utf8").trim() || undefined;
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}

const SERVER_END = " MCP Server)";

/** The MCP server of a call: the name for people has it, `echo (tiny MCP Server)` [seen 0.61.0, 2026-11-24]. */
function readServer({ name, displayName }: Payload): Payload | undefined {
  const text = asText(displayName) ?? "";
  const at = text.lastIndexOf(" (");
  if (!String(name).startsWith("mcp_") || at < 1 || !text.endsWith(SERVER_END)) return undefined;
  const server_name = text.slice(at + " (".length, -SERVER_END.length);
  return server_name === "" ? undefined : { server_name, tool_name: text.slice(0, at) };
}

function openSource(path: string): SessionReader {
  let session: string | undefined;
  let isSubagent = false;
  let cwd = readProject(path);
  const build = (native_event: string, timestamp: unknown, id: string | undefined, fields: Payload): PastCall => ({
    native_event,
    ...(id !== undefined && { id: `${session} ${id}` }),
    session: session ?? path,
    at: parseTime(timestamp),
    payload: omitUndefined({
      session_id: session,
      transcript_path: path,
      cwd,
      hook_event_name: native_event,
      timestamp,
      ...fields,
    }),
  });
  const readPrompt = (content: unknown): string | undefined => {
    if (isSubagent) return undefined;
    const text =
      typeof content === "string"
        ? content
        : asList(content)
            .map((part) => asText(toObject(part).text) ?? "")
            .join("");
    return text === "" || NOT_TYPED.test(text) ? undefined : text.replace(HOOK_CONTEXT, "");
  };
  const readMessage = (message: Payload): readonly PastCall[] | string => {
    const { id, timestamp, type, content, toolCalls } = message;
    if (type === "user") {
      const prompt = readPrompt(content);
      return prompt === undefined ? [] : [build("BeforeAgent", timestamp, asText(id), { prompt })];
    }
    if (type !== "gemini") return OTHER_MESSAGES.has(String(type)) ? [] : String(type);
    return asList(toolCalls)
      .map(toObject)
      .filter(({ name }) => asText(name) !== undefined)
      .map((call) =>
        build("BeforeTool", call.timestamp ?? timestamp, asText(call.id), {
          tool_name: call.name,
          tool_input: call.args,
          mcp_context: readServer(call),
        }),
      );
  };
  const readMessages = (messages: unknown): readonly PastCall[] =>
    asList(messages).flatMap((message) => {
      const calls = readMessage(toObject(message));
      return typeof calls === "string" ? [] : calls;
    });
  return {
    readRecord(record) {
      if (asText(record.sessionId) !== undefined) {
        isSubagent = record.kind === "subagent";
        // Calls of a subagent belong to the session whose name its folder has [seen 0.61.0, 2026-11-24].
        session = isSubagent ? basename(dirname(path)) : asText(record.sessionId);
        cwd ??= asText(asList(record.directories)[0]);
        // Earlier releases wrote one document [unverified].
        return readMessages(record.messages);
      }
      if ("$set" in record) return readMessages(toObject(record.$set).messages);
      if ("$rewindTo" in record) return [];
      return "type" in record
        ? readMessage(record)
        : `with ${Object.keys(record).slice(0, 3).join(", ") || "no field"}`;
    },
  };
}

/**
 * Gemini CLI's records: JSON lines for each session, and for each subagent in a folder with the session's id. A message
 * is written again when it gets calls [seen 0.61.0, 2026-11-24].
 */
export const history: HistoryReader = {
  releases: ["0.61.0"],
  listSources: (place) =>
    listRecordFiles(join(hostIdentity.folders.user(place), "tmp"), /^[^/]+\/chats\/(?:[^/]+\/)?[^/]+\.jsonl?$/).map(
      (path) => ({ path, kind: path.endsWith(".json") ? "document" : "lines" }),
    ),
  openSource: ({ path }) => openSource(path),
};
