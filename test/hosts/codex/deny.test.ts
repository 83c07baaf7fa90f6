import { describe, expect, test } from "bun:test";
import { codex } from "../../../src/hosts/codex/index.ts";
import { splitCommand } from "../../../src/protocol/host/quote.ts";
import { pickCell } from "../../../src/protocol/capability.ts";
import { parseAnswer } from "../../../src/hosts/codex/read-answers.ts";
import type { HookDescriptor } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { EntrySpec } from "../../../src/protocol/host/install.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { answerCall } from "../../support/answer-call.ts";
import { getCheck, getSetup, PROGRAM } from "../check-support.ts";

const { judgeAnswer, getProbePayload } = getCheck("codex");
const denying = Object.entries(codex.capabilities)
  .filter(([, row]) => pickCell(row().deny, undefined).support === "native")
  .map(([name]) => name);

async function answer(native_event: string, response: IHookResponse, ...flags: string[]) {
  const event = codex.capabilities[native_event]?.().event ?? "Native";
  const hook: HookDescriptor = {
    name: "hook",
    events: [event],
    load: async () => ({ event: [event], handler: () => response }),
  };
  const payload = getProbePayload(native_event) as Payload;
  const argv = ["--host", "codex", "--event", native_event, ...flags];
  return { payload, result: await answerCall([hook], {}, argv, { env: {}, read: () => payload }) };
}

const JSON_FLAGS = ["--codex-deny", "json"];
const FULL = { decision: "deny", reason: "R", user_message: "U", additional_context: "C" } as const;

describe("with --codex-deny json, a denial", () => {
  test("is possible for six events", () => expect(denying.length).toBe(6));

  for (const native_event of denying) {
    test(`at ${native_event} is enforced with exit code 0`, async () => {
      for (const response of [{ decision: "deny", reason: "R" } as const, FULL]) {
        const { result } = await answer(native_event, response, ...JSON_FLAGS);
        expect([result.exit_code, result.exitCodeIfStderrClosed, result.restricts]).toEqual([0, undefined, true]);
        expect(result.stdout).toContain('"R"');
        expect(judgeAnswer(native_event, result, {})).toEqual({ kind: "denied" });
      }
    });
    test(`at ${native_event} is enforced if a shell would change exit code 2`, async () => {
      const { result } = await answer(native_event, FULL);
      expect(result.exit_code).toBe(2);
      expect(judgeAnswer(native_event, { ...result, exit_code: 1 }, {}).kind).toBe("broken");
    });
    test(`at ${native_event} is enforced with an empty reason`, async () => {
      const { result } = await answer(native_event, { decision: "deny", reason: " " }, ...JSON_FLAGS);
      expect(judgeAnswer(native_event, result, {})).toEqual({ kind: "denied" });
    });
  }

  test("of a failed call is enforced with exit code 0", async () => {
    const argv = ["--host", "codex", "--event", "PreToolUse", "--on-error", "deny", ...JSON_FLAGS];
    const failed = await answerCall([], {}, argv, { env: {}, read: () => "no payload" });
    expect(failed.exit_code).toBe(0);
    expect(judgeAnswer("PreToolUse", failed, {})).toEqual({ kind: "denied" });
  });

  test("after a call contains a new result", async () => {
    const { result } = await answer("PostToolUse", { modified_output: "new" }, ...JSON_FLAGS);
    expect([result.exit_code, JSON.parse(result.stdout)]).toEqual([0, { decision: "block", reason: "new" }]);
  });

  test("at an unknown event keeps exit code 2", () => {
    const { shape } = codex.createUnknownEventRow();
    const given = codex.encodeAnswer({ decision: "deny", reason: "R" }, shape, "New", { codexDeny: "json" });
    expect(given).toMatchObject({ stdout: "", stderr: "R", exit_code: 2 });
  });

  test("falls back to exit code 2 if the loader prints before the document", async () => {
    process.env.LD_SHOW_AUXV = "";
    try {
      const { result } = await answer("PreToolUse", FULL, ...JSON_FLAGS);
      expect([result.exit_code, result.stderr]).toEqual([2, "R\n\nC"]);
    } finally {
      delete process.env.LD_SHOW_AUXV;
    }
  });

  test("from a script is parsed with all its texts", async () => {
    const { payload, result } = await answer("PreToolUse", FULL, ...JSON_FLAGS);
    const reading = parseAnswer({ native_event: "PreToolUse", payload }, result);
    expect(reading).toMatchObject(FULL);
  });
});

describe("an entry for Codex", () => {
  const order: EntrySpec = {
    native_event: "SessionEnd",
    program: PROGRAM,
    on_error: "deny",
    scope: "user",
    platform: "win32",
    more: ["--max-continuations", "3"],
  };
  const words = (given: EntrySpec) => splitCommand(String(getSetup("codex").buildHandler(given).command), "sh") ?? [];
  test("has --codex-deny json on Windows, before the user's own flags", () => {
    const line = words({ ...order, program: "C:/bridge-hooks.exe" });
    expect(line.slice(line.indexOf("--codex-deny"))).toEqual([...JSON_FLAGS, "--max-continuations", "3"]);
    const spaced = String(getSetup("codex").buildHandler({ ...order, program: "C:/Program Files/b.exe" }).command);
    expect([spaced.startsWith('cmd /d /c "'), spaced.includes(" --codex-deny json")]).toEqual([true, true]);
  });
  test("has no such flag on other systems, because Codex trusts a command by its text", () => {
    for (const platform of ["linux", "darwin"] as const)
      expect(words({ ...order, platform })).not.toContain("--codex-deny");
  });
});
