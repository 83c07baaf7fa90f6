import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeExecutable } from "../support/executables.ts";
import { getCapabilityRow } from "../../src/protocol/host/host.ts";
import type { ConfigFile, OwnFormat } from "../../src/protocol/host/install.ts";
import { opencode } from "../../src/hosts/opencode/index.ts";
import { waitFor } from "../support/machine.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-plugins-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the process does on an event. */
type Told = { document?: object; exit_code?: number; stderr?: string; does?: "hang" | "die" };

/** A resident process that does what it's told and records the payloads. */
const SERVER = `
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const told = JSON.parse(readFileSync(process.env.TOLD + ".told", "utf8"));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, payload } = JSON.parse(line);
  appendFileSync(process.env.TOLD + ".payloads", JSON.stringify(payload) + "\\n");
  const { document = null, exit_code = 0, stderr = "", does } = told[payload.event] ?? {};
  if (does === "die") process.exit(3);
  if (does !== "hang") console.log(JSON.stringify({ id, exit_code, stderr, answer: document }));
}
`;

const product = join(folder, "product");
beforeAll(async () => {
  writeFileSync(join(folder, "server.js"), SERVER);
  await placeExecutable("test/support/probe-hooks", product);
}, 600_000);

type Hook = (input: object, output?: unknown) => Promise<unknown>;
type Hooks = Record<string, Hook> & { event: (told: { event: { type: string; properties: object } }) => Promise<void> };

let count = 0;

/** Loads the plugin the way OpenCode does, either with an executable that does what it's told or with another one. */
async function plugin(
  told: Record<string, Told> = {},
  { command = "", policy = ["--on-error", "deny"], timeout = 5, client = {} } = {},
) {
  const setup = await opencode.setup();
  const name = join(folder, `plugin-${count++}`);
  writeFileSync(`${name}.told`, JSON.stringify(told));
  writeFileSync(`${name}.payloads`, "");
  writeFileSync(`${name}.sh`, `#!/bin/sh\nTOLD='${name}' exec '${process.execPath}' '${join(folder, "server.js")}'\n`);
  chmodSync(`${name}.sh`, 0o755);
  const entries = setup.planSubscriptions("all").map(({ native_event }) => {
    const args = ["--host", "opencode", ...policy, "--event", native_event];
    return [native_event, [{ command: command || `${name}.sh`, args, timeout }]];
  });
  const [file] = setup.listConfigFiles({ roots: [], home: "/h", platform: "linux", env: {} });
  const { write } = (file as ConfigFile).syntax as OwnFormat;
  writeFileSync(`${name}.js`, write(JSON.stringify({ hooks: Object.fromEntries(entries) })));
  const module = (await import(`${name}.js`)) as Record<string, (context?: object) => Promise<Hooks>>;
  const said: string[] = [];
  const prompts: { path: { id: string }; body: { parts: object[] } }[] = [];
  const stub = {
    app: { log: async () => ({}) },
    tui: { showToast: async ({ body }: { body: { message: string } }) => void said.push(body.message) },
    session: { promptAsync: async (prompt: (typeof prompts)[number]) => (prompts.push(prompt), {}) },
    ...client,
  };
  const hooks = (await module.BridgeHooks?.({ client: stub, directory: folder })) as Hooks;
  const payloads = async () =>
    (await Bun.file(`${name}.payloads`).text())
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { module, hooks, said, prompts, payloads };
}

const CALL = { tool: "bash", sessionID: "ses_1", callID: "call_1" };
const gate = async (hooks: Hooks, args: object = { command: "ls", workdir: "/x" }) => {
  const output = { args };
  await hooks["tool.execute.before"]?.(CALL, output);
  return output.args;
};
/** Returns the message of the error, which is what the model reads. */
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: Error) => error.message,
  );
const prompt = (hooks: Hooks, text = "do it") => {
  const message = { id: "msg_1", sessionID: "ses_1" };
  const output = {
    message,
    parts: [{ id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text }] as object[],
  };
  return { output, done: hooks["chat.message"]?.({ sessionID: "ses_1" }, output) as Promise<unknown> };
};
const happens = (hooks: Hooks, type: string, properties: object) => hooks.event({ event: { type, properties } });
const created = (hooks: Hooks, id = "ses_1", parentID?: string) =>
  happens(hooks, "session.created", { sessionID: id, info: { id, parentID } });

