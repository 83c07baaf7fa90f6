import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { editorOf } from "../../src/cli/host-config/edit/entries.ts";
import { pick } from "../../src/protocol/capability.ts";
import { quote } from "../../src/protocol/host/quote.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";
import type { Host, Payload } from "../../src/protocol/host/host.ts";
import { lower } from "../../src/protocol/lower.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import type {
  Check,
  ConfigEntry,
  ConfigFile,
  Examination,
  Finding,
  FoundFile,
  Launch,
  Module,
  Place,
  Setup,
} from "../../src/protocol/host/install.ts";
import { oldRows } from "../../src/hosts/check.ts";
import { hosts } from "../../src/hosts/index.ts";
import { settingsOf } from "../../src/run/options.ts";
import { fixturesOf, ROOT } from "../support/fixtures.ts";

const checks: Record<string, Check> = {};
const setups: Record<string, Setup> = {};
for (const host of hosts) {
  setups[host.id] = await host.setup();
  checks[host.id] = await host.check();
}
const checkOf = (id: string) => checks[id] as Check;
const setupOf = (id: string) => setups[id] as Setup;

const temporary: string[] = [];
const folder = () => {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-check-")));
  temporary.push(made);
  return made;
};
afterAll(() => temporary.forEach((path) => rmSync(path, { recursive: true, force: true })));

const put = (path: string, text: string | object) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
};

const PROGRAM = "/opt/bridge-hooks/bridge-hooks";

/** The answer that the executable gives, and the entry that it stands in. */
function answerOf(host: Host, native_event: string, response: IHookResponse, on_error: "deny" | "allow") {
  const row = (host.capabilities[native_event] as Host["unknown"])();
  const settings = settingsOf(host, {});
  const event = { event: row.event, native_event, host: host.id, session_id: "s", cwd: "/", _native: {} } as AnyEvent;
  const { lowered } = lower(response, { host, row, event, settings });
  const answer = host.encode(lowered, row.shape, native_event, settings);
  const handler = setupOf(host.id).handler({
    native_event,
    program: PROGRAM,
    on_error,
    scope: "user",
    platform: "linux",
  });
  return { row, answer, handler };
}

