import { describe, expect, test } from "bun:test";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { createHookEntry, type HookDescriptor } from "../../src/protocol/hook.ts";
import { truncateString } from "../../src/protocol/lower.ts";
import { parseMatcher, matchHook } from "../../src/protocol/match.ts";
import { mergeResponses } from "../../src/protocol/merge.ts";
import { checkResponse, type IHookResponse } from "../../src/protocol/response.ts";
import { runHooks } from "../../src/call/ask/dispatch.ts";
import { decodeFixture } from "../support/fixtures.ts";
import { TAB_PAYLOAD, encodeResponse } from "./core-support.ts";
import { scaleMs } from "../support/machine.ts";

describe("the merged response", () => {
  const cases: [name: string, responses: IHookResponse[], merged: IHookResponse][] = [
    ["is empty without responses", [], {}],
    [
      "has the strictest decision",
      [{ decision: "allow" }, { decision: "ask", reason: "a" }, { decision: "deny", reason: "d" }],
      { decision: "deny", reason: "d" },
    ],
    [
      "has the reasons of the deciding hooks in order",
      [
        { decision: "deny", reason: "1" },
        { decision: "allow", reason: "no" },
        { decision: "deny", reason: "2" },
      ],
      { decision: "deny", reason: "1\n2" },
    ],
    [
      "has the contexts and messages of all hooks in order",
      [
        { additional_context: "1", user_message: "a" },
        { decision: "allow", additional_context: "2", user_message: "b" },
      ],
      { decision: "allow", user_message: "a\nb", additional_context: "1\n\n2" },
    ],
    [
      "applies later patches over earlier ones",
      [{ modified_input: { command: "a", cwd: "a" } }, { modified_input: { cwd: "b" } }],
      { modified_input: { command: "a", cwd: "b" } },
    ],
  ];
  for (const [name, responses, merged] of cases) test(name, () => expect(mergeResponses(responses)).toEqual(merged));
});

describe("a handler's response", () => {
  for (const value of [undefined, null, {}, { decision: "deny", reason: undefined }]) {
    test(`${JSON.stringify(value)} is accepted`, () => expect(checkResponse(value)).toBeObject());
  }
  const wrong: [value: unknown, message: string][] = [
    ["deny", "it returned a string instead of a response object"],
    [true, "it returned a boolean instead of a response object"],
    [[], "it returned an array instead of a response object"],
    [new Error("blocked!"), "it returned an instance of Error instead of a plain object"],
    [new Map([["decision", "deny"]]), "it returned an instance of Map instead of a plain object"],
    [
      { permission: "deny" },
      'it returned an unknown field "permission" (known: decision, modified_input, reason, user_message, additional_context, modified_output, session_env, rule, subject, mode)',
    ],
    [{ decision: "block" }, 'it returned decision "block" instead of "allow", "deny" or "ask"'],
    [{ reason: 1 }, "the reason that it returned is not a string"],
    [{ modified_input: [] }, "it returned a modified_input that is not an object"],
  ];
  for (const [value, message] of wrong)
    test(`${JSON.stringify(value)} is rejected`, () => expect(() => checkResponse(value)).toThrow(message));
});

test("a response nested more than 5000 levels deep is rejected", () => {
  const nest = (levels: number) => {
    let value: Record<string, unknown> = {};
    for (let level = 0; level < levels; level++) value = { value };
    return { modified_input: value };
  };
  expect(checkResponse(nest(4_000))).toBeObject();
  for (const levels of [6_000, 100_000])
    expect(() => checkResponse(nest(levels))).toThrow("nested more than 5000 levels deep");
});

