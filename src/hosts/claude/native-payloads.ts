import {
  buildTableCall,
  type CallOutput,
  createScriptCodec,
  joinNewText,
  type NativeCall,
  splitIntoReplacements,
} from "../codec/native-payloads.ts";
import { ENV_FILE } from "./answers.ts";
import { claude } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

// Result formats [seen 2.1.330, 2026-11-21].
const formatTextBlocks = ({ text }: CallOutput) => [{ type: "text", text }];
const formatShellResult = ({ text, stdout = text, stderr = "" }: CallOutput) => ({
  stdout,
  stderr,
  interrupted: false,
  isImage: false,
  noOutputExpected: false,
});
function formatReadResult(filePath: string, startLine: number, content: string) {
  const numLines = content.split("\n").length;
  return { type: "text", file: { filePath, content, numLines, startLine, totalLines: numLines } };
}
const UNTOUCHED = { originalFile: null, structuredPatch: [], userModified: false };
/** Formats the results of tools for which there is no recording [unverified]. */
const formatUnrecordedResult = (output: CallOutput) => ({ content: formatTextBlocks(output) });

const buildWriteCall = (file_path: string, content: string): NativeCall[] =>
  buildTableCall(
    TOOLS,
    "Write",
    { file_path, content },
    { result: () => ({ type: "create", filePath: file_path, content, ...UNTOUCHED }) },
  );

function buildEditCall(change: ReturnType<typeof splitIntoReplacements>[number]): NativeCall[] {
  const { file_path: filePath, old_string: oldString, new_string: newString } = change;
  const result = () => ({ filePath, oldString, newString, replaceAll: false, ...UNTOUCHED });
  return buildTableCall(TOOLS, "Edit", change, { result, extraInput: { replace_all: false } });
}

export const scriptCodec = createScriptCodec({
  host: claude,
  samples,
  tools: TOOLS,
  // Use neutral values, because the recorded values belong to another session.
  replace: ({ permission_mode = "default" }) => ({
    custom_instructions: null,
    compact_summary: "",
    permission_suggestions: [],
    permission_mode,
  }),
  add: ({ agent_id, agent_type }) => ({ agent_id, agent_type }),
  addOwn: ({ transcript_path, model }) => ({ transcript_path, model }),
  // `cwd` is the shell's working directory [seen 2.1.330, 2026-11-21].
  metadata: ["cwd", "tool_use_id", "error", "duration_ms"],
  formatResult: formatUnrecordedResult,
  mcp: ({ server, tool }) => ({
    tool_name: `mcp__${server}__${tool}`,
    result: formatTextBlocks,
    extraFields: { mcp_server: { name: server, source: "dynamic" } },
  }),
  // Claude Code has no tool that deletes or moves files, or that makes several edits at once.
  calls: {
    Write: ({ input }) => buildWriteCall(input.file_path, input.content),
    Edit: ({ input }) =>
      input.files.flatMap((file) =>
        file.operation === "add"
          ? buildWriteCall(file.file_path, joinNewText(file))
          : splitIntoReplacements([file]).flatMap(buildEditCall),
      ),
    Bash: ({ tool, input }) =>
      buildTableCall(TOOLS, tool, input, {
        result: formatShellResult,
        ...(input.shell === "powershell" && { tool_name: "PowerShell" }),
      }),
    Read: ({ tool, input }) =>
      buildTableCall(TOOLS, tool, input, {
        result: ({ text }) => formatReadResult(input.file_path, input.offset ?? 1, text),
      }),
    Task: ({ tool, input }) =>
      buildTableCall(TOOLS, tool, input, {
        result: (output) => ({ status: "completed", prompt: input.prompt, ...formatUnrecordedResult(output) }),
      }),
  },
  parseAnswer,
  translatePatch,
  envFileVariable: ENV_FILE,
  // Claude Code also sets the session's IDs and sockets [seen 2.1.330, 2026-11-21].
  buildScriptEnv: (root) => ({
    CLAUDECODE: "1",
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_CODE_ENTRYPOINT: "cli",
    CLAUDE_PROJECT_DIR: root,
  }),
});
