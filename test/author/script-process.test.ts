import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fromCommand } from "../../src/author/kit/script.ts";
import type { Hook } from "../../src/protocol/hook.ts";
import { getPayload } from "../support/fixtures.ts";
import {
  folder,
  projectFolder,
  writeScript,
  moduleCount,
  importModule,
  respondAsHost,
  buildShellPayload,
  REASON,
  useTestState,
} from "./script-support.ts";
import { scaleMs, waitFor } from "../support/machine.ts";

useTestState();

describe("a script runs", () => {
  const told = async (text: string, meta = "", payload = buildShellPayload("codex", "ls"), host = "codex") => {
    writeScript("looks.sh", `#!/bin/bash\n${text} > ${join(folder, "seen.txt")}\n`);
    const hook = await importModule(`fromCommand("./looks.sh", { host: "claude"${meta} })`);
    expect(await respondAsHost(hook, host, payload)).toEqual({
      stdout: host === "cursor" ? "{}" : "",
      stderr: "",
      exit_code: 0,
    });
    return readFileSync(join(folder, "seen.txt"), "utf8").trim();
  };
  test("in the session's directory, with its host's variables and its own", async () => {
    expect(await told('echo "$PWD $CLAUDE_PROJECT_DIR $CLAUDECODE $MINE"', ', env: { MINE: "1" }')).toBe(
      `${projectFolder} ${projectFolder} 1 1`,
    );
    // A script's project is the calling host's project, even if the call runs in one of its subdirectories.
    mkdirSync(join(projectFolder, "deep"), { recursive: true });
    const cursor = getPayload("cursor", "preToolUse.Shell", {
      workspace_roots: [projectFolder],
      cwd: join(projectFolder, "deep"),
    });
    expect(await told('echo "$PWD $CLAUDE_PROJECT_DIR"', "", cursor, "cursor")).toBe(
      `${join(projectFolder, "deep")} ${projectFolder}`,
    );
  });
  test("with the real variables if its own host makes the call", async () => {
    process.env.CLAUDE_PROJECT_DIR = "/the/project";
    expect(await told('echo "$CLAUDE_PROJECT_DIR"', "", buildShellPayload("claude", "ls"), "claude")).toBe(
      "/the/project",
    );
    expect(await told('echo "$CLAUDE_PROJECT_DIR"')).toBe(projectFolder);
    delete process.env.CLAUDE_PROJECT_DIR;
  });
  test("without variables that make its interpreter run other code", async () => {
    const evil = writeScript("evil.sh", "echo evil; exit 0\n");
    Object.assign(process.env, {
      BASH_ENV: evil,
      ENV: evil,
      "BASH_FUNC_echo%%": "() { builtin echo evil; }",
      NODE_OPTIONS: `--require ${evil}`,
    });
    expect(await told('echo "$BASH_ENV$ENV$NODE_OPTIONS ok"')).toBe("ok");
    for (const name of ["BASH_ENV", "ENV", "BASH_FUNC_echo%%", "NODE_OPTIONS"]) delete process.env[name];
  });
  test("without variables that make Bun or the dynamic linker run other code", async () => {
    const evil = writeScript("evil.js", "process.exit(0);\n");
    writeScript("guard.js", 'console.error("no"); process.exit(2);\n');
    const hook = await importModule(
      `fromCommand(["${realpathSync(process.execPath)}", "./guard.js"], { host: "claude" })`,
    );
    const names =
      "BUN_CONFIG_X LD_LIBRARY_PATH DYLD_X PYTHONX PERL5X RUBYX LUA_INIT PHPRC JAVA_TOOL_OPTIONS NODE_X ZDOTDIR".split(
        " ",
      );
    const all = { BUN_OPTIONS: `--preload=${evil}`, ...Object.fromEntries(names.map((name) => [name, "/nowhere"])) };
    Object.assign(process.env, all);
    try {
      const { stderr, exit_code } = await respondAsHost(hook, "codex", buildShellPayload("codex", "ls"));
      expect([exit_code, stderr]).toEqual([2, "no"]);
      const seen = (await told("env")).split("\n").map((line) => line.split("=")[0] as string);
      expect(seen.filter((name) => Object.hasOwn(all, name))).toEqual([]);
      expect(seen).toContain("PATH");
    } finally {
      for (const name of Object.keys(all)) delete process.env[name];
    }
  });
  test("without programs that the project puts on PATH", async () => {
    const repository = join(folder, "repository");
    const [bin, deep, linked, beside] = [
      join(repository, "bin"),
      join(repository, "deep"),
      join(folder, "linked"),
      join(folder, "repository-2"),
    ];
    for (const made of [bin, deep, beside, join(repository, ".git"), join(repository, "..bin")])
      mkdirSync(made, { recursive: true });
    writeFileSync(join(repository, ".git/HEAD"), "ref: refs/heads/main\n");
    for (const place of [bin, join(repository, "..bin")])
      for (const name of ["bash", "grep"]) writeFileSync(join(place, name), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    symlinkSync(bin, linked);
    writeScript("by-env.sh", "#!/usr/bin/env bash\necho no >&2\nexit 2\n");
    const forms = [
      fromCommand("bash -c 'echo no >&2; exit 2' || exit $?", { host: "claude" }),
      fromCommand(["bash", "-c", "echo no >&2; exit 2"], { host: "claude" }),
      await importModule(`fromCommand("./by-env.sh", { host: "claude" })`),
    ];
    const { PATH } = process.env;
    const payload = getPayload("codex", "PreToolUse-Bash", { cwd: deep });
    const places = [bin, join(repository, "..bin"), linked, "../bin", `${deep}/../bin`, relative(process.cwd(), bin)];
    let denied = 0;
    try {
      for (const place of places)
        for (const form of forms) {
          process.env.PATH = `${place}:${PATH}`;
          const { stderr, exit_code } = await respondAsHost(form, "codex", payload);
          expect([place, form.files, exit_code, stderr]).toEqual([place, form.files, 2, "no"]);
          denied++;
        }
      expect(denied).toBe(18);
      process.env.PATH = `:${bin}::${beside}:/usr/bin:/bin:`;
      expect(await told('echo "$PATH"', "", payload)).toBe(`${beside}:/usr/bin:/bin`);
      // Some shells treat an empty PATH entry as the current directory.
      process.env.PATH = bin;
      expect(await told('echo "$PATH"', "", payload)).toBe("/usr/bin:/bin");
      // A PATH set by the hook's author is used unchanged.
      expect(await told('echo "$PATH"', `, env: { PATH: "${bin}" }`, payload)).toBe(bin);
    } finally {
      process.env.PATH = PATH;
    }
  });
  test("with the payload on one line, followed by the end of stdin", async () => {
    expect(await told('read -r line; read -r more; echo "${#line} [$more]"')).toMatch(/^\d{3,} \[\]$/);
  });
  test("in the current directory if the session's directory is gone", async () => {
    expect(
      await told('echo "$PWD"', "", getPayload("codex", "PreToolUse-Bash", { cwd: join(folder, "nowhere") })),
    ).toBe(process.cwd());
  });
  test("as a shell command or a program with arguments, which may name files in its module's directory", async () => {
    writeScript("rules.txt", "rm -rf\n");
    const line = fromCommand(`grep -q 'rm -rf' && { echo "$0 no" >&2; exit 2; } || exit 0`, { host: "claude" });
    expect((await respondAsHost(line, "codex", buildShellPayload("codex", "rm -rf /"))).stderr).toEndWith(" no");
    const list = await importModule(
      `fromCommand(["sh", "-c", 'grep -qf "$1" && { echo "no" >&2; exit 2; } || exit 0', "sh", "./rules.txt"], { host: "claude" })`,
    );
    expect(list.files).toEqual(["./rules.txt"]);
    expect([
      (await respondAsHost(list, "codex", buildShellPayload("codex", "rm -rf /"))).stderr,
      (await respondAsHost(list, "codex", buildShellPayload("codex", "ls"))).exit_code,
    ]).toEqual(["no", 0]);
    const words = await importModule(`fromCommand("./guard.sh --strict 'a b'", { host: "claude" })`);
    expect((await respondAsHost(words, "codex", buildShellPayload("codex", "rm -rf /"))).stderr).toBe(REASON);
  });
});

describe("a script", () => {
  /** Returns the answers to a failure, first with the policy "deny", then with "allow". */
  async function failure(hook: Hook, more: string[] = []) {
    const denied = await respondAsHost(hook, "claude", buildShellPayload("claude", "ls"), [
      "--on-error",
      "deny",
      ...more,
    ]);
    const allowed = await respondAsHost(hook, "claude", buildShellPayload("claude", "ls"), more);
    expect([denied.exit_code, allowed.exit_code, allowed.stdout]).toEqual([2, 1, ""]);
    expect(JSON.parse(denied.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
    return allowed.stderr.replace(/^bridge-hooks: claude PreToolUse: hook "guard" failed: /, "");
  }
  const script = async (text: string, more = "") => {
    writeScript(`fails-${moduleCount}.sh`, text);
    return importModule(`fromCommand("./fails-${moduleCount}.sh", { host: "claude"${more} })`);
  };

  test("fails if it is missing", async () => {
    const hook = await importModule(`fromCommand("./none.sh", { host: "claude" })`);
    expect(await failure(hook)).toBe(
      `./none.sh: no such file: ${join(folder, "none.sh")}; restore it or rebuild the executable`,
    );
  });
  test("fails if its program is missing", async () => {
    expect(await failure(fromCommand(["no-such-program"], { host: "claude" }))).toBe(
      'no-such-program: program "no-such-program" not found; install it or use its full path',
    );
    expect(await failure(fromCommand("no-such-program --x", { host: "claude" }))).toMatch(
      /^no-such-program --x: the command or a program that it runs was not found \(.*no-such-program: .*not found\); install the program$/,
    );
  });
  test("fails if its interpreter is missing", async () => {
    expect(await failure(await script("#!/no/such/interpreter\n"))).toMatch(
      /^\.\/fails-\d+\.sh: program "\/no\/such\/interpreter" not found; install it/,
    );
    expect(await failure(await script("#!/usr/bin/env no-such-interpreter\n"))).toContain(
      "was not found (/usr/bin/env: ",
    );
  });
  test("fails if it is not executable and not in the module's directory", async () => {
    const file = writeScript("plain", "text");
    expect(await failure(fromCommand([file], { host: "claude" }))).toBe(
      `${file}: ${file} is not an executable file; make it executable`,
    );
    expect(await failure(fromCommand(file, { host: "claude" }))).toMatch(
      /is not executable \(.*Permission denied\); make it executable$/,
    );
  });
  test("fails with an exit code that its host doesn't define, and denies with a blocking exit code", async () => {
    expect(await failure(await script("#!/bin/sh\necho boom >&2\nexit 1\n"))).toMatch(
      /^\.\/fails-\d+\.sh: it exited with code 1 \(boom\); the answer must be in the format of a Claude Code hook$/,
    );
    // Exit code 1 makes the script's own host block the call, so the script means to deny.
    writeScript("copilot.sh", "#!/bin/sh\nexit 1\n");
    const { stdout } = await respondAsHost(
      await importModule(`fromCommand("./copilot.sh", { host: "copilot" })`),
      "claude",
      buildShellPayload("claude", "ls"),
    );
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "it exited with code 1",
    });
  });
  test("fails if a signal ends it", async () => {
    expect(await failure(await script("#!/bin/sh\nkill -SEGV $$\n"))).toContain(
      "it was killed by a signal; fix the crash",
    );
  });
  test("fails if it prints invalid JSON, or text before its answer", async () => {
    expect(await failure(await script(`#!/bin/sh\necho '{"decision": "bl'\n`))).toContain(
      "its stdout starts like a document, but is not JSON that Claude Code accepts",
    );
    expect(
      await failure(await script(`#!/bin/sh\necho checking\necho '{"decision":"block","reason":"R"}'\n`)),
    ).toContain("it printed text before its answer, so Claude Code reads neither; print only the answer");
  });
  test("fails if it prints more than the maximum size of an answer", async () => {
    expect(await failure(await script("#!/bin/sh\nhead -c 2000000 /dev/zero | tr '\\0' x\nsleep 20\n"))).toContain(
      "it printed more than 1048576 bytes; ",
    );
    expect(await failure(await script("#!/bin/sh\nhead -c 2000000 /dev/zero >&2\n"))).toContain(
      "it printed more than 1048576 bytes; ",
    );
  });
  test("is ended at the deadline with its child processes if it hangs", async () => {
    const mark = join(folder, "pids.txt");
    const hook = await script(
      `#!/bin/bash\ntrap '' TERM\n(trap '' TERM; sleep 61) &\necho $! $$ > ${mark}\nsleep 61\n`,
    );
    expect(await failure(hook, ["--timeout-ms", String(scaleMs(500))])).toMatch(/^it took longer than \d+ ms$/);
    const isAlive = (pid: string) => {
      try {
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    const pids = readFileSync(mark, "utf8").trim().split(" ");
    expect(pids.length).toBe(2);
    await waitFor(() => !pids.some(isAlive), "the end of both processes");
  });
  test("need not read stdin, however long the payload is", async () => {
    const hook = await script("#!/bin/sh\necho no >&2\nexit 2\n");
    const { stderr, exit_code } = await respondAsHost(
      hook,
      "codex",
      buildShellPayload("codex", `echo ${"x".repeat(500_000)}`),
    );
    expect([exit_code, stderr]).toEqual([2, "no"]);
  });
  test("may leave a background process, which neither delays the answer nor is ended", async () => {
    const [go, mark] = [join(folder, "go"), join(folder, "later.txt")];
    const hook = await script(
      `#!/bin/bash\n(until [ -e ${go} ]; do sleep 0.05; done; echo done > ${mark}) &\necho no >&2\nexit 2\n`,
    );
    const { stderr, exit_code } = await respondAsHost(hook, "codex", buildShellPayload("codex", "ls"));
    expect([exit_code, stderr]).toEqual([2, "no"]);
    writeFileSync(go, "");
    expect(await waitFor(() => existsSync(mark) && readFileSync(mark, "utf8"), mark)).toBe("done\n");
  });
  test("fails if its answer has a field that no other host can express", async () => {
    writeScript("output.sh", `#!/bin/sh\necho '{"modifiedPrompt":"other words"}'\n`);
    const hook = await importModule(`fromCommand("./output.sh", { host: "copilot", event: "UserPromptSubmit" })`);
    const { stderr, exit_code } = await respondAsHost(hook, "codex", getPayload("codex", "UserPromptSubmit"));
    expect([exit_code, stderr]).toEqual([
      1,
      expect.stringContaining('it answered with "modifiedPrompt", which no other host supports; deny,'),
    ]);
  });
});
