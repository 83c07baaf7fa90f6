import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { detectHost } from "../../../src/call/identify/detect.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { hostRegistry } from "../../../src/hosts/registry.ts";
import { createHookEntry, defineHook } from "../../../src/protocol/hook.ts";
import { type Host, type Payload, getCapabilityRow } from "../../../src/protocol/host/host.ts";
import { isToolCallEvent } from "../../../src/protocol/event.ts";
import { deny, type IHookResponse } from "../../../src/protocol/response.ts";
import { answerCall } from "../../support/answer-call.ts";

const droid = hosts.find(({ id }) => id === "droid") as Host;
const FOLDER = join(import.meta.dir, "recordings/droid-0.215.0");
const recordings = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .map((file): [string, Payload] => [file, JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Payload]);
const base = recordings.find(([file]) => file === "PreToolUse-Execute.json")?.[1] as Payload;
const call = (tool_name: string, tool_input: unknown): Payload => ({ ...base, tool_name, tool_input });
const decode = (payload: Payload) => {
  const { event } = droid.decodePayload(payload, "PreToolUse", getCapabilityRow(droid, "PreToolUse"));
  if (!isToolCallEvent(event)) throw new Error("not a call");
  return event;
};
const answer = (response: IHookResponse, payload: Payload, flags: readonly string[], env = {}) =>
  answerCall(
    [createHookEntry(defineHook({ event: ["PreToolUse", "Stop", "SessionStart"], handler: () => response }), "hook")],
    {},
    flags,
    { env, read: () => payload },
  );

