import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigFile, OwnFormat } from "../../../src/protocol/host/install.ts";
import { setup } from "../../../src/hosts/openclaw/install.ts";
import { waitFor } from "../../support/machine.ts";

const folder = mkdtempSync(join(tmpdir(), "openclaw-plugin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A resident process that follows a plan for each event: it answers with a document, with its payload or process ID,
 * with a failure, or not at all.
 */
const SERVER = `
import { createInterface } from "node:readline";
const plan = JSON.parse(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, argv, payload } = JSON.parse(line);
  const answer = plan[payload.event] ?? null;
  if (answer === "die") process.exit(3);
  const log = { echo: () => JSON.stringify(payload), pid: () => String(process.pid) }[answer]?.();
  const document = log === undefined ? answer : { log };
  console.log(JSON.stringify({ id, exit_code: document?.block || document?.outcome ? 2 : 0, stderr: document?.block ? "said" : "", answer: document }));
}
`;

type Handler = (event: object, ctx?: object) => Promise<unknown> | unknown;
const text = (count: number) => ({ content: [{ type: "text", text: "out" }], details: { exitCode: 0 }, count });

let made = 0;
/** Registers the plugin that `install` writes, using an API that records everything it receives. */
async function loaded(
  plan: object,
  {
    on_error = "deny" as "deny" | "allow",
    api: more = {} as object,
    program = "",
    events = undefined as string[] | undefined,
  } = {},
) {
  const command = join(folder, `program-${++made}`);
  writeFileSync(
    command,
    `#!/bin/sh\nexec "${process.execPath}" "${join(folder, "server.js")}" '${JSON.stringify(plan)}'\n`,
  );
  chmodSync(command, 0o755);
  const [{ syntax }] = setup.listConfigFiles({ roots: [], home: "/h", platform: "linux", env: {} }) as [ConfigFile];
  const { write } = syntax as OwnFormat;
  const names = events ?? setup.planSubscriptions("all").map(({ native_event }) => native_event);
  const entry = (native_event: string) =>
    setup.buildHandler({ native_event, program: program || command, on_error, scope: "user", platform: "linux" });
  const file = join(folder, `index-${made}.mjs`);
  writeFileSync(file, write(JSON.stringify({ hooks: Object.fromEntries(names.map((name) => [name, [entry(name)]])) })));
  const { default: plugin } = (await import(file)) as { default: { register: (api: object) => void } };
  const handlers: Record<string, Handler> = {};
  const logged: string[] = [];
  let dispose: () => void = () => {};
  const api = {
    logger: { warn: (line: string) => logged.push(line) },
    config: { agents: { defaults: { workspace: "/workspace" } } },
    lifecycle: { onDispose: (way: () => void) => (dispose = way) },
    on: (name: string, handler: Handler) => (handlers[name] = handler),
    registerHook: (name: string, handler: Handler) => (handlers[name] = handler),
    registerTrustedToolPolicy: ({ evaluate }: { evaluate: Handler }) => (handlers.policy = evaluate),
    registerAgentToolResultMiddleware: (handler: Handler) => (handlers.middleware = handler),
    ...more,
  };
  plugin.register(api);
  const call = (name: string, event: object, ctx: object = {}) =>
    (handlers[name] as Handler)(event, { sessionKey: "agent:main:x", ...ctx });
  return { plugin, handlers, logged, call, dispose: () => dispose() };
}

let calls = 0;
const tool = (params: object = { command: "ls" }) => ({
  toolName: "exec",
  runId: "r",
  toolCallId: `c${++calls}`,
  params,
});
const run = () => ({ runId: `run${++calls}`, sessionKey: `agent:main:${calls}` });

beforeAll(() => writeFileSync(join(folder, "server.js"), SERVER));

describe.skipIf(process.platform === "win32")("OpenClaw's plugin", () => {
  test("registers handlers for all of its events, and does not throw if OpenClaw accepts none of them", async () => {
    const { handlers } = await loaded({});
    expect(Object.keys(handlers)).toEqual(
      expect.arrayContaining(["policy", "middleware", "before_tool_call", "before_agent_run", "command:new"]),
    );
    const refuse = () => {
      throw new Error("not here");
    };
    const bare = await loaded(
      {},
      { api: { on: refuse, registerHook: refuse, registerTrustedToolPolicy: undefined, lifecycle: undefined } },
    );
    expect(bare.logged.join("\n")).toContain("did not accept a tool policy");
    for (const broken of [
      {},
      { logger: null },
      {
        get on() {
          return refuse();
        },
      },
    ])
      expect(() => bare.plugin.register(broken)).not.toThrow();
  });

  test("blocks a denied call with its reason, in the tool policy and in the hook", async () => {
    const { call, logged } = await loaded({ before_tool_call: { block: true, blockReason: "no" } });
    const event = tool();
    expect(await call("policy", event)).toEqual({ block: true, blockReason: "no" });
    // The event's handler asks again, in case the policy wasn't called or its denial was ignored.
    expect(await call("before_tool_call", event)).toEqual({ block: true, blockReason: "no" });
    expect(logged).toEqual([]);
  });

  test("asks again about every call except those that the policy allowed", async () => {
    const { call, logged } = await loaded({ before_tool_call: "echo" });
    const event = tool();
    expect(await call("policy", event)).toBeUndefined();
    expect(await call("before_tool_call", event)).toBeUndefined();
    expect(logged).toHaveLength(1);
    await call("before_tool_call", event);
    await call("before_tool_call", { toolName: "exec", params: {} });
    await call("policy", { toolName: "exec", params: {} });
    await call("before_tool_call", { toolName: "exec", params: {} });
    expect(logged).toHaveLength(5);
  });

  test("asks again about a call that changed after the policy allowed it", async () => {
    const { call, logged } = await loaded({ before_tool_call: "echo" });
    const event = tool({ command: "ok" });
    await call("policy", event);
    await call("before_tool_call", { ...event, params: { command: "other" } });
    expect(logged.map((line) => JSON.parse(line).params.command)).toEqual(["ok", "other"]);
  });

  test("sets the parameters that a rewrite lacks to undefined", async () => {
    const { call } = await loaded({ before_tool_call: { params: { command: "new" } } });
    const params = { command: "old", workdir: "/x" };
    const decision = (await call("policy", tool(params))) as { params: object };
    expect(decision).toEqual({ params: { workdir: undefined, command: "new" } });
    expect(Object.keys(decision.params)).toContain("workdir");
    expect(params).toEqual({ command: "old", workdir: "/x" });
  });

  test("makes OpenClaw ask for approval if the answer is an ask", async () => {
    const requireApproval = {
      pluginId: "bridge-hooks",
      title: "t",
      description: "d",
      severity: "warning",
      allowedDecisions: ["deny"],
    };
    const { call } = await loaded({ before_tool_call: { requireApproval } });
    expect(await call("policy", tool())).toEqual({ requireApproval });
  });

  const failing: [string, object, object][] = [
    [
      "dies",
      {
        before_tool_call: "die",
        before_agent_run: "die",
        before_agent_finalize: "die",
        tool_result: "die",
        session_start: "die",
      },
      {},
    ],
    ["is missing", {}, { program: "/nonexistent/bridge-hooks" }],
  ];
  for (const [what, plan, more] of failing) {
    test(`with --on-error deny blocks calls and prompts, and suggests doctor, if the executable ${what}`, async () => {
      const { call } = await loaded(plan, more);
      const told = expect.stringContaining('run "bridge-hooks doctor"');
      expect(await call("policy", tool())).toEqual({ block: true, blockReason: told });
      expect(await call("before_tool_call", tool())).toEqual({ block: true, blockReason: told });
      const ctx = run();
      expect(await call("before_prompt_build", { prompt: "p", messages: [] }, ctx)).toBeUndefined();
      expect(await call("before_agent_run", { prompt: "p" }, ctx)).toEqual({
        outcome: "block",
        reason: told,
        message: told,
      });
      expect(await call("before_agent_finalize", {}, ctx)).toBeUndefined();
      expect(await call("middleware", { ...tool(), args: {}, result: text(1) })).toBeUndefined();
    });
    test(`with --on-error allow allows calls and prompts, and logs it, if the executable ${what}`, async () => {
      const { call, logged } = await loaded(plan, { ...more, on_error: "allow" });
      expect(await call("policy", tool())).toBeUndefined();
      expect(await call("before_agent_run", { prompt: "p" }, run())).toBeUndefined();
      expect(logged).toEqual([expect.stringContaining("doctor"), expect.stringContaining("doctor")]);
    });
  }

  test("judges a call even if parts of its event can't be serialized as JSON", async () => {
    const { call, logged } = await loaded({ before_tool_call: "echo" });
    const cyclic: Record<string, unknown> = { big: 1n, keep: "me" };
    cyclic.self = cyclic;
    await call(
      "policy",
      { ...tool(), extra: cyclic },
      { signal: new AbortController().signal, abortSignal: {}, fn: () => 1 },
    );
    const payload = JSON.parse(logged[0] as string);
    expect(payload).toMatchObject({
      host: "openclaw",
      event: "before_tool_call",
      extra: { big: "1", keep: "me" },
      params: { command: "ls" },
    });
    const odd = await call("policy", {
      ...tool(),
      odd: {
        toJSON: () => {
          throw new Error("no");
        },
      },
    });
    expect(odd).toBeUndefined();
    expect(JSON.parse(logged[1] as string)).toMatchObject({ params: { command: "ls" }, unreadable: "no" });
  });

  /** Parameters that the model is free to choose. */
  const nested = (depth: number): object => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
  const CHOSEN: [string, object][] = [
    ["have a key toString", { toString: 1, valueOf: null, a: { toString: 1 }, b: [{ toString: 1 }, { toString: 1 }] }],
    ["have two keys toString", { a: { toString: 1 }, b: { toString: 1 } }],
    ["have 8,000 nested lists", { command: "ls", deep: nested(8_000) }],
    [
      "have keys of the prototype",
      JSON.parse('{"__proto__":{"command":"x"},"constructor":{"prototype":1},"hasOwnProperty":1,"then":1,"toJSON":1}'),
    ],
    ["have half a surrogate pair", { command: "\ud800", "\udc00": 1 }],
    ["are a list", [1]],
    ["are a string", "ls" as never],
    ["are undefined", undefined as never],
  ];
  for (const [what, params] of CHOSEN)
    test(`judges a call once if its parameters ${what}`, async () => {
      const { call } = await loaded({ before_tool_call: { block: true, blockReason: "no" } });
      const event = { ...tool(), params };
      expect(await call("policy", event)).toEqual({ block: true, blockReason: "no" });
      expect(await call("before_tool_call", event)).toEqual({ block: true, blockReason: "no" });
      const passing = await loaded({ before_tool_call: { log: "asked" } });
      const other = { ...tool(), params };
      expect(await passing.call("policy", other)).toBeUndefined();
      expect(await passing.call("before_tool_call", other)).toBeUndefined();
      expect(passing.logged).toEqual(["asked"]);
    });

  test("judges a call in the hook if the policy was not called for it or was called for another tool", async () => {
    const { call } = await loaded({ before_tool_call: { block: true, blockReason: "no" } });
    expect(await call("before_tool_call", { ...tool(), params: undefined })).toEqual({
      block: true,
      blockReason: "no",
    });
    const passing = await loaded({ before_tool_call: { log: "asked" } });
    const event = tool();
    await passing.call("policy", event);
    await passing.call("before_tool_call", { ...event, toolName: "another" });
    expect(passing.logged).toEqual(["asked", "asked"]);
  });

  const throwing = (what: unknown) => ({
    get params() {
      throw what;
    },
  });
  const ODD: [string, object, object?][] = [
    ["parameters that throw", throwing(new Error("no params"))],
    ["parameters that throw undefined", throwing(undefined)],
    ["a bigint among the parameters", { ...tool(), params: { big: 1n } }],
    [
      "cyclic parameters",
      ((params: Record<string, unknown>) => ({ ...tool(), params: Object.assign(params, { params }) }))({}),
    ],
    ["150,000 nested lists", { ...tool(), params: nested(150_000) }],
    ["an undefined event", undefined as never],
    [
      "a context that throws",
      { toolName: "exec", params: {} },
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no context");
          },
          ownKeys: () => {
            throw new Error("no keys");
          },
        },
      ),
    ],
  ];
  for (const [what, event, ctx] of ODD)
    test(`answers a call according to the failure policy, and does not throw, for ${what}`, async () => {
      for (const name of ["policy", "before_tool_call"]) {
        const denying = await loaded({ before_tool_call: { block: true, blockReason: "no" } });
        const ask = (handlers: typeof denying.handlers) => (handlers[name] as Handler)(event, ctx);
        expect(await ask(denying.handlers)).toEqual({ block: true, blockReason: expect.stringMatching(/^no$|doctor/) });
        const allowing = await loaded({}, { on_error: "allow" });
        expect(await ask(allowing.handlers)).toBeUndefined();
      }
    });
  test("does not throw in a handler for any event and context of a wrong type", async () => {
    const { handlers } = await loaded({}, { on_error: "allow" });
    const odd = [
      undefined,
      null,
      5,
      "x",
      [],
      { prompt: { toString: 1 }, toolCallId: 5, runId: 5, sessionKey: 5, result: "x", messages: 5 },
      throwing(0),
    ];
    for (const [name, handler] of Object.entries(handlers))
      for (const event of odd)
        for (const ctx of odd) expect([name, await handler(event as never, ctx as never)]).toEqual([name, undefined]);
    expect(Object.keys(handlers).length).toBeGreaterThan(10);
  });

  test("asks once about a prompt, prepends its context, and blocks the run on a denial", async () => {
    const { call, logged } = await loaded({ before_agent_run: { prependContext: "C", log: "L" } });
    const ctx = run();
    expect(await call("before_prompt_build", { prompt: "p", messages: [{}] }, ctx)).toEqual({ prependContext: "C" });
    expect(await call("before_prompt_build", { prompt: "a revision", messages: [{}] }, ctx)).toBeUndefined();
    expect(await call("before_agent_run", { prompt: "p" }, ctx)).toBeUndefined();
    expect(logged).toEqual(["L"]);
    const denying = await loaded({ before_agent_run: { outcome: "block", message: "no" } });
    expect(await denying.call("before_agent_run", { prompt: "p" }, run())).toEqual({
      outcome: "block",
      reason: "bridge-hooks",
      message: "no",
    });
  });

  test("asks about another prompt in a run, and about a prompt in another session or run", async () => {
    const { call, logged } = await loaded({ before_agent_run: "echo" });
    const ask = async (prompt: string, ctx: object) => {
      await call("before_prompt_build", { prompt }, ctx);
      await call("before_agent_run", { prompt: `context\n\n${prompt}` }, ctx);
    };
    await ask("first", { runId: "same" });
    await ask("second", { runId: "same" });
    await call("before_agent_run", { prompt: "third" }, { runId: "same", sessionKey: "agent:main:other" });
    await call("before_prompt_build", { prompt: "fourth" }, { runId: "another" });
    await call("before_agent_run", { prompt: "fifth" }, { runId: "another" });
    const asked = logged.map((line) => JSON.parse(line)).filter(({ event }) => event === "before_agent_run");
    const words = ["first", "second", "third", "fourth", "fifth"];
    expect(asked.map(({ prompt }) => prompt)).toEqual(words.map((word) => expect.stringContaining(word)));
  });

  test("prepends the session start's context only to its first prompt", async () => {
    const { call } = await loaded({ session_start: { prependContext: "S" } });
    const { sessionKey } = run();
    expect(await call("session_start", { sessionId: "s", sessionKey }, { sessionKey })).toBeUndefined();
    const build = () =>
      call("before_prompt_build", { prompt: "p", messages: [] }, { sessionKey, runId: `r${++calls}` });
    expect([await build(), await build()]).toEqual([{ prependContext: "S" }, undefined]);
    // If OpenClaw doesn't report a session start, the first prompt takes its place.
    const other = run();
    expect(await call("before_prompt_build", { prompt: "p", messages: [] }, other)).toEqual({ prependContext: "S" });
  });

  test("counts a run's revisions across all of its registrations", async () => {
    const { call } = await loaded({ before_agent_finalize: { action: "revise", reason: "R" } });
    const ctx = run();
    expect(await call("before_agent_finalize", { lastAssistantMessage: "x" }, ctx)).toEqual({
      action: "revise",
      reason: "R",
    });
    const counting = await loaded({ before_agent_finalize: "echo" });
    await counting.call("before_agent_finalize", {}, ctx);
    // Registrations of the plugin share their state.
    expect(JSON.parse(counting.logged[0] as string)).toMatchObject({ continuations: 1 });
  });

  test("appends the context for a call, and for its result or failure, to the result", async () => {
    const { call } = await loaded({
      before_tool_call: { context: "C" },
      tool_result: { append: "R" },
      tool_failure: { append: "F" },
    });
    const event = tool();
    expect(await call("policy", event)).toBeUndefined();
    const result = text(1);
    const read = (await call("middleware", { ...event, args: {}, result })) as { result: { content: unknown[] } };
    expect(read.result).toEqual({ ...result, content: [...result.content, { type: "text", text: "C\n\nR" }] });
    expect(result.content).toHaveLength(1);
    const failed = (await call("middleware", { ...tool(), args: {}, isError: true })) as {
      result: { content: unknown[] };
    };
    expect(failed.result.content).toEqual([{ type: "text", text: "F" }]);
  });

  test("replaces a result, including that of a nested call", async () => {
    const { call } = await loaded({ before_tool_call: { context: "C" }, tool_result: { output: "NEW", append: "R" } });
    const event = tool();
    await call("policy", event);
    const content = ["NEW", "C\n\nR"].map((text) => ({ type: "text", text }));
    expect(await call("middleware", { ...event, args: {}, result: text(1) })).toEqual({
      result: { ...text(1), content },
    });

    const inner = await loaded({ tool_result: { output: "" } });
    const outer = tool();
    const { toolCallId } = outer as { toolCallId: string };
    await inner.call("after_tool_call", {
      ...outer,
      toolCallId: `tool_search_code:${toolCallId}:read:1`,
      result: text(1),
    });
    const { result } = (await inner.call("middleware", { ...outer, args: {}, result: text(1) })) as {
      result: { content: unknown[] };
    };
    expect(JSON.stringify(result.content)).not.toContain(JSON.stringify(text(1).content[0]).slice(1, -1));
  });

  test("returns a denial for an event that OpenClaw can block, and nothing for a notification", async () => {
    const { call } = await loaded({ session_end: { log: "x" }, agent_end: { block: true, blockReason: "B" } });
    expect(await call("session_end", { reason: "new" })).toBeUndefined();
    expect(await call("agent_end", {})).toEqual({ block: true, blockReason: "B" });
  });

  test("reports synchronous events without returning a promise", async () => {
    const { call, logged } = await loaded({ tool_result_persist: "echo", before_message_write: "echo" });
    const message = { role: "toolResult", content: [] };
    for (const name of ["tool_result_persist", "before_message_write"])
      expect(call(name, { toolName: "exec", message })).toBeUndefined();
    await waitFor(() => logged.length >= 2, "the answers about both events");
    expect(
      logged
        .map((line) => JSON.parse(line))
        .map(({ event, message }) => [event, message])
        .sort(),
    ).toEqual([
      ["before_message_write", message],
      ["tool_result_persist", message],
    ]);
  });

  test("also reports the events that it uses itself under their own names", async () => {
    const { call, logged } = await loaded({
      before_prompt_build: "echo",
      after_tool_call: "echo",
      before_agent_run: { prependContext: "C" },
    });
    const ctx = run();
    expect(await call("before_prompt_build", { prompt: "P" }, ctx)).toEqual({ prependContext: "C" });
    await call("after_tool_call", { ...tool(), result: text(1) });
    await waitFor(() => logged.length >= 2, "the answers about both events");
    expect(
      logged
        .map((line) => JSON.parse(line))
        .map(({ event, prompt, toolName }) => [event, prompt ?? toolName])
        .sort(),
    ).toEqual([
      ["after_tool_call", "exec"],
      ["before_prompt_build", "P"],
    ]);
  });

  test("registers an internal event, and a family of them, as internal hooks", async () => {
    const [on, internal]: [string[], string[]] = [[], []];
    await loaded(
      {},
      {
        events: ["command", "message:sent", "cron_changed"],
        api: { on: (name: string) => on.push(name), registerHook: (name: string) => internal.push(name) },
      },
    );
    expect([on.sort(), internal.sort()]).toEqual([
      ["before_prompt_build", "cron_changed"],
      ["command", "message:sent"],
    ]);
  });

  test("keeps at most 1,000 calls, and unloading it ends the process, which the next call restarts", async () => {
    const { call, dispose, logged } = await loaded({ before_tool_call: "pid" });
    for (let count = 0; count < 1100; count++) await call("policy", tool());
    const shared = (globalThis as unknown as Record<symbol, Record<string, Map<string, unknown>>>)[
      Symbol.for("bridge-hooks openclaw")
    ];
    for (const map of Object.values(shared ?? {})) expect(map.size).toBeLessThanOrEqual(1000);
    const [first = "", ...others] = logged;
    expect(others.every((one) => one === first)).toBe(true);
    dispose();
    await waitFor(() => !Bun.spawnSync(["kill", "-0", first]).success, "the end of the process");
    expect(await call("policy", tool())).toBeUndefined();
    expect(logged.at(-1)).not.toBe(first);
  });
});
