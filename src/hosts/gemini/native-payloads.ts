import { buildTableCall, createScriptCodec, joinNewText, splitIntoReplacements } from "../codec/native-payloads.ts";
import { gemini } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

/** Builds a prompt that contains every URL in a request, since the prompt is the tool's only input. */
function buildFetchPrompt(url: string, prompt = ""): string {
  const missingUrls = url.split(" ").filter((address) => !prompt.includes(address));
  return [prompt, ...missingUrls].filter(Boolean).join(" ");
}

export const scriptCodec = createScriptCodec({
  host: gemini,
  samples,
  tools: TOOLS,
  // Replaces values recorded in another session with neutral ones.
  replace: () => ({ prompt: "", details: {} }),
  addOwn: ({ transcript_path }) => ({ transcript_path }),
  // Result formats [seen 0.61.0, 2026-11-21].
  formatResult: ({ text }) => ({ llmContent: text, returnDisplay: text }),
  mcp: ({ server, tool }) => ({
    tool_name: `mcp_${server}_${tool}`,
    result: ({ text, is_error }) => ({
      llmContent: [{ text }],
      returnDisplay: text,
      ...(is_error && { error: { message: text } }),
    }),
    extraFields: { mcp_context: { server_name: server, tool_name: tool } },
  }),
  // Gemini CLI has no tool that deletes or moves files or makes several edits at once.
  calls: {
    Read({ tool, input }) {
      const { offset = 1, limit } = input;
      const end_line = limit === undefined ? undefined : offset + limit - 1;
      return buildTableCall(TOOLS, tool, input, { extraInput: { end_line } });
    },
    Edit: ({ tool, input }) =>
      input.files.flatMap((file) =>
        file.operation === "add"
          ? buildTableCall(TOOLS, "Write", { file_path: file.file_path, content: joinNewText(file) })
          : splitIntoReplacements([file]).flatMap((change) =>
              buildTableCall(TOOLS, tool, change, { extraInput: { instruction: "" } }),
            ),
      ),
    Glob({ tool, input }) {
      const { pattern, path: dir_path } = input;
      if (pattern === "*" && dir_path !== undefined) return [{ tool_name: "list_directory", tool_input: { dir_path } }];
      return buildTableCall(TOOLS, tool, input);
    },
    WebFetch: ({ tool, input: { url, prompt } }) =>
      buildTableCall(TOOLS, tool, { prompt: buildFetchPrompt(url, prompt) }),
  },
  buildSession: ({ event }, { last_assistant_message: prompt_response, ...fields }, base) => ({
    ...base,
    ...fields,
    ...(event === "Stop" && { prompt_response }),
  }),
  parseAnswer,
  translatePatch,
  buildScriptEnv: (root, { session_id }) => ({
    GEMINI_PROJECT_DIR: root,
    GEMINI_CWD: root,
    ...(typeof session_id === "string" && { GEMINI_SESSION_ID: session_id }),
    CLAUDE_PROJECT_DIR: root,
  }),
});