describe("a matcher", () => {
  const bash = decodeFixture("claude", "PreToolUse-Bash");
  const shell = decodeFixture("cursor", "beforeShellExecution");
  const mcp = decodeFixture("cursor", "beforeMCPExecution");
  const patch = decodeFixture("codex", "PreToolUse-apply_patch");
  // It's ambiguous where the server name ends.
  const joined = decodeFixture("copilot", "preToolUse.tiny-echo");
  const hyphens = {
    ...joined,
    tool_name: "my-own-server-get-it",
    input: { tool: "my-own-server-get-it", arguments: {} },
  } as AnyEvent;
  const cases: [matcher: string | undefined, event: AnyEvent, fits: boolean | "argument"][] = [
    [undefined, bash, true],
    ["*", bash, true],
    ["", bash, true],
    ["Bash", bash, true],
    ["Bash", shell, true],
    ["Shell", shell, true],
    ["bash", bash, false],
    ["Ba", bash, false],
    ["Ba.*", bash, true],
    ["Edit|Write", patch, true],
    ["Edit, Bash", bash, true],
    ["apply_patch", patch, true],
    ["mcp__fake__.*", mcp, true],
    ["mcp__other__.*", mcp, false],
    ["MCP:echo", mcp, true],
    ["mcp__tiny__echo", joined, true],
    ["mcp__tin__.*", joined, false],
    ["mcp__my-own-server__.*", hyphens, true],
    ["mcp__my-own-server-get__it", hyphens, true],
    ["mcp__own__.*", hyphens, false],
    ["Bash(git push*)", bash, "argument"],
    ["Shell(git push*)", shell, "argument"],
    ["Shell(git push*)|Bash", shell, true],
    ["Bash(git push*)", patch, false],
    ["Bash(git push*)", mcp, false],
  ];
  for (const [matcher, event, fits] of cases) {
    test(`${matcher} ${fits === true ? "matches" : fits ? "may match" : "does not match"} ${event.native_event}`, () => {
      expect(matchHook(createHookEntry({ event: "PreToolUse", matcher, handler: () => {} }, "x"), event)).toBe(fits);
    });
  }
  test("with misplaced parentheses, an empty alternative or arguments of other tools is rejected", () => {
    const wrong: [matcher: string, message: string][] = [
      ["Bash|", "empty alternative"],
      ["[", "Invalid regular expression"],
      ["Bash(git push*", 'has a "(" but doesn\'t end with ")"; write Bash(git push*)'],
      ["Bash(a)b", 'has a "(" but doesn\'t end with ")"; write Bash(git push*)'],
      ["mcp__(.*", 'has a "(" but doesn\'t end with ")"; parentheses are for an argument, as in Bash(git push*)'],
      [
        "mcp__(a|b)",
        "has parentheses in a regular expression, but they are for an argument, as in Bash(git push*); write mcp__a|mcp__b",
      ],
      ["mcp__x__(a|b).*", 'has a "(" but doesn\'t end with ")"; parentheses are for'],
      ["Bash)", 'has an unmatched ")"'],
      ["(Bash)", "parentheses without a tool name"],
      ["B.*(x)", "parentheses without a tool name"],
      [
        "Edit(*.ts)",
        "has an argument for Edit, but only Bash supports arguments; check event.input or paths(event) in the handler",
      ],
      ["mcp__x__y(z)", "has an argument for mcp__x__y, but only Bash supports arguments"],
    ];
    for (const [matcher, message] of wrong) expect(() => parseMatcher(matcher)).toThrow(message);
    expect(parseMatcher("Edit|Bash(echo a|b, (c))")).toEqual([
      { name: "Edit" },
      { name: "Bash", argument: "echo a|b, (c)" },
    ]);
    expect(parseMatcher("Bash(*)")).toEqual([{ name: "Bash" }]);
  });
  test("matches every event that is not a tool call", () => {
    expect(
      matchHook(
        createHookEntry({ event: "Stop", matcher: "Bash", handler: () => {} }, "x"),
        decodeFixture("claude", "Stop"),
      ),
    ).toBe(true);
  });
});

