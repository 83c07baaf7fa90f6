import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { ask, context, deny, modify } from "../../../src/index.ts";
import { INVALID_PROBE, PROBE } from "../../../src/protocol/probe.ts";
import { getPayload } from "../../support/fixtures.ts";
import { MADE_UP_SECRETS } from "../../support/made-up-secrets.ts";
import { answerAndLog, createHome, createHook, createShellPayload, getHomeLog, readLines } from "./log-support.ts";

const [, githubToken = ""] = MADE_UP_SECRETS.find(([kind]) => kind === "github-token") ?? [];
const denying = createHook("guard", () => deny("not here", { rule: "team/no", subject: "git push" }));
const silent = createHook("silent", () => undefined);

describe("a log record", () => {
  test("names the host, the call, the decision, the hook and the rule", async () => {
    const home = createHome();
    await answerAndLog([silent, denying], createShellPayload("cd x && git push", { session_id: "s1" }), home);
    const [line] = readLines(home);
    expect(line).toEqual({
      v: 1,
      id: expect.stringMatching(/^[0-9a-z]{8}$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      host: "claude",
      event: "PreToolUse",
      native_event: "PreToolUse",
      tool: "Bash",
      session: "s1",
      project: home.project,
      user: "mia",
      decision: "deny",
      mode: "enforce",
      hook: "guard",
      rule: "team/no",
      subject: "git push",
      reason: "not here",
      asked: { command: "cd x && git push" },
      content: "redacted",
      ms: expect.any(Number),
    } as never);
  });
  test("is not written for a call without a decision", async () => {
    const home = createHome();
    await answerAndLog([silent, createHook("more", () => context("look"))], createShellPayload("ls"), home);
    expect(existsSync(getHomeLog(home))).toBe(false);
  });
  test("is written for each call at the level `all`, and for none at `off`", async () => {
    const levels: readonly [string, number][] = [
      ["all", 2],
      ["off", 0],
    ];
    for (const [level, most] of levels) {
      const home = createHome({ log: { level } });
      await answerAndLog([silent], createShellPayload("ls"), home);
      await answerAndLog([denying], createShellPayload("ls"), home);
      expect<unknown>([
        level,
        existsSync(getHomeLog(home)) ? readLines(home).map(({ decision }) => decision) : [],
      ]).toEqual([level, ["none", "deny"].slice(0, most)]);
    }
  });
  test("has both decisions if the host was sent a different one than the hook returned", async () => {
    const home = createHome();
    const asking = createHook("asking", () => ask("sure?"));
    await answerAndLog([asking], getPayload("codex", "PreToolUse-Bash"), home, ["--host", "codex"]);
    expect(readLines(home)[0]).toMatchObject({
      decision: "deny",
      wanted: "ask",
      hook: "asking",
      losses: [expect.stringContaining("became a denial")],
    });
  });
  test("names the other hooks that decided, the failures, the changed fields and the messages of hooks", async () => {
    const home = createHome();
    const entries = [
      createHook("rewriting", () => modify({ command: "ls -a" })),
      createHook("failing", () => {
        throw new Error("no disk");
      }),
      createHook("second", () => deny("no", { rule: "team/second" })),
      createHook("talking", (_, { log }) => log("seen")),
      denying,
    ];
    await answerAndLog(entries, createShellPayload("ls"), home);
    expect(readLines(home)[0]).toMatchObject({
      hook: "second",
      rule: "team/second",
      changed: ["command"],
      others: [{ hook: "guard", decision: "deny", rule: "team/no" }],
      failures: [{ hook: "failing", failure: "no disk" }],
      messages: [{ hook: "talking", text: "seen" }],
    });
  });
  test("is written for a call that failed, with the decision of the failure policy", async () => {
    const home = createHome();
    await answerAndLog([denying], "{", home);
    await answerAndLog([denying], "{", home, ["--host", "claude", "--event", "PreToolUse", "--on-error", "deny"]);
    await answerAndLog([denying], "{}", home, ["--host", "nobody"]);
    const failing = createHook("failing", () => undefined, { onError: "deny" });
    await answerAndLog([{ ...failing, load: () => Promise.reject(new Error("gone")) }], createShellPayload("ls"), home);
    expect(readLines(home).map(({ decision, hook, failures }) => [decision, hook, failures?.[0]?.failure])).toEqual([
      ["none", undefined, expect.stringContaining("stdin is not valid JSON")],
      ["deny", undefined, expect.stringContaining("stdin is not valid JSON")],
      ["deny", undefined, 'unknown host "nobody"'],
      ["deny", "failing", "gone"],
    ]);
  });
  test("is not written for doctor's calls", async () => {
    const home = createHome();
    await answerAndLog([denying], createShellPayload(PROBE), home);
    await answerAndLog([denying], INVALID_PROBE, home, ["--host", "claude", "--event", "PreToolUse"]);
    expect(existsSync(getHomeLog(home))).toBe(false);
  });
});

describe("the logged input of a call", () => {
  const secret = githubToken;
  const leaking = createHook("leaking", () => deny(`holds ${secret}`, { subject: `x ${secret}` }));
  const payload = () => createShellPayload(`curl -H 'Authorization: Bearer ${secret}' https://example.org`);

  test("has secrets replaced by their kinds, as do reasons, failures and messages", async () => {
    const home = createHome();
    const failing = createHook("failing", () => {
      throw new Error(`bad ${secret}`);
    });
    const talking = createHook("talking", (_, { log }) => log(`saw ${secret}`));
    await answerAndLog([leaking, failing, talking], payload(), home);
    const [line] = readLines(home);
    expect(JSON.stringify(line)).not.toContain(secret);
    expect(line).toMatchObject({
      reason: "holds [github-token]",
      subject: "x [github-token]",
      asked: { command: "curl -H 'Authorization: Bearer [github-token]' https://example.org" },
      failures: [{ hook: "failing", failure: "bad [github-token]" }],
      messages: [{ hook: "talking", text: "saw [github-token]" }],
    });
  });
  test("has values replaced by their field names if the name denotes a secret", async () => {
    const home = createHome();
    const call = getPayload("claude", "PreToolUse-Bash", {
      tool_name: "mcp__db__connect",
      tool_input: { user: "app", password: "hunter2", nested: [{ api_key: "k", [secret]: 1 }], max_tokens: 7 },
    });
    await answerAndLog([denying], call, home);
    expect(readLines(home)[0]).toMatchObject({
      tool: "mcp__db__connect",
      asked: {
        arguments: { user: "app", password: "[password]", nested: [{ api_key: "[api_key]", "[github-token]": 1 }] },
      },
    });
  });
  test("has numbers, lists and objects replaced if the field name denotes a secret", async () => {
    const home = createHome();
    const call = getPayload("claude", "PreToolUse-Bash", {
      tool_name: "mcp__db__connect",
      tool_input: { password: 12_345_678, secret: { v: "x1", n: [1] }, passwords: ["x2"], pair: ["X-Api-Key", "x3"] },
    });
    await answerAndLog([denying], call, home);
    expect(readLines(home)[0]?.asked).toMatchObject({
      arguments: {
        password: "[password]",
        secret: { v: "[secret]", n: ["[secret]"] },
        passwords: ["[passwords]"],
        pair: ["X-Api-Key", "[X-Api-Key]"],
      },
    });
  });
  test("is its structure or its full text, as `log.content` says", async () => {
    for (const [content, command, reason] of [
      ["structure", `[${43 + secret.length + 10} characters]`, undefined],
      ["full", payload().tool_input, `holds ${secret}`],
    ] as const) {
      const home = createHome({ log: { content } });
      await answerAndLog([leaking], payload(), home);
      const [line] = readLines(home);
      expect([content, line?.reason, line?.content]).toEqual([content, reason, content]);
      if (content === "full") expect(line?.asked).toEqual(command);
      else {
        expect(line?.asked).toEqual({ command: expect.stringMatching(/^\[\d+ characters\]$/) });
        expect(JSON.stringify(line)).not.toContain("curl");
      }
    }
  });
  test("has the text of a prompt only if `log.content` is `full`", async () => {
    const prompt = getPayload("claude", "UserPromptSubmit", { prompt: "my plan" });
    for (const [log, expected] of [
      [{}, "[7 characters]"],
      [{ content: "full" }, "my plan"],
    ] as const) {
      const home = createHome({ log });
      await answerAndLog([denying], prompt, home);
      expect(readLines(home)[0]).toMatchObject({ event: "UserPromptSubmit", asked: { prompt: expected } });
    }
  });
  test("is truncated so that the record fits into one write", async () => {
    const home = createHome();
    const long = `echo ${"é\u0007".repeat(200_000)}`;
    await answerAndLog([createHook("long", () => deny("x".repeat(900_000)))], createShellPayload(long), home);
    const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`);
    const wide = getPayload("claude", "PreToolUse-Bash", {
      tool_name: "mcp__a__b",
      tool_input: { deep, list: Array(90_000).fill("y") },
    });
    await answerAndLog([denying], wide, home);
    const [first, second] = readLines(home);
    expect((first?.asked as { command?: string } | undefined)?.command).toEndWith("… [cut: 400005 characters]");
    expect(first?.reason).toEndWith("… [cut: 900000 characters]");
    expect(JSON.stringify(second).length).toBeLessThan(60_000);
  });
});

describe("a project's config file", () => {
  test("can't turn the log off or make it store full texts", async () => {
    const home = createHome();
    await Bun.write(`${home.project}/.bridge-hooks.json`, '{"log":{"level":"off","content":"full","retainDays":1}}');
    await answerAndLog([denying], createShellPayload(`echo ${githubToken}`), home);
    expect(readLines(home)).toMatchObject([{ content: "redacted", asked: { command: "echo [github-token]" } }]);
  });
});

describe("a payload", () => {
  test("is recorded for replay, with secrets replaced, if `log.record` is set", async () => {
    const home = createHome({ log: { record: true } });
    await answerAndLog([denying], createShellPayload(`echo ${githubToken}`), home);
    const [line] = readLines(home);
    expect(readLines(home, "payloads") as unknown[]).toEqual([
      {
        id: line?.id,
        time: line?.time,
        argv: ["--host", "claude", "--event", "PreToolUse"],
        payload: { ...createShellPayload("echo [github-token]"), cwd: home.project },
      },
    ]);
  });
});
