import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { crush } from "../../../src/hosts/crush/index.ts";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import type { CallEvent } from "../../../src/protocol/event.ts";
import {
  createMachine,
  expectSoundFindings,
  getCheck,
  getSetup,
  summarizeFindings,
  testFlaws,
  testVerdicts,
  writeTestFile,
} from "../check-support.ts";

testVerdicts([
  ["crush", "PreToolUse", "exit code 2", "", "no", 2, {}, "denied"],
  ["crush", "PreToolUse", "exit code 49, which ends the turn", "", "no", 49, {}, "denied"],
  ["crush", "PreToolUse", "a document", '{"decision":"deny","reason":"R"}', "", 0, {}, "denied"],
  ["crush", "PreToolUse", "a document that ends the turn", '{"halt":true}', "", 0, {}, "denied"],
  ["crush", "PreToolUse", "a document with exit code 1", '{"decision":"deny"}', "", 1, {}, "broken code 1"],
  ["crush", "PreToolUse", "a text before the document", 'log\n{"decision":"deny"}', "", 0, {}, "passed"],
  ["crush", "PreToolUse", "allow", '{"decision":"allow"}', "", 0, {}, "passed"],
  ["crush", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
]);

const entry = (fields: string) => `{"hooks":{"PreToolUse":[{${fields}}]}}`;

testFlaws([
  ["crush", "crush.json", "{", "rejects the whole config"],
  ["crush", "crush.json", '\ufeff{"hooks":{}}', "BOM"],
  ["crush", "crush.json", '{"hooks":{"PreToolUse":{}}}', "rejects the whole config", "{}"],
  ["crush", "crush.json", entry('"matcher":"bash"'), "a command is missing"],
  ["crush", "crush.json", entry('"hooks":[{"type":"command","command":"x"}]'), "a command is missing"],
  ["crush", "crush.json", entry('"command":"x","timeout":"9"'), "number of seconds", '"9"'],
  ["crush", "crush.json", entry('"command":"x","matcher":"(?!a)"'), "look-around isn't supported", '"(?!a)"'],
]);

describe("for crush,", () => {
  const install = (name = "crush.json") => {
    const made = createMachine("crush");
    const path = join(dirname(made.pathOf("project")), name);
    writeTestFile(path, { hooks: { PreToolUse: [made.ours("PreToolUse", "project")] } });
    return { ...made, path };
  };

  test("comments, trailing commas and others' entries are accepted", () => {
    const text = '{/* c */"providers":{},"hooks":{"pre_tool_use":[{"name":"n","command":"x"},]}}';
    expect(getCheck("crush").findConfigProblems(text, "/x/crush.json")).toEqual([]);
    expect(getSetup("crush").parseEntries(text, "/x/crush.json")).toMatchObject([
      { native_event: "PreToolUse", command: "x" },
    ]);
  });

  test("config files are listed by scope", () => {
    const paths = (env: Record<string, string>) =>
      getSetup("crush")
        .listConfigFiles({ roots: ["/p"], home: "/h", platform: "linux", env })
        .map(({ scope, path, target, instead }) => `${scope} ${path}${target ? " *" : ""}${instead ? " instead" : ""}`);
    const project = ["project /p/crush.json *", "project /p/.crush.json instead"];
    expect(paths({})).toEqual(["user /h/.config/crush/crush.json *", ...project]);
    expect(paths({ XDG_CONFIG_HOME: "/x" })).toEqual(["user /x/crush/crush.json *", ...project]);
    expect(paths({ CRUSH_GLOBAL_CONFIG: "/g" })).toEqual(["user /g/crush.json *", ...project]);
  });

  test("doctor notes subagents, fail-open behavior, and a script next to the config", async () => {
    expect(await createMachine("crush").examine()).toEqual([]);
    const made = install();
    const findings = await made.examine();
    expectSoundFindings(findings);
    expect(summarizeFindings(findings)).toEqual(["note unreported-subagents", "note fails-open"]);
    writeTestFile(join(dirname(made.path), ".crushrc"), "hook add x\n");
    expect(summarizeFindings(await made.examine())).toEqual([
      "note unreported-subagents",
      "note config-script",
      "note fails-open",
    ]);
  });

  test("a rewrite that removes a field is rejected, because Crush would keep it", () => {
    const payload = {
      event: "PreToolUse",
      session_id: "s",
      cwd: "/p",
      tool_name: "bash",
      tool_input: { command: "ls", working_dir: "/x" },
    };
    const { event } = crush.decodePayload(payload, "PreToolUse", getCapabilityRow(crush, "PreToolUse"));
    const rewrite = (patch: object) => crush.rewriteInput(event as CallEvent, { ...patch }, undefined);
    expect(rewrite({ command: "pwd" })).toEqual({ input: { command: "pwd", working_dir: "/x" } });
    expect(rewrite({ cwd: null })).toEqual({ unsupported: expect.stringContaining('keeps the field "working_dir"') });
  });
});
