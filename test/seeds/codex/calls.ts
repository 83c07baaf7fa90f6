import assert from "node:assert/strict";
import type { AnswerVerdict } from "../../../src/protocol/host/install.ts";
import { sees, testsIn } from "../answers.ts";
import type { Claim } from "../claim.ts";
import { getHost, judgeAnswer } from "../host.ts";

export const PERMISSION = "PermissionRequest-Bash-mode-default";
/** One recording of each event of a turn. */
export const TURN = ["PreToolUse-Bash", PERMISSION, "PostToolUse-Bash", "UserPromptSubmit", "Stop"];
/** Recordings of the tools that the document names. */
export const atEachTool = (event: string) =>
  ["Bash", "apply_patch", "mcp__tiny__echo"].map((tool) => `${event}-${tool}`);

/** What `doctor` says about answers and configs. */
export const judged = testsIn("hosts/codex/doctor.test.ts");

type Check = () => void | Promise<void>;
/** `doctor` judges so how Codex takes each document at an event. */
export const takes =
  (event: string, verdict: AnswerVerdict["kind"], ...documents: (string | object)[]): Check =>
  async () => {
    for (const stdout of documents)
      assert.deepEqual([stdout, await judgeAnswer("codex", event, { stdout })], [stdout, verdict]);
  };
export const allOf =
  (...checks: Check[]): Check =>
  async () => {
    for (const check of checks) await check();
  };
/** How a script's plain text is read. */
export const readsText =
  (native_event: string, additional_context: string | undefined): Check =>
  async () => {
    const { parseAnswer } = await getHost("codex").loadScriptCodec();
    const read = parseAnswer({ native_event, payload: {} }, { stdout: "note", stderr: "", exit_code: 0 });
    assert.equal(read.additional_context, additional_context);
  };

export const ignoringText = (event: string): Claim => ({
  says: `${event}: plain text on stdout is ignored`,
  check: allOf(takes(event, "passed", "note"), readsText(event, undefined)),
});

/** Each of these fields arrives, at one recording or several, in the payload's own form. */
export const native = (recordings: string | readonly string[], fields: object) =>
  sees("codex", recordings, { _native: fields }, { ...fields });

const PATCH = "*** Begin Patch\n*** Delete File: a\n*** End Patch\n";
export const patched = { tool_name: "apply_patch", tool_input: { command: PATCH } };

export const havingInput = (event: string, recordings: readonly string[]): Claim => {
  const [bash = "", patch = "", mcp = ""] = recordings;
  const given = { path: "a", deep: { b: 1 } };
  const server = { tool_name: "mcp__fs__read", input: { server: "fs", tool: "read", arguments: given } };
  return {
    says: `${event}: \`tool_name\` and \`tool_input\`, where Bash and apply_patch have \`command\` and MCP tools all their arguments`,
    cases: [
      ...sees("codex", bash, { tool_name: "Bash", input: { command: "ls" } }, { tool_input: { command: "ls" } }),
      ...sees("codex", patch, { input: { files: [{ file_path: "a", operation: "delete" }] } }, patched),
      ...sees("codex", mcp, server, { tool_name: "mcp__fs__read", tool_input: given }),
    ],
  };
};