describe("a verdict", () => {
  const events = hosts.flatMap((host) =>
    Object.keys(host.capabilities).map((native_event) => ({ host, native_event })),
  );
  const POLICIES = ["deny", "allow"] as const;
  let denials = 0;

  for (const { host, native_event } of events) {
    const { verdict } = checkOf(host.id);
    test(`${host.id} ${native_event}: a denial of ours, and what is none`, () => {
      for (const on_error of POLICIES) {
        for (const more of [{}, { user_message: "M", additional_context: "C" }]) {
          const { row, answer, handler } = answerOf(
            host,
            native_event,
            { decision: "deny", reason: "R", ...more },
            on_error,
          );
          if (pick(row.deny, undefined).support !== "native") continue;
          expect(verdict(native_event, answer, handler)).toEqual({ kind: "denied" });
          denials++;
        }
        for (const response of [{}, { decision: "allow" as const }, { user_message: "M", additional_context: "C" }]) {
          const { answer, handler } = answerOf(host, native_event, response, on_error);
          expect([response, verdict(native_event, answer, handler)]).toEqual([response, { kind: "passed" }]);
        }
        const { handler } = answerOf(host, native_event, {}, on_error);
        expect(verdict(native_event, { stdout: host.neutral, stderr: "", exit_code: 0 }, handler)).toEqual({
          kind: "passed",
        });
      }
    });
  }

  test("every denial that the table calls native was looked at", () => {
    const native = events.filter(({ host, native_event }) => {
      const row = (host.capabilities[native_event] as Host["unknown"])();
      return pick(row.deny, undefined).support === "native";
    });
    expect(native.length).toBeGreaterThan(20);
    expect(denials).toBe(native.length * 4);
  });

  test("codex: an unknown key breaks the answer at every event that has one", () => {
    const { capabilities } = hosts.find(({ id }) => id === "codex") as Host;
    const reading = Object.entries(capabilities).filter(([, make]) => make().shape !== "none");
    expect(reading.length).toBeGreaterThan(8);
    for (const [native_event] of reading) {
      const found = checkOf("codex").verdict(
        native_event,
        { stdout: '{"systemMessage":"M","zz":1}', stderr: "", exit_code: 0 },
        {},
      );
      expect([native_event, found]).toEqual([
        native_event,
        { kind: "broken", blocks: false, why: expect.stringContaining("zz") },
      ]);
    }
  });

  const specific = (fields: object, more: object = {}) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields }, ...more });
  const DENY = { permissionDecision: "deny", permissionDecisionReason: "R" };
  const closed = { failClosed: true };
  const blocking = { onFailure: "block" };
  const denying = { args: ["--host", "opencode", "--on-error", "deny", "--event", "tool.execute.before"] };
  const resident = (exit_code: number, answer: object | null) =>
    JSON.stringify({ id: 1, exit_code, stderr: "no", answer });

  /** As in OBSERVED: [host, event, what, stdout, stderr, exit code, handler, verdict and a word of its reason]. */
  const SEEN: [string, string, string, string, string, number | null, Payload, string][] = [
    ["claude", "PreToolUse", "a bare document", specific(DENY), "", 0, {}, "denied"],
    ["claude", "PreToolUse", "the document with exit code 1", specific(DENY), "", 1, {}, "denied"],
    ["claude", "PreToolUse", "an unknown key", specific(DENY, { zz: 1 }), "", 0, {}, "denied"],
    ["claude", "PreToolUse", "exit code 2 alone", "", "", 2, {}, "denied"],
    ["claude", "PreToolUse", "the older form", '{"decision":"block","reason":"R"}', "", 0, {}, "denied"],
    ["claude", "PreToolUse", "no event's name", JSON.stringify({ hookSpecificOutput: DENY }), "", 0, {}, "passed"],
    ["claude", "PreToolUse", "another event's name", specific({ ...DENY, hookEventName: "Stop" }), "", 0, {}, "passed"],
    ["claude", "PreToolUse", "continue false", '{"continue":false}', "", 0, {}, "passed"],
    ["claude", "PreToolUse", "a text before the document", `log\n${specific(DENY)}`, "", 0, {}, "passed"],
    ["claude", "PreToolUse", "an entry that nobody waits for", specific(DENY), "", 0, { async: true }, "passed"],
    ["claude", "PreToolUse", "no JSON", '{"hookSpecific', "", 0, {}, "broken goes on"],
    ["claude", "PreToolUse", "a text after the document", `${specific(DENY)}\nlog`, "", 0, {}, "broken goes on"],
    ["claude", "PreToolUse", "no JSON, onFailure", '{"hookSpecific', "", 0, blocking, "broken onFailure"],
    ["claude", "PreToolUse", "exit code 1", "", "", 1, {}, "broken goes on"],
    ["claude", "PreToolUse", "exit code 127, onFailure", "", "", 127, blocking, "broken onFailure"],
    ["claude", "Stop", "exit code 1, onFailure", "", "", 1, blocking, "broken goes on"],
    ["claude", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
    ["claude", "SessionStart", "exit code 2", "", "no", 2, {}, "passed"],
    ["claude", "PermissionRequest", "exit code 2 without a document", "", "no", 2, {}, "broken code 2"],
    ["claude", "UserPromptSubmit", "continue false", '{"continue":false}', "", 0, {}, "denied"],
    ["codex", "PreToolUse", "a bare document", specific(DENY), "", 0, {}, "denied"],
    ["codex", "PreToolUse", "another event's name", specific({ ...DENY, hookEventName: "Stop" }), "", 0, {}, "denied"],
    ["codex", "PreToolUse", "the older form", '{"decision":"block","reason":"R"}', "", 0, {}, "denied"],
    [
      "codex",
      "PreToolUse",
      "a rewrite",
      specific({ permissionDecision: "allow", updatedInput: {} }),
      "",
      0,
      {},
      "passed",
    ],
    ["codex", "PreToolUse", "a text before the document", `log\n${specific(DENY)}`, "", 0, {}, "passed"],
    ["codex", "PreToolUse", "an unknown key", specific(DENY, { zz: 1 }), "", 0, {}, "broken zz"],
    ["codex", "PreToolUse", "an unknown key inside", specific({ ...DENY, zz: 1 }), "", 0, {}, "broken zz"],
    [
      "codex",
      "PreToolUse",
      "no event's name",
      JSON.stringify({ hookSpecificOutput: DENY }),
      "",
      0,
      {},
      "broken hookEventName",
    ],
    ["codex", "PreToolUse", "no reason", specific({ permissionDecision: "deny" }), "", 0, {}, "broken reason"],
    ["codex", "PreToolUse", "a bare allow", specific({ permissionDecision: "allow" }), "", 0, {}, "broken allow"],
    ["codex", "PreToolUse", "ask", specific({ permissionDecision: "ask" }), "", 0, {}, "broken ask"],
    ["codex", "PreToolUse", "defer", specific({ permissionDecision: "defer" }), "", 0, {}, "broken permissionDecision"],
    ["codex", "PreToolUse", "a rewrite without allow", specific({ updatedInput: {} }), "", 0, {}, "broken input"],
    [
      "codex",
      "PreToolUse",
      "suppressOutput",
      specific(DENY, { suppressOutput: true }),
      "",
      0,
      {},
      "broken suppressOutput",
    ],
    ["codex", "PreToolUse", "approve", '{"decision":"approve"}', "", 0, {}, "broken approve"],
    ["codex", "PreToolUse", "continue false", '{"continue":false}', "", 0, {}, "broken continue"],
    ["codex", "PreToolUse", "a list", "[]", "", 0, {}, "broken list"],
    ["codex", "PreToolUse", "a text after the document", `${specific(DENY)}\nlog`, "", 0, {}, "broken no JSON"],
    ["codex", "PreToolUse", "exit code 2 without a word", specific(DENY), " \n", 2, {}, "broken stderr"],
    ["codex", "PreToolUse", "the document with exit code 1", specific(DENY), "no", 1, {}, "broken code 1"],
    ["codex", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
    ["codex", "SessionStart", "exit code 2", "", "no", 2, {}, "broken code 2"],
    ["codex", "PreCompact", "exit code 2", "", "no", 2, {}, "broken code 2"],
    ["codex", "SessionStart", "continue false", '{"continue":false}', "", 0, {}, "denied"],
    ["codex", "PreCompact", "continue false", '{"continue":false}', "", 0, {}, "denied"],
    ["codex", "Stop", "plain text", "done", "", 0, {}, "broken plain text"],
    [
      "codex",
      "Stop",
      "a context",
      '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"C"}}',
      "",
      0,
      {},
      "broken hookSpecific",
    ],
    ["codex", "SessionStart", "plain text", "context", "", 0, {}, "passed"],
    [
      "codex",
      "PostToolUse",
      "a changed output",
      specific({ hookEventName: "PostToolUse", updatedMCPToolOutput: "x" }),
      "",
      0,
      {},
      "broken updatedMCP",
    ],
    ["cursor", "preToolUse", "a document", '{"permission":"deny"}', "", 0, {}, "denied"],
    ["cursor", "preToolUse", "exit code 2 and allow", '{"permission":"allow"}', "", 2, {}, "denied"],
    ["cursor", "preToolUse", "a text before the document", 'log {x\n{"permission":"deny","a":{}}', "", 0, {}, "denied"],
    ["cursor", "preToolUse", "two documents", '{"permission":"allow"}\n{"permission":"deny"}', "", 0, {}, "denied"],
    ["cursor", "preToolUse", "a byte order mark", '\ufeff{"permission":"deny"}', "", 0, {}, "denied"],
    ["cursor", "preToolUse", "Claude Code's form", specific(DENY), "", 0, {}, "passed"],
    ["cursor", "preToolUse", "ask", '{"permission":"ask"}', "", 0, {}, "passed"],
    ["cursor", "preToolUse", "nothing", "", "", 0, {}, "passed"],
    ["cursor", "preToolUse", "nothing, failClosed", "", "", 0, closed, "broken failClosed"],
    ["cursor", "preToolUse", "no JSON", "hello", "", 0, {}, "broken for safety"],
    ["cursor", "preToolUse", "a text after the document", '{"permission":"deny"}\nlog', "", 0, {}, "broken for safety"],
    ["cursor", "preToolUse", "a list", "[]", "", 0, {}, "broken for safety"],
    ["cursor", "preToolUse", "another permission", '{"permission":"maybe"}', "", 0, {}, "broken for safety"],
    ["cursor", "preToolUse", "a message that is no text", '{"user_message":7}', "", 0, {}, "broken for safety"],
    ["cursor", "preToolUse", "the document with exit code 1", '{"permission":"deny"}', "", 1, {}, "broken goes on"],
    ["cursor", "preToolUse", "exit code 1, failClosed", "", "", 1, closed, "broken failClosed"],
    ["cursor", "preToolUse", "a signal", "", "", null, {}, "broken killed"],
    [
      "cursor",
      "preToolUse",
      "a long context, failClosed",
      JSON.stringify({ additional_context: "x".repeat(10_001) }),
      "",
      0,
      closed,
      "broken 10000",
    ],
    [
      "cursor",
      "preToolUse",
      "a long context",
      JSON.stringify({ additional_context: "x".repeat(10_001) }),
      "",
      0,
      {},
      "passed",
    ],
    ["cursor", "beforeReadFile", "ask", '{"permission":"ask"}', "", 0, {}, "broken for safety"],
    ["cursor", "beforeSubmitPrompt", "a permission", '{"permission":"deny"}', "", 0, {}, "passed"],
    ["cursor", "beforeSubmitPrompt", "continue false", '{"continue":false}', "", 0, {}, "denied"],
    ["cursor", "beforeSubmitPrompt", "no JSON", "hello", "", 0, {}, "broken goes on"],
    ["gemini", "BeforeTool", "a document", '{"decision":"deny","reason":"R"}', "", 0, {}, "denied"],
    ["gemini", "BeforeTool", "the other word", '{"decision":"block"}', "", 0, {}, "denied"],
    ["gemini", "BeforeTool", "exit code 2 and allow", '{"decision":"allow"}', "no", 2, {}, "passed"],
    ["gemini", "BeforeTool", "a document with exit code 1", '{"decision":"deny","reason":"R"}', "", 1, {}, "denied"],
    ["gemini", "BeforeTool", "a byte order mark", '\ufeff{"decision":"deny"}', "", 0, {}, "denied"],
    ["gemini", "BeforeTool", "a document on stderr", "", '{"decision":"deny"}', 0, {}, "denied"],
    ["gemini", "BeforeTool", "a document in a string", JSON.stringify('{"decision":"deny"}'), "", 0, {}, "denied"],
    ["gemini", "BeforeTool", "continue false", '{"continue":false}', "", 0, {}, "denied"],
    ["gemini", "BeforeTool", "Claude Code's form", specific(DENY), "", 0, {}, "passed"],
    ["gemini", "BeforeTool", "ask", '{"decision":"ask"}', "", 0, {}, "passed"],
    ["gemini", "BeforeTool", "a list", '[{"decision":"deny"}]', "", 0, {}, "broken no document"],
    [
      "gemini",
      "BeforeTool",
      "a text before the document",
      'log\n{"decision":"deny"}',
      "",
      0,
      {},
      "broken words for the user",
    ],
    [
      "gemini",
      "BeforeTool",
      "a text before the document, exit code 2",
      'log\n{"decision":"deny"}',
      "",
      2,
      {},
      "broken for a denial",
    ],
    ["gemini", "BeforeTool", "nothing", "", "", 0, {}, "passed"],
    ["gemini", "BeforeTool", "words on stderr", "", "warning", 0, {}, "passed"],
    ["gemini", "BeforeTool", "exit code 2", "", "no", 2, {}, "denied"],
    ["gemini", "BeforeTool", "exit code 2 without a word", " \n", "", 2, {}, "broken said nothing"],
    ["gemini", "BeforeTool", "exit code 1", "", "no", 1, {}, "broken code 1"],
    ["gemini", "BeforeTool", "a signal", "", "", null, {}, "broken killed"],
    ["gemini", "SessionStart", "a document", '{"decision":"deny","reason":"R"}', "", 0, {}, "passed"],
    ["cursor", "stop", "the form of others", '{"decision":"block","reason":"R"}', "", 0, {}, "denied"],
    ["cursor", "stop", "exit code 2", "", "no", 2, {}, "passed"],
    ["cursor", "stop", "exit code 1, failClosed", "", "", 1, closed, "broken goes on"],
    ["copilot", "preToolUse", "a denial", JSON.stringify(DENY), "", 0, {}, "denied"],
    ["copilot", "preToolUse", "exit code 2 without a word", "", "", 2, {}, "denied"],
    ["copilot", "preToolUse", "exit code 1", "", "", 1, {}, "broken blocks the call"],
    ["copilot", "preToolUse", "a signal", "", "", null, {}, "broken killed"],
    ["copilot", "preToolUse", "Claude Code's form", specific(DENY), "", 0, {}, "passed"],
    ["copilot", "PreToolUse", "Claude Code's form", specific(DENY), "", 0, {}, "denied"],
    [
      "copilot",
      "preToolUse",
      "a text before the document",
      `log\n${JSON.stringify(DENY)}`,
      "",
      0,
      {},
      "broken no document",
    ],
    ["copilot", "preToolUse", "the older form", '{"decision":"block","reason":"R"}', "", 0, {}, "passed"],
    ["copilot", "permissionRequest", "a denial", '{"behavior":"deny"}', "", 0, {}, "denied"],
    ["copilot", "permissionRequest", "exit code 1", "", "", 1, {}, "broken blocks the call"],
    ["copilot", "userPromptSubmitted", "exit code 2", "", "no", 2, {}, "passed"],
    ["copilot", "userPromptSubmitted", "a block", '{"decision":"block","reason":"R"}', "", 2, {}, "denied"],
    ["copilot", "postToolUse", "exit code 1", "", "", 1, {}, "broken goes on"],
    ["copilot", "sessionStart", "a block", '{"decision":"block","reason":"R"}', "", 0, {}, "passed"],
    ["opencode", "tool.execute.before", "exit code 2 alone", "", "no", 2, {}, "denied"],
    [
      "opencode",
      "tool.execute.before",
      "exit code 1, to deny then",
      "",
      "no",
      1,
      denying,
      "broken lets OpenCode go on",
    ],
    ["opencode", "tool.execute.before", "exit code 1", "", "no", 1, {}, "broken lets OpenCode go on"],
    [
      "opencode",
      "tool.execute.before",
      "no JSON, to deny then",
      "{",
      "",
      0,
      denying,
      "broken no JSON, and the plugin blocks",
    ],
    [
      "opencode",
      "tool.execute.before",
      "another host's document",
      specific(DENY),
      "",
      0,
      {},
      "broken none that the plugin knows",
    ],
    ["opencode", "tool.execute.before", "a denial without a word", '{"deny":" "}', "", 0, {}, "passed"],
    ["opencode", "tool.execute.before", "a signal", "", "", null, {}, "broken killed"],
    [
      "opencode",
      "tool.execute.before",
      "exit code 127, to deny then",
      "",
      "",
      127,
      denying,
      "broken code 127, and the plugin blocks",
    ],
    [
      "opencode",
      "tool.execute.before",
      "a denial of the resident process",
      resident(2, { deny: "R" }),
      "",
      0,
      {},
      "denied",
    ],
    ["opencode", "tool.execute.before", "one without a document", resident(2, null), "", 0, {}, "denied"],
    ["opencode", "tool.execute.before", "nothing of the resident process", resident(0, null), "", 0, {}, "passed"],
    [
      "opencode",
      "tool.execute.before",
      "its failure, to deny then",
      resident(1, null),
      "",
      0,
      denying,
      "broken lets OpenCode go on",
    ],
    [
      "opencode",
      "tool.execute.before",
      "exit code 2 with a document that denies nothing",
      resident(2, {}),
      "",
      0,
      {},
      "denied",
    ],
    [
      "opencode",
      "tool.execute.before",
      "a document with exit code 1",
      resident(1, {}),
      "",
      0,
      denying,
      "broken and the plugin blocks",
    ],
    ["opencode", "session.idle", "a continuation", '{"go_on":"R"}', "", 0, {}, "denied"],
    ["opencode", "dispose", "exit code 2", "", "no", 2, {}, "passed"],
    ["openclaw", "before_tool_call", "exit code 2 alone", "", "no", 2, {}, "denied"],
    ["openclaw", "before_tool_call", "exit code 1", "", "no", 1, denying, "broken lets OpenClaw go on"],
    [
      "openclaw",
      "before_tool_call",
      "no JSON, to deny then",
      "{",
      "",
      0,
      denying,
      "broken no JSON document, and the plugin blocks",
    ],
    ["openclaw", "before_tool_call", "no JSON", "{", "", 0, {}, "broken lets OpenClaw go on"],
    ["openclaw", "before_tool_call", "a list", "[]", "", 0, denying, "broken no object"],
    ["openclaw", "before_tool_call", "another host's document", specific(DENY), "", 0, {}, "passed"],
    ["openclaw", "before_tool_call", "a block that is no boolean", '{"block":"true"}', "", 0, {}, "passed"],
    [
      "openclaw",
      "before_tool_call",
      "a signal, to deny then",
      "",
      "",
      null,
      denying,
      "broken killed, and the plugin blocks",
    ],
    [
      "openclaw",
      "before_tool_call",
      "exit code 127, to deny then",
      "",
      "",
      127,
      denying,
      "broken code 127, and the plugin blocks",
    ],
    [
      "openclaw",
      "before_tool_call",
      "a denial of the resident process",
      resident(2, { block: true }),
      "",
      0,
      {},
      "denied",
    ],
    ["openclaw", "before_tool_call", "one without a document", resident(2, null), "", 0, {}, "denied"],
    ["openclaw", "before_tool_call", "nothing of the resident process", resident(0, null), "", 0, {}, "passed"],
    ["openclaw", "before_tool_call", "its failure", resident(1, null), "", 0, denying, "broken lets OpenClaw go on"],
    [
      "openclaw",
      "before_tool_call",
      "exit code 2 with a document that denies nothing",
      resident(2, {}),
      "",
      0,
      {},
      "denied",
    ],
    [
      "openclaw",
      "before_tool_call",
      "a document with exit code 1",
      resident(1, {}),
      "",
      0,
      denying,
      "broken and the plugin blocks",
    ],
    [
      "openclaw",
      "before_tool_call",
      "a negative exit code",
      "",
      "",
      -1,
      denying,
      "broken code -1, and the plugin blocks",
    ],
    ["openclaw", "before_agent_run", "a denial", '{"outcome":"block"}', "", 2, {}, "denied"],
    ["openclaw", "before_agent_finalize", "a revision", '{"action":"revise","reason":"R"}', "", 0, {}, "denied"],
    ["openclaw", "before_agent_finalize", "a revision without a word", '{"action":"revise"}', "", 0, {}, "passed"],
    ["openclaw", "session_end", "exit code 2", "", "no", 2, {}, "passed"],
  ];
  for (const [id, native_event, what, stdout, stderr, exit_code, handler, expected] of SEEN)
    test(`${id} ${native_event}: ${what} is ${expected.split(" ")[0]}`, () => {
      const found = checkOf(id).verdict(native_event, { stdout, stderr, exit_code }, handler);
      const [kind, ...word] = expected.split(" ");
      expect(found.kind).toBe(kind as typeof found.kind);
      if (found.kind === "broken") expect(found.why).toContain(word.join(" "));
    });
});

