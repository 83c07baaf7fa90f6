import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Hook, entryOf } from "../../src/protocol/hook.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { hosts } from "../../src/hosts/index.ts";
import { type CommandMeta, fromCommand } from "../../src/author/kit/script.ts";
import { interpreterOf } from "../../src/author/kit/unpack.ts";
import { keepStateIn } from "../../src/run/continuations.ts";
import { respond } from "../../src/run/run.ts";
import { payloadOf } from "../support/fixtures.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-script-")));
const project = join(folder, "project");
const state = join(folder, "state");
mkdirSync(project);
keepStateIn(state);
afterAll(() => {
  keepStateIn();
  rmSync(folder, { recursive: true, force: true });
});

const put = (name: string, text: string | Uint8Array) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** A module beside the scripts, with what it exports. */
let modules = 0;
async function moduleOf(text: string): Promise<Hook> {
  const file = put(
    `module-${++modules}.ts`,
    `import { fromCommand } from "${join(import.meta.dir, "../../src/author/kit/script.ts")}";\nexport default ${text};\n`,
  );
  return (await import(file)).default as Hook;
}

/** What a host gets of a hook. */
async function answer(hook: Hook, host: string, payload: Payload, flags: readonly string[] = []) {
  const native = ["--host", host, ...flags];
  const { stdout, stderr, exit_code } = await respond([entryOf(hook, "guard")], {}, native, {
    env: {},
    read: () => JSON.stringify(payload),
  });
  return { stdout, stderr, exit_code };
}

// Three guards, as people write them.

put(
  "guard.sh",
  `#!/bin/bash
# No deletion of everything; written for Claude Code.
input=$(cat)
command=$(printf '%s' "$input" | sed -n 's/.*"command":"\\([^"]*\\)".*/\\1/p')
if printf '%s' "$command" | grep -q 'rm -rf'; then
  echo "rm -rf is not allowed here" >&2
  exit 2
fi
exit 0
`,
);
put(
  "answers.awk",
  `#!/usr/bin/awk -f
# A rewrite, a question, a note: as JSON.
/"command":"npm install"/ { print "{\\"hookSpecificOutput\\":{\\"hookEventName\\":\\"PreToolUse\\",\\"permissionDecision\\":\\"allow\\",\\"updatedInput\\":{\\"command\\":\\"npm ci\\"}}}" }
/"command":"git push"/ { print "{\\"hookSpecificOutput\\":{\\"hookEventName\\":\\"PreToolUse\\",\\"permissionDecision\\":\\"ask\\",\\"permissionDecisionReason\\":\\"push?\\"}}" }
/"command":"ls"/ { print "{\\"systemMessage\\":\\"it lists\\"}" }
`,
);
put(
  "cursor.sh",
  `#!/bin/sh
# Written for Cursor's beforeShellExecution.
if grep -q '"command":"rm -rf /"'; then
  echo '{"continue":true,"permission":"deny","user_message":"U","agent_message":"A"}'
else
  echo '{"continue":true,"permission":"allow"}'
fi
`,
);

/** A shell command as each host tells of it before it runs. */
const calls: Readonly<Record<string, (command: string) => Payload>> = {
  claude: (command) => payloadOf("claude", "PreToolUse-Bash", { cwd: project, tool_input: { command } }),
  cursor: (command) =>
    payloadOf("cursor", "preToolUse.Shell", { tool_input: { command, cwd: project }, workspace_roots: [project] }),
  codex: (command) => payloadOf("codex", "PreToolUse-Bash", { cwd: project, tool_input: { command } }),
  gemini: (command) => payloadOf("gemini", "BeforeTool-run_shell_command", { cwd: project, tool_input: { command } }),
  copilot: (command) => payloadOf("copilot", "preToolUse", { cwd: project, toolArgs: { command } }),
  opencode: (command) =>
    payloadOf("opencode", "tool.execute.before.bash", { cwd: project, output: { args: { command } } }),
  openclaw: (command) => payloadOf("openclaw", "before_tool_call-exec", { cwd: project, params: { command } }),
};
const call = (host: string, command: string) => (calls[host] as (command: string) => Payload)(command);
const flags = (host: string) => (host === "copilot" ? ["--event", "preToolUse"] : []);

