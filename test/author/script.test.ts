import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type CommandMeta, fromCommand } from "../../src/author/kit/script.ts";
import { parseInterpreter } from "../../src/author/kit/command-argv.ts";
import type { Hook } from "../../src/protocol/hook.ts";
import { setStateDirectory } from "../../src/call/state/state-directory.ts";
import {
  folder,
  stateFolder,
  writeScript,
  importModule,
  respondAsHost,
  buildShellPayload,
  useTestState,
} from "./script-support.ts";

useTestState();

describe("fromCommand", () => {
  const meta = { host: "claude" } as CommandMeta;
  const wrong: [what: string, make: () => Hook, message: string][] = [
    ["an unknown host", () => fromCommand("./x.sh", { host: "clod" }), 'unknown host "clod"; known: claude, cursor, '],
    [
      "a misspelled field",
      () => fromCommand("./x.sh", { hots: "claude" } as never),
      'unknown field "hots"; did you mean host?',
    ],
    [
      "another misspelled field",
      () => fromCommand("./x.sh", { ...meta, fils: ["./y"] } as never),
      'unknown field "fils"; did you mean files?',
    ],
    [
      "an unknown field",
      () => fromCommand("./x.sh", { ...meta, zzzzzz: 1 } as never),
      'unknown field "zzzzzz"; known: host, at, files, env, name, ',
    ],
    [
      "a missing host",
      () => fromCommand("./x.sh", {} as never),
      '"host" is missing; set the host that the command was written for; known: claude',
    ],
    ["an empty command", () => fromCommand("", meta), "no command; pass a command line"],
    ["an empty list", () => fromCommand([], meta), "no command; pass a command line"],
    [
      "a path into another directory",
      () => fromCommand("./../x.sh", meta),
      "./../x.sh is outside the module's directory",
    ],
    [
      "a file in another directory",
      () => fromCommand("./x.sh", { ...meta, files: ["/etc/passwd"] }),
      "/etc/passwd is outside the module's directory",
    ],
    [
      "a path relative to the project",
      () => fromCommand("hooks/x.sh", meta),
      "hooks/x.sh could be a different file in each project; use ./name",
    ],
    [
      "a path to the parent directory",
      () => fromCommand("../x.sh", meta),
      "../x.sh could be a different file in each project",
    ],
    [
      "a relative path in a pipeline",
      () => fromCommand("./x.sh | tee log", meta),
      '"./x.sh | tee log" is not a single program with arguments; move it to a script',
    ],
    [
      "an event that the host lacks",
      () => fromCommand("./x.sh", { ...meta, at: "preToolUse" }),
      'Claude Code doesn\'t send PreToolUse as "preToolUse"',
    ],
    [
      "an event of another kind",
      () => fromCommand("./x.sh", { ...meta, at: "Stop" }),
      'Claude Code doesn\'t send PreToolUse as "Stop"',
    ],
  ];
  for (const [what, make, message] of wrong)
    test(`rejects ${what}`, () => expect(make).toThrow(`fromCommand: ${message}`));

  test("rejects the bare name of a file next to the module, unless a program on PATH has that name", async () => {
    for (const name of ["bare.sh", "env"]) chmodSync(writeScript(name, "#!/bin/sh\n"), 0o755);
    const meant = `fromCommand: program "bare.sh" not found on PATH; did you mean "./bare.sh", the file in the module's directory?`;
    for (const command of ['"bare.sh"', '"bare.sh --strict"', '["bare.sh"]'])
      await expect(importModule(`fromCommand(${command}, { host: "claude" })`)).rejects.toThrow(meant);
    for (const command of ['"env"', '"elsewhere.sh"', '"./bare.sh"', '"sh bare.sh"'])
      expect((await importModule(`fromCommand(${command}, { host: "claude" })`)).event).toBe("PreToolUse");
  });

  test("keeps every field of a hook", () => {
    const { handler, carrying, ...rest } = fromCommand("./x.sh", {
      host: "claude",
      name: "n",
      description: "d",
      tool: "Bash",
      matcher: "Bash(git *)",
      order: 1,
      onError: "deny",
      timeoutMs: 9,
      files: ["./lib/y.sh"],
    });
    expect([typeof handler, typeof carrying]).toEqual(["function", "function"]);
    expect(rest).toEqual({
      event: "PreToolUse",
      name: "n",
      description: "d",
      tool: "Bash",
      matcher: "Bash(git *)",
      order: 1,
      onError: "deny",
      timeoutMs: 9,
      files: ["./x.sh", "./lib/y.sh"],
    });
    expect(fromCommand("true", { host: "codex", event: ["Stop", "SessionEnd"] })).toEqual({
      event: ["Stop", "SessionEnd"],
      handler: expect.any(Function),
    });
  });
});