describe("a sample", () => {
  for (const host of hosts) {
    const { sample } = checkOf(host.id);
    test(`${host.id}: every recorded event has one, and it is that host's`, () => {
      const recorded = new Set(fixturesOf(host).map(({ payload }) => host.eventName(payload)));
      expect(recorded.size).toBeGreaterThan(10);
      for (const native_event of recorded) {
        const payload = sample(native_event) as Payload;
        expect([native_event, payload && host.eventName(payload)]).toEqual([native_event, native_event]);
        const row = (host.capabilities[native_event] ?? host.unknown)();
        const { event } = host.decode(payload, native_event, row);
        const call = event.event === "PreToolUse" && "tool" in event && event.tool === "Bash";
        if (call) expect(event).toMatchObject({ input: { command: "true" } });
      }
      expect(sample("NoSuchEvent")).toBeUndefined();
      expect(sample("toString")).toBeUndefined();
    });

    test(`${host.id}: a subject is what the call is about`, () => {
      const wanted = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];
      const about = Object.entries(host.capabilities).filter(
        ([name, make]) => wanted.includes(make().event) && sample(name),
      );
      expect(about.length).toBeGreaterThanOrEqual(2);
      for (const [native_event, make] of about) {
        const { event } = host.decode(sample(native_event, "a 'subject'") as Payload, native_event, make());
        const said = "input" in event ? JSON.stringify(event.input) : "prompt" in event ? event.prompt : "";
        expect([native_event, said.includes("a 'subject'")]).toEqual([native_event, true]);
      }
    });
  }
});