describe("the host of a Droid payload is recognized", () => {
  for (const [file, payload] of recordings)
    test(`for ${file}, without --host and with another host's ID`, async () => {
      for (const named of [undefined, ...hostRegistry]) {
        const found = await detectHost(hostRegistry, payload, { env: {} }, named);
        expect([named?.id, "host" in found && found.host.id]).toEqual([named?.id, "droid"]);
      }
    });

  test("whatever variables Droid derives from the payload's fields", async () => {
    const env = { tool_name: "Read", hook_event_name: "Stop", cwd: "/elsewhere", session_id: "s", CLAUDECODE: "1" };
    const found = await detectHost(hostRegistry, base, { env });
    expect("host" in found && found.host.id).toBe("droid");
    const { stdout, exit_code } = await answer(deny("R"), base, ["--host", "droid"], env);
    expect([exit_code, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([2, "deny"]);
  });

  test("and an entry for Claude Code is answered in Droid's format", async () => {
    const given = await answer(deny("R"), base, ["--host", "claude", "--event", "PreToolUse"]);
    expect(given).toMatchObject({ exit_code: 2, stderr: expect.stringContaining("R") });
    expect(JSON.parse(given.stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "R" },
    });
  });
});

describe("an answer to Droid", () => {
  const flags = ["--host", "droid"];
  const said = async (response: IHookResponse, payload: Payload = base) => {
    const { stdout, exit_code } = await answer(response, payload, flags);
    return [exit_code, stdout === "" ? undefined : JSON.parse(stdout)];
  };
  test("is empty for an approval, which would override another hook's denial", async () => {
    expect(await said({ decision: "allow" })).toEqual([0, undefined]);
  });
  test("denies if a hook asks", async () => {
    expect(await said({ decision: "ask", reason: "sure?" })).toMatchObject([
      2,
      { hookSpecificOutput: { permissionDecision: "deny" } },
    ]);
  });
  test("rewrites without an approval", async () => {
    expect(await said({ modified_input: { command: "true" } })).toMatchObject([
      0,
      { hookSpecificOutput: { updatedInput: { command: "true", summary: "a step" } } },
    ]);
    const [, { hookSpecificOutput = {} }] = (await said({ modified_input: { command: "true" } })) as [number, Payload];
    expect(hookSpecificOutput).not.toHaveProperty("permissionDecision");
  });
  test("denies a rewrite that removes a field, because Droid would keep it", async () => {
    for (const [payload, modified_input] of [
      [call("tiny___echo", { text: "a", more: "b" }), { arguments: { text: "c" } }],
      [call("Grep", { pattern: "a", path: "b" }), { path: null } as object],
    ] as const) {
      const [exit_code, document] = (await said({ modified_input }, payload)) as [number, Payload];
      expect([exit_code, JSON.stringify(document)]).toEqual([2, expect.stringContaining("can't do that here")]);
    }
  });
  test("ends the continuations at Stop, for which Droid has no limit", async () => {
    const stop = recordings.find(([file]) => file === "Stop.json")?.[1] as Payload;
    const env = { XDG_STATE_HOME: "/nonexistent" };
    const go = await answer(deny("go on"), { ...stop, stop_hook_active: false }, flags, env);
    expect([go.exit_code, JSON.parse(go.stdout)]).toEqual([2, { decision: "block", reason: "go on" }]);
    expect(await answer(deny("go on"), { ...stop, stop_hook_active: true }, flags, env)).toMatchObject({
      stdout: "",
      exit_code: 0,
    });
  });
  test("never has exit code 3, which would end the run", async () => {
    const broken = createHookEntry(
      defineHook({
        event: "PreToolUse",
        handler: () => {
          throw new Error("broke");
        },
      }),
      "broken",
    );
    const codes: number[] = [];
    for (const policy of ["allow", "deny"])
      for (const read of [() => base, () => "junk", () => ({ ...base, tool_input: { command: 5 } })])
        codes.push((await answerCall([broken], {}, [...flags, "--on-error", policy], { env: {}, read })).exit_code);
    expect(codes).toEqual([0, 0, 0, 2, 2, 2]);
  });
  test("writes session variables as lines that Droid reads without a shell", async () => {
    const start = recordings.find(([file]) => file === "SessionStart.json")?.[1] as Payload;
    const session_env = { A: `it's "x" $HOME`, B: "one\nexport PATH=/evil" };
    expect((await answer({ session_env }, start, flags)).append).toEqual({
      variable: "CLAUDE_ENV_FILE",
      text: `export A="it's "x" $HOME"\n`,
    });
  });
});

describe("a tool call of Droid", () => {
  const PATCH = "*** Begin Patch\n*** Delete File: /a\n*** End Patch";
  const DELETED = { files: [{ file_path: "/a", operation: "delete", edits: [] }] };
  const cases: [tool_name: string, input: Payload, tool: string, unified: object][] = [
    ["ApplyPatch", { input: PATCH }, "Edit", DELETED],
    ["ApplyPatch", { input: JSON.stringify({ input: PATCH }) }, "Edit", DELETED],
    ["Glob", { patterns: ["*.ts", ".env*"], folder: "/a" }, "Glob", { pattern: "{*.ts,.env*}", path: "/a" }],
    ["LS", {}, "Glob", { pattern: "*" }],
    ["a_b___c", { x: 1 }, "MCP", { server: "a_b", tool: "c", arguments: { x: 1 } }],
    ["NoSuchTool", { a: 1 }, "Other", { a: 1 }],
    ["Script", { code: "git push -f", language: "bash" }, "Other", { code: "git push -f", language: "bash" }],
  ];
  for (const [tool_name, input, tool, unified] of cases)
    test(`of ${tool_name} with ${JSON.stringify(input)} is decoded as ${tool}`, () => {
      expect(decode(call(tool_name, input))).toMatchObject({ tool, tool_name, input: unified as never });
    });
  test("with a patch that names no file is a failure", () => {
    expect(() => decode(call("ApplyPatch", { input: "{}" }))).toThrow("the patch doesn't name a file");
    expect(() => decode(call("Glob", { patterns: "*" }))).toThrow("patterns is string");
  });
  test("of Glob is rewritten in its own fields, and a patch is not", () => {
    const event = decode(call("Glob", { patterns: ["*"], folder: "/a" }));
    expect(droid.rewriteInput(event, { pattern: "b", path: "/c" }, undefined)).toEqual({
      input: { patterns: ["b"], folder: "/c" },
    });
    expect(droid.rewriteInput(decode(call("ApplyPatch", { input: PATCH })), DELETED, undefined)).toHaveProperty(
      "unsupported",
    );
  });
});

describe("everything that keeps Droid's hooks active is guarded:", () => {
  const { files, describeBypass, variables } = droid.hookControls;
  test("its files, including those named by a variable", () => {
    const env = { FACTORY_RUNTIME_SETTINGS_PATH: "/over.json" };
    const guarded = files({ home: "/h", platform: "linux", env });
    for (const path of ["**/.factory/hooks.json", "**/.factory/settings.json", "/etc/factory/", "/over.json"])
      expect(guarded).toContain(path);
    expect(variables).toContain("FACTORY_RUNTIME_SETTINGS_PATH");
  });
  test("an option that names settings with the switch", () => {
    const TEXTS: Record<string, string> = {
      "/off": '{"hooks":{"hooksDisabled": true}}',
      "/comment": '{"hooks":{"hooksDisabled" /* */ : true}}',
      "/escape": String.raw`{"hooks":{"hooksDis\u0061bled":true}}`,
      "/on": '{"hooks":{"hooksDisabled":false}}',
      "/none": "{}",
    };
    const read = (path: string) => TEXTS[path];
    const lines = [
      ["--settings", "/off"],
      ["--settings=/off", "exec", "x"],
      ["--settings", "/comment"],
      ["--settings", "/escape"],
      ["--settings", "/unknown"],
    ];
    for (const args of lines)
      expect([args, describeBypass(args, read)]).toEqual([args, expect.stringContaining("starts Droid with")]);
    for (const args of [
      ["exec", "x"],
      ["--settings", "/on"],
      ["--settings", "/none"],
    ])
      expect([args, describeBypass(args, read)]).toEqual([args, undefined]);
  });
});
