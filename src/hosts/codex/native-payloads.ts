import { renderPatch } from "../../protocol/patch.ts";
import type { FileChange } from "../../protocol/tool.ts";
import { createScriptCodec, type NativeCall } from "../codec/native-payloads.ts";
import { codex } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

const buildPatchCall = (files: readonly FileChange[]): NativeCall => ({
  tool_name: "apply_patch",
  tool_input: { command: renderPatch(files) },
});

export const scriptCodec = createScriptCodec({
  host: codex,
  samples,
  tools: TOOLS,
  replace: ({ permission_mode = "default", model = "unknown" }) => ({ permission_mode, model }),
  add: ({ agent_id, agent_type }) => ({ agent_id, agent_type }),
  addOwn: ({ transcript_path }) => ({ transcript_path }),
  metadata: ["cwd", "tool_use_id"],
  // All results are text, except those of MCP tools [seen 0.169.0, 2026-11-21].
  mcp: ({ server, tool }) => ({
    tool_name: `mcp__${server}__${tool}`,
    result: ({ text, is_error = false }) => ({ content: [{ type: "text", text }], isError: is_error }),
  }),
  calls: {
    Write: ({ input: { file_path, content: new_string } }) => [
      buildPatchCall([{ file_path, operation: "add", edits: [{ old_string: "", new_string }] }]),
    ],
    Edit: ({ input }) => [buildPatchCall(input.files)],
  },
  // Codex always sends the reason "other" [shipped 0.169.0], which distinguishes its payloads from those of other
  // hosts.
  buildSession: ({ event }, fields, base) => ({
    ...base,
    ...fields,
    ...(event === "SessionEnd" && { reason: "other" }),
  }),
  parseAnswer,
  translatePatch,
  // Codex adds no environment variables [seen 0.169.0].
  buildScriptEnv: () => ({}),
});