describe("flaws", () => {
  const good: Record<string, string> = {
    claude: '{ "hooks": {} }',
    codex:
      '{ "description": "d", "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [{ "type": "command", "command": "x", "timeout": 0 }] }], "Zz": [] } }',
    gemini:
      '{ "ui": 5, // comment\n "hooksConfig": {}, "hooks": { "BeforeTool": [{ "matcher": "(", "hooks": [{ "type": "command", "command": "x", "timeout": "5" }] }], "Zz": [] } }',
    cursor:
      '{ "version": 1, // comment\n "zz": 1, "hooks": { "stop": [{ "command": "x", "timeout": 0.5, "matcher": "*", "zz": 1 }] } }',
  };
  good.copilot =
    '{ "hooks": { "preToolUse": [{ "command": "x", "zz": 1 }, { "bash": "x", "timeoutSec": 5 }, { "type": "http", "url": "https://x" }], "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }], "zz": 1 }, "zz": 1 }';
  const copilotEntry = (entry: string) => `{"version":1,"hooks":{"preToolUse":[${entry}]}}`;
  const codexHandler = (handler: string, group = "") => `{"hooks":{"PreToolUse":[{${group}"hooks":[${handler}]}]}}`;
  const cursorEntry = (entry: string) => `{"version":1,"hooks":{"stop":[{"command":"x",${entry}}]}}`;
  /** [host, file, text, message, what stands at the offset]. */
  const BAD: [string, string, string, string, string?][] = [
    ["claude", "settings.json", '{"hooks":{}', "no JSON"],
    ["claude", "settings.json", "[]", "no object", "["],
    ["claude", "settings.json", "", "no JSON"],
    ["codex", "hooks.json", '{"hooks":{},}', "trailing comma", ","],
    ["codex", "hooks.json", '{"hooks":{} /* c */}', "comment", "/*"],
    ["codex", "hooks.json", '\ufeff{"hooks":{}}', "BOM"],
    ["codex", "hooks.json", '{"zz":1}', "this key is unknown"],
    ["codex", "hooks.json", '{"hooks":{},"hooks":{ }}', "twice", '"hooks":{ }'],
    ["codex", "hooks.json", codexHandler('{"type":"zz"}'), "hooks.0.type: this has to be command", '"zz"'],
    ["codex", "hooks.json", codexHandler('{"type":"command","command":"x","timeout":"5"}'), "timeout", '"5"'],
    ["codex", "hooks.json", codexHandler('{"type":"command","command":"x","timeout":1.5}'), "timeout", "1.5"],
    ["codex", "hooks.json", codexHandler("", '"matcher":"(",'), "matcher", '"("'],
    ["codex", "hooks.json", codexHandler("", '"matcher":"^(?!x)",'), "look-around", '"^(?!x)"'],
    ["codex", "hooks.json", codexHandler('{"type":"command"}'), "a command is missing", "{"],
    ["codex", "hooks.json", codexHandler("null"), "hooks.PreToolUse.0.hooks.0", "null"],
    ["codex", "hooks.json", '{"hooks":{"Stop":null}}', "hooks.Stop", "null"],
    ["claude", "settings.json", '{"hooks":{"Stop":[null]}}', "hooks.Stop.0", "null"],
    ["claude", "settings.json", '{"hooks":{"Stop":[{"matcher":"*"}]}}', "hooks.Stop.0", "{"],
    ["claude", "settings.json", codexHandler('{"type":"command","command":5}'), "command", "5"],
    ["claude", "settings.json", codexHandler('{"type":"command"}'), "a command is missing", "{"],
    ["claude", "settings.json", codexHandler('{"type":"command","command":"x","if":5}'), "if", "5"],
    ["claude", "settings.json", '{"model":5}', "model", "5"],
    ["claude", "settings.json", '{"disableAllHooks":"no"}', "disableAllHooks", '"no"'],
    ["claude", "settings.json", '{"hooks":{"Stop":[],"Stop":[]}}', "twice", '"Stop":[]}'],
    ["cursor", "hooks.json", '{"version":"1"}', "version", '"1"'],
    ["cursor", "hooks.json", '{"version":1,"hooks":{"stop":null}}', "hooks.stop", "null"],
    ["cursor", "hooks.json", '{"version":1,"hooks":{"stop":[{}]}}', "a command is missing", "{}"],
    ["codex", "config.toml", "a = 1\nx = = 1", "no TOML", "= 1"],
    ["codex", "config.toml", '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "zz"', "hooks.Stop.0.hooks.0.type"],
    ["cursor", "hooks.json", '{"version":1,"hooks":{},}', "trailing comma", ",}"],
    ["cursor", "hooks.json", '\ufeff{"version":1}', "BOM"],
    ["cursor", "hooks.json", '{"hooks":{}}', '"version": 1 is missing'],
    ["cursor", "hooks.json", '{"version":1,"hooks":{"zz":[]}}', "this is no event"],
    ["cursor", "hooks.json", cursorEntry('"timeout":0'), "timeout", "0}"],
    ["cursor", "hooks.json", cursorEntry('"timeout":-1'), "timeout", "-1"],
    ["cursor", "hooks.json", cursorEntry('"timeout":"5"'), "timeout", '"5"'],
    ["cursor", "hooks.json", cursorEntry('"matcher":"("'), "is no pattern", '"("'],
    ["cursor", "hooks.json", '{"version":1', "no JSON"],
    ["gemini", "settings.json", '{"hooks":{},}', "does not start", ",}"],
    ["gemini", "settings.json", '\ufeff{"hooks":{}}', "BOM"],
    ["gemini", "settings.json", "[]", "no object", "["],
    ["gemini", "settings.json", '{"hooks":[]}', "hooks", "[]"],
    ["gemini", "settings.json", '{"hooks":{"BeforeTool":{}}}', "hooks.BeforeTool", "{}"],
    ["gemini", "settings.json", '{"hooks":{"BeforeTool":[{"matcher":"x"}]}}', "leaves it out", '{"matcher"'],
    ["gemini", "settings.json", '{"hooks":{"BeforeTool":[null]}}', "hooks.BeforeTool.0", "null"],
    [
      "gemini",
      "settings.json",
      '{"hooks":{"BeforeTool":[{"matcher":5,"hooks":[]}]}}',
      "no hook of this event, from no file",
      "5",
    ],
    ["gemini", "settings.json", codexHandler('{"command":"x"}'), "type", '{"command"'],
    ["gemini", "settings.json", codexHandler('{"type":"command"}'), "a command is missing", "{"],
    ["gemini", "settings.json", codexHandler('{"type":"command","command":5}'), "command", "5"],
    ["copilot", "hooks.json", '{"version":1,}', "trailing comma; remove it; Copilot drops the whole file", ",}"],
    ["copilot", "hooks.json", "{/* c */}", "comment", "/*"],
    ["copilot", "hooks.json", '\ufeff{"version":1}', "BOM"],
    ["copilot", "hooks.json", '{"version":2}', "version: this has to be 1; Copilot drops the whole file", "2"],
    ["copilot", "hooks.json", '{"disableAllHooks":"no"}', "disableAllHooks", '"no"'],
    [
      "copilot",
      "hooks.json",
      '{"hooks":{"preToolUse":{}}}',
      "this has to be a list; Copilot drops the whole file",
      "{}",
    ],
    ["copilot", "hooks.json", '{"hooks":{"Stop":[],"Stop":[]}}', "twice", '"Stop":[]}'],
    ["copilot", "hooks.json", copilotEntry("{}"), "a command is missing; Copilot drops this entry", "{}"],
    ["copilot", "hooks.json", copilotEntry('{"command":"x","timeout":-1}'), "timeout", "-1"],
    ["copilot", "hooks.json", copilotEntry('{"command":"x","timeoutSec":"5"}'), "timeoutSec", '"5"'],
    ["copilot", "hooks.json", copilotEntry('{"command":"x","matcher":""}'), "is no pattern", '""'],
    ["copilot", "hooks.json", copilotEntry('{"command":"x","matcher":"*"}'), "is no pattern", '"*"'],
    ["copilot", "settings.json", copilotEntry("{}"), "a command is missing; Copilot drops all hooks", "{}"],
    ["copilot", ".github/copilot/settings.local.json", "{/* c */}", "comment", "/*"],
  ];
  for (const [id, file, text, message, place] of BAD)
    test(`${id} ${file}: ${text}`, () => {
      const [flaw, ...more] = checkOf(id).flaws(text, `/x/${file}`);
      expect(more).toEqual([]);
      expect(flaw?.message).toContain(message);
      if (place !== undefined) expect(text.slice(flaw?.offset)).toStartWith(place);
    });

  /** What `install` makes of a document. */
  const written = (id: string, json: string) => {
    const [{ syntax } = { syntax: "json" as const }] = setupOf(id).configs({
      roots: [],
      home: "",
      platform: "linux",
      env: {},
    });
    return typeof syntax === "object" ? syntax.before + json + syntax.after : json;
  };

  test("files that each host takes have none", () => {
    for (const { id } of hosts)
      expect([id, checkOf(id).flaws(good[id] ?? written(id, "{}"), "/x/hooks.json")]).toEqual([id, []]);
    expect(checkOf("codex").flaws('[hooks.state."a:b"]\nenabled = true\n', "/x/config.toml")).toEqual([]);
    expect(
      checkOf("copilot").flaws('\ufeff{/* c */ "hooks": {"stop": [],}}', "/home/x/.copilot/settings.json"),
    ).toEqual([]);
  });

  test("what `install` writes has none", () => {
    let checked = 0;
    for (const { id } of hosts) {
      const { subscriptions, handler, layout, settings } = setupOf(id);
      const more = settings({ scope: "user", program: PROGRAM }).map(({ path, value }) => [path[0], value]);
      const entries = subscriptions("all").map(({ native_event, matcher }) => {
        const entry = handler({ native_event, program: PROGRAM, on_error: "deny", scope: "user", platform: "linux" });
        return [native_event, [layout === "list" ? { ...entry, matcher } : { matcher, hooks: [entry] }]] as const;
      });
      checked += entries.length;
      const text = JSON.stringify({ ...Object.fromEntries(more), hooks: Object.fromEntries(entries) });
      expect([id, checkOf(id).flaws(written(id, text), "/x/hooks.json")]).toEqual([id, []]);
    }
    expect(checked).toBeGreaterThan(50);
  });
});

