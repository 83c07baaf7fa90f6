import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigFile, OwnFormat } from "../../../src/protocol/host/install.ts";
import { setup } from "../../../src/hosts/pi/install.ts";
import { waitFor } from "../../support/machine.ts";

const folder = mkdtempSync(join(tmpdir(), "pi-extension-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A resident process that follows a plan: it answers with a document, dies ("die"), hangs ("hang"), or returns the
 * payload as a message ("echo").
 */
const SERVER = `
import { createInterface } from "node:readline";
const plan = JSON.parse(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, payload } = JSON.parse(line);
  const answer = plan[payload.event] ?? null;
  if (answer === "die") process.exit(3);
  if (answer === "hang") continue;
  const document = answer === "echo" ? { message: JSON.stringify(payload) } : answer;
  console.log(JSON.stringify({ id, exit_code: document?.deny === undefined ? 0 : 2, stderr: "", answer: document }));
}
`;

type Handler = (event: object, ctx: object) => Promise<any> | any;
type Factory = (pi: object) => void;

let made = 0;
/** Imports the extension that `install` writes. */
async function importExtension(plan: object, { on_error = "deny" as "deny" | "allow", program = "" } = {}) {
  const command = join(folder, `program-${++made}`);
  const [line] = [`exec "${process.execPath}" "${join(folder, "server.js")}" '${JSON.stringify(plan)}'`];
  writeFileSync(command, `#!/bin/sh\n${line}\n`);
  chmodSync(command, 0o755);
  const [{ syntax }] = setup.listConfigFiles({ roots: [], home: "/h", platform: "linux", env: {} }) as [ConfigFile];
  const { write } = syntax as OwnFormat;
  const entry = (native_event: string) => ({
    ...setup.buildHandler({ native_event, program: program || command, on_error, scope: "user", platform: "linux" }),
    timeout: 3,
  });
  const names = [
    "project_trust",
    "mcp_servers_change",
    ...setup.planSubscriptions("all").map((one) => one.native_event),
  ];
  const hooks = Object.fromEntries(names.map((name) => [name, [entry(name)]]));
  const file = join(folder, `extension-${made}.mjs`);
  writeFileSync(file, write(JSON.stringify({ hooks })));
  return ((await import(file)) as { default: Factory }).default;
}

/** Loads the extension, using an API that records everything it receives. */
async function load(
  plan: object,
  { confirms, ...options }: { confirms?: boolean | undefined; on_error?: "deny" | "allow"; program?: string } = {},
) {
  const handlers: Record<string, Handler> = {};
  const shown: string[] = [];
  const asked: string[] = [];
  const sent: [object, object][] = [];
  const ui = {
    notify: (message: string) => void shown.push(message),
    confirm: async (_title: string, text: string) => {
      asked.push(text);
      if (confirms === undefined) throw new Error("no dialog");
      return confirms;
    },
  };
  const ctx = { cwd: folder, hasUI: true, ui, sessionManager: { getSessionId: () => "s-1" } };
  const factory = await importExtension(plan, options);
  factory({
    on: (name: string, handler: Handler) => (handlers[name] = handler),
    sendMessage: (message: object, how: object) => sent.push([message, how]),
  });
  const call = (name: string, event: object, more: object = {}) => handlers[name]?.(event, { ...ctx, ...more });
  return { handlers, shown, asked, sent, call, ctx };
}

let calls = 0;
const bash = (command = "ls", more: object = {}) => ({
  type: "tool_call",
  toolName: "bash",
  toolCallId: `c${++calls}`,
  input: { command },
  ...more,
});
const resultOf = ({ toolCallId, toolName }: { toolCallId: string; toolName: string }, more: object = {}) => ({
  type: "tool_result",
  toolName,
  toolCallId,
  content: [{ type: "text", text: "out" }],
  structuredContent: { output: "out", exit_code: 0 },
  isError: false,
  ...more,
});
const prompt = (more: object = {}) => ({ type: "input", text: "do it", source: "interactive", ...more });

beforeAll(() => writeFileSync(join(folder, "server.js"), SERVER));

describe.skipIf(process.platform === "win32")("pi's extension", () => {
  test("loads with any caller, and never handles an event in a way that changes what pi does", async () => {
    const factory = await importExtension({});
    const refuse = () => {
      throw new Error("not here");
    };
    for (const strange of [undefined, {}, { on: refuse }, { on: 1 }])
      expect(() => factory(strange as object)).not.toThrow();
    const { handlers } = await load({});
    expect(Object.keys(handlers)).toEqual(expect.arrayContaining(["tool_call", "input", "user_bash", "agent_settled"]));
    expect(handlers.project_trust).toBeUndefined();
    expect(handlers.mcp_servers_change).toBeUndefined();
    expect(handlers.tool_failure).toBeUndefined();
  });

  test("denies a call, whatever pi's context lacks", async () => {
    const { call, handlers } = await load({ tool_call: { deny: "no" } });
    expect(await call("tool_call", bash())).toEqual({ block: true, reason: "no" });
    expect(await handlers.tool_call?.(bash(), undefined as unknown as object)).toEqual({ block: true, reason: "no" });
    const stale = {
      get ui() {
        throw new Error("stale");
      },
    };
    expect(await handlers.tool_call?.(bash(), stale)).toEqual({ block: true, reason: "no" });
  });

  test.each([
    ["dies", { plan: { tool_call: "die" }, program: "" }, "it ended with exit code 3"],
    ["is slow", { plan: { tool_call: "hang" }, program: "" }, "it did not answer within"],
    ["is missing", { plan: {}, program: "/nonexistent/bridge-hooks" }, "it can't be started"],
    ["answers with something else", { plan: { tool_call: 5 }, program: "" }, "it gave an invalid answer"],
  ])("denies a call if the process %s and failures deny", async (_what, { plan, ...options }, words) => {
    const { call } = await load(plan, options);
    const { block, reason } = await call("tool_call", bash());
    expect(block).toBe(true);
    expect(reason).toContain(words);
    const open = await load(plan, { ...options, on_error: "allow" });
    expect(await open.call("tool_call", bash())).toBeUndefined();
    expect(open.shown.join()).toContain(words);
  });

  test("denies a call that can't be serialized", async () => {
    const { call } = await load({});
    const input: Record<string, unknown> = { command: "ls" };
    input.self = input;
    expect((await call("tool_call", { ...bash(), input })).block).toBe(true);
    expect((await call("tool_call", null as unknown as object)).block).toBe(true);
  });

  test("changes the input in place, and deletes removed fields", async () => {
    const wanted = { input: JSON.parse('{"command":"echo","__proto__":1}') };
    const { call } = await load({ tool_call: wanted });
    const event = bash("ls", { input: { command: "ls", timeout: 5 } });
    const { input } = event;
    expect(await call("tool_call", event)).toBeUndefined();
    expect(event.input).toBe(input);
    expect(JSON.stringify(input)).toBe('{"command":"echo","__proto__":1}');
  });

  test("asks about exactly what would run, and runs nothing else", async () => {
    const plan = { tool_call: { ask: "Sure?", input: { command: "rm new" }, context: "C" } };
    const yes = await load(plan, { confirms: true });
    const event = bash("rm old");
    expect(await yes.call("tool_call", event)).toBeUndefined();
    expect(event.input).toEqual({ command: "rm new" });
    expect(yes.asked.join()).toMatch(/Sure\?[^]*bash[^]*rm new/);
    for (const confirms of [false, undefined]) {
      const no = await load(plan, { confirms });
      const declined = bash("rm old");
      const { block, reason } = await no.call("tool_call", declined);
      expect([block, declined.input.command]).toEqual([true, "rm old"]);
      expect(reason).toMatch(/^Sure\?[^]*(declined|could not be asked)[^]*C$/);
    }
    const headless = await load(plan, { confirms: true });
    expect((await headless.call("tool_call", bash(), { hasUI: false })).reason).toContain("can't ask the user");
    expect(headless.asked).toEqual([]);
  });

  test.each([
    ["@.env", ".env"],
    ["@@at", "./@at"],
    ["a\u00A0b\u202F.txt", "a b .txt"],
    ["file:///a%20b/.env", "/a b/.env"],
    ["@file:///a/.env", "/a/.env"],
    ["a@b", "a@b"],
    ["~/x", "~/x"],
  ])("judges the path %j as %j, and pi gets the same", async (path, plain) => {
    const { call, shown } = await load({ tool_call: "echo" });
    const event = { ...bash(), toolName: "read", input: { path } };
    expect(await call("tool_call", event)).toBeUndefined();
    expect(event.input.path).toBe(plain);
    expect(JSON.parse(shown[0] ?? "{}").input.path).toBe(plain);
  });

  test("denies a path that can't be read", async () => {
    const { call } = await load({});
    expect((await call("tool_call", { ...bash(), toolName: "read", input: { path: "file://h%2Fx" } })).block).toBe(
      true,
    );
  });

  test("appends contexts to the result of the call that the model made", async () => {
    const { call } = await load({ tool_call: { context: "BEFORE" }, tool_result: { context: "AFTER" } });
    const [outer, inner] = [bash(), bash("x", {})];
    await call("tool_call", outer);
    const within = { parentToolCallId: outer.toolCallId };
    await call("tool_call", { ...inner, ...within });
    expect(await call("tool_result", resultOf(inner, within))).toBeUndefined();
    const { content, structuredContent } = await call("tool_result", resultOf(outer));
    expect(content).toEqual([
      { type: "text", text: "out" },
      { type: "text", text: "BEFORE\n\nBEFORE\n\nAFTER\n\nAFTER" },
    ]);
    expect(structuredContent).toEqual({ output: "out", exit_code: 0 });
  });

  test("replaces a result, and drops its other fields", async () => {
    const { call } = await load({ tool_result: { output: "NEW" }, tool_failure: { output: "FAILED" } });
    expect(await call("tool_result", resultOf(bash()))).toEqual({ content: [{ type: "text", text: "NEW" }] });
    expect(await call("tool_result", resultOf(bash(), { isError: true, details: { big: 1n } }))).toEqual({
      content: [{ type: "text", text: "FAILED" }],
    });
  });

  test("rejects a prompt with the reason; context comes with the run, or immediately while the agent works", async () => {
    const refused = await load({ input: { deny: "no", message: "no" } });
    expect(await refused.call("input", prompt())).toEqual({ action: "handled" });
    expect(refused.shown).toEqual(["no"]);
    const { call, sent } = await load({ input: { context: "C" }, session_start: { context: "START" } });
    await call("session_start", { reason: "startup" });
    expect(await call("input", prompt())).toBeUndefined();
    const { message } = await call("before_agent_start", {});
    expect(message).toMatchObject({ customType: "bridge-hooks", content: "START\n\nC" });
    expect(await call("before_agent_start", {})).toBeUndefined();
    await call("input", prompt({ streamingBehavior: "steer" }));
    expect(sent).toEqual([[expect.objectContaining({ content: "C" }), { deliverAs: "steer" }]]);
  });

  test("rejects every prompt of a denied session, and all prompts if the executable is gone", async () => {
    const { call, shown } = await load({ session_start: { deny: "not here" } });
    await call("session_start", { reason: "startup" });
    for (const _ of [1, 2]) expect(await call("input", prompt())).toEqual({ action: "handled" });
    expect(shown).toEqual(["not here", "not here"]);
    const gone = await load({}, { program: "/nonexistent/bridge-hooks" });
    expect(await gone.call("input", prompt())).toEqual({ action: "handled" });
    expect(gone.shown.join()).toContain("bridge-hooks doctor");
  });

  test("counts continuations until the user's next prompt, and reports nothing after an error", async () => {
    const { call } = await load({ agent_before_settle: { go_on: "more" } });
    const settle = (more: object = {}) => call("agent_before_settle", { outcome: "completed", entries: [1], ...more });
    expect(await settle()).toMatchObject({ continue: true, entries: [1, { type: "custom_message", content: "more" }] });
    expect(await settle({ outcome: "error" })).toBeUndefined();
    expect(await settle({ continue: true })).toBeUndefined();
    const counting = await load({ agent_before_settle: "echo" });
    await counting.call("agent_before_settle", { entries: [] });
    expect(JSON.parse(counting.shown[0] ?? "{}")).toMatchObject({ continuations: 0, stop_hook_active: false });
  });

  test("can stop a user's command, a compaction and a new session", async () => {
    const deny = { deny: "no" };
    const { call, shown } = await load({ user_bash: deny, session_before_compact: deny, session_before_switch: deny });
    expect(await call("user_bash", { command: "ls" })).toEqual({
      result: { output: "no", exitCode: 1, cancelled: false, truncated: false },
    });
    expect(await call("session_before_compact", { reason: "manual" })).toEqual({ cancel: true });
    expect(await call("session_before_switch", { reason: "new" })).toEqual({ cancel: true });
    expect(shown).toEqual(["no", "no", "no"]);
  });

  test("sets a session's variables until it ends", async () => {
    const name = "BRIDGE_HOOKS_TEST_PI";
    const { call } = await load({ session_start: { env: { [name]: "1" } } });
    await call("session_start", { reason: "startup" });
    await waitFor(() => process.env[name] === "1", "the variable");
    await call("session_shutdown", { reason: "quit" });
    expect(process.env[name]).toBeUndefined();
  });

  test("sends no conversation, no images and no headers", async () => {
    const { call, shown } = await load({ agent_end: "echo", tool_result: "echo" });
    await call("agent_end", { type: "agent_end", messages: ["SECRET"], headers: { a: "SECRET" } });
    const image = { type: "image", data: "SECRET", mimeType: "image/png" };
    await call("tool_result", resultOf(bash(), { content: [image] }));
    await waitFor(() => shown.length === 2, "the answers");
    expect(shown.join()).not.toContain("SECRET");
    expect(shown.join()).toContain("image/png");
  });
});