describe("when several hooks run on one event", () => {
  const entry = (name: string, handler: (event: any) => unknown): HookDescriptor =>
    createHookEntry({ event: "PreToolUse", handler: handler as never }, name);
  const run = (entries: HookDescriptor[]) =>
    runHooks(entries, decodeFixture("claude", "PreToolUse-Bash"), performance.now() + scaleMs(2_000));

  test("later hooks see the input as earlier hooks changed it", async () => {
    const seen: string[] = [];
    await run([
      entry("a", () => ({ modified_input: { command: "one" } })),
      entry("b", async (event) => {
        seen.push(event.input.command);
        return { modified_input: { command: `${event.input.command} two` } };
      }),
      entry("c", (event) => void seen.push(event.input.command)),
    ]);
    expect(seen).toEqual(["one", "one two"]);
  });
  test("a denial or ask without a reason names its hook", async () => {
    const [denied, asked] = await run([
      entry("guard", () => ({ decision: "deny" })),
      entry("doubt", () => ({ decision: "ask", reason: " " })),
    ]);
    expect([denied?.response.reason, asked?.response.reason]).toEqual([
      'Denied by the hook "guard".',
      'The hook "doubt" asks the user to decide.',
    ]);
  });
  test("a failing hook does not keep other hooks from deciding", async () => {
    const outcomes = await run([
      entry("throws", () => {
        throw new Error("first line\nsecond line");
      }),
      entry("denies", () => ({ decision: "deny", reason: "no" })),
    ]);
    expect(outcomes.map(({ failure, response }) => [failure, response.decision])).toEqual([
      ["first line second line", undefined],
      [undefined, "deny"],
    ]);
  });
});

describe("with other hooks,", () => {
  const entry = (name: string, handler: (event: any) => unknown): HookDescriptor =>
    createHookEntry({ event: "PreToolUse", handler: handler as never }, name);
  const run = (file: string, entries: HookDescriptor[]) =>
    runHooks(entries, decodeFixture("claude", file), performance.now() + scaleMs(600));
  const late = expect.stringMatching(/^it took longer than \d+ ms$/);

  test("a hanging hook leaves time for other hooks", async () => {
    const [slow, guard] = await run("PreToolUse-Bash", [
      entry("slow", () => new Promise(() => {})),
      entry("guard", () => ({ decision: "deny", reason: "no" })),
    ]);
    expect([slow?.failure, guard?.response.decision]).toEqual([late, "deny"]);
  });
  test("a looping hook leaves time for other hooks", async () => {
    const loop = () => {
      for (;;);
    };
    const [slow, guard] = await run("PreToolUse-Bash", [
      entry("loop", loop),
      entry("guard", async () => (await Bun.sleep(20), { decision: "deny", reason: "no" })),
    ]);
    expect([slow?.failure, guard?.response.decision]).toEqual([late, "deny"]);
  });
  test("a hook whose patch can't be encoded fails, and the other hooks decide", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    for (const patch of [{ timeout_ms: 10n }, cyclic, { command: undefined }]) {
      const [guard, sly] = await run("PreToolUse-Bash", [
        entry("guard", () => ({ decision: "deny", reason: "no" })),
        entry("sly", () => ({ modified_input: patch })),
      ]);
      expect([guard?.response.decision, sly?.failure]).toEqual(["deny", expect.stringContaining("modified_input")]);
    }
  });
  test("a hook denies a call whose payload is nested 50,000 levels deep", async () => {
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    const event = decodeFixture("claude", "PreToolUse-mcp__tiny__echo", { tool_input: { deep } });
    const [guard] = await runHooks(
      [entry("guard", () => ({ decision: "deny", reason: "no" }))],
      event,
      performance.now() + scaleMs(600),
    );
    expect(guard?.response.decision).toBe("deny");
  });
  test("a hook that mutates the input fails, and other hooks see the original input", async () => {
    const seen: string[] = [];
    const outcomes = await run("PreToolUse-Edit", [
      entry("sly", (event) => {
        event.input.files[0].edits[0].new_string = "SAFE";
        return { modified_input: { files: event.input.files } };
      }),
      entry("sees", (event) => void seen.push(event.input.files[0].edits[0].new_string)),
    ]);
    expect(outcomes[0]?.failure).toContain("readonly");
    expect(seen).toEqual(["NEW"]);
  });
});