describe.skipIf(process.platform === "win32")("a launch", () => {
  const base = folder();
  const program = join(base, "it's a folder", "print it.sh");
  const home = join(base, "home");
  const root = join(base, "pro ject");
  const place: Place = {
    roots: [root],
    home,
    platform: "linux",
    env: { PATH: process.env.PATH, HOME: home, OURS: "doctor" },
  };
  const payload = JSON.stringify({ hook_event_name: "x", cursor_version: "1.0.0", text: "it's $HOME `x` \\n" });
  const VARIABLES = ["OURS", "CLAUDECODE", "CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "CURSOR_VERSION"];

  beforeAll(() => {
    const lines = [
      "#!/bin/sh",
      "pwd",
      'for word; do echo "[$word]"; done',
      ...VARIABLES.map((name) => `echo "${name}=$${name}"`),
    ];
    put(program, `${[...lines, "printf '<'; cat; printf '>'"].join("\n")}\n`);
    chmodSync(program, 0o755);
    for (const path of [join(home, ".cursor"), join(home, ".codex"), join(root, ".cursor"), join(base, "etc")])
      mkdirSync(path, { recursive: true });
  });

  const command = quote([program, "--host", "a b", "it's"], "sh");
  const entry: ConfigEntry = { native_event: "x", command, handler: {}, path: [] };
  const file = (scope: ConfigFile["scope"], path: string): ConfigFile => ({ scope, path, syntax: "json" });

  const started = (id: string, of: ConfigEntry, from: ConfigFile) =>
    checkOf(id)
      .launches(of, from, payload, place)
      .map(({ way, argv: [program = "", ...args], cwd, env, stdin }) => {
        const { stdout, stderr, status } = spawnSync(program, args, { cwd, env, input: stdin, encoding: "utf8" });
        expect([stderr, status]).toEqual(["", 0]);
        return [way, ...stdout.split("\n")];
      });
  const said = (cwd: string, end: string, variables: Record<string, string>) => [
    cwd,
    "[--host]",
    "[a b]",
    "[it's]",
    ...VARIABLES.map((name) => `${name}=${{ OURS: "doctor", ...variables }[name] ?? ""}`),
    ...`<${payload}${end}>`.split("\n"),
  ];

  test("claude: sh in the project, with a line feed", () => {
    const expected = [undefined, ...said(root, "\n", { CLAUDECODE: "1", CLAUDE_PROJECT_DIR: root })];
    expect(started("claude", entry, file("user", join(home, ".claude/settings.json")))).toEqual([expected]);
    const direct = { ...entry, command: program, args: ["--host", "a b", "it's"] };
    expect(started("claude", direct, file("project", join(root, ".claude/settings.json")))).toEqual([expected]);
  });

  test("codex: the user's shell in the project, without a line feed", () => {
    expect(started("codex", entry, file("user", join(home, ".codex/hooks.json")))).toEqual([
      [undefined, ...said(root, "", {})],
    ]);
  });

  test("copilot: without a profile, in the project", () => {
    const variables = { CLAUDE_PROJECT_DIR: root };
    expect(started("copilot", entry, file("user", join(home, ".copilot/hooks/bridge-hooks.json")))).toEqual([
      [undefined, ...said(root, "", variables)],
    ]);
  });

  test("cursor: both ways, in the folder that the file's scope says", () => {
    const variables = { CLAUDE_PROJECT_DIR: root, CURSOR_PROJECT_DIR: root, CURSOR_VERSION: "1.0.0" };
    const both = (cwd: string) => [
      ["stdin", ...said(cwd, "", variables)],
      ["here-document", ...said(cwd, "\n", variables)],
    ];
    expect(started("cursor", entry, file("user", join(home, ".cursor/hooks.json")))).toEqual(
      both(join(home, ".cursor")),
    );
    expect(started("cursor", entry, file("project", join(root, ".cursor/hooks.json")))).toEqual(both(root));
    expect(started("cursor", entry, file("managed", join(base, "etc/hooks.json")))).toEqual(both(join(base, "etc")));
  });

  test("gemini: bash in the project, with the entry's own variables", () => {
    const own = { ...entry, handler: { env: { OURS: "entry" } } };
    const expected = [undefined, ...said(root, "", { CLAUDE_PROJECT_DIR: root, OURS: "entry" })];
    expect(started("gemini", own, file("user", join(home, ".gemini/settings.json")))).toEqual([expected]);
  });

  test("cursor: a comment behind the command takes the here-document away", () => {
    const [direct, here] = checkOf("cursor").launches(
      { ...entry, command: `${command} # ours` },
      file("user", join(home, ".cursor/hooks.json")),
      payload,
      place,
    );
    const run = ({ argv, ...options }: Launch) =>
      spawnSync(argv[0] as string, argv.slice(1), { ...options, input: options.stdin, encoding: "utf8" });
    expect(run(direct as Launch).stdout).toEndWith(`<${payload}>`);
    expect(run(here as Launch)).toMatchObject({ stdout: expect.stringMatching(/<>$/), status: 127 });
  });

  test("a payload that is no JSON is sent as it is", () => {
    for (const { id } of hosts)
      for (const { argv, stdin } of checkOf(id).launches(entry, file("user", join(home, "hooks.json")), "{", place))
        expect([id, `${argv.at(-1)}${stdin}`]).toEqual([id, expect.stringContaining("{")]);
  });

  test("windows: each host has a way, and nothing is lost of the command", () => {
    for (const { id } of hosts)
      for (const { argv } of checkOf(id).launches(entry, file("user", "C:/x/hooks.json"), payload, {
        ...place,
        platform: "win32",
      }))
        expect([id, argv.join(" ")]).toEqual([id, expect.stringContaining(command)]);
  });
});

/** A machine of its own: a home, a project, and the system's folders. */
function machine(id: string, { platform = "linux" as NodeJS.Platform, env = {} as Record<string, string> } = {}) {
  const base = folder();
  const place: Place = {
    roots: [join(base, "project")],
    home: join(base, "home"),
    platform,
    env: { PATH: process.env.PATH, HOME: join(base, "home"), ...env },
    system: join(base, "system"),
  };
  mkdirSync(place.roots[0] as string, { recursive: true });
  mkdirSync(place.home, { recursive: true });
  const { configs, entries, handler } = setupOf(id);
  const pathOf = (scope: string, end = "") =>
    (configs(place).find((file) => file.scope === scope && file.path.endsWith(end)) as ConfigFile).path;
  const ours = (native_event: string, scope: ConfigFile["scope"] = "user") =>
    handler({ native_event, program: PROGRAM, on_error: "deny", scope: scope as "user", platform });
  const files = (): FoundFile[] =>
    configs(place).flatMap((file) => {
      if (!existsSync(file.path)) return [];
      const text = readFileSync(file.path, "utf8");
      const document = editorOf(file, text).value();
      return [
        {
          ...file,
          text,
          document,
          ours: entries(text, file.path).filter(({ command }) => command.startsWith(PROGRAM)),
        },
      ];
    });
  const examine = (more: Partial<Examination> = {}) => checkOf(id).examine({ place, files: files(), ...more });
  return { base, place, pathOf, ours, examine, root: place.roots[0] as string };
}

const brief = (findings: readonly Finding[]) => findings.map(({ check, level }) => `${level} ${check}`);
const sound = (findings: readonly Finding[]) => {
  for (const finding of findings) {
    for (const text of [finding.what, finding.impact, finding.fix]) expect(text).toMatch(/^\S[^\n]*\S$/);
    expect(finding.check).toMatch(/^[a-z]+(-[a-z]+)+$|^untrusted$/);
  }
};

describe("claude is examined", () => {
  const settings = (handler: Payload) => ({ hooks: { PreToolUse: [{ hooks: [handler] }] } });
  /** A machine with our entry in a scope, and more in others. */
  const planted = (scope: string, others: Record<string, object> = {}, options = {}) => {
    const made = machine("claude", options);
    const texts: Record<string, object> = { [scope]: settings(made.ours("PreToolUse")) };
    for (const [name, document] of Object.entries(others)) texts[name] = { ...texts[name], ...document };
    for (const [name, text] of Object.entries(texts)) put(made.pathOf(name), text);
    return made;
  };
  const cases: [string, string, Record<string, object>, string[]][] = [
    ["nothing is wrong", "user", {}, []],
    ["a managed file is named", "managed", {}, ["note managed-source"]],
    ["a user's switch", "user", { user: { disableAllHooks: true } }, ["red hooks-disabled"]],
    ["a project's switch", "user", { project: { disableAllHooks: true } }, ["red hooks-disabled"]],
    ["a local switch", "project", { local: { disableAllHooks: true } }, ["red hooks-disabled"]],
    [
      "a project's switch against managed entries",
      "managed",
      { project: { disableAllHooks: true } },
      ["note managed-source"],
    ],
    [
      "a managed switch",
      "managed",
      { managed: { disableAllHooks: true } },
      ["note managed-source", "red hooks-disabled"],
    ],
    [
      "managed hooks only",
      "user",
      { managed: { allowManagedHooksOnly: true } },
      ["note managed-source", "red managed-hooks-only"],
    ],
    [
      "managed hooks only, and ours are",
      "managed",
      { managed: { allowManagedHooksOnly: true } },
      ["note managed-source"],
    ],
    [
      "plugins only",
      "user",
      { managed: { strictPluginOnlyCustomization: true } },
      ["note managed-source", "red managed-hooks-only"],
    ],
    [
      "hooks of plugins only",
      "user",
      { managed: { strictPluginOnlyCustomization: ["hooks"] } },
      ["note managed-source", "red managed-hooks-only"],
    ],
    [
      "agents of plugins only",
      "user",
      { managed: { strictPluginOnlyCustomization: ["agents"] } },
      ["note managed-source"],
    ],
    [
      "a loader's variable",
      "user",
      { project: { env: { LD_PRELOAD: "./x.so", DYLD_INSERT_LIBRARIES: "x" } } },
      ["red env-loads-code"],
    ],
    ["a folder of libraries", "user", { project: { env: { LD_LIBRARY_PATH: "./lib" } } }, ["red env-loads-code"]],
    [
      "a folder of libraries that is the user's own",
      "user",
      { user: { env: { LD_LIBRARY_PATH: "/lib" } } },
      ["note env-moves"],
    ],
    ...["LD_TRACE_LOADED_OBJECTS", "LD_DEBUG", "LD_SHOW_AUXV", "GLIBC_TUNABLES", "MALLOC_TOP_PAD_"].map(
      (name): (typeof cases)[number] => [name, "user", { project: { env: { [name]: "" } } }, ["red env-ends-programs"]],
    ),
    ...[
      "SIMDUTF_FORCE_IMPLEMENTATION",
      "JSC_SIGNAL_FOR_GC",
      "MIMALLOC_VERBOSE",
      "SSL_CERT_FILE",
      "https_proxy",
      "SystemRoot",
    ].map((name): (typeof cases)[number] => [name, "user", { project: { env: { [name]: "x" } } }, ["note env-moves"]]),
    ["a variable that moves things", "user", { local: { env: { PATH: "/x", BUN_OPTIONS: "x" } } }, ["note env-moves"]],
    ["a harmless variable", "user", { local: { env: { EDITOR: "vi" } } }, []],
  ];
  for (const [what, scope, others, expected] of cases)
    test(what, async () => {
      const findings = await planted(scope, others).examine({ version: "2.1.330" });
      expect(brief(findings)).toEqual(expected);
      sound(findings);
    });

  test("onFailure in front of a release that does not know it", async () => {
    const { examine } = planted("user");
    const findings = await examine({ version: "2.1.197" });
    expect(brief(findings)).toEqual(["red on-failure-ignored"]);
    expect(await examine()).toEqual([]);
    expect(brief(await examine({ version: "2.1.294" }))).toEqual(["red on-failure-ignored"]);
    expect(await examine({ version: "2.1.295" })).toEqual([]);
    sound(findings);
  });

  /** A program of another system, which prints this. */
  const fake = (name: string, text: string) => {
    const bin = folder();
    put(join(bin, name), `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`);
    chmodSync(join(bin, name), 0o755);
    return { env: { PATH: `${bin}:${process.env.PATH}` } };
  };

  test.skipIf(process.platform === "win32")("preferences of a Mac win over managed files", async () => {
    const shadowed = planted("managed", {}, { platform: "darwin", ...fake("plutil", '{"permissions":{}}') });
    expect(brief(await shadowed.examine())).toEqual(["note managed-source"]);
    const plist = join(shadowed.place.system as string, "Library/Managed Preferences/com.anthropic.claudecode.plist");
    put(plist, "bplist00");
    const findings = await shadowed.examine();
    expect(brief(findings)).toEqual(["red managed-shadowed"]);
    expect(findings[0]?.what).toContain(plist);
    sound(findings);

    const entry = shadowed.ours("PreToolUse");
    const carried = planted("managed", {}, { platform: "darwin", ...fake("plutil", JSON.stringify(settings(entry))) });
    put(
      join(carried.place.system as string, "Library/Managed Preferences/home/com.anthropic.claudecode.plist"),
      "bplist00",
    );
    expect(brief(await carried.examine())).toEqual(["note managed-source"]);
  });

  test.skipIf(process.platform === "win32")("a policy of Windows wins over managed files, and restricts", async () => {
    const reg = fake("reg", '\n    Settings    REG_SZ    {"allowManagedHooksOnly":true}\n');
    expect(brief(await planted("managed", {}, { platform: "win32", ...reg }).examine())).toEqual([
      "red managed-shadowed",
    ]);
    expect(brief(await planted("user", {}, { platform: "win32", ...reg }).examine())).toEqual([
      "note managed-source",
      "red managed-hooks-only",
    ]);
  });
});

describe("opencode is examined", () => {
  /** A machine with an entry of ours in a scope. */
  const planted = (scope: "user" | "project" | "managed", env: Record<string, string> = {}) => {
    const made = machine("opencode", { env });
    const file = setupOf("opencode")
      .configs(made.place)
      .find((one) => one.scope === scope) as ConfigFile;
    const { before, after } = file.syntax as Module;
    put(
      file.path,
      before + JSON.stringify({ hooks: { "tool.execute.before": [made.ours("tool.execute.before", scope)] } }) + after,
    );
    return made;
  };
  const cases: [string, Parameters<typeof planted>[0], Record<string, string>, string[]][] = [
    ["nothing is wrong", "user", {}, []],
    ["no plugin at all", "user", { OPENCODE_PURE: "1" }, ["red plugins-disabled"]],
    ["a switch that is off", "user", { OPENCODE_PURE: "false" }, []],
    ["no project's config", "project", { OPENCODE_DISABLE_PROJECT_CONFIG: "true" }, ["red plugins-disabled"]],
    ["no project's config, and ours is the user's", "user", { OPENCODE_DISABLE_PROJECT_CONFIG: "true" }, []],
    ["another managed folder", "managed", { OPENCODE_TEST_MANAGED_CONFIG_DIR: "/x" }, ["red plugins-disabled"]],
  ];
  for (const [what, scope, env, expected] of cases)
    test(what, async () => {
      const findings = await planted(scope, env).examine({ version: "1.18.33" });
      expect(brief(findings)).toEqual(expected);
      sound(findings);
    });

  test("without an entry of ours there is nothing to turn off", async () => {
    expect(await machine("opencode", { env: { OPENCODE_PURE: "1" } }).examine()).toEqual([]);
  });

  test("the managed config names the plugin by a URL of its system, without the image's folder", () => {
    const value = (platform: NodeJS.Platform, env = {}) => {
      const { companions, configs } = setupOf("opencode");
      const place: Place = { roots: [], home: "/h", platform, env, system: "/image" };
      const [managed] = configs(place);
      const [companion] = companions?.(managed as ConfigFile, place) ?? [];
      return [managed?.path, companion?.path, companion && "settings" in companion && companion.settings[0]?.value];
    };
    const linux = "/etc/opencode";
    expect(value("linux")).toEqual([
      `/image${linux}/plugins/bridge-hooks.js`,
      `/image${linux}/opencode.json`,
      `file://${linux}/plugins/bridge-hooks.js`,
    ]);
    expect(value("darwin")[2]).toBe("file:///Library/Application%20Support/opencode/plugins/bridge-hooks.js");
    expect(value("win32")[2]).toBe("file:///C:/ProgramData/opencode/plugins/bridge-hooks.js");
    expect(value("win32", { ProgramData: "D:\\Data" })[2]).toBe("file:///D:/Data/opencode/plugins/bridge-hooks.js");
  });
});

describe("openclaw is examined", () => {
  /** A machine with an entry of ours, and what its config says of plugins. */
  const planted = (plugins: object = {}, env: Record<string, string> = {}) => {
    const made = machine("openclaw", { env });
    const [file] = setupOf("openclaw").configs(made.place) as [ConfigFile];
    const { before, after } = file.syntax as Module;
    put(file.path, before + JSON.stringify({ hooks: { before_tool_call: [made.ours("before_tool_call")] } }) + after);
    put(env.OPENCLAW_CONFIG_PATH ?? join(dirname(file.path), "../../openclaw.json"), { plugins });
    return { ...made, path: file.path };
  };
  const cases: [string, Parameters<typeof planted>[0], string[]][] = [
    ["nothing is wrong", {}, []],
    ["no plugin at all", { enabled: false }, ["red plugins-disabled"]],
    ["our plugin is named among those to keep out", { deny: ["x", "bridge-hooks"] }, ["red plugin-denied"]],
    ["another one is", { deny: ["x"], enabled: true }, []],
  ];
  for (const [what, plugins, expected] of cases)
    test(what, async () => {
      const findings = await planted(plugins).examine({ version: "2026.9.6" });
      expect(brief(findings)).toEqual([...expected, "note agent-exec"]);
      sound(findings);
    });

  test("in a config that lies somewhere else", async () => {
    const OPENCLAW_CONFIG_PATH = join(folder(), "own.json");
    expect(brief(await planted({ enabled: false }, { OPENCLAW_CONFIG_PATH }).examine())).toEqual([
      "red plugins-disabled",
      "note agent-exec",
    ]);
  });

  test.skipIf(process.platform === "win32")(
    "a file or a folder that everybody may write to is not loaded",
    async () => {
      const { path, examine } = planted();
      for (const one of [path, dirname(path)]) chmodSync(one, 0o777);
      const findings = await examine();
      expect(brief(findings)).toEqual(["red plugin-writable", "red plugin-writable", "note agent-exec"]);
      sound(findings);
    },
  );

  test.skipIf(process.platform === "win32")("a link is not loaded", async () => {
    const { path, examine, base } = planted();
    renameSync(path, join(base, "real.mjs"));
    symlinkSync(join(base, "real.mjs"), path);
    const findings = await examine();
    expect(brief(findings)).toEqual(["red linked-plugin", "note agent-exec"]);
    sound(findings);
  });

  test("without an entry of ours nothing is said", async () => {
    const { place, examine } = machine("openclaw");
    put(join(place.home, ".openclaw/openclaw.json"), { plugins: { enabled: false } });
    expect(await examine()).toEqual([]);
  });
});

describe("cursor is examined", () => {
  const HOOKS = (handler: Payload) => ({ version: 1, hooks: { preToolUse: [handler] } });
  const imported = (root: string, command = PROGRAM, matcher: string | undefined = "Bash") =>
    put(join(root, ".claude/settings.json"), {
      hooks: { PreToolUse: [{ matcher, hooks: [{ type: "command", command: `${command} --host claude` }] }] },
    });

  test("nothing is wrong", async () => {
    const { examine, ours, pathOf } = machine("cursor");
    put(pathOf("user"), HOOKS(ours("preToolUse")));
    expect(await examine()).toEqual([]);
  });

  test("a link is not read", async () => {
    const { examine, ours, pathOf, base, root } = machine("cursor");
    const target = join(base, "dotfiles/hooks.json");
    put(target, HOOKS(ours("preToolUse")));
    for (const scope of ["user", "project"]) {
      mkdirSync(dirname(pathOf(scope)), { recursive: true });
      symlinkSync(target, pathOf(scope));
    }
    // A user's file is read through a link.
    const findings = await examine();
    expect(brief(findings)).toEqual(["red linked-config"]);
    expect(findings[0]?.what).toContain(pathOf("project"));
    sound(findings);
    rmSync(join(root, ".cursor"), { recursive: true });
    symlinkSync(dirname(target), join(root, ".cursor"));
    expect((await examine())[0]?.what).toStartWith(join(root, ".cursor is"));
  });

  test("imported entries beside its own", async () => {
    const { examine, ours, pathOf, root } = machine("cursor");
    put(pathOf("user"), HOOKS(ours("preToolUse")));
    imported(root);
    const findings = await examine();
    expect(brief(findings)).toEqual(["note imported-entries"]);
    expect(findings[0]?.impact).toContain(pathOf("user"));
    sound(findings);
  });

  test("imported entries and none of its own", async () => {
    const { examine, root } = machine("cursor");
    imported(root, process.execPath);
    const findings = await examine();
    expect(brief(findings)).toEqual(["note imported-entries"]);
    expect(findings[0]?.fix).toContain("install --host cursor");
    sound(findings);
  });

  test("imported entries of others, or in a file that it does not take for hooks", async () => {
    const { examine, root, ours, pathOf } = machine("cursor");
    put(pathOf("user"), HOOKS(ours("preToolUse")));
    imported(root, "/usr/bin/other");
    expect(await examine()).toEqual([]);
    put(join(root, ".claude/settings.json"), {
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command: PROGRAM }] }] },
    });
    expect(await examine()).toEqual([]);
  });

  test("an old release, by the table", async () => {
    const { examine } = machine("cursor");
    const findings = await examine({ version: "1.7.2" });
    expect(brief(findings)).toEqual(["note old-row"]);
    expect(findings[0]?.what).toContain("beforeShellExecution, beforeMCPExecution");
    expect(findings[0]?.what).toContain('permission "ask"');
    expect(await examine({ version: "3.1.0" })).toEqual([]);
    sound(findings);
  });

  test("a release that would drop the file for an event that it does not know", async () => {
    const { examine, ours, pathOf } = machine("cursor");
    const file = (...events: string[]) =>
      put(pathOf("user"), { version: 1, hooks: Object.fromEntries(events.map((event) => [event, [ours(event)]])) });
    const found = async (...releases: string[]) =>
      (await examine({ releases })).filter(({ check }) => check === "old-release");
    file("preToolUse", "beforeShellExecution");
    const old = ["1.7.52", "2.3.41", "2026.01.17-d239e66", "2025.11.25-d5b3271"];
    for (const version of old)
      expect([version, (await found(version)).map(({ level }) => level)]).toEqual([version, ["red"]]);
    for (const version of ["2.4.0", "2.4.21", "3.18.25", "10.0.0", "2026.01.23-916f423", "2026.09.10-fd3934a"])
      expect([version, await found(version)]).toEqual([version, []]);
    expect(await found()).toEqual([]);
    // The editor and its command line read the same file.
    const [finding, ...more] = await found("2026.09.10-fd3934a", "2.3.41");
    expect(more).toEqual([]);
    expect(finding?.what).toBe("Cursor 2.3.41 does not know preToolUse, which came with 2.4.0");
    sound([finding as Finding]);
    file("beforeShellExecution", "stop");
    expect(await found("1.7.52")).toEqual([]);
  });

  test("releases that no row is about have none", () => {
    for (const { capabilities, id } of hosts) expect([id, oldRows(capabilities, undefined)]).toEqual([id, []]);
  });
});