const REASON = "rm -rf is not allowed here";
/** A denial in the wire format of each host. */
const DENIALS: Readonly<Record<string, object>> = {
  claude: {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: REASON },
  },
  cursor: { permission: "deny", user_message: REASON, agent_message: REASON },
  codex: {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: REASON },
  },
  gemini: { decision: "deny", reason: REASON },
  copilot: { permissionDecision: "deny", permissionDecisionReason: REASON },
  opencode: { deny: REASON },
  openclaw: { block: true, blockReason: REASON },
};

describe("a script that was written for Claude Code", () => {
  test("is obeyed by every host, in its own words", async () => {
    const hook = await moduleOf(`fromCommand("./guard.sh", { host: "claude" })`);
    let obeyed = 0;
    for (const { id, neutral } of hosts) {
      const { stdout, stderr, exit_code } = await answer(hook, id, call(id, "sudo rm -rf /"), flags(id));
      expect([id, JSON.parse(stdout), stderr, exit_code]).toEqual([
        id,
        DENIALS[id] as object,
        REASON,
        id === "cursor" ? 0 : 2,
      ]);
      expect([id, await answer(hook, id, call(id, "ls"), flags(id))]).toEqual([
        id,
        { stdout: neutral, stderr: "", exit_code: 0 },
      ]);
      obeyed++;
    }
    expect(obeyed).toBe(7);
  });

  test("may answer with a document: a rewrite, a question, a message", async () => {
    const hook = await moduleOf(`fromCommand("./answers.awk", { host: "claude" })`);
    const given = async (host: string, command: string) =>
      JSON.parse((await answer(hook, host, call(host, command), flags(host))).stdout || "null");
    const ask = "This needs the user's approval, which";
    expect({
      claude: await given("claude", "npm install"),
      cursor: await given("cursor", "npm install"),
      codex: await given("codex", "npm install"),
      gemini: await given("gemini", "npm install"),
      copilot: await given("copilot", "npm install"),
      opencode: await given("opencode", "npm install"),
      openclaw: await given("openclaw", "npm install"),
    }).toEqual({
      claude: {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: { command: "npm ci" },
        },
      },
      cursor: { permission: "allow", updated_input: { command: "npm ci", cwd: project } },
      codex: {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: { command: "npm ci" },
        },
      },
      gemini: { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { command: "npm ci" } } },
      copilot: { permissionDecision: "allow", modifiedArgs: { command: "npm ci" } },
      opencode: { args: { command: "npm ci" } },
      openclaw: { params: { command: "npm ci" } },
    });
    expect([await given("claude", "git push"), await given("codex", "git push")]).toEqual([
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "ask",
          permissionDecisionReason: "push?",
        },
      },
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: `push?\n${ask} Codex can't ask for here.`,
        },
      },
    ]);
    expect([
      await given("claude", "ls"),
      await given("cursor", "ls"),
      await given("opencode", "ls"),
      await given("claude", "pwd"),
    ]).toEqual([{ systemMessage: "it lists" }, { user_message: "it lists" }, { message: "it lists" }, null]);
  });

  test("is told of every file that one call of another host changes, until it denies", async () => {
    put(
      "paths.sh",
      `#!/bin/bash\ninput=$(cat)\necho "$input" >> ${join(folder, "told.jsonl")}\ncase "$input" in *'"file_path":"/etc/'*) echo "not there" >&2; exit 2;; esac\n`,
    );
    const hook = await moduleOf(`fromCommand("./paths.sh", { host: "claude", tool: ["Write", "Edit"] })`);
    const patch = (file: string) =>
      `*** Begin Patch\n*** Add File: ok.txt\n+a\n*** Delete File: ${file}\n*** Update File: last.txt\n@@\n-a\n+b\n*** End Patch\n`;
    const told = async (file: string) => {
      rmSync(join(folder, "told.jsonl"), { force: true });
      const payload = payloadOf("codex", "PreToolUse-apply_patch", {
        cwd: project,
        tool_input: { command: patch(file) },
      });
      const { exit_code, stderr } = await answer(hook, "codex", payload);
      const lines = readFileSync(join(folder, "told.jsonl"), "utf8").trimEnd().split("\n");
      return [
        exit_code,
        stderr,
        lines.map((line) => JSON.parse(line)).map(({ tool_name, tool_input }) => [tool_name, tool_input.file_path]),
      ];
    };
    expect(await told("gone.txt")).toEqual([
      0,
      "",
      [
        ["Write", "ok.txt"],
        ["Edit", "gone.txt"],
        ["Edit", "last.txt"],
      ],
    ]);
    expect(await told("/etc/passwd")).toEqual([
      2,
      "not there",
      [
        ["Write", "ok.txt"],
        ["Edit", "/etc/passwd"],
      ],
    ]);
  });

  test("may change one of several calls only by a denial", async () => {
    put(
      "changes.sh",
      `#!/bin/sh\necho '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"/tmp/x"}}}'\n`,
    );
    const hook = await moduleOf(`fromCommand("./changes.sh", { host: "claude", tool: "Edit", onError: "deny" })`);
    const { exit_code, stderr } = await answer(
      hook,
      "codex",
      payloadOf("codex", "PreToolUse-apply_patch", { cwd: project }),
    );
    expect([exit_code, stderr]).toEqual([
      2,
      expect.stringContaining("./changes.sh: it changed one of the 2 calls that this is to Claude Code"),
    ]);
  });

  test("is told of other events too", async () => {
    put("notes.sh", "#!/bin/sh\ncat >/dev/null\necho 'remember the tests'\n");
    const hook = await moduleOf(
      `fromCommand("./notes.sh", { host: "claude", event: ["UserPromptSubmit", "SessionStart"] })`,
    );
    const given = async (host: string, file: string) =>
      JSON.parse((await answer(hook, host, payloadOf(host, file))).stdout);
    expect([
      await given("codex", "UserPromptSubmit"),
      await given("gemini", "SessionStart"),
      await given("opencode", "chat.message"),
    ]).toEqual([
      { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "remember the tests" } },
      { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "remember the tests" } },
      { context: "remember the tests" },
    ]);
    put("on.sh", `#!/bin/sh\ngrep -q '"stop_hook_active":false' && echo 'run the tests' >&2 && exit 2\nexit 0\n`);
    const stop = await moduleOf(`fromCommand("./on.sh", { host: "claude", event: "Stop" })`);
    expect(JSON.parse((await answer(stop, "cursor", payloadOf("cursor", "stop"))).stdout)).toEqual({
      followup_message: "run the tests",
    });
    expect(await answer(stop, "cursor", payloadOf("cursor", "stop", { loop_count: 1 }))).toEqual({
      stdout: "{}",
      stderr: "",
      exit_code: 0,
    });
  });
});