describe.skipIf(process.platform === "win32")("OpenCode's plugin", () => {
  test("exports one function, and starts no process before an event", async () => {
    const { module, payloads } = await plugin();
    expect(Object.entries(module).map(([name, value]) => [name, typeof value])).toEqual([["BridgeHooks", "function"]]);
    expect(await payloads()).toEqual([]);
  });

  test("denies a call although OpenCode passes it nothing and `process.argv` is missing", async () => {
    const { module } = await plugin({ "tool.execute.before": { document: { deny: "NO", message: "M" } } });
    const { argv } = process;
    try {
      Object.assign(process, { argv: undefined });
      const hooks = (await module.BridgeHooks?.()) as Hooks;
      expect(await reasonOf(gate(hooks))).toBe("NO");
    } finally {
      process.argv = argv;
    }
  });

  test("denies what the built executable denies, and allows its other calls", async () => {
    const { hooks } = await plugin({}, { command: product });
    expect(await reasonOf(gate(hooks, { command: "probe:deny" }))).toBe("probe says no");
    expect(await gate(hooks, { command: "probe:none" })).toEqual({ command: "probe:none" });
  });

  test("throws the reason of a denial unchanged, followed by the context", async () => {
    const deny = "line 1\n  line 2 – ü";
    expect(await reasonOf(gate((await plugin({ "tool.execute.before": { document: { deny } } })).hooks))).toBe(deny);
    const { hooks, said } = await plugin({ "tool.execute.before": { document: { deny, context: "C", message: "M" } } });
    expect(await reasonOf(gate(hooks))).toBe(`${deny}\n\nC`);
    expect(said).toEqual(["M"]);
  });

  test("adds the context for a request's system prompt to the prompt", async () => {
    const name = "experimental.chat.system.transform";
    const { hooks, said } = await plugin({ [name]: { document: { context: "C", message: "M" } } });
    const system = ["You are"];
    await hooks[name]?.({ sessionID: "ses_1", model: { id: "m" } }, { system });
    expect([system, said]).toEqual([["You are", "C"], ["M"]]);
  });

  test("reports other events by their native names, without waiting for an answer", async () => {
    const { hooks, payloads } = await plugin();
    const info = { sessionID: "ses_1", role: "user" };
    await happens(hooks, "file.edited", { file: "/x/a.ts" });
    await happens(hooks, "session.status", { sessionID: "ses_1", status: { type: "busy" } });
    await happens(hooks, "message.removed", { info });
    await happens(hooks, "event.of.tomorrow", {});
    // bridge-hooks' own toast isn't reported; otherwise, a hook that answers with a message would trigger itself
    // forever.
    await happens(hooks, "tui.toast.show", { title: "bridge-hooks", message: "M", variant: "warning" });
    const system = ["You are"];
    const model = { id: "m" };
    await hooks["experimental.chat.system.transform"]?.({ sessionID: "ses_1", model }, { system });
    await hooks["chat.params"]?.(
      { sessionID: "ses_1", provider: { options: { apiKey: "KEY" } } },
      { temperature: 1, count: 1n },
    );
    await hooks["shell.env"]?.({ sessionID: "ses_1", cwd: "/x" }, { env: {} });
    system.push("changed by another plugin");
    await hooks.dispose?.({});
    const told = (await payloads()).filter(({ event }) => event !== "dispose" && event !== "session.created");
    const base = { host: "opencode", cwd: folder };
    expect(told).toEqual([
      { ...base, event: "file.edited", properties: { file: "/x/a.ts" } },
      { ...base, event: "session.status", properties: { sessionID: "ses_1", status: { type: "busy" } } },
      { ...base, event: "message.removed", properties: { info } },
      {
        ...base,
        event: "experimental.chat.system.transform",
        input: { sessionID: "ses_1", model },
        output: { system: ["You are"] },
      },
      { ...base, event: "chat.params", input: { sessionID: "ses_1" }, output: { temperature: 1, count: "1" } },
      { ...base, event: "shell.env", input: { sessionID: "ses_1", cwd: "/x" }, output: { env: {} } },
    ]);
    for (const payload of told) {
      const { native_event, event, session_id, _native } = opencode.decodePayload(
        payload,
        payload.event,
        getCapabilityRow(opencode, payload.event),
      ).event;
      expect([event, native_event, _native]).toEqual(["Native", payload.event, payload]);
      expect(session_id).toBe(payload.event === "file.edited" ? "" : "ses_1");
    }
  });

  test("does not report the failure of a tool whose call it denied", async () => {
    const { hooks, payloads } = await plugin({ "tool.execute.before": { document: { deny: "NO" } } });
    await reasonOf(gate(hooks));
    await happens(hooks, "message.part.updated", {
      part: { type: "tool", callID: "call_1", state: { status: "error" } },
    });
    await hooks.dispose?.({});
    expect((await payloads()).map(({ event }) => event)).not.toContain("message.part.updated");
  });

  test("rewrites the arguments in place, and removes arguments that the rewrite lacks", async () => {
    const { hooks } = await plugin({ "tool.execute.before": { document: { args: { command: "pwd", timeout: 1 } } } });
    const args = { command: "ls", workdir: "/x" };
    expect(await gate(hooks, args)).toBe(args as never);
    expect(args as object).toEqual({ command: "pwd", timeout: 1 });
  });

  test("appends contexts to the result, the gate's first", async () => {
    const told = {
      "tool.execute.before": { document: { context: "GATE" } },
      "tool.execute.after": { document: { context: "AFTER" } },
    };
    const { hooks } = await plugin(told);
    const after = async (result: object) => (
      await gate(hooks),
      await hooks["tool.execute.after"]?.({ ...CALL, args: {} }, result),
      result
    );
    expect(await after({ output: "OUT" })).toEqual({ output: "OUT\n\nGATE\n\nAFTER" });
    expect(await after({ content: [] })).toEqual({ content: [{ type: "text", text: "GATE\n\nAFTER" }] });
    expect(await after({})).toEqual({});
  });

  test("replaces a result, followed by the contexts", async () => {
    const told = {
      "tool.execute.before": { document: { context: "GATE" } },
      "tool.execute.after": { document: { output: "NEW" } },
    };
    const { hooks } = await plugin(told);
    const after = async (result: object) => (
      await gate(hooks),
      await hooks["tool.execute.after"]?.({ ...CALL, args: {} }, result),
      result
    );
    expect(await after({ output: "OUT" })).toEqual({ output: "NEW\n\nGATE" });
    const blocks = ["NEW", "GATE"].map((text) => ({ type: "text", text }));
    expect(await after({ content: [{ type: "image" }] })).toEqual({ content: blocks });
    const { hooks: emptying } = await plugin({ "tool.execute.after": { document: { output: "" } } });
    const result = { output: "OUT" };
    await emptying["tool.execute.after"]?.({ ...CALL, args: {} }, result);
    expect(result).toEqual({ output: "" });
  });

  test("sets a session's variables only in the environment of that session's shell calls", async () => {
    const { hooks } = await plugin({ "session.created": { document: { env: { A: "b" } } } });
    await created(hooks);
    for (const _ of [1, 2]) await prompt(hooks).done;
    const env = async (sessionID?: string) => {
      const output = { env: { PATH: "/bin" } };
      await hooks["shell.env"]?.({ cwd: "/", sessionID }, output);
      return output.env;
    };
    expect(await env("ses_1")).toEqual({ PATH: "/bin", A: "b" } as never);
    expect([await env("ses_9"), await env()]).toEqual([{ PATH: "/bin" }, { PATH: "/bin" }]);
  });

  test("changes nothing if nothing was decided", async () => {
    const { hooks, said } = await plugin();
    const args = { command: "ls", workdir: "/x" };
    expect(await gate(hooks, args)).toEqual({ command: "ls", workdir: "/x" });
    const { output, done } = prompt(hooks);
    await done;
    expect([output.parts.length, said]).toEqual([1, []]);
  });

  const broken: [string, Parameters<typeof plugin>[0], Parameters<typeof plugin>[1], string][] = [
    ["is missing", {}, { command: "/nonexistent/bridge-hooks" }, "can't be started"],
    [
      "hangs",
      { "tool.execute.before": { does: "hang" }, "chat.message": { does: "hang" } },
      { timeout: 1 },
      "did not answer within",
    ],
    ["dies", { "tool.execute.before": { does: "die" }, "chat.message": { does: "die" } }, {}, "exit code 3"],
  ];
  for (const [name, told, options, why] of broken) {
    const says = expect.stringMatching(new RegExp(`^bridge-hooks: .*${why}.*; run "bridge-hooks doctor"$`));
    test(`with --on-error deny blocks calls and prompts if the executable ${name}`, async () => {
      const { hooks, said } = await plugin(told, options);
      expect(await reasonOf(gate(hooks))).toEqual(says);
      expect(await reasonOf(prompt(hooks).done)).toEqual(says);
      expect(said.at(-1)).toEqual(says);
    });
    test(`with --on-error allow allows calls and prompts, and reports it once, if the executable ${name}`, async () => {
      const { hooks, said } = await plugin(told, { ...options, policy: [] });
      for (const _ of [1, 2]) expect(await gate(hooks)).toEqual({ command: "ls", workdir: "/x" });
      await prompt(hooks).done;
      expect(said).toEqual([says]);
    });
  }

  const odd = (policy: string[]) => plugin({}, { policy });
  const throwing = {
    get args() {
      throw new Error("no args");
    },
  };
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const ODD: [string, unknown, unknown][] = [
    ["neither input nor output", undefined, undefined],
    ["no input", null, { args: {} }],
    ["arguments that throw", CALL, throwing],
    ["a bigint among the arguments", CALL, { args: { big: 1n } }],
    ["cyclic arguments", CALL, { args: cyclic }],
    ["a number for parts", CALL, { parts: 5 }],
    ["parts of wrong types", { sessionID: "s" }, { parts: [null, 5, { url: { toString: 1 } }] }],
  ];
  for (const [what, input, output] of ODD)
    test(`answers according to the failure policy if a handler gets ${what}`, async () => {
      const { hooks } = await odd(["--on-error", "deny"]);
      // Everything that can be serialized reaches the hooks, none of which denies here.
      const told = await reasonOf(hooks["tool.execute.before"]?.(input as never, output) as Promise<unknown>);
      expect(told ?? "asked").toMatch(/doctor"$|^asked$/);
      const allowing = await odd([]);
      for (const [name, handler] of Object.entries(allowing.hooks)) {
        if (name === "dispose") continue;
        expect([name, await reasonOf((handler as Hook)(input as never, output))]).toEqual([name, undefined]);
      }
    });
  test("with --on-error deny denies a call or prompt that can't be serialized as JSON", async () => {
    const { hooks } = await odd(["--on-error", "deny"]);
    const before = (input: unknown, output: unknown) =>
      reasonOf(hooks["tool.execute.before"]?.(input as never, output) as Promise<unknown>);
    const says = expect.stringMatching(/^bridge-hooks: .*; run "bridge-hooks doctor"$/);
    for (const [input, output] of [
      [undefined, undefined],
      [CALL, throwing],
      [CALL, { args: { big: 1n } }],
      [CALL, { args: cyclic }],
    ])
      expect(await before(input, output)).toEqual(says);
    expect(
      await reasonOf(hooks["chat.message"]?.({ sessionID: "s" } as never, { parts: 5 }) as Promise<unknown>),
    ).toEqual(says);
  });

  test("judges a call in sessions that are each other's parents", async () => {
    const { hooks } = await plugin({ "tool.execute.before": { document: { deny: "NO" } } });
    await created(hooks, "ses_1", "ses_2");
    await created(hooks, "ses_2", "ses_1");
    expect(await reasonOf(gate(hooks))).toBe("NO");
  });

  test("treats the key __proto__ in a rewrite as an ordinary argument", async () => {
    const args = JSON.parse('{"command":"pwd","__proto__":{"workdir":"/x"}}');
    const { hooks } = await plugin({ "tool.execute.before": { document: { args } } });
    const changed = (await gate(hooks)) as Record<string, unknown>;
    expect([Object.getPrototypeOf(changed) === Object.prototype, changed.workdir, Object.keys(changed)]).toEqual([
      true,
      undefined,
      ["command", "__proto__"],
    ]);
  });

  test("denies with exit code 2 and no reason, or with a document that is not a denial", async () => {
    for (const told of [{ exit_code: 2 }, { exit_code: 2, document: {} }, { exit_code: 2, document: { args: {} } }])
      expect(await reasonOf(gate((await plugin({ "tool.execute.before": told }, { policy: [] })).hooks))).toContain(
        "denied without a reason",
      );
  });

  test("denies with the text on stderr for exit code 2 without a document", async () => {
    const { hooks } = await plugin({ "tool.execute.before": { exit_code: 2, stderr: "WHY" } }, { policy: [] });
    expect(await reasonOf(gate(hooks))).toBe("WHY");
  });

  test("shows the user the reason of a denied prompt, after a different message", async () => {
    const { hooks, said } = await plugin({ "chat.message": { document: { deny: "NO", message: "M" } } });
    expect(await reasonOf(prompt(hooks).done)).toBe("NO");
    expect(said).toEqual(["M", "NO"]);
    const same = await plugin({ "chat.message": { document: { deny: "NO", message: "NO" } } });
    await reasonOf(prompt(same.hooks).done);
    expect(same.said).toEqual(["NO"]);
  });

  test("appends the contexts of the session start and of the prompt as the last part of the prompt", async () => {
    const told = {
      "session.created": { document: { context: "START" } },
      "chat.message": { document: { context: "PROMPT" } },
    };
    const { hooks, payloads } = await plugin(told);
    await created(hooks);
    const one = prompt(hooks);
    await one.done;
    expect(one.output.parts.at(-1)).toMatchObject({
      type: "text",
      text: "START\n\nPROMPT",
      synthetic: true,
      messageID: "msg_1",
    });
    expect(String((one.output.parts.at(-1) as { id: string }).id) > "prt_1").toBe(true);
    const two = prompt(hooks);
    await two.done;
    expect(two.output.parts.at(-1)).toMatchObject({ text: "PROMPT" });
    expect((await payloads()).map(({ event, resumed }) => [event, resumed])).toEqual([
      ["session.created", undefined],
      ["chat.message", undefined],
      ["chat.message", undefined],
    ]);
  });

  test("reports a resumed session with its first prompt", async () => {
    const { hooks, payloads } = await plugin({ "session.created": { document: { context: "START" } } });
    const { output, done } = prompt(hooks);
    await done;
    expect(output.parts.at(-1)).toMatchObject({ text: "START" });
    expect((await payloads())[0]).toMatchObject({
      event: "session.created",
      resumed: true,
      cwd: folder,
      host: "opencode",
    });
  });

  test("denies every prompt of a session whose start was denied", async () => {
    const { hooks, payloads } = await plugin({ "session.created": { document: { deny: "NO SESSION" } } });
    await created(hooks);
    for (const _ of [1, 2]) expect(await reasonOf(prompt(hooks).done)).toBe("NO SESSION");
    expect((await payloads()).map(({ event }) => event)).toEqual(["session.created"]);
  });

  test("names a subagent's session and agent in its calls, and does not report its task as a prompt", async () => {
    const { hooks, payloads } = await plugin();
    await created(hooks, "ses_0");
    await created(hooks, "ses_1", "ses_0");
    await gate(hooks);
    await hooks["tool.execute.before"]?.(
      { tool: "task", sessionID: "ses_0", callID: "call_t" },
      { args: { prompt: "look around" } },
    );
    await prompt(hooks, "look around").done;
    // From another source, the same text counts as a prompt.
    await prompt(hooks, "look around").done;
    await happens(hooks, "session.idle", { sessionID: "ses_1" });
    await hooks.dispose?.({});
    expect((await payloads()).map(({ event, session_id, agent_id }) => [event, session_id, agent_id])).toEqual([
      ["session.created", undefined, undefined],
      ["tool.execute.before", "ses_0", "ses_1"],
      ["tool.execute.before", undefined, undefined],
      ["chat.message", "ses_0", "ses_1"],
      ["dispose", undefined, undefined],
    ]);
  });

  test("sends the reason of a denied stop as the next prompt, and does not report that prompt", async () => {
    const { hooks, prompts, payloads } = await plugin({ "session.idle": { document: { go_on: "GO ON" } } });
    await prompt(hooks).done;
    await happens(hooks, "session.idle", { sessionID: "ses_1" });
    await waitFor(() => prompts.length > 0, "the next prompt");
    expect(prompts.map(({ path, body }) => [path.id, body.parts])).toEqual([
      ["ses_1", [{ type: "text", text: "GO ON" }]],
    ]);
    await prompt(hooks, "GO ON").done;
    // From the user, the same text counts as a prompt.
    await prompt(hooks, "GO ON").done;
    expect((await payloads()).filter(({ event }) => event === "chat.message")).toHaveLength(2);
  });

  test("reports that the agent could not continue, and does not try after an error in the session", async () => {
    const failing = { session: { promptAsync: async () => ({ error: "busy" }) } };
    const { hooks, said } = await plugin({ "session.idle": { document: { go_on: "GO ON" } } }, { client: failing });
    await happens(hooks, "session.idle", { sessionID: "ses_1" });
    await waitFor(() => said.length > 0, "the message for the user");
    expect(said[0]).toContain("could not be continued");
    const other = await plugin({ "session.idle": { document: { go_on: "GO ON" } } });
    await happens(other.hooks, "session.error", { sessionID: "ses_1" });
    await happens(other.hooks, "session.idle", { sessionID: "ses_1" });
    await other.hooks.dispose?.({});
    expect(other.prompts).toEqual([]);
  });

  test("reports the open sessions when it ends, and waits for pending events", async () => {
    const { hooks, payloads } = await plugin();
    await created(hooks, "ses_1");
    await created(hooks, "ses_2");
    await happens(hooks, "session.deleted", { sessionID: "ses_2" });
    await hooks.dispose?.({});
    const told = (await payloads()).map(({ event, properties }) => [event, properties.sessionID]);
    expect(told.toSorted()).toEqual([
      ["dispose", "ses_1"],
      ["session.created", "ses_1"],
      ["session.created", "ses_2"],
      ["session.deleted", "ses_2"],
    ]);
  });
});