const vendor = join(
  ROOT,
  ".e2e/releases/codex-0.169.0/node_modules/@openai",
  `codex-${process.platform}-${process.arch}/vendor`,
);
const realCodex = existsSync(vendor) ? join(vendor, readdirSync(vendor)[0] as string, "bin/codex") : "";
/** It is started without a network: nothing here needs one. */
const hasCodex = realCodex !== "" && existsSync(realCodex) && spawnSync("unshare", ["-rn", "true"]).status === 0;
const codexProgram = join(folder(), "codex");
if (hasCodex) {
  put(codexProgram, `#!/bin/sh\nexec unshare -rn '${realCodex}' "$@"\n`);
  chmodSync(codexProgram, 0o755);
}

describe("gemini is examined", () => {
  const CASES: [string, (at: ReturnType<typeof machine>) => void, string[], Record<string, string>?][] = [
    ["a folder that nobody trusts", () => {}, ["note untrusted"]],
    ["a folder that is trusted", trusted(), []],
    ["a folder below a trusted one", (at) => trusted(dirname(at.root))(at), []],
    ["a folder beside a trusted one", (at) => trusted(`${at.root}-2`)(at), ["note untrusted"]],
    [
      "a folder that is not trusted, in a trusted one",
      (at) =>
        put(join(at.place.home, ".gemini/trustedFolders.json"), {
          [dirname(at.root)]: "TRUST_FOLDER",
          [at.root]: "DO_NOT_TRUST",
        }),
      ["red untrusted"],
    ],
    [
      "trust by its neighbour",
      (at) =>
        put(join(at.place.home, ".gemini/trustedFolders.json"), { [join(dirname(at.root), "x")]: "TRUST_PARENT" }),
      [],
    ],
    ["trust by the environment", () => {}, [], { GEMINI_CLI_TRUST_WORKSPACE: "true" }],
    ["no trust by the environment", trusted(), ["red untrusted"], { GEMINI_CLI_TRUST_WORKSPACE: "false" }],
    [
      "no question of trust",
      (at) => put(at.pathOf("user"), { security: { folderTrust: { enabled: false } }, hooks: hooks(at) }),
      [],
    ],
    [
      "a project's switch",
      (at) => (trusted()(at), put(at.pathOf("project"), { hooksConfig: { enabled: false } })),
      ["red hooks-disabled"],
    ],
    [
      "a user's switch that a project takes back",
      (at) => (
        trusted()(at),
        put(at.pathOf("user"), { hooks: hooks(at), hooksConfig: { enabled: false } }),
        put(at.pathOf("project"), { hooksConfig: { enabled: true } })
      ),
      [],
    ],
    [
      "disabled by name",
      (at) => (trusted()(at), put(at.pathOf("project"), { hooksConfig: { disabled: ["bridge-hooks"] } })),
      ["red entry-disabled"],
    ],
    [
      "others disabled",
      (at) => (trusted()(at), put(at.pathOf("project"), { hooksConfig: { disabled: ["theirs"] } })),
      [],
    ],
    [
      "managed and not pinned",
      (at) => (trusted()(at), put(at.pathOf("managed"), { hooks: hooks(at) })),
      ["red managed-not-pinned"],
    ],
    [
      "managed and pinned, against a project's switch",
      (at) => (
        trusted()(at),
        put(at.pathOf("managed"), { hooks: hooks(at), hooksConfig: { enabled: true } }),
        put(at.pathOf("project"), { hooksConfig: { enabled: false } })
      ),
      [],
    ],
    [
      "other system settings",
      (at) => (trusted()(at), put(at.pathOf("managed"), { hooks: hooks(at), hooksConfig: { enabled: true } })),
      ["red managed-moved"],
      { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/elsewhere.json" },
    ],
    [
      "variables that load code, and an entry with its own",
      (at) => (trusted()(at), put(join(at.root, ".gemini/.env"), "BASH_ENV=./x\n")),
      [],
    ],
    [
      "a variable that keeps the shell from starting anything",
      (at) => (trusted()(at), put(join(at.root, ".env"), "LD_TRACE_LOADED_OBJECTS=\n")),
      ["red env-loads-code"],
    ],
    [
      "variables that load code, and an entry without",
      (at) => {
        trusted()(at);
        const { env: _, ...bare } = at.ours("BeforeTool") as Payload;
        put(at.pathOf("user"), { hooks: { BeforeTool: [{ hooks: [bare] }] } });
        put(join(at.root, ".env"), "A=1\n export BASH_ENV = ./x\n");
      },
      ["red env-loads-code"],
    ],
  ];
  function trusted(folder?: string) {
    return (at: ReturnType<typeof machine>) =>
      put(join(at.place.home, ".gemini/trustedFolders.json"), { [folder ?? at.root]: "TRUST_FOLDER" });
  }
  const hooks = (at: ReturnType<typeof machine>) => ({ BeforeTool: [{ hooks: [at.ours("BeforeTool")] }] });
  for (const [name, prepare, expected, env] of CASES)
    test(name, async () => {
      const at = machine("gemini", { env });
      put(at.pathOf("user"), { hooks: hooks(at) });
      prepare(at);
      const findings = await at.examine();
      expect(brief(findings)).toEqual(expected);
      sound(findings);
    });
  test("none of ours, and nothing to say", async () => expect(await machine("gemini").examine()).toEqual([]));
});

describe("copilot is examined", () => {
  const entries = (handler: Payload) => JSON.stringify({ version: 1, hooks: { preToolUse: [handler] } });
  const CLAUDES = JSON.stringify({
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: `${PROGRAM} --host claude` }] }] },
  });

  test("an entry of the user's: nothing", async () => {
    const { pathOf, ours, examine } = machine("copilot");
    put(pathOf("user"), entries(ours("preToolUse")));
    expect(await examine()).toEqual([]);
  });

  test("an entry in a project runs where the folder is trusted", async () => {
    const { pathOf, ours, examine } = machine("copilot");
    put(pathOf("project"), entries(ours("preToolUse")));
    const found = await examine();
    expect(brief(found)).toEqual(["note folder-trust"]);
    sound(found);
  });

  test("hooks turned off: by a project for all but the policy", async () => {
    for (const name of [
      ".github/copilot/settings.json",
      ".github/copilot/settings.local.json",
      ".claude/settings.json",
    ]) {
      const { pathOf, ours, examine, root } = machine("copilot");
      put(join(root, name), '{"disableAllHooks":true}');
      expect(await examine()).toEqual([]);
      put(pathOf("managed"), entries(ours("preToolUse", "managed")));
      expect(await examine()).toEqual([]);
      put(pathOf("user"), entries(ours("preToolUse")));
      const found = await examine();
      expect(brief(found)).toEqual(["red hooks-disabled"]);
      expect(found[0]?.what).toContain(name);
      sound(found);
    }
  });

  test("managed settings that allow managed hooks alone", async () => {
    for (const document of ['{"allowManagedHooksOnly":true}', '{"strictPluginOnlyCustomization":["hooks"]}']) {
      const { base, pathOf, ours, examine } = machine("copilot");
      put(join(base, "system/etc/github-copilot/managed-settings.json"), document);
      put(pathOf("user"), entries(ours("preToolUse")));
      const found = await examine();
      expect(brief(found)).toEqual(["red managed-hooks-only"]);
      sound(found);
      put(pathOf("managed"), entries(ours("preToolUse", "managed")));
      expect(await examine()).toEqual([]);
    }
  });

  test("entries of Claude Code's in the project", async () => {
    const { pathOf, ours, examine, root } = machine("copilot");
    put(join(root, ".claude/settings.json"), CLAUDES);
    put(pathOf("user"), entries(ours("preToolUse")));
    const found = await examine();
    expect(brief(found)).toEqual(["note imported-entries"]);
    sound(found);
  });

  test("every file of a folder is looked at, and entries in whichever form", () => {
    const { pathOf, place } = machine("copilot");
    const folder = join(pathOf("user"), "..");
    put(join(folder, "deep/other.json"), "{}");
    const { configs, entries } = setupOf("copilot");
    expect(configs(place).map(({ path }) => path)).toContain(join(folder, "deep/other.json"));
    const text = JSON.stringify({
      hooks: {
        preToolUse: [
          { bash: "b", powershell: "p", command: "c" },
          { matcher: "x", hooks: [{ command: "n" }] },
        ],
      },
    });
    const found = entries(text, "/x/hooks.json").map(({ command, path }) => [command, path.join(".")]);
    expect(found).toEqual([
      [process.platform === "win32" ? "p" : "b", "hooks.preToolUse.0"],
      ["n", "hooks.preToolUse.1.hooks.0"],
    ]);
  });
});

