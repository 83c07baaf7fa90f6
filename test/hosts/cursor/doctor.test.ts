import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { reportReleaseSpecificCells } from "../../../src/hosts/setup/findings.ts";
import { hosts } from "../../../src/hosts/index.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { Finding } from "../../../src/protocol/host/install.ts";
import {
  writeTestFile,
  PROGRAM,
  buildSpecificOutput,
  DENY,
  failClosedEntry,
  testVerdicts,
  cursorEntry,
  testFlaws,
  createMachine,
  summarizeFindings,
  expectSoundFindings,
} from "../check-support.ts";

testVerdicts([
  ["cursor", "preToolUse", "a document", '{"permission":"deny"}', "", 0, {}, "denied"],
  ["cursor", "preToolUse", "exit code 2 and allow", '{"permission":"allow"}', "", 2, {}, "denied"],
  ["cursor", "preToolUse", "a text before the document", 'log {x\n{"permission":"deny","a":{}}', "", 0, {}, "denied"],
  ["cursor", "preToolUse", "two documents", '{"permission":"allow"}\n{"permission":"deny"}', "", 0, {}, "denied"],
  ["cursor", "preToolUse", "a byte order mark", '\ufeff{"permission":"deny"}', "", 0, {}, "denied"],
  ["cursor", "preToolUse", "Claude Code's form", buildSpecificOutput(DENY), "", 0, {}, "passed"],
  ["cursor", "preToolUse", "ask", '{"permission":"ask"}', "", 0, {}, "passed"],
  ["cursor", "preToolUse", "nothing", "", "", 0, {}, "passed"],
  ["cursor", "preToolUse", "nothing, failClosed", "", "", 0, failClosedEntry, "broken failClosed"],
  ["cursor", "preToolUse", "no JSON", "hello", "", 0, {}, "broken for safety"],
  ["cursor", "preToolUse", "a text after the document", '{"permission":"deny"}\nlog', "", 0, {}, "broken for safety"],
  ["cursor", "preToolUse", "a list", "[]", "", 0, {}, "broken for safety"],
  ["cursor", "preToolUse", "another permission", '{"permission":"maybe"}', "", 0, {}, "broken for safety"],
  ["cursor", "preToolUse", "a message that is not a string", '{"user_message":7}', "", 0, {}, "broken for safety"],
  ["cursor", "preToolUse", "the document with exit code 1", '{"permission":"deny"}', "", 1, {}, "broken continues"],
  ["cursor", "preToolUse", "exit code 1, failClosed", "", "", 1, failClosedEntry, "broken failClosed"],
  ["cursor", "preToolUse", "a signal", "", "", null, {}, "broken killed"],
  [
    "cursor",
    "preToolUse",
    "a long context, failClosed",
    JSON.stringify({ additional_context: "x".repeat(10_001) }),
    "",
    0,
    failClosedEntry,
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
  ["cursor", "beforeSubmitPrompt", "no JSON", "hello", "", 0, {}, "broken continues"],
  ["cursor", "stop", "the form of others", '{"decision":"block","reason":"R"}', "", 0, {}, "denied"],
  ["cursor", "stop", "exit code 2", "", "no", 2, {}, "passed"],
  ["cursor", "stop", "exit code 1, failClosed", "", "", 1, failClosedEntry, "broken continues"],
]);

testFlaws([
  ["cursor", "hooks.json", '{"version":"1"}', "version", '"1"'],
  ["cursor", "hooks.json", '{"version":1,"hooks":{"stop":null}}', "hooks.stop", "null"],
  ["cursor", "hooks.json", '{"version":1,"hooks":{"stop":[{}]}}', "a command is missing", "{}"],
  ["cursor", "hooks.json", '{"version":1,"hooks":{},}', "trailing comma", ",}"],
  ["cursor", "hooks.json", '\ufeff{"version":1}', "BOM"],
  ["cursor", "hooks.json", '{"hooks":{}}', '"version": 1 is missing'],
  ["cursor", "hooks.json", '{"version":1,"hooks":{"zz":[]}}', "not an event in any known release"],
  ["cursor", "hooks.json", cursorEntry('"timeout":0'), "timeout", "0}"],
  ["cursor", "hooks.json", cursorEntry('"timeout":-1'), "timeout", "-1"],
  ["cursor", "hooks.json", cursorEntry('"timeout":"5"'), "timeout", '"5"'],
  ["cursor", "hooks.json", cursorEntry('"matcher":"("'), "not a valid pattern", '"("'],
  ["cursor", "hooks.json", '{"version":1', "not valid JSON"],
]);

describe("doctor for cursor", () => {
  const HOOKS = (handler: Payload) => ({ version: 1, hooks: { preToolUse: [handler] } });
  const imported = (root: string, command = PROGRAM, matcher: string | undefined = "Bash") =>
    writeTestFile(join(root, ".claude/settings.json"), {
      hooks: { PreToolUse: [{ matcher, hooks: [{ type: "command", command: `${command} --host claude` }] }] },
    });

  test("reports nothing for a valid installation", async () => {
    const { examine, ours, pathOf } = createMachine("cursor");
    writeTestFile(pathOf("user"), HOOKS(ours("preToolUse")));
    expect(await examine()).toEqual([]);
  });

  test("reports a project's config that is a link", async () => {
    const { examine, ours, pathOf, base, root } = createMachine("cursor");
    const target = join(base, "dotfiles/hooks.json");
    writeTestFile(target, HOOKS(ours("preToolUse")));
    for (const scope of ["user", "project"]) {
      mkdirSync(dirname(pathOf(scope)), { recursive: true });
      symlinkSync(target, pathOf(scope));
    }
    // Cursor reads the user's file through a link, so only the project's is reported.
    const findings = await examine();
    expect(summarizeFindings(findings)).toEqual(["red linked-config"]);
    expect(findings[0]?.what).toContain(pathOf("project"));
    expectSoundFindings(findings);
    rmSync(join(root, ".cursor"), { recursive: true });
    symlinkSync(dirname(target), join(root, ".cursor"));
    expect((await examine())[0]?.what).toStartWith(join(root, ".cursor is"));
  });

  test("notes imported entries next to Cursor's own", async () => {
    const { examine, ours, pathOf, root } = createMachine("cursor");
    writeTestFile(pathOf("user"), HOOKS(ours("preToolUse")));
    imported(root);
    const findings = await examine();
    expect(summarizeFindings(findings)).toEqual(["note imported-entries"]);
    expect(findings[0]?.impact).toContain(pathOf("user"));
    expectSoundFindings(findings);
  });

  test("notes imported entries without Cursor's own, with the command to install", async () => {
    const { examine, root } = createMachine("cursor");
    imported(root, process.execPath);
    const findings = await examine();
    expect(summarizeFindings(findings)).toEqual(["note imported-entries"]);
    expect(findings[0]?.fix).toContain("install --host cursor");
    expectSoundFindings(findings);
  });

  test("ignores imported entries of other programs, or in a form that Cursor does not read", async () => {
    const { examine, root, ours, pathOf } = createMachine("cursor");
    writeTestFile(pathOf("user"), HOOKS(ours("preToolUse")));
    imported(root, "/usr/bin/other");
    expect(await examine()).toEqual([]);
    writeTestFile(join(root, ".claude/settings.json"), {
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command: PROGRAM }] }] },
    });
    expect(await examine()).toEqual([]);
  });

  test("notes what an old release lacks according to the table", async () => {
    const { examine } = createMachine("cursor");
    const findings = await examine({ version: "1.7.2" });
    expect(summarizeFindings(findings)).toEqual(["note old-row", "note old-row"]);
    expect(findings[0]?.what).toContain("preToolUse");
    expect(findings[1]?.what).toContain("beforeShellExecution, beforeMCPExecution");
    for (const { what } of findings) expect(what).toContain('permission "ask"');
    expect(await examine({ version: "3.1.0" })).toEqual([]);
    expectSoundFindings(findings);
  });

  test("reports a release that would drop the file for an unknown event", async () => {
    const { examine, ours, pathOf } = createMachine("cursor");
    const file = (...events: string[]) =>
      writeTestFile(pathOf("user"), {
        version: 1,
        hooks: Object.fromEntries(events.map((event) => [event, [ours(event)]])),
      });
    const found = async (...releases: string[]) =>
      (await examine({ releases })).filter(({ check }) => check === "old-release");
    file("preToolUse", "beforeShellExecution");
    const old = ["1.7.52", "2.3.41", "2026.01.17-d239e66", "2025.11.25-d5b3271"];
    for (const version of old)
      expect([version, (await found(version)).map(({ level }) => level)]).toEqual([version, ["red"]]);
    for (const version of ["2.4.0", "2.4.21", "3.18.25", "10.0.0", "2026.01.23-916f423", "2026.09.10-fd3934a"])
      expect([version, await found(version)]).toEqual([version, []]);
    expect(await found()).toEqual([]);
    // The editor and its command-line tool read the same file.
    const [finding, ...more] = await found("2026.09.10-fd3934a", "2.3.41");
    expect(more).toEqual([]);
    expect(finding?.what).toBe("Cursor 2.3.41 does not support preToolUse, introduced in 2.4.0");
    expectSoundFindings([finding as Finding]);
    file("beforeShellExecution", "stop");
    expect(await found("1.7.52")).toEqual([]);
  });

  test("reports nothing for a release that no row covers", () => {
    for (const { capabilities, id } of hosts)
      expect([id, reportReleaseSpecificCells(capabilities, undefined)]).toEqual([id, []]);
  });
});