describe("a rewrite", () => {
  const cases: [host: string, file: string, patch: Record<string, unknown>][] = [
    ["claude", "PreToolUse-Bash", { comand: "typo" }],
    ["claude", "PreToolUse-Bash", { cwd: "/sandbox" }],
    ["claude", "PreToolUse-mcp__tiny__echo", { text: "x" }],
    ["codex", "PreToolUse-Bash", { cwd: "/sandbox" }],
    ["codex", "PreToolUse-Bash", { timeout_ms: 5 }],
    ["cursor", "preToolUse.Shell", { timeout_ms: 5 }],
    ["cursor", "preToolUse.Fetch", { url: "http://x" }],
    ["cursor", "preToolUse.Delete", { files: [] }],
    ["cursor", "preToolUse.MCP_echo", { arguments: {} }],
    ["gemini", "BeforeTool-run_shell_command", { timeout_ms: 5 }],
    ["gemini", "BeforeTool-list_directory", { pattern: "*.ts" }],
    ["gemini", "BeforeTool-mcp_tiny_echo", { arguments: {} }],
    ["gemini", "BeforeTool-replace", { files: [{ file_path: "/a", operation: "delete", edits: [] }] }],
    ["claude", "PreToolUse-mcp__tiny__echo", { arguments: [] }],
    ["claude", "PreToolUse-Edit", { files: {} }],
    ["claude", "PreToolUse-Edit", { files: [{ file_path: "/a" }], bogus: 1 }],
    ["codex", "PreToolUse-apply_patch", { files: "x" }],
    ["codex", "PreToolUse-apply_patch", { files: [{ file_path: "a", operation: "update" }] }],
  ];
  for (const [id, file, patch] of cases) {
    test(`that the host would ignore is denied: ${id} ${file} ${JSON.stringify(patch)}`, () => {
      const { stdout, exit_code, losses } = encodeResponse(decodeFixture(id, file), { modified_input: patch });
      expect([JSON.stringify(stdout).includes('"deny"'), exit_code, losses]).toEqual([
        true,
        id === "cursor" ? 0 : 2,
        ["modified_input downgrade"],
      ]);
    });
  }
  test("that the host would ignore is denied with the field's name, and without advice for the hook's author", () => {
    const { stdout } = encodeResponse(decodeFixture("claude", "PreToolUse-Bash"), {
      modified_input: { comand: "typo" } as object,
    });
    expect(stdout.hookSpecificOutput.permissionDecisionReason).toBe(
      "A hook wanted to change comand in this Bash call, but Claude Code can't do that here.",
    );
  });
  test("changes the object inside an input that is a JSON string", () => {
    const event = decodeFixture("cursor", "preToolUse.Shell", { tool_input: '{"command":"ls","cwd":"/w"}' });
    expect(encodeResponse(event, { modified_input: { command: "x" } }).stdout).toEqual({
      updated_input: { command: "x", cwd: "/w" },
    });
  });
  test("removes an MCP argument if the host replaces the whole input", () => {
    for (const [id, file] of [
      ["claude", "PreToolUse-mcp__tiny__echo"],
      ["codex", "PreToolUse-mcp__tiny__echo"],
    ] as const) {
      expect(
        encodeResponse(decodeFixture(id, file), { modified_input: { arguments: { a: 1 } } }).stdout.hookSpecificOutput
          .updatedInput,
      ).toEqual({
        a: 1,
      });
    }
  });
  test("with an ask that Codex should handle is a denial", () => {
    const event = decodeFixture("codex", "PreToolUse-Bash");
    expect(
      encodeResponse(
        event,
        { decision: "ask", reason: "R", modified_input: { command: "x" } },
        { codexAskFallback: "ask" },
      ),
    ).toMatchObject({
      exit_code: 2,
    });
  });
});

