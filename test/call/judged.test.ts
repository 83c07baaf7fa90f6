import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, context, deny, modify } from "../../src/index.ts";
import { type AnyEvent, isToolCallEvent } from "../../src/protocol/event.ts";
import { createHookEntry, type HookDescriptor } from "../../src/protocol/hook.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { type ConcludedCall, hasResult } from "../../src/call/log/concluded-call.ts";
import { passCall } from "../../src/call/answer.ts";
import { getPayload } from "../support/fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-judged-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const newState = () => join(folder, String(++count));

type Handler = (event: AnyEvent, context: { log: (text: string) => void }) => unknown;
const hook = (name: string, handler: Handler): HookDescriptor =>
  createHookEntry({ event: ["PreToolUse"], handler } as never, name);
const commandOf = (event: AnyEvent) => (isToolCallEvent(event) && event.tool === "Bash" ? event.input.command : "");
/** A hook that isn't idempotent: given its own output, it rewrites the command again. */
const growing = hook("growing", (event) => modify({ command: `${commandOf(event)} --safe` }));
const seenBy = (seen: string[], name = "guard") => hook(name, (event) => void seen.push(commandOf(event)));

/** Calls that were passed to the log. */
let concluded: ConcludedCall[] = [];

/** Returns the answer for one of a call's events, with the flags an installed entry passes. */
async function told(entries: readonly HookDescriptor[], state: string, native_event: string, payload: Payload) {
  const after = native_event === "preToolUse" ? [] : ["--after", "preToolUse"];
  const argv = ["--host", "cursor", "--on-error", "deny", "--cursor-deny", "json", "--event", native_event, ...after];
  const world = { env: { XDG_STATE_HOME: state }, read: () => JSON.stringify(payload) };
  const { answer, concluded: call } = await passCall({ entries, explicit: {}, argv }, world);
  if (call) concluded.push(call);
  return { ...answer, document: JSON.parse(answer.stdout) as Payload };
}
const before = (entries: readonly HookDescriptor[], state: string, command: string, more: Payload = {}) =>
  told(
    entries,
    state,
    "preToolUse",
    getPayload("cursor", "preToolUse.Shell", { tool_input: { command, cwd: "/p" }, ...more }),
  );
const shell = (entries: readonly HookDescriptor[], state: string, command: string, more: Payload = {}) =>
  told(
    entries,
    state,
    "beforeShellExecution",
    getPayload("cursor", "beforeShellExecution", { command, cwd: "/p", ...more }),
  );
const session = { conversation_id: "s", session_id: "s" };
const marks = (state: string) => {
  const path = join(state, "bridge-hooks/judged");
  return existsSync(path) ? readdirSync(path) : [];
};

