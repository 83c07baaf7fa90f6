import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { hosts } from "../../../src/hosts/index.ts";
import { findHostId } from "../../../src/call/screen/find-host.ts";
import { screenCall } from "../../../src/call/screen.ts";
import { listShapes, readCall } from "../../../src/call/screen/shape-table.ts";
import { getPayload } from "../../support/fixtures.ts";
import { readGeneratedShapes } from "../../support/generated.ts";
import { SHAPES_FILE } from "../../../tools/shapes.ts";

test("the shapes of the hosts' payloads match what their adapters read; npm run shapes writes them", async () => {
  expect(readFileSync(SHAPES_FILE, "utf8") === (await readGeneratedShapes())).toBe(true);
});

test("each host has shapes for a command before it runs", () => {
  const without = hosts.filter(
    ({ id }) => !listShapes().some(({ host, event, tool }) => host === id && event === "PreToolUse" && tool === "Bash"),
  );
  // Cline sends an array of commands. The fast path doesn't support arrays, so these calls take the slow path.
  expect(without.map(({ id }) => id)).toEqual(["cline"]);
});

const read = (change: object, named?: string) =>
  readCall("claude", named, getPayload("claude", "PreToolUse-Bash", { ...change }), {})?.call;

test("a recorded payload is read by its shape", () => {
  expect(read({})).toMatchObject({
    event: "PreToolUse",
    tool: "Bash",
    command: expect.any(String),
    cwd: expect.any(String),
  });
});

test("a payload with another shape takes the full path", () => {
  for (const change of [
    { tool_input: { command: 5 } },
    { tool_input: { command: "" } },
    { tool_input: { command: "ls", cmd: "rm -rf /" } },
    { tool_input: null },
    { tool_input: ["ls"] },
    { tool_name: "bash" },
    { hook_event_name: "PreToolUseX" },
    { hook_event_name: null },
    { cwd: null },
    { cwd: ["/"] },
    { turn_id: "of-another-host", model: "m" },
    { cursor_version: "1.0" },
    { mcp_server: { name: "a" } },
    { unknown: 1 },
    { hook_event_name: "PreToolUse\tBash" },
    { hook_event_name: "PreToolUse\tBash", tool_name: undefined },
    { tool_name: "Bash\t" },
    { tool_name: "" },
  ])
    expect([change, read(change)]).toEqual([change, undefined]);
  expect(read({ hook_event_name: undefined }, "PreToolUse\tBash")).toBeUndefined();
});

test("a payload that names two events has the shape of neither", () => {
  const notification = {
    ...{ sessionId: "s", cwd: "/home/dev/app", workspaceRoot: "/home/dev/app", timestamp: "2026-11-22T10:00:00Z" },
    ...{ permissionMode: "default", message: "m", notificationType: "idle_prompt", transcript_path: "/t" },
  };
  const of = (change: object) => readCall("grok", undefined, { ...notification, ...change }, {})?.call;
  for (const hookEventName of ["pre_tool_use", "PreToolUse", "preToolUse"])
    expect(of({ hook_event_name: "Notification", hookEventName })).toBeUndefined();
  expect(of({ hook_event_name: "Notification", hookEventName: "notification" })).toMatchObject({
    event: "Notification",
  });
});

test("a failure of the quick path leaves the answer to the full path, which applies the failure policy", async () => {
  const env = { HOME: "/home/dev" };
  const answer = (system: object) =>
    screenCall({ host: "claude", payload: getPayload("claude", "PreToolUse-Bash") }, { system: system as never, env })
      .neutralOutput;
  expect(answer({ inspect: () => ({ kind: "absent", device: "", size: 0 }) })).toBe("");
  const fail = () => {
    throw new Error("failed");
  };
  expect(answer({ inspect: fail })).toBeUndefined();
  const unreadable = new Proxy({}, { get: fail, has: fail, ownKeys: fail });
  expect(await findHostId(unreadable, env)).toBeUndefined();
});