describe("the reported losses", () => {
  const cases: [name: string, losses: () => string[], wanted: string[]][] = [
    [
      "include the reason of an allow that prints nothing",
      () => encodeResponse(decodeFixture("codex", "PreToolUse-Bash"), { decision: "allow", reason: "R" }).losses,
      ["reason native"],
    ],
    [
      "include a reason without a decision",
      () => encodeResponse(decodeFixture("claude", "PreToolUse-Bash"), { reason: "R" }).losses,
      ["reason native"],
    ],
    [
      "include a denial and its reason if nothing can be decided or shown",
      () => encodeResponse(decodeFixture("cursor", "afterFileEdit"), { decision: "deny", reason: "R" }).losses,
      ["deny unenforceable", "reason drop"],
    ],
    [
      "include the reason for a prompt that Cursor allows",
      () => encodeResponse(decodeFixture("cursor", "beforeSubmitPrompt"), { decision: "allow", reason: "R" }).losses,
      ["reason native"],
    ],
    [
      "do not include a message that Cursor's Tab shows",
      () =>
        encodeResponse(decodeFixture("cursor", "beforeReadFile", TAB_PAYLOAD), {
          decision: "deny",
          reason: "R",
          user_message: "U",
        }).losses,
      [],
    ],
    ...(["error", "aborted"] as const).flatMap((status): [string, () => string[], string[]][] => [
      [
        `include a denial and its reason for a subagent that ended with ${status}`,
        () =>
          encodeResponse(decodeFixture("cursor", "subagentStop", { status }), { decision: "deny", reason: "R" }).losses,
        ["deny unenforceable", "reason drop"],
      ],
      [
        `include a denial and its reason for a run of Cursor's SDK that ended with ${status}`,
        () => encodeResponse(decodeFixture("cursor", "stop", { status }), { decision: "deny", reason: "R" }).losses,
        ["deny unenforceable", "reason drop"],
      ],
      [
        `include an emulated denial for a run of Cursor's editor that ended with ${status}`,
        () =>
          encodeResponse(decodeFixture("cursor", "stop", { status, cursor_version: "3.2.16" }), {
            decision: "deny",
            reason: "R",
          }).losses,
        ["deny emulated"],
      ],
    ]),
    [
      "are empty for an allow whose reason Claude Code shows",
      () => encodeResponse(decodeFixture("claude", "PreToolUse-Bash"), { decision: "allow", reason: "R" }).losses,
      [],
    ],
  ];
  for (const [name, losses, wanted] of cases) test(name, () => expect(losses()).toEqual(wanted));
});

describe("a message", () => {
  test("over the host's limit is truncated to it, including the note", () => {
    const { stdout, losses } = encodeResponse(decodeFixture("cursor", "preToolUse.Shell"), {
      additional_context: "x".repeat(10_001),
    });
    expect(stdout.additional_context).toHaveLength(10_000);
    expect(stdout.additional_context).toEndWith("[truncated by bridge-hooks: 10001 characters, 10000 allowed]");
    expect(losses).toEqual(["additional_context downgrade"]);
  });
  test("at the host's limit is not truncated", () => {
    expect(
      encodeResponse(decodeFixture("cursor", "preToolUse.Shell"), { additional_context: "x".repeat(10_000) }),
    ).toMatchObject({
      stdout: { additional_context: "x".repeat(10_000) },
      losses: [],
    });
  });
  test("joined from two fields is truncated to the host's limit", () => {
    const { stdout } = encodeResponse(decodeFixture("cursor", "postToolUse.Shell"), {
      decision: "deny",
      reason: "r".repeat(9_000),
      additional_context: "c".repeat(9_000),
    });
    expect(stdout.additional_context).toHaveLength(10_000);
  });
  test("is not truncated inside a surrogate pair", () => {
    for (const length of [9_999, 10_000, 10_001])
      expect(truncateString("😀".repeat(6_000).slice(0, length + 5), length).isWellFormed()).toBe(true);
  });
});