describe("a call that Cursor reports with two events", () => {
  test("is allowed once at the second event, with the rewritten command", async () => {
    const state = newState();
    const first = await before([growing], state, "npm i", session);
    expect(first.document.updated_input).toEqual({ command: "npm i --safe", cwd: "/p" });
    expect(await shell([growing], state, "npm i --safe", session)).toMatchObject({
      stdout: "{}",
      stderr: "",
      exit_code: 0,
    });
    expect(marks(state)).toEqual([]);
    expect((await shell([growing], state, "npm i --safe", session)).document.permission).toBe("deny");
  });

  test("is denied if a hook rewrites it at the second event without the same call before", async () => {
    const state = newState();
    await before([growing], state, "npm i", session);
    expect((await shell([growing], state, "npm i", session)).document.permission).toBe("deny");
    expect((await shell([growing], state, "npm ci --safe", session)).document.permission).toBe("deny");
    expect((await shell([growing], state, "npm i --safe", { session_id: "t" })).document.permission).toBe("deny");
    expect((await shell([growing], newState(), "npm i --safe", session)).document.permission).toBe("deny");
  });

  test("is distinguished from other calls", async () => {
    const state = newState();
    for (const command of ["a", "b"]) await before([growing], state, command, session);
    for (const command of ["b", "a"])
      expect((await shell([growing], state, `${command} --safe`, session)).stdout).toBe("{}");
  });

  test("is denied at the second event if a hook denies or asks about the command that runs", async () => {
    const state = newState();
    const seen: string[] = [];
    const taking = hook("taking", () => modify({ command: "git push" }));
    const guard = hook("guard", (event) => {
      seen.push(commandOf(event));
      return commandOf(event).includes("--force") ? deny("no") : undefined;
    });
    // Forge a record claiming that the first event allowed this command. Anyone could write such a record.
    await before([hook("forging", () => modify({ command: "git push --force" }))], state, "git push", session);
    expect(marks(state).length).toBe(1);
    expect((await shell([taking, guard], state, "git push --force", session)).document).toMatchObject({
      permission: "deny",
      user_message: "no",
    });
    expect(seen).toEqual(["git push --force"]);
    await before([growing], state, "x", session);
    expect(
      (await shell([growing, hook("asking", () => ask("sure?"))], state, "x --safe", session)).document.permission,
    ).toBe("deny");
  });

  test("leaves no record if the first event is denied", async () => {
    const state = newState();
    expect((await before([growing, hook("guard", () => deny("no"))], state, "x", session)).document.permission).toBe(
      "deny",
    );
    expect(marks(state)).toEqual([]);
  });

  test("gets context once and is logged once, although hooks run twice", async () => {
    const state = newState();
    const seen: string[] = [];
    concluded = [];
    const logging = hook("audit", (_event, { log }) => (log("ran"), context("hello")));
    expect((await before([logging, seenBy(seen)], state, "x", session)).document.additional_context).toBe("hello");
    expect(await shell([logging, seenBy(seen)], state, "x", session)).toMatchObject({ stdout: "{}", stderr: "" });
    expect(seen).toEqual(["x", "x"]);
    const log = () => concluded.filter(hasResult).length;
    expect(log()).toBe(1);
    // Simulates a front end that reports the command only on this event.
    await shell([logging], state, "y", session);
    expect(log()).toBe(2);
  });

  test("is denied if a hook rewrites it only at the second event", async () => {
    const hiding = hook("hiding", (event) =>
      event.native_event === "beforeReadFile" ? modify({ content: "" }) : undefined,
    );
    const logging = hook("audit", (_event, { log }) => log("read"));
    const moving = hook("moving", () => modify({ file_path: "/b" }));
    for (const other of [logging, moving]) {
      const state = newState();
      const entries = [other, hiding];
      await told(
        entries,
        state,
        "preToolUse",
        getPayload("cursor", "preToolUse.Read", { tool_input: { file_path: "/a" }, ...session }),
      );
      expect(marks(state).length).toBe(1);
      const file_path = other === moving ? "/b" : "/a";
      const read = getPayload("cursor", "beforeReadFile", { file_path, content: "KEY", ...session });
      expect((await told(entries, state, "beforeReadFile", read)).document.permission).toBe("deny");
    }
  });

  test("ignores and removes old records", async () => {
    const state = newState();
    for (let at = 0; at < 70; at++) await before([growing], state, String(at), session);
    for (const name of marks(state)) utimesSync(join(state, "bridge-hooks/judged", name), 1, 1);
    expect((await shell([growing], state, "3 --safe", session)).document.permission).toBe("deny");
    await before([growing], state, "new", session);
    expect(marks(state).length).toBe(1);
  });

  test("is denied at the second event if the state directory can't be written", async () => {
    const state = "/dev/null/none";
    expect((await before([growing], state, "x", session)).document.updated_input).toBeDefined();
    expect((await shell([growing], state, "x --safe", session)).document.permission).toBe("deny");
  });

  test("is allowed with the rewritten input for reads and MCP calls", async () => {
    const state = newState();
    const moving = hook("moving", (event) =>
      isToolCallEvent(event) && event.tool === "Read"
        ? modify({ file_path: `${event.input.file_path}.safe` })
        : undefined,
    );
    await told(
      [moving],
      state,
      "preToolUse",
      getPayload("cursor", "preToolUse.Read", { tool_input: { file_path: "/a" }, ...session }),
    );
    const read = getPayload("cursor", "beforeReadFile", { file_path: "/a.safe", ...session });
    expect((await told([moving], state, "beforeReadFile", read)).stdout).toBe("{}");
    const adding = hook("adding", (event) =>
      isToolCallEvent(event) && event.tool === "MCP"
        ? modify({ arguments: { text: `${event.input.arguments.text}!` } })
        : undefined,
    );
    await told(
      [adding],
      state,
      "preToolUse",
      getPayload("cursor", "preToolUse.MCP_echo", { tool_input: { text: "hi" }, ...session }),
    );
    const call = getPayload("cursor", "beforeMCPExecution", { tool_input: '{"text":"hi!"}', ...session });
    expect((await told([adding], state, "beforeMCPExecution", call)).stdout).toBe("{}");
  });
});
