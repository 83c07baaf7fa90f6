import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PastCall, SessionReader } from "../../protocol/host/history.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined, toObject } from "../../protocol/object.ts";
import { toList, asString, defineFileHistory, joinParts, parseTime } from "../codec/history-records.ts";
import { gemini as hostIdentity } from "../entries.ts";

/**
 * Matches the text that Gemini CLI inserts before the user's prompt when a hook adds context [seen 0.61.0, 2026-11-24].
 */
const HOOK_CONTEXT = /^<hook_context>[^]*?<\/hook_context>\n\n/;
const GENERATED_MESSAGE = /^<session_context>/;

/** Message types that contain neither calls nor prompts [none seen 0.61.0, 2026-11-24; unverified]. */
const IGNORED_MESSAGE_TYPES = new Set(["info", "error", "warning"]);

/** Returns a session's project, whose path is in a file next to the session's directory [seen 0.61.0, 2026-11-24]. */
function readProject(path: string): string | undefined {
  for (let at = dirname(path); dirname(at) !== at && basename(at) !== "tmp"; at = dirname(at)) {
    try {
      return readFileSync(join(at, ".project_root"), "utf8").trim() || undefined;
    } catch {
      // This directory has no such file, so try the parent directory.
    }
  }
  return undefined;
}

const SERVER_SUFFIX = " MCP Server)";

/**
 * Returns the MCP server of a call. The record names the server only in the call's display name, such as `echo (tiny
 * MCP Server)` [seen 0.61.0, 2026-11-24].
 */
function readServer({ name, displayName }: Payload): Payload | undefined {
  const text = asString(displayName) ?? "";
  const at = text.lastIndexOf(" (");
  if (!String(name).startsWith("mcp_") || at < 1 || !text.endsWith(SERVER_SUFFIX)) return undefined;
  const server_name = text.slice(at + " (".length, -SERVER_SUFFIX.length);
  return server_name === "" ? undefined : { server_name, tool_name: text.slice(0, at) };
}

/** State of a session, updated while reading its records. */
interface Session {
  path: string;
  id: string | undefined;
  isSubagent: boolean;
  cwd: string | undefined;
}

function buildCall(
  { path, id: session_id, cwd }: Session,
  native_event: string,
  { timestamp, id }: Payload,
  fields: Payload,
): PastCall {
  return {
    native_event,
    ...(typeof id === "string" && id !== "" && { id: `${session_id} ${id}` }),
    session: session_id ?? path,
    at: parseTime(timestamp),
    payload: omitUndefined({
      session_id,
      transcript_path: path,
      cwd,
      hook_event_name: native_event,
      timestamp,
      ...fields,
    }),
  };
}

function readPrompt(content: unknown): string | undefined {
  const text = joinParts(content);
  return text === "" || GENERATED_MESSAGE.test(text) ? undefined : text.replace(HOOK_CONTEXT, "");
}

function readMessage(session: Session, message: Payload): readonly PastCall[] | string {
  const { timestamp, type, content, toolCalls } = message;
  if (type === "user") {
    const prompt = session.isSubagent ? undefined : readPrompt(content);
    return prompt === undefined ? [] : [buildCall(session, "BeforeAgent", message, { prompt })];
  }
  if (type !== "gemini") return IGNORED_MESSAGE_TYPES.has(String(type)) ? [] : String(type);
  return toList(toolCalls)
    .map(toObject)
    .filter(({ name }) => asString(name) !== undefined)
    .map((call) =>
      buildCall(
        session,
        "BeforeTool",
        { id: call.id, timestamp: call.timestamp ?? timestamp },
        {
          tool_name: call.name,
          tool_input: call.args,
          mcp_context: readServer(call),
        },
      ),
    );
}

const readMessages = (session: Session, messages: unknown): readonly PastCall[] =>
  toList(messages).flatMap((message) => {
    const calls = readMessage(session, toObject(message));
    return typeof calls === "string" ? [] : calls;
  });

function openSource(path: string): SessionReader {
  const session: Session = { path, id: undefined, isSubagent: false, cwd: readProject(path) };
  return {
    readRecord(record) {
      if (asString(record.sessionId) !== undefined) {
        session.isSubagent = record.kind === "subagent";
        // A subagent's calls belong to the main session, whose ID is the name of the directory [seen 0.61.0,
        // 2026-11-24].
        session.id = session.isSubagent ? basename(dirname(path)) : asString(record.sessionId);
        session.cwd ??= asString(toList(record.directories)[0]);
        // In earlier releases, the file is a single JSON document [unverified].
        return readMessages(session, record.messages);
      }
      if ("$set" in record) return readMessages(session, toObject(record.$set).messages);
      if ("$rewindTo" in record) return [];
      return "type" in record
        ? readMessage(session, record)
        : `with ${Object.keys(record).slice(0, 3).join(", ") || "no field"}`;
    },
  };
}

/**
 * Reads Gemini CLI's session records. Each session has one JSONL file. Each subagent of a session has its own file in a
 * directory named after the session's ID. A message is written again when tool calls are added to it [seen 0.61.0,
 * 2026-11-24].
 */
export const history = defineFileHistory({
  identity: hostIdentity,
  releases: ["0.61.0"],
  files: [["tmp", /^[^/]+\/chats\/(?:[^/]+\/)?[^/]+\.jsonl?$/]],
  open: openSource,
});