describe("a script that was written for another host", () => {
  test("for Cursor, at an event of its own: what it has nothing against is approved by nobody", async () => {
    const hook = await moduleOf(`fromCommand("./cursor.sh", { host: "cursor", at: "beforeShellExecution" })`);
    const { stdout } = await answer(hook, "claude", call("claude", "rm -rf /"));
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: "U",
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "A" },
    });
    expect(await answer(hook, "claude", call("claude", "ls"))).toEqual({ stdout: "", stderr: "", exit_code: 0 });
    expect(await answer(hook, "claude", payloadOf("claude", "PreToolUse-Read"))).toEqual({
      stdout: "",
      stderr: "",
      exit_code: 0,
    });
  });

  test("for every host: it is told in its words, and its own denial counts everywhere", async () => {
    let obeyed = 0;
    for (const { id } of hosts) {
      put(
        `as-${id}.sh`,
        `#!/bin/sh\ncat > ${join(folder, `told-${id}.json`)}\ncat <<'END'\n${JSON.stringify(DENIALS[id])}\nEND\n`,
      );
      const hook = await moduleOf(`fromCommand("./as-${id}.sh", { host: "${id}" })`);
      for (const other of hosts) {
        const { stdout, exit_code } = await answer(hook, other.id, call(other.id, "ls"), flags(other.id));
        expect([id, other.id, JSON.parse(stdout), exit_code]).toEqual([
          id,
          other.id,
          DENIALS[other.id] as object,
          other.id === "cursor" ? 0 : 2,
        ]);
        const told = JSON.parse(readFileSync(join(folder, `told-${id}.json`), "utf8")) as Payload;
        if (other.id === id) expect(told).toEqual(call(id, "ls"));
        expect(JSON.stringify(told)).toContain('"command":"ls"');
        obeyed++;
      }
    }
    expect(obeyed).toBe(49);
  });
});

