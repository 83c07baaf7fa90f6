import { expect, test } from "bun:test";
import { hosts } from "../../src/hosts/index.ts";
import { createHookEntry } from "../../src/protocol/hook.ts";
import { answerCall } from "../support/answer-call.ts";

/** Returns the denial that a host without rewrite support receives when a hook changes a shell call. */
async function sendChange(host: string, patch: Record<string, unknown>) {
  const input = { hook_event_name: "PreToolUse", session_id: "s", cwd: "/", tool_name: "Bash", tool_call_id: "t" };
  const text = JSON.stringify({ ...input, tool_input: { command: "npm install x" } });
  const hook = createHookEntry({ event: "PreToolUse", handler: () => ({ modified_input: patch }) }, "pnpm");
  const world = { env: {}, read: () => text };
  return (await answerCall([hook], {}, ["--host", host, "--event", "PreToolUse"], world as never)).stderr;
}

test("a denial in place of a change suggests the new command", async () => {
  const { name } = hosts.find(({ id }) => id === "kimi") ?? {};
  expect(await sendChange("kimi", { command: "pnpm add x" })).toBe(
    `A hook wanted to replace the command in this Bash call, but ${name} can't do that here; run this instead: pnpm add x`,
  );
});
test("a suggested command contains no secrets", async () => {
  const token = `ghp_${"aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"}`;
  const sent = await sendChange("kimi", { command: `curl -H "Authorization: Bearer ${token}" x.y` });
  expect(sent).toContain("run this instead: curl");
  expect(sent).not.toContain(token);
});
test("a long command, or one of several fields, is only named", async () => {
  expect(await sendChange("kimi", { command: "x".repeat(501) })).toContain("wanted to change command in this");
  expect(await sendChange("kimi", { command: "x", cwd: "/w" })).toContain("wanted to change command, cwd in this");
});