describe("codex is examined", () => {
  const OFF = "[features]\nhooks = false\n";
  const groups = (handler: Payload, event = "PreToolUse") => ({ hooks: { [event]: [{ hooks: [handler] }] } });
  const required = ({ command }: Payload, more = "") =>
    `${more}[hooks]\nmanaged_dir = "/opt"\n[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(command)}\n`;
  const TRUST = "red untrusted";

  const cases: [string, (made: ReturnType<typeof machine>) => void, string[]][] = [
    ["no program, and no trust written down", () => undefined, [TRUST]],
    [
      "no program, and trust written down",
      ({ pathOf }) =>
        put(
          pathOf("user", "config.toml"),
          `[hooks.state."${pathOf("user", "hooks.json")}:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n`,
        ),
      ["red trust-unknown"],
    ],
    [
      "no program, and disabled",
      ({ pathOf }) =>
        put(
          pathOf("user", "config.toml"),
          `[hooks.state."${pathOf("user", "hooks.json")}:pre_tool_use:0:0"]\nenabled = false\n`,
        ),
      ["red entry-disabled"],
    ],
    ["a user's switch", ({ pathOf }) => put(pathOf("user", "config.toml"), OFF), ["red hooks-disabled", TRUST]],
    [
      "the switch's older name",
      ({ pathOf }) => put(pathOf("user", "config.toml"), "[features]\ncodex_hooks = false\n"),
      ["red hooks-disabled", TRUST],
    ],
    ["a project's switch", ({ pathOf }) => put(pathOf("project", "config.toml"), OFF), ["red hooks-disabled", TRUST]],
    [
      "a switch against a pin",
      ({ pathOf }) => {
        put(pathOf("managed"), "[features]\nhooks = true\n");
        put(pathOf("user", "config.toml"), OFF);
      },
      [TRUST],
    ],
    ["pinned off", ({ pathOf }) => put(pathOf("managed"), OFF), ["red hooks-disabled", TRUST]],
    [
      "managed hooks only",
      ({ pathOf }) => put(pathOf("managed"), "allow_managed_hooks_only = true\n"),
      ["red managed-hooks-only", TRUST],
    ],
    [
      "the switch's older name beside the newer one, which counts",
      ({ pathOf }) => put(pathOf("user", "config.toml"), "[features]\ncodex_hooks = false\nhooks = true\n"),
      [TRUST],
    ],
    [
      "the switch of plugins' hooks",
      ({ pathOf }) => put(pathOf("user", "config.toml"), "[features]\nplugin_hooks = false\n"),
      ["note plugin-hooks", TRUST],
    ],
    [
      "hooks in both files of a layer",
      ({ pathOf }) =>
        put(pathOf("user", "config.toml"), '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n'),
      ["note two-representations", TRUST],
    ],
    [
      "no hooks in the other file, but what was trusted",
      ({ pathOf }) =>
        put(
          pathOf("user", "config.toml"),
          'hooks.state."/x:stop:0:0" = { trusted_hash = "sha256:0" }\nhooks.Stop = []\n',
        ),
      [TRUST],
    ],
  ];
  for (const [what, plant, expected] of cases)
    test(what, async () => {
      const made = machine("codex");
      put(made.pathOf("user", "hooks.json"), groups(made.ours("PreToolUse")));
      plant(made);
      const findings = await made.examine();
      expect(brief(findings)).toEqual(expected);
      sound(findings);
    });

  test("a switch is named as it stands in the file, at its line", async () => {
    const made = machine("codex");
    put(made.pathOf("user", "hooks.json"), groups(made.ours("PreToolUse")));
    const said: string[] = [];
    for (const text of [
      "# c\n[features]\nx = 1\ncodex_hooks = false\n",
      "features.hooks = false\n",
      "\nfeatures = { hooks = false }\n",
    ]) {
      for (const scope of ["managed", "user"] as const) {
        for (const path of [made.pathOf("managed"), made.pathOf("user", "config.toml")]) rmSync(path, { force: true });
        put(made.pathOf(scope, ".toml"), text);
        said.push((await made.examine())[0]?.what.replace(made.pathOf(scope, ".toml"), scope) ?? "");
      }
    }
    expect(said).toEqual([
      "managed:4 pins [features] codex_hooks = false",
      "user:4 says [features] codex_hooks = false",
      "managed:1 pins [features] hooks = false",
      "user:1 says [features] hooks = false",
      "managed:2 pins [features] hooks = false",
      "user:2 says [features] hooks = false",
    ]);
  });

  test("managed entries hold only if they are pinned", async () => {
    const made = machine("codex");
    put(made.pathOf("managed"), required(made.ours("PreToolUse")));
    expect(brief(await made.examine())).toEqual(["red managed-not-pinned"]);
    put(made.pathOf("project", "config.toml"), OFF);
    expect(brief(await made.examine())).toEqual(["red hooks-disabled", "red managed-not-pinned"]);
    put(made.pathOf("managed"), `${required(made.ours("PreToolUse"))}[features]\nhooks = true\n`);
    expect(await made.examine()).toEqual([]);
  });

  test.skipIf(process.platform === "win32")(
    "a program that never answers is not waited for",
    async () => {
      const made = machine("codex");
      put(made.pathOf("user", "hooks.json"), groups(made.ours("PreToolUse")));
      put(join(made.base, "codex"), "#!/bin/sh\nexec sleep 60\n");
      chmodSync(join(made.base, "codex"), 0o755);
      const before = Date.now();
      expect(brief(await made.examine({ program: join(made.base, "codex") }))).toEqual([TRUST]);
      expect(Date.now() - before).toBeLessThan(10_000);
      expect(brief(await made.examine({ program: "/nonexistent/codex" }))).toEqual([TRUST]);
    },
    20_000,
  );

  describe.skipIf(!hasCodex)(
    hasCodex ? "by the real Codex 0.169.0" : "by the real Codex: skipped, run `npm run e2e` once to fetch it",
    () => {
      const QUIET = `model = "fake-model"\ncheck_for_update_on_startup = false\nweb_search = "disabled"\n[analytics]\nenabled = false\n[features]\nplugins = false\napps = false\n`;
      const started = (files: (made: ReturnType<typeof machine>) => Record<string, string | object>) => {
        const made = machine("codex");
        put(made.pathOf("user", "config.toml"), QUIET);
        const place: Place = {
          ...made.place,
          env: { PATH: "/usr/bin:/bin", HOME: made.place.home, CODEX_HOME: join(made.place.home, ".codex") },
        };
        for (const [path, text] of Object.entries(files(made))) put(path, text);
        return { ...made, examine: () => made.examine({ place, program: codexProgram }) };
      };
      const trust = ({ place }: ReturnType<typeof machine>, cwd: string) => {
        const driver = join(ROOT, "test/e2e/hosts/codex-app-server.ts");
        const env = { PATH: "/usr/bin:/bin", HOME: place.home, CODEX_HOME: join(place.home, ".codex") };
        const { status } = spawnSync(process.execPath, [driver, '[{"do":"trust"}]', codexProgram], {
          cwd,
          env,
          timeout: 20_000,
        });
        expect(status).toBe(0);
      };

      test("untrusted, then trusted, then modified, then disabled", async () => {
        const made = started(({ pathOf, ours }) => ({ [pathOf("user", "hooks.json")]: groups(ours("PreToolUse")) }));
        const before = readFileSync(made.pathOf("user", "config.toml"), "utf8");
        const untrusted = await made.examine();
        expect(brief(untrusted)).toEqual(["red untrusted"]);
        expect(untrusted[0]?.what).toContain("nobody trusted PreToolUse");
        sound(untrusted);
        expect(readFileSync(made.pathOf("user", "config.toml"), "utf8")).toBe(before);

        trust(made, made.root);
        expect(await made.examine()).toEqual([]);

        put(made.pathOf("user", "hooks.json"), groups({ ...made.ours("PreToolUse"), timeout: 21 }));
        const modified = await made.examine();
        expect(modified[0]?.what).toContain("changed after being trusted");

        const key = `${made.pathOf("user", "hooks.json")}:pre_tool_use:0:0`;
        put(made.pathOf("user", "config.toml"), `${QUIET}[hooks.state.${JSON.stringify(key)}]\nenabled = false\n`);
        expect(brief(await made.examine())).toEqual(["red entry-disabled"]);
      });

      test("a project that is not trusted", async () => {
        const made = started(({ pathOf, ours }) => ({
          [pathOf("project", "hooks.json")]: groups(ours("Stop"), "Stop"),
        }));
        const findings = await made.examine();
        expect(brief(findings)).toEqual(["red entry-not-listed"]);
        expect(findings[0]?.fix).toContain("trust");
        put(
          made.pathOf("user", "config.toml"),
          `${QUIET}[projects.${JSON.stringify(made.root)}]\ntrust_level = "trusted"\n`,
        );
        expect(brief(await made.examine())).toEqual(["red untrusted"]);
      });

      test("entries in config.toml, and hooks turned off", async () => {
        const made = started(({ pathOf, ours }) => ({
          [pathOf("user", "config.toml")]: `${QUIET}${required(ours("PreToolUse")).replace(/^\[hooks\]\n.*\n/, "")}`,
        }));
        expect(brief(await made.examine())).toEqual(["red untrusted"]);
        put(
          made.pathOf("user", "config.toml"),
          readFileSync(made.pathOf("user", "config.toml"), "utf8").replace("[features]\n", OFF),
        );
        expect(brief(await made.examine())).toEqual(["red hooks-disabled", "red entry-not-listed"]);
      });

      test("hooks in both files of a layer: Codex runs both and warns, which is told once", async () => {
        const made = started(({ pathOf, ours }) => ({
          [pathOf("user", "hooks.json")]: groups(ours("PreToolUse")),
          [pathOf("user", "config.toml")]:
            `${QUIET}[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n`,
        }));
        const findings = await made.examine();
        expect(brief(findings)).toEqual(["note two-representations", "red untrusted"]);
        sound(findings);
      });

      test("a file that Codex does not take, and what it says of it", async () => {
        const made = started(({ pathOf, ours }) => ({
          [pathOf("user", "hooks.json")]: { ...groups(ours("PreToolUse")), zz: 1 },
        }));
        const findings = await made.examine();
        expect(brief(findings)).toEqual(["red entry-not-listed", "red host-complains"]);
        expect(findings[1]?.what).toContain("unknown field `zz`");
        sound(findings);
      });

      test("what Codex finds fault with is a flaw, and what it takes is none", async () => {
        const made = started(() => ({}));
        const handler = (more: object) => ({ type: "command", command: PROGRAM, ...more });
        const texts: [string, boolean][] = [
          [JSON.stringify({ description: "d", ...groups(handler({ timeout: 0, zz: 1 })) }), true],
          [JSON.stringify({ hooks: { Zz: [], PreToolUse: [{ matcher: "*", hooks: [handler({})] }] } }), true],
          [`// c\n${JSON.stringify(groups(handler({})))}`, false],
          [`\ufeff${JSON.stringify(groups(handler({})))}`, false],
          [JSON.stringify(groups(handler({}))).replace("}]", "},]"), false],
          [JSON.stringify({ zz: 1, ...groups(handler({})) }), false],
          [`{"hooks":{},${JSON.stringify(groups(handler({}))).slice(1)}`, false],
          [JSON.stringify(groups(handler({ type: "zz" }))), false],
          [JSON.stringify(groups(handler({ type: undefined }))), false],
          [JSON.stringify(groups(handler({ timeout: 1.5 }))), false],
          [JSON.stringify({ hooks: { PreToolUse: [{ matcher: "^(?!x)", hooks: [handler({})] }] } }), false],
        ];
        const path = made.pathOf("user", "hooks.json");
        for (const [text, fine] of texts) {
          put(path, text);
          const file: FoundFile = {
            scope: "user",
            path,
            syntax: "json",
            text,
            ours: [
              {
                native_event: "PreToolUse",
                command: PROGRAM,
                handler: {},
                path: ["hooks", "PreToolUse", 0, "hooks", 0],
              },
            ],
          };
          const place: Place = {
            ...made.place,
            env: { PATH: "/usr/bin:/bin", HOME: made.place.home, CODEX_HOME: join(made.place.home, ".codex") },
          };
          const findings = await checkOf("codex").examine({ place, files: [file], program: codexProgram });
          expect([text, findings.every(({ check }) => check === "untrusted")]).toEqual([text, fine]);
          expect([text, checkOf("codex").flaws(text, path).length === 0]).toEqual([text, fine]);
        }
      });
    },
  );
});