describe("how it is run", () => {
  const told = async (text: string, meta = "", payload = call("codex", "ls"), host = "codex") => {
    put("looks.sh", `#!/bin/bash\n${text} > ${join(folder, "seen.txt")}\n`);
    const hook = await moduleOf(`fromCommand("./looks.sh", { host: "claude"${meta} })`);
    expect(await answer(hook, host, payload)).toEqual({
      stdout: host === "cursor" ? "{}" : "",
      stderr: "",
      exit_code: 0,
    });
    return readFileSync(join(folder, "seen.txt"), "utf8").trim();
  };
  test("in the session's folder, with the variables of the host that it was written for, and its own", async () => {
    expect(await told('echo "$PWD $CLAUDE_PROJECT_DIR $CLAUDECODE $MINE"', ', env: { MINE: "1" }')).toBe(
      `${project} ${project} 1 1`,
    );
    // The project of the host that calls, wherever it is in it.
    mkdirSync(join(project, "deep"), { recursive: true });
    const cursor = payloadOf("cursor", "preToolUse.Shell", { workspace_roots: [project], cwd: join(project, "deep") });
    expect(await told('echo "$PWD $CLAUDE_PROJECT_DIR"', "", cursor, "cursor")).toBe(
      `${join(project, "deep")} ${project}`,
    );
  });
  test("with the variables of the host itself, where that is the one that calls", async () => {
    process.env.CLAUDE_PROJECT_DIR = "/the/project";
    expect(await told('echo "$CLAUDE_PROJECT_DIR"', "", call("claude", "ls"), "claude")).toBe("/the/project");
    expect(await told('echo "$CLAUDE_PROJECT_DIR"')).toBe(project);
    delete process.env.CLAUDE_PROJECT_DIR;
  });
  test("without variables that make its interpreter run other code", async () => {
    const evil = put("evil.sh", "echo evil; exit 0\n");
    Object.assign(process.env, {
      BASH_ENV: evil,
      ENV: evil,
      "BASH_FUNC_echo%%": "() { builtin echo evil; }",
      NODE_OPTIONS: `--require ${evil}`,
    });
    expect(await told('echo "$BASH_ENV$ENV$NODE_OPTIONS ok"')).toBe("ok");
    for (const name of ["BASH_ENV", "ENV", "BASH_FUNC_echo%%", "NODE_OPTIONS"]) delete process.env[name];
  });
  test("without variables that make Bun, or what the system links in, run other code", async () => {
    const evil = put("evil.js", "process.exit(0);\n");
    put("guard.js", 'console.error("no"); process.exit(2);\n');
    const hook = await moduleOf(`fromCommand(["${realpathSync(process.execPath)}", "./guard.js"], { host: "claude" })`);
    const names =
      "BUN_CONFIG_X LD_LIBRARY_PATH DYLD_X PYTHONX PERL5X RUBYX LUA_INIT PHPRC JAVA_TOOL_OPTIONS NODE_X ZDOTDIR".split(
        " ",
      );
    const all = { BUN_OPTIONS: `--preload=${evil}`, ...Object.fromEntries(names.map((name) => [name, "/nowhere"])) };
    Object.assign(process.env, all);
    try {
      const { stderr, exit_code } = await answer(hook, "codex", call("codex", "ls"));
      expect([exit_code, stderr]).toEqual([2, "no"]);
      const seen = (await told("env")).split("\n").map((line) => line.split("=")[0] as string);
      expect(seen.filter((name) => Object.hasOwn(all, name))).toEqual([]);
      expect(seen).toContain("PATH");
    } finally {
      for (const name of Object.keys(all)) delete process.env[name];
    }
  });
  test("without programs that the project brings onto PATH", async () => {
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
    put("by-env.sh", "#!/usr/bin/env bash\necho no >&2\nexit 2\n");
    const forms = [
      fromCommand("bash -c 'echo no >&2; exit 2' || exit $?", { host: "claude" }),
      fromCommand(["bash", "-c", "echo no >&2; exit 2"], { host: "claude" }),
      await moduleOf(`fromCommand("./by-env.sh", { host: "claude" })`),
    ];
    const { PATH } = process.env;
    const payload = payloadOf("codex", "PreToolUse-Bash", { cwd: deep });
    const places = [bin, join(repository, "..bin"), linked, "../bin", `${deep}/../bin`, relative(process.cwd(), bin)];
    let denied = 0;
    try {
      for (const place of places)
        for (const form of forms) {
          process.env.PATH = `${place}:${PATH}`;
          const { stderr, exit_code } = await answer(form, "codex", payload);
          expect([place, form.files, exit_code, stderr]).toEqual([place, form.files, 2, "no"]);
          denied++;
        }
      expect(denied).toBe(18);
      process.env.PATH = `:${bin}::${beside}:/usr/bin:/bin:`;
      expect(await told('echo "$PATH"', "", payload)).toBe(`${beside}:/usr/bin:/bin`);
      // An empty one is the current folder to some shells.
      process.env.PATH = bin;
      expect(await told('echo "$PATH"', "", payload)).toBe("/usr/bin:/bin");
      // What the hook's author says is meant.
      expect(await told('echo "$PATH"', `, env: { PATH: "${bin}" }`, payload)).toBe(bin);
    } finally {
      process.env.PATH = PATH;
    }
  });
  test("the payload comes in one line, and ends there", async () => {
    expect(await told('read -r line; read -r more; echo "${#line} [$more]"')).toMatch(/^\d{3,} \[\]$/);
  });
  test("where the session's folder is gone, in that of the process", async () => {
    expect(await told('echo "$PWD"', "", payloadOf("codex", "PreToolUse-Bash", { cwd: join(folder, "nowhere") }))).toBe(
      process.cwd(),
    );
  });
  test("a line for the shell, a program with arguments, and files of the module's folder among them", async () => {
    put("rules.txt", "rm -rf\n");
    const line = fromCommand(`grep -q 'rm -rf' && { echo "$0 no" >&2; exit 2; } || exit 0`, { host: "claude" });
    expect((await answer(line, "codex", call("codex", "rm -rf /"))).stderr).toEndWith(" no");
    const list = await moduleOf(
      `fromCommand(["sh", "-c", 'grep -qf "$1" && { echo "no" >&2; exit 2; } || exit 0', "sh", "./rules.txt"], { host: "claude" })`,
    );
    expect(list.files).toEqual(["./rules.txt"]);
    expect([
      (await answer(list, "codex", call("codex", "rm -rf /"))).stderr,
      (await answer(list, "codex", call("codex", "ls"))).exit_code,
    ]).toEqual(["no", 0]);
    const words = await moduleOf(`fromCommand("./guard.sh --strict 'a b'", { host: "claude" })`);
    expect((await answer(words, "codex", call("codex", "rm -rf /"))).stderr).toBe(REASON);
  });
});

