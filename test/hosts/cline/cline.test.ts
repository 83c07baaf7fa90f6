import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DENIAL_PREFIX, getGateShape, HARMLESS_INPUTS_BY_SHAPE } from "../../../src/hosts/cline/denials.ts";
import { decodeToolCall } from "../../../src/hosts/cline/call.ts";
import { cline } from "../../../src/hosts/cline/index.ts";
import { setup } from "../../../src/hosts/cline/install.ts";
import type { ConfigFile, OwnFormat } from "../../../src/protocol/host/install.ts";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import { commandsIn } from "../../../src/shell/index.ts";
import { getPayload } from "../../support/fixtures.ts";
import { decodePayload } from "../decode-support.ts";

const call = (name: string, input: unknown) =>
  getPayload("cline", "PreToolUse-run_commands", { tool_call: { id: "call_0001", name, input } });
const decode = (name: string, input: unknown) => decodePayload("cline", call(name, input)).input;
const rewrite = (name: string, input: unknown, patch: object) =>
  cline.rewriteInput(decodePayload("cline", call(name, input)), { ...patch }, undefined);

describe("a call with several items", () => {
  test("is one event that contains all items", () => {
    expect(decode("run_commands", { commands: ["cd /tmp", "rm -rf *"] })).toEqual({
      command: "bash -c 'cd /tmp'\nbash -c 'rm -rf *'",
    });
    expect(decode("read_files", { files: ["a b", { path: ".env", start_line: 2 }] })).toEqual({
      file_path: "a b .env",
      file_paths: ["a b", ".env"],
    });
    expect(decode("search_codebase", { queries: ["a", "b"] })).toEqual({ pattern: "a|b" });
    expect(decode("fetch_web_content", { requests: [{ url: "u" }, { url: "v", prompt: "p" }] })).toEqual({
      url: "u v",
      prompt: "p",
    });
  });

  test("has each command in a separate shell, whatever the other commands contain", () => {
    const { command } = decode("run_commands", { commands: ["echo 'x", "rm -rf /"] }) as { command: string };
    expect(commandsIn(command).map(({ program }) => program)).toContain("rm");
  });

  test("has a document's lines together, as Cline runs them", () => {
    expect(decode("run_commands", { commands: ["bash <<'E'", "rm -rf \\", "/", "E", "ls"] })).toEqual({
      command: "bash -c 'bash <<'\\''E'\\''\nrm -rf \\\n/\nE'\nbash -c 'ls'",
    });
    expect(decode("run_commands", { commands: ["cat <<E", "never ends"] })).toEqual({
      command: "bash -c 'cat <<E'\nbash -c 'never ends'",
    });
  });

  test("can be written in every form that Cline accepts", () => {
    const forms: [string, unknown, object][] = [
      ["run_commands", "ls", { command: "ls" }],
      ["run_commands", ["ls"], { command: "ls" }],
      ["run_commands", { commands: "ls" }, { command: "ls" }],
      ["run_commands", { command: "ls" }, { command: "ls" }],
      ["run_commands", { cmd: "ls" }, { command: "ls" }],
      ["run_commands", { command: "rm", args: ["-rf", "a b"] }, { command: "rm -rf 'a b'" }],
      ["run_commands", { commands: { command: "rm", args: ["x"] } }, { command: "rm x" }],
      ["run_commands", { commands: [] }, { command: "" }],
      ["read_files", "a", { file_path: "a" }],
      ["read_files", ["a", { start_line: 1, end_line: 2 }], { file_path: "a" }],
      ["read_files", { paths: ["a"] }, { file_path: "a" }],
      ["read_files", { filePath: "a", start_line: 3, end_line: 5 }, { file_path: "a", offset: 3, limit: 3 }],
      ["search_codebase", "a", { pattern: "a" }],
    ];
    for (const [name, input, expected] of forms)
      expect([name, input, decode(name, input)]).toEqual([name, input, expected]);
  });

  test("is rejected if an item can't be parsed, or if two of its forms differ", () => {
    const strange: [string, unknown, string][] = [
      ["run_commands", {}, "commands is missing"],
      ["run_commands", null, "commands is missing"],
      ["run_commands", { commands: [3] }, "commands is number"],
      ["run_commands", { commands: ["ls"], command: 3 }, "command is number"],
      ["read_files", { path: "a", file_path: "b" }, "differ"],
    ];
    for (const [name, input, message] of strange) expect(() => decodeToolCall(name, input)).toThrow(message);
    // Neither of the two input forms may hide the other.
    expect(decode("run_commands", { commands: ["ls"], command: "rm x" })).toEqual({
      command: "bash -c 'ls'\nbash -c 'rm x'",
    });
  });
});

describe("a rewrite", () => {
  test("is the complete input, in the form described to the model", () => {
    const cases: [string, unknown, object, object][] = [
      ["run_commands", { command: "ls" }, { command: "pwd" }, { commands: ["pwd"] }],
      ["run_commands", { commands: ["a", "b"] }, { command: "pwd" }, { commands: ["pwd"] }],
      ["read_files", "a", { file_path: "b" }, { files: [{ path: "b" }] }],
      ["search_codebase", { queries: ["a"] }, { pattern: "b" }, { queries: ["b"] }],
      ["editor", { path: "a", new_text: "x" }, { content: "y" }, { path: "a", new_text: "y" }],
      ["tiny__echo", { text: "a" }, { arguments: { text: "b" } }, { text: "b" }],
    ];
    for (const [name, input, patch, expected] of cases)
      expect([name, rewrite(name, input, patch)]).toEqual([name, { input: expected } as never]);
  });

  test("of one among several files is rejected, so the call is denied", () => {
    expect(rewrite("read_files", ["a", "b"], { file_path: "c" })).toEqual({
      unsupported: expect.stringContaining("has 2 items"),
    });
  });
});

