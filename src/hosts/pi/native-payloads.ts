import type { AnyEvent, CallEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import type { FileChange } from "../../protocol/tool.ts";
import {
  buildTableCall,
  type CallOutput,
  createScriptCodec,
  getShellFolder,
  type NativeCall,
  pickPresentFields,
  readCallMetadata,
  type SessionEvent,
} from "../codec/native-payloads.ts";
import { buildReplacementCalls } from "../codec/replacements.ts";
import { buildTimeout } from "../codec/seconds.ts";
import { WAITING_PREFIX } from "./call.ts";
import { pi } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

// Result formats [seen 1.5.2, 2026-11-27].
const formatResult = ({ text }: CallOutput) => ({ content: [{ type: "text", text }] });
const formatShellResult = (output: CallOutput) => ({
  ...formatResult(output),
  structuredContent: {
    output: output.stdout ?? output.text,
    truncated: false,
    exit_code: output.exit_code ?? 0,
    wall_time_seconds: 0,
  },
});

/** Builds the calls for an edit: the write tool for new files, and the edit tool for existing ones. */
const buildEditCalls = (files: readonly FileChange[]): NativeCall[] =>
  files.flatMap((file) =>
    file.operation === "add"
      ? buildTableCall(TOOLS, "Write", {
          file_path: file.file_path,
          content: file.edits.map(({ new_string }) => new_string).join(""),
        })
      : buildReplacementCalls([file]),
  );

/** Keeps the tool's name if the call came from pi, where multiple tools map to one unified tool. */
const keepToolName = ({ host, tool, tool_name }: CallEvent): Partial<NativeCall> =>
  host === "pi" && TOOLS[tool_name]?.[0] === tool ? { tool_name } : {};

/** Replaces the fields that the plugin adds to the envelope. */
const replaceEnvelope = ({ model, transcript_path }: AnyEvent, base: Payload): Payload => ({
  ...base,
  ...pickPresentFields(base, { model, transcript_path }),
});

function buildSession(event: SessionEvent, recording: Payload): Payload {
  const base = replaceEnvelope(event, recording);
  switch (event.event) {
    case "UserPromptSubmit":
      return { ...base, text: event.prompt };
    case "SessionStart":
      return { ...base, reason: event.source ?? base.reason };
    case "SessionEnd":
      return { ...base, reason: event.reason ?? base.reason };
    case "PreCompact":
    case "PostCompact":
      return { ...base, reason: event.trigger ?? base.reason };
    case "Stop": {
      const { last_message: last_assistant_message, continuations } = event;
      return { ...base, last_assistant_message, continuations, stop_hook_active: continuations > 0 };
    }
    case "Notification":
      return { ...base, title: event.message.replace(WAITING_PREFIX, ""), kind: event.notification_type ?? base.kind };
    default:
      return base;
  }
}

export const scriptCodec = createScriptCodec({
  host: pi,
  samples,
  tools: TOOLS,
  formatResult,
  mcp: ({ server, tool }) => ({
    tool_name: `mcp__${server.replaceAll(/\W/g, "_")}__${tool.replaceAll(/\W/g, "_")}`,
    result: formatResult,
  }),
  calls: {
    Bash: (event) =>
      buildTableCall(TOOLS, event.tool, event.input, {
        ...keepToolName(event),
        result: formatShellResult,
        extraInput: buildTimeout(event.input.timeout_ms, "timeout"),
      }),
    Glob: (event) => buildTableCall(TOOLS, event.tool, event.input, keepToolName(event)),
    Edit: ({ input }) => buildEditCalls(input.files),
  },
  buildCall({ tool_name: toolName, tool_input: input, result }, event, recording) {
    const { id: toolCallId, error } = readCallMetadata(event);
    const base = replaceEnvelope(event, recording);
    const { structuredContent: _, ...fields } = base;
    const outcome = error === undefined ? result : { content: [{ type: "text", text: error }], isError: true };
    return {
      ...fields,
      ...pickPresentFields(base, { toolCallId, cwd: getShellFolder(event) }),
      toolName,
      input,
      ...(outcome as Payload | undefined),
    };
  },
  buildSession: (event, _, base) => buildSession(event, base),
  parseAnswer,
  translatePatch,
  // The plugin doesn't add environment variables.
  buildScriptEnv: () => ({}),
});