describe("a script in an executable", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const guard = (reason: string) =>
    bytes(`#!/bin/bash\n. "$(dirname "$0")/lib/words.sh"\necho "${reason} $WORD" >&2\nexit 2\n`);
  const hook = fromCommand("./guard.sh", { host: "claude", files: ["./lib/words.sh"] });
  const carrying = (reason: string) =>
    (hook.carrying as NonNullable<Hook["carrying"]>)({
      "./guard.sh": guard(reason),
      "./lib/words.sh": bytes("WORD=sourced\n"),
    });
  const scripts = () =>
    readdirSync(join(stateFolder, "scripts"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith("guard.sh"))
      .map((name) => join(stateFolder, "scripts", name));
  let place = "";
  const denial = async (of: Hook) => (await respondAsHost(of, "codex", buildShellPayload("codex", "ls"))).stderr;

  test("runs from files embedded in the executable", async () => {
    expect(await denial(carrying("no"))).toBe("no sourced");
    expect(scripts().length).toBe(1);
    place = scripts()[0] as string;
    expect([statSync(place).mode & 0o777, statSync(join(place, "..")).mode & 0o777]).toEqual([0o700, 0o700]);
  });
  test("is written again if its file was changed or replaced with a link", async () => {
    writeFileSync(place, "#!/bin/bash\nexit 0\n");
    expect(await denial(carrying("no"))).toBe("no sourced");
    writeFileSync(join(place, "../lib/words.sh"), "exit 0\n");
    expect(await denial(carrying("no"))).toBe("no sourced");
    const other = writeScript("other.sh", new TextDecoder().decode(guard("no")));
    rmSync(place);
    symlinkSync(other, place);
    expect([await denial(carrying("no")), statSync(place, { throwIfNoEntry: true }).isFile()]).toEqual([
      "no sourced",
      true,
    ]);
    expect(readFileSync(other, "utf8")).toContain("lib/words.sh");
  });
  test("has foreign files next to it removed, but not a link's target", async () => {
    const beside = join(place, "..");
    const own = join(folder, "own");
    mkdirSync(own);
    writeFileSync(join(own, "words.sh"), "WORD=linked\n");
    const plant: Record<string, () => void> = {
      "a file": () => writeFileSync(join(beside, "json.py"), ""),
      "a folder": () => mkdirSync(join(beside, "lib/__pycache__/x"), { recursive: true }),
      "a link": () => symlinkSync(own, join(beside, "node_modules")),
      "a link in place of a directory": () => {
        rmSync(join(beside, "lib"), { recursive: true });
        symlinkSync(own, join(beside, "lib"));
      },
      "a link in place of the whole directory": () => {
        rmSync(beside, { recursive: true });
        symlinkSync(own, beside);
      },
    };
    for (const [what, how] of Object.entries(plant)) {
      how();
      expect([what, await denial(carrying("no"))]).toEqual([what, "no sourced"]);
      expect([what, readdirSync(beside, { recursive: true, encoding: "utf8" }).sort()]).toEqual([
        what,
        ["guard.sh", "lib", "lib/words.sh"],
      ]);
      expect(readFileSync(join(own, "words.sh"), "utf8")).toBe("WORD=linked\n");
    }
  });
  test("is not written again if it is unchanged", async () => {
    const before = new Date(1_000_000_000_000);
    utimesSync(place, before, before);
    expect(await denial(carrying("no"))).toBe("no sourced");
    expect(statSync(place).mtime).toEqual(before);
  });
  test("gets a different directory if its content differs", async () => {
    expect(await denial(carrying("never"))).toBe("never sourced");
    expect(scripts().length).toBe(2);
  });
  test("fails if the state directory can't be written", async () => {
    const file = writeScript("no-folder", "");
    setStateDirectory(file);
    const { stderr, exit_code } = await respondAsHost(carrying("no"), "codex", buildShellPayload("codex", "ls"));
    setStateDirectory(stateFolder);
    expect([exit_code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^.*\.\/guard\.sh, \.\/lib\/words\.sh can't be unpacked to .*; make the state directory writable$/,
      ),
    ]);
  });

  test("runs with the interpreter that it names", () => {
    const words = (text: string, platform?: NodeJS.Platform) => parseInterpreter(bytes(text), platform);
    expect([
      words("#!/bin/bash\n"),
      words("#! /bin/bash -eu\r\n"),
      words("#!/usr/bin/env -S python3 -u\n"),
      words("echo\n"),
    ]).toEqual([["/bin/bash"], ["/bin/bash", "-eu"], ["/usr/bin/env", "-S python3 -u"], ["/bin/sh"]]);
    expect([words("#!/usr/bin/env -S python3 -u\n", "win32"), words("#!/bin/bash -e\n", "win32")]).toEqual([
      ["python3", "-u"],
      ["bash", "-e"],
    ]);
    expect(parseInterpreter(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0]))).toEqual([]);
  });
  test("runs directly if it is a binary", async () => {
    const program = readFileSync(realpathSync("/bin/false"));
    const own = fromCommand("./false", { host: "claude" });
    const { stderr, exit_code } = await respondAsHost(
      (own.carrying as NonNullable<Hook["carrying"]>)({ "./false": program }),
      "claude",
      buildShellPayload("claude", "ls"),
    );
    expect([exit_code, stderr]).toEqual([1, expect.stringContaining("./false: it exited with code 1; ")]);
  });
  test("needs no execute permission", async () => {
    chmodSync(join(folder, "guard.sh"), 0o600);
    expect(await denial(await importModule(`fromCommand("./guard.sh", { host: "claude" })`))).toBe("");
  });
});