describe("a denial", () => {
  const { HOME } = process.env;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-cline-")));
  const before = process.cwd();
  beforeAll(() => {
    process.env.HOME = join(folder, "home");
    mkdirSync(join(folder, "project/.clinerules/hooks"), { recursive: true });
    mkdirSync(join(folder, "home/.cline/hooks"), { recursive: true });
    process.chdir(join(folder, "project"));
  });
  afterAll(() => {
    process.chdir(before);
    process.env.HOME = HOME;
    rmSync(folder, { recursive: true, force: true });
  });
  const deny = (name: string) => {
    const row = getCapabilityRow(cline, "PreToolUse", call(name, {}));
    const answer = cline.encodeAnswer({ decision: "deny", reason: "R" }, row.shape, "PreToolUse", {});
    return { ...answer, document: JSON.parse(answer.stdout.replace("HOOK_CONTROL\t", "")) as Record<string, unknown> };
  };

  test("is a harmless different input for each known tool, and ends the run for any other tool", () => {
    for (const name of [
      "run_commands",
      "read_files",
      "search_codebase",
      "fetch_web_content",
      "editor",
      "apply_patch",
    ]) {
      const { document, exit_code, stdout } = deny(name);
      expect([name, exit_code, stdout.startsWith("HOOK_CONTROL\t{")]).toEqual([name, 0, true]);
      expect([name, document.contextModification, document.cancel]).toEqual([name, `${DENIAL_PREFIX}R`, undefined]);
      expect(JSON.stringify(document.overrideInput)).toContain("R");
    }
    expect(deny("spawn_agent").document).toEqual({ overrideInput: null, contextModification: `${DENIAL_PREFIX}R` });
    for (const name of ["tiny__echo", "team_status", "later_tool", "constructor"])
      expect([name, deny(name).document]).toEqual([name, { cancel: true, errorMessage: "R" }]);
    expect(getGateShape(undefined)).toBe("cancel");
  });

  test("contains an input that the same tool treats as harmless, however long the reason is", () => {
    const reason = "x'\n$(touch pwned)".repeat(1_000);
    for (const build of Object.values(HARMLESS_INPUTS_BY_SHAPE))
      expect(JSON.stringify(build(reason)).length).toBeLessThan(400);
    expect(
      () => new RegExp((HARMLESS_INPUTS_BY_SHAPE.queries("a)") as { queries: string[] }).queries[0] as string),
    ).toThrow();
    expect(
      () => new URL((HARMLESS_INPUTS_BY_SHAPE.requests("a b") as { requests: { url: string }[] }).requests[0]!.url),
    ).not.toThrow();
  });

  test("ends the run if another script could restore the input", () => {
    const ours = join(folder, "home/.cline/hooks/PreToolUse.sh");
    const other = join(folder, "project/.clinerules/hooks/PreToolUse");
    writeFileSync(ours, "ours\n");
    expect(deny("run_commands").document.cancel).toBeUndefined();
    writeFileSync(other, "ours\n");
    expect(deny("run_commands").document.cancel).toBeUndefined();
    writeFileSync(other, "theirs\n");
    expect(deny("run_commands").document).toEqual({ cancel: true, errorMessage: "R" });
    rmSync(other);
    // Cline doesn't run links, another event's script, or a file whose name merely starts with an event's name.
    symlinkSync(ours, other);
    writeFileSync(join(folder, "project/.clinerules/hooks/PostToolUse"), "theirs\n");
    writeFileSync(join(folder, "project/.clinerules/hooks/PreToolUse.txt"), "theirs\n");
    expect(deny("run_commands").document.cancel).toBeUndefined();
  });
});

describe("a script", () => {
  const place = { home: "/h", roots: ["/p"], env: {}, platform: "linux" as const };
  const files = setup.listConfigFiles(place);
  const file = files.find(({ path }) => path === "/h/.cline/hooks/PreToolUse.sh");
  const { read, write } = (file as ConfigFile).syntax as OwnFormat;

  test("is ours if it runs our command and nothing else", () => {
    const json = '{"hooks":{"PreToolUse":[{"command":"/x/bridge-hooks --host cline"}]}}';
    expect(write(json)).toBe(
      '#!/bin/sh\n# Written by "bridge-hooks install --host cline", which overwrites it: do not edit it.\n# "bridge-hooks uninstall --host cline" removes it.\nexec /x/bridge-hooks --host cline\n',
    );
    expect(read(write(json))).toBe(json);
    expect(write("{}")).toBe("");
    for (const text of ["#!/bin/sh\nexec cat\n", "echo a\nexec /x/bridge-hooks --host cline\n", "", "{}"])
      expect([text, read(text)]).toEqual([text, undefined]);
  });

  test("has a path for each event, in the user's and the project's directory", () => {
    expect(files.filter(({ target }) => target).map(({ path }) => path)).toEqual(
      ["/h/.cline/hooks", "/p/.clinerules/hooks"].flatMap((folder) =>
        Object.keys(cline.capabilities).map((event) => `${folder}/${event}.sh`),
      ),
    );
  });
});
