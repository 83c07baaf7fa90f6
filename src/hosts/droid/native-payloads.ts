import type { Payload } from "../../protocol/host/payload.ts";
import { parseJsonObject } from "../../protocol/object.ts";
import { renderPatch } from "../../protocol/patch.ts";
import {
  buildTableCall,
  type CallOutput,
  createScriptCodec,
  joinNewText,
  type NativeCall,
  pickPresentFields,
  splitIntoReplacements,
} from "../codec/native-payloads.ts";
import { MCP_SEPARATOR } from "./call.ts";
import { droid } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

const buildCreateCall = (file_path: string, content: string): NativeCall[] =>
  buildTableCall(TOOLS, "Write", { file_path, content }, { result: formatChange(file_path) });
const buildEditCall = (change: ReturnType<typeof splitIntoReplacements>[number]): NativeCall[] =>
  buildTableCall(TOOLS, "Edit", change, {
    extraInput: { change_all: false },
    result: formatChange(change.file_path),
  });
/** Formats a change's result as JSON; all other results are plain text [seen 0.215.0, 2026-11-27]. */
const formatChange =
  (file_path: string) =>
  ({ text }: CallOutput) =>
    parseJsonObject(text) ? text : JSON.stringify({ success: true, file_path });

/**
 * Maximum length of an environment variable's value. Linux limits values to 128 KB, and Droid doesn't start a hook with
 * a longer one.
 */
const MAX_VALUE_LENGTH = 30_000;

/**
 * Builds the environment variables that Droid sets from a payload's strings, numbers and booleans [seen 0.215.0,
 * 2026-11-27].
 */
const listVariables = (payload: Payload): [string, string][] =>
  Object.entries(payload).flatMap(([name, value]): [string, string][] =>
    /^[A-Za-z_]\w*$/.test(name) && ["string", "number", "boolean"].includes(typeof value)
      ? [[name, String(value).slice(0, MAX_VALUE_LENGTH)]]
      : [],
  );

export const scriptCodec = createScriptCodec({
  host: droid,
  samples,
  tools: TOOLS,
  // Use neutral values, because the recorded values belong to another session.
  replace: ({ permission_mode = "off" }) => ({ permission_mode, task_result: "", custom_instructions: "" }),
  addOwn: ({ transcript_path }) => ({ transcript_path }),
  metadata: ["cwd"],
  mcp: ({ server, tool }) => ({ tool_name: `${server}${MCP_SEPARATOR}${tool}` }),
  // Each call changes one place in one file. Droid has no tool that deletes or moves files.
  calls: {
    Write: ({ input }) => buildCreateCall(input.file_path, input.content),
    Edit: ({ tool_name, input }) =>
      tool_name === "ApplyPatch"
        ? [{ tool_name, tool_input: { input: renderPatch(input.files) } }]
        : input.files.flatMap((file) =>
            file.operation === "add"
              ? buildCreateCall(file.file_path, joinNewText(file))
              : splitIntoReplacements([file]).flatMap(buildEditCall),
          ),
    Glob: ({ input: { pattern, path: folder } }) => [
      { tool_name: "Glob", tool_input: { patterns: [pattern], ...(folder !== undefined && { folder }) } },
    ],
  },
  // Droid doesn't send the model's last message.
  buildSession: (_event, fields, base) => ({ ...base, ...pickPresentFields(base, fields) }),
  parseAnswer,
  translatePatch,
  envFileVariable: "CLAUDE_ENV_FILE",
  buildScriptEnv: (root, payload) => ({
    ...Object.fromEntries(listVariables(payload)),
    FACTORY_PROJECT_DIR: root,
    DROID_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
});