describe("how it fails", () => {
  /** What comes of a failure under the policy to deny, and under the one to allow. */
  async function failure(hook: Hook, more: string[] = []) {
    const denied = await answer(hook, "claude", call("claude", "ls"), ["--on-error", "deny", ...more]);
    const allowed = await answer(hook, "claude", call("claude", "ls"), more);
    expect([denied.exit_code, allowed.exit_code, allowed.stdout]).toEqual([2, 1, ""]);
    expect(JSON.parse(denied.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
    return allowed.stderr.replace(/^bridge-hooks: claude PreToolUse: hook "guard" failed: /, "");
  }
  const script = async (text: string, more = "") => {
    put(`fails-${modules}.sh`, text);
    return moduleOf(`fromCommand("./fails-${modules}.sh", { host: "claude"${more} })`);
  };

  test("no such file", async () => {
    const hook = await moduleOf(`fromCommand("./none.sh", { host: "claude" })`);
    expect(await failure(hook)).toBe(
      `./none.sh: there is no file ${join(folder, "none.sh")}; put it there, or build the executable anew`,
    );
  });
  test("no such program", async () => {
    expect(await failure(fromCommand(["no-such-program"], { host: "claude" }))).toBe(
      "no-such-program: there is no program no-such-program; install it, or name it by its full path",
    );
    expect(await failure(fromCommand("no-such-program --x", { host: "claude" }))).toMatch(
      /^no-such-program --x: it, or a program that it needs, was not found \(.*no-such-program: .*not found\); install that$/,
    );
  });
  test("no such interpreter", async () => {
    expect(await failure(await script("#!/no/such/interpreter\n"))).toMatch(
      /^\.\/fails-\d+\.sh: there is no program \/no\/such\/interpreter; install it/,
    );
    expect(await failure(await script("#!/usr/bin/env no-such-interpreter\n"))).toContain(
      "was not found (/usr/bin/env: ",
    );
  });
  test("not executable", async () => {
    const file = put("plain", "text");
    expect(await failure(fromCommand([file], { host: "claude" }))).toBe(
      `${file}: ${file} is no program that may be run; make it executable`,
    );
    expect(await failure(fromCommand(file, { host: "claude" }))).toMatch(
      /may not be run \(.*Permission denied\); make that executable$/,
    );
  });
  test("another exit code", async () => {
    expect(await failure(await script("#!/bin/sh\necho boom >&2\nexit 1\n"))).toMatch(
      /^\.\/fails-\d+\.sh: it exited with code 1 \(boom\); it has to answer as a hook of Claude Code does$/,
    );
    // Where its own host blocks then, that is what it means.
    put("copilot.sh", "#!/bin/sh\nexit 1\n");
    const { stdout } = await answer(
      await moduleOf(`fromCommand("./copilot.sh", { host: "copilot" })`),
      "claude",
      call("claude", "ls"),
    );
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "it exited with code 1",
    });
  });
  test("a signal", async () => {
    expect(await failure(await script("#!/bin/sh\nkill -SEGV $$\n"))).toContain(
      "a signal ended it; fix what makes it crash",
    );
  });
  test("no JSON, and text in front of it", async () => {
    expect(await failure(await script(`#!/bin/sh\necho '{"decision": "bl'\n`))).toContain(
      "its stdout begins as a document, but is no JSON",
    );
    expect(
      await failure(await script(`#!/bin/sh\necho checking\necho '{"decision":"block","reason":"R"}'\n`)),
    ).toContain(
      "it printed text before its answer, and Claude Code reads none of the two then; print the answer alone",
    );
  });
  test("more output than an answer can be", async () => {
    expect(await failure(await script("#!/bin/sh\nhead -c 2000000 /dev/zero | tr '\\0' x\nsleep 20\n"))).toContain(
      "it printed more than 1048576 bytes; ",
    );
    expect(await failure(await script("#!/bin/sh\nhead -c 2000000 /dev/zero >&2\n"))).toContain(
      "it printed more than 1048576 bytes; ",
    );
  });
  test("it hangs: the deadline ends it, and what it started", async () => {
    const mark = join(folder, "pids.txt");
    const hook = await script(
      `#!/bin/bash\ntrap '' TERM\n(trap '' TERM; sleep 61) &\necho $! $$ > ${mark}\nsleep 61\n`,
    );
    expect(await failure(hook, ["--timeout-ms", "1000"])).toMatch(/^it took longer than \d+ ms$/);
    const isAlive = (pid: string) => {
      try {
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    await Bun.sleep(100);
    const pids = readFileSync(mark, "utf8").trim().split(" ");
    expect([pids.length, pids.filter(isAlive)]).toEqual([2, []]);
  });
  test("it reads no stdin, however long that is: no failure at all", async () => {
    const hook = await script("#!/bin/sh\necho no >&2\nexit 2\n");
    const { stderr, exit_code } = await answer(hook, "codex", call("codex", `echo ${"x".repeat(500_000)}`));
    expect([exit_code, stderr]).toEqual([2, "no"]);
  });
  test("something in the background keeps the pipe open: the answer is there all the same, and it goes on", async () => {
    const [go, mark] = [join(folder, "go"), join(folder, "later.txt")];
    const hook = await script(
      `#!/bin/bash\n(until [ -e ${go} ]; do sleep 0.05; done; echo done > ${mark}) &\necho no >&2\nexit 2\n`,
    );
    const { stderr, exit_code } = await answer(hook, "codex", call("codex", "ls"));
    expect([exit_code, stderr]).toEqual([2, "no"]);
    writeFileSync(go, "");
    for (let tries = 0; tries < 200 && !existsSync(mark); tries++) await Bun.sleep(50);
    await Bun.sleep(20);
    expect(readFileSync(mark, "utf8")).toBe("done\n");
  });
  test("what it does not say to other hosts", async () => {
    put("output.sh", `#!/bin/sh\necho '{"modifiedPrompt":"other words"}'\n`);
    const hook = await moduleOf(`fromCommand("./output.sh", { host: "copilot", event: "UserPromptSubmit" })`);
    const { stderr, exit_code } = await answer(hook, "codex", payloadOf("codex", "UserPromptSubmit"));
    expect([exit_code, stderr]).toEqual([
      1,
      expect.stringContaining('it answered with "modifiedPrompt", for which other hosts have no word; deny,'),
    ]);
  });
});

describe("what fromCommand takes", () => {
  const meta = { host: "claude" } as CommandMeta;
  const wrong: [what: string, make: () => Hook, message: string][] = [
    [
      "a host that there is not",
      () => fromCommand("./x.sh", { host: "clod" }),
      'there is no host "clod"; known: claude, cursor, ',
    ],
    [
      "a slip of a field",
      () => fromCommand("./x.sh", { hots: "claude" } as never),
      'there is no field "hots"; did you mean host?',
    ],
    [
      "another slip",
      () => fromCommand("./x.sh", { ...meta, fils: ["./y"] } as never),
      'there is no field "fils"; did you mean files?',
    ],
    [
      "a field of nobody",
      () => fromCommand("./x.sh", { ...meta, zzzzzz: 1 } as never),
      'there is no field "zzzzzz"; known: host, at, files, env, name, ',
    ],
    [
      "no host",
      () => fromCommand("./x.sh", {} as never),
      '"host" is missing: name the host that the command was written for; known: claude',
    ],
    ["nothing", () => fromCommand("", meta), "there is no command; give a line"],
    ["an empty list", () => fromCommand([], meta), "there is no command; give a line"],
    ["another folder", () => fromCommand("./../x.sh", meta), "./../x.sh is not in the module's folder"],
    [
      "a file of another folder",
      () => fromCommand("./x.sh", { ...meta, files: ["/etc/passwd"] }),
      "/etc/passwd is not in the module's folder",
    ],
    [
      "a path of the project",
      () => fromCommand("hooks/x.sh", meta),
      "hooks/x.sh could be another file in each project; write ./name",
    ],
    ["a path above", () => fromCommand("../x.sh", meta), "../x.sh could be another file in each project"],
    [
      "more than a program",
      () => fromCommand("./x.sh | tee log", meta),
      '"./x.sh | tee log" is more than a program and its arguments; put it into a script',
    ],
    [
      "an event that there is not",
      () => fromCommand("./x.sh", { ...meta, at: "preToolUse" }),
      'Claude Code tells of no PreToolUse at "preToolUse"',
    ],
    [
      "an event about something else",
      () => fromCommand("./x.sh", { ...meta, at: "Stop" }),
      'Claude Code tells of no PreToolUse at "Stop"',
    ],
  ];
  for (const [what, make, message] of wrong) test(`not ${what}`, () => expect(make).toThrow(`fromCommand: ${message}`));

  test("not a file beside the module by its bare name, but a program that is called as one", async () => {
    for (const name of ["bare.sh", "env"]) chmodSync(put(name, "#!/bin/sh\n"), 0o755);
    const meant =
      'fromCommand: there is no program bare.sh on PATH; did you mean "./bare.sh", the file beside the module?';
    for (const command of ['"bare.sh"', '"bare.sh --strict"', '["bare.sh"]'])
      await expect(moduleOf(`fromCommand(${command}, { host: "claude" })`)).rejects.toThrow(meant);
    for (const command of ['"env"', '"elsewhere.sh"', '"./bare.sh"', '"sh bare.sh"'])
      expect((await moduleOf(`fromCommand(${command}, { host: "claude" })`)).event).toBe("PreToolUse");
  });

  test("all that a hook may say, and keeps it", () => {
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

describe("in an executable", () => {
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
    readdirSync(join(state, "scripts"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith("guard.sh"))
      .map((name) => join(state, "scripts", name));
  let place = "";
  const denial = async (of: Hook) => (await answer(of, "codex", call("codex", "ls"))).stderr;

  test("the files come from it, and not from the module's folder", async () => {
    expect(await denial(carrying("no"))).toBe("no sourced");
    expect(scripts().length).toBe(1);
    place = scripts()[0] as string;
    expect([statSync(place).mode & 0o777, statSync(join(place, "..")).mode & 0o777]).toEqual([0o700, 0o700]);
  });
  test("a file that somebody changed, or put a link in the place of, is written anew", async () => {
    writeFileSync(place, "#!/bin/bash\nexit 0\n");
    expect(await denial(carrying("no"))).toBe("no sourced");
    writeFileSync(join(place, "../lib/words.sh"), "exit 0\n");
    expect(await denial(carrying("no"))).toBe("no sourced");
    const other = put("other.sh", new TextDecoder().decode(guard("no")));
    rmSync(place);
    symlinkSync(other, place);
    expect([await denial(carrying("no")), statSync(place, { throwIfNoEntry: true }).isFile()]).toEqual([
      "no sourced",
      true,
    ]);
    expect(readFileSync(other, "utf8")).toContain("lib/words.sh");
  });
  test("what somebody put beside them is taken away, and nothing that a link leads to", async () => {
    const beside = join(place, "..");
    const own = join(folder, "own");
    mkdirSync(own);
    writeFileSync(join(own, "words.sh"), "WORD=linked\n");
    const plant: Record<string, () => void> = {
      "a file": () => writeFileSync(join(beside, "json.py"), ""),
      "a folder": () => mkdirSync(join(beside, "lib/__pycache__/x"), { recursive: true }),
      "a link": () => symlinkSync(own, join(beside, "node_modules")),
      "a link in a folder's place": () => {
        rmSync(join(beside, "lib"), { recursive: true });
        symlinkSync(own, join(beside, "lib"));
      },
      "a link in the place of all": () => {
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
  test("what is there is not written again", async () => {
    const before = statSync(place).mtimeMs;
    await Bun.sleep(20);
    expect(await denial(carrying("no"))).toBe("no sourced");
    expect(statSync(place).mtimeMs).toBe(before);
  });
  test("other files have another folder", async () => {
    expect(await denial(carrying("never"))).toBe("never sourced");
    expect(scripts().length).toBe(2);
  });
  test("where nothing can be written, it fails", async () => {
    const file = put("no-folder", "");
    keepStateIn(file);
    const { stderr, exit_code } = await answer(carrying("no"), "codex", call("codex", "ls"));
    keepStateIn(state);
    expect([exit_code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^.*\.\/guard\.sh, \.\/lib\/words\.sh can't be put into .*; make the state directory writable$/,
      ),
    ]);
  });

  test("a script is run by the interpreter that it names", () => {
    const words = (text: string, platform?: NodeJS.Platform) => interpreterOf(bytes(text), platform);
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
    expect(interpreterOf(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0]))).toEqual([]);
  });
  test("a program is no text, and runs itself", async () => {
    const program = readFileSync(realpathSync("/bin/false"));
    const own = fromCommand("./false", { host: "claude" });
    const { stderr, exit_code } = await answer(
      (own.carrying as NonNullable<Hook["carrying"]>)({ "./false": program }),
      "claude",
      call("claude", "ls"),
    );
    expect([exit_code, stderr]).toEqual([1, expect.stringContaining("./false: it exited with code 1; ")]);
  });
  test("a script needs no permission to be run", async () => {
    chmodSync(join(folder, "guard.sh"), 0o600);
    expect(await denial(await moduleOf(`fromCommand("./guard.sh", { host: "claude" })`))).toBe("");
  });
});
