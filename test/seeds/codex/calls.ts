import assert from "node:assert/strict";
import type { AnswerVerdict } from "../../../src/protocol/host/install.ts";
import { sees, testsIn } from "../answers.ts";
import type { Proof } from "../claim.ts";
import { getHost, judgeAnswer } from "../host.ts";

export const PERMISSION = "PermissionRequest-Bash-mode-default";
/** One recording of each event in a turn. */
export const TURN = ["PreToolUse-Bash", PERMISSION, "PostToolUse-Bash", "UserPromptSubmit", "Stop"];
/** Recordings of the tools named in the document. */
export const atEachTool = (event: string) =>
  ["Bash", "apply_patch", "mcp__tiny__echo"].map((tool) => `${event}-${tool}`);

/** References tests of what `doctor` reports about answers and configs. */
export const judged = testsIn("hosts/codex/doctor.test.ts");

/** Checks how Codex interprets each document for an event, according to `doctor`. */
export const takes =
  (event: string, verdict: AnswerVerdict["kind"], ...documents: (string | object)[]) =>
  async () => {
    for (const stdout of documents)
      assert.deepEqual([stdout, await judgeAnswer("codex", event, { stdout })], [stdout, verdict]);
  };
/** Checks how a script's plain text is interpreted. */
export const readsText = (native_event: string, additional_context: string | undefined) => async () => {
  const { parseAnswer } = await getHost("codex").loadScriptCodec();
  const read = parseAnswer({ native_event, payload: {} }, { stdout: "note", stderr: "", exit_code: 0 });
  assert.equal(read.additional_context, additional_context);
};
export const ignoresText = (event: string): Proof[] => [takes(event, "passed", "note"), readsText(event, undefined)];

/** Expects that a field reaches the hook unchanged, under its own name. */
export const arrives = (recordings: string | readonly string[], field: string, value: unknown = "V") =>
  sees("codex", recordings, { [field]: value }, { [field]: value });
/** Expects that fields reach the hook in their native form. */
export const native = (recordings: string | readonly string[], fields: object) =>
  sees("codex", recordings, { _native: fields }, { ...fields });

export const patched = {
  tool_name: "apply_patch",
  tool_input: { command: "*** Begin Patch\n*** Delete File: a\n*** End Patch\n" },
};
const SERVERS = { tool_name: "mcp__fs__read", tool_input: { path: "a", deep: { b: 1 } } };

/** Checks the tools' inputs, in recordings of Bash, apply_patch and an MCP tool. */
export const getsInput = ([bash = "", patch = "", mcp = ""]: readonly string[]): Proof[] => [
  sees("codex", bash, { tool_name: "Bash", input: { command: "ls" } }, { tool_input: { command: "ls" } }),
  sees("codex", patch, { input: { files: [{ file_path: "a", operation: "delete" }] } }, patched),
  sees("codex", mcp, { input: { server: "fs", tool: "read", arguments: SERVERS.tool_input } }, SERVERS),
];
