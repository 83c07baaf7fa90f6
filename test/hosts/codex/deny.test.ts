import { describe, expect, test } from "bun:test";
import { codex } from "../../../src/hosts/codex/index.ts";
import { splitCommand } from "../../../src/protocol/host/quote.ts";
import { pickCell } from "../../../src/protocol/capability.ts";
import { parseAnswer } from "../../../src/hosts/codex/scripts/parse-answer.ts";
import type { HookDescriptor } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { EntrySpec } from "../../../src/protocol/host/install.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { answerCall } from "../../../src/run/run.ts";
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

describe("a denial of Codex by the document", () => {
  test("is possible wherever Codex can be denied something", () => expect(denying.length).toBe(6));

  for (const native_event of denying) {
    test(`${native_event}: denies with exit code 0, which no shell changes`, async () => {
      for (const response of [{ decision: "deny", reason: "R" } as const, FULL]) {
        const { result } = await answer(native_event, response, ...JSON_FLAGS);
        expect([result.exit_code, result.unheard, result.restricts]).toEqual([0, undefined, true]);
        expect(result.stdout).toContain('"R"');
        expect(judgeAnswer(native_event, result, {})).toEqual({ kind: "denied" });
      }
    });
    test(`${native_event}: by exit code it is lost where a shell changes that`, async () => {
      const { result } = await answer(native_event, FULL);
      expect(result.exit_code).toBe(2);
      expect(judgeAnswer(native_event, { ...result, exit_code: 1 }, {}).kind).toBe("broken");
    });
    test(`${native_event}: an empty reason would be a failed hook`, async () => {
      const { result } = await answer(native_event, { decision: "deny", reason: " " }, ...JSON_FLAGS);
      expect(judgeAnswer(native_event, result, {})).toEqual({ kind: "denied" });
    });
  }

  test("a failed call is denied the same way", async () => {
    const argv = ["--host", "codex", "--event", "PreToolUse", "--on-error", "deny", ...JSON_FLAGS];
    const failed = await answerCall([], {}, argv, { env: {}, read: () => "no payload" });
    expect(failed.exit_code).toBe(0);
    expect(judgeAnswer("PreToolUse", failed, {})).toEqual({ kind: "denied" });
  });

  test("a new result after a call replaces the old one", async () => {
    const { result } = await answer("PostToolUse", { modified_output: "new" }, ...JSON_FLAGS);
    expect([result.exit_code, JSON.parse(result.stdout)]).toEqual([0, { decision: "block", reason: "new" }]);
  });

  test("an event without a known document keeps the exit code", () => {
    const { shape } = codex.createUnknownEventRow();
    const given = codex.encodeAnswer({ decision: "deny", reason: "R" }, shape, "New", { codexDeny: "json" });
    expect(given).toMatchObject({ stdout: "", stderr: "R", exit_code: 2 });
  });

  test("what prints before the document leaves the exit code to deny", async () => {
    process.env.LD_SHOW_AUXV = "";
    try {
      const { result } = await answer("PreToolUse", FULL, ...JSON_FLAGS);
      expect([result.exit_code, result.stderr]).toEqual([2, "R\n\nU\n\nC"]);
    } finally {
      delete process.env.LD_SHOW_AUXV;
    }
  });

  test("a script's denial is read from it", async () => {
    const { payload, result } = await answer("PreToolUse", FULL, ...JSON_FLAGS);
    const reading = parseAnswer({ native_event: "PreToolUse", payload }, result);
    expect(reading).toMatchObject(FULL);
  });
});

describe("the entry for Codex", () => {
  const order: EntrySpec = {
    native_event: "SessionEnd",
    program: PROGRAM,
    on_error: "deny",
    scope: "user",
    platform: "win32",
    more: ["--max-continuations", "3"],
  };
  const words = (given: EntrySpec) => splitCommand(String(getSetup("codex").buildHandler(given).command), "sh") ?? [];
  test("on Windows asks for it, before what people added", () => {
    const line = words({ ...order, program: "C:/bridge-hooks.exe" });
    expect(line.slice(line.indexOf("--codex-deny"))).toEqual([
      ...JSON_FLAGS,
      "--timeout-ms",
      "2000",
      "--max-continuations",
      "3",
    ]);
    const spaced = String(getSetup("codex").buildHandler({ ...order, program: "C:/Program Files/b.exe" }).command);
    expect([spaced.startsWith('cmd /d /c "'), spaced.includes(" --codex-deny json")]).toEqual([true, true]);
  });
  test("elsewhere stays as it was, since Codex trusts a command by its text", () => {
    for (const platform of ["linux", "darwin"] as const)
      expect(words({ ...order, platform })).not.toContain("--codex-deny");
  });
});
