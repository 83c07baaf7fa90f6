import { omitUndefined } from "../../protocol/object.ts";
import {
  buildTableCall,
  createScriptCodec,
  joinNewText,
  pickPresentFields,
  splitIntoReplacements,
} from "../codec/native-payloads.ts";
import { crush } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

export const scriptCodec = createScriptCodec({
  host: crush,
  samples,
  tools: TOOLS,
  calls: {
    MCP: ({ input: { server, tool, arguments: tool_input } }) => [
      { tool_name: server === undefined ? `mcp_${tool}` : `mcp_${server}_${tool}`, tool_input },
    ],
    // Each call makes one change in one file. New files are written in full.
    Edit: ({ tool, input: { files } }) =>
      files.flatMap((file) =>
        file.operation === "add"
          ? buildTableCall(TOOLS, "Write", { file_path: file.file_path, content: joinNewText(file) })
          : splitIntoReplacements([file]).flatMap((replacement) => buildTableCall(TOOLS, tool, replacement)),
      ),
  },
  buildCall: ({ tool_name, tool_input }, event, base) => ({
    ...omitUndefined({ ...base, ...pickPresentFields(base, { session_id: event.session_id, cwd: event.cwd }) }),
    tool_name,
    tool_input,
  }),
  parseAnswer,
  translatePatch,
  buildScriptEnv: (root, { session_id, event, tool_name }) => ({
    CRUSH: "1",
    CRUSH_CWD: root,
    CRUSH_PROJECT_DIR: root,
    ...(typeof session_id === "string" && { CRUSH_SESSION_ID: session_id }),
    ...(typeof event === "string" && { CRUSH_EVENT: event }),
    ...(typeof tool_name === "string" && { CRUSH_TOOL_NAME: tool_name }),
  }),
});
