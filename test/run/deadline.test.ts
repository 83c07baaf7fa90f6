import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILD_MS, placeExecutable } from "../support/executables.ts";
import { getPayload, ROOT } from "../support/fixtures.ts";
import { pickRepresentatives } from "../support/fuzz.ts";
import { scaleMs } from "../support/machine.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-deadline-"));
const guard = join(folder, "guard");
/** The time of a call, in which the hook that works has to end: so long as it would be 300 ms on a quiet machine. */
const TIME_MS = scaleMs(300);
/** The answer itself shows that the deadline ended the call. A call that takes this long was ended by nothing. */
const HANG_MS = scaleMs(10_000);

const hanging = join(folder, "hanging");

beforeAll(async () => {
  await placeExecutable("test/support/faulty-hooks", guard);
  await placeExecutable("test/support/hanging-hooks", hanging);
}, BUILD_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  stdout: string;
  stderr: string;
  code: number | null;
  /** Until all pipes were closed. */
  ms: number;
}

interface How {
  env?: Record<string, string>;
  argv?: readonly string[];
  /** Milliseconds before anything is read. */
  slow?: number;
  /** Milliseconds for the call. */
  time?: number;
  /** Stderr is closed from the start. */
  mute?: boolean;
  /** Nobody reads stdout. */
  deaf?: boolean;
}

function once(
  args: readonly string[],
  input: string,
  { env = {}, argv = [guard], slow = 0, mute = false, deaf = false, time = TIME_MS }: How,
): Promise<Ended> {
  return new Promise((resolve) => {
    const started = performance.now();
    const [program = guard, ...words] = mute ? ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", ...argv] : argv;
    const child = spawn(program, [...words, ...args, ...(args[0] === "--host" ? ["--timeout-ms", String(time)] : [])], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
      timeout: 2 * HANG_MS,
    });
    const ended: Ended = { stdout: "", stderr: "", code: null, ms: 0 };
    child.stdout.on("data", (chunk) => (ended.stdout += chunk));
    if (slow > 0) child.stdout.pause();
    if (deaf) child.stdout.destroy();
    setTimeout(() => child.stdout.resume(), slow);
    child.stderr.on("data", (chunk) => (ended.stderr += chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("close", (code) => resolve({ ...ended, code, ms: performance.now() - started }));
  });
}

async function call(args: readonly string[], input: string, how: How = {}): Promise<Ended> {
  const ended = await once(args, input, how);
  expect(ended.ms).toBeLessThan(HANG_MS);
  return ended;
}

const shell = (host: string, command: string, event = "PreToolUse-Bash") =>
  JSON.stringify(getPayload(host, event, { tool_input: { command } }));

const LOOPS = ["loop", "regex", "loop-after-await", "getter", "getter-after-await", "to-json", "proxy", "top"];
const FAULTS = [
  ...LOOPS,
  "exit",
  "really-exit",
  "abort",
  "child",
  "object-prototype",
  "prototype-to-json",
  "stringify",
  "no-prototype",
  "no-message",
];
const envOf = (fault: string): Record<string, string> => (fault === "top" ? { FAULT_AT_TOP: "1" } : {});

describe.each(["allow", "deny"])("under --on-error %s", (policy) => {
  test.each(FAULTS)("a denial holds when another hook has the fault %s", async (fault) => {
    const { code, stdout, stderr } = await call(
      ["--host", "claude", "--on-error", policy],
      shell("claude", `${fault} DENY`),
      {
        env: envOf(fault),
      },
    );
    expect(code).toBe(2);
    const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
    expect(permissionDecision).toBe("deny");
    expect(permissionDecisionReason).toContain("the other hook says no");
    expect(stderr).not.toMatch(/\n\s+at |\.ts:\d/);
  });
});

describe.each(LOOPS)("when a hook never returns (%s),", (fault) => {
  const env = envOf(fault);
  test("Codex gets exit code 2 and the reason on stderr under deny", async () => {
    const { code, stdout, stderr } = await call(["--host", "codex", "--on-error", "deny"], shell("codex", fault), {
      env,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('hook "a-faulty" failed: it took longer than');
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  });
});

/** The answer at the deadline is the same whatever hangs: code that the engine can interrupt, or cannot, or a module. */
const LOOP_KINDS = pickRepresentatives(LOOPS, (fault) => (fault === "regex" || fault === "top" ? fault : "code"));
describe.each(LOOP_KINDS)("when a hook never returns (%s),", (fault) => {
  const env = envOf(fault);
  test("Claude Code's PermissionRequest gets a document, which it alone obeys there", async () => {
    const { stdout } = await call(
      ["--host", "claude", "--on-error", "deny"],
      shell("claude", fault, "PermissionRequest-Bash-mode-default"),
      { env },
    );
    expect(JSON.parse(stdout).hookSpecificOutput.decision.behavior).toBe("deny");
  });
  test("the call goes on under allow", async () => {
    const { code, stdout } = await call(["--host", "claude"], shell("claude", fault), { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });
  test.each(["claude", "codex"])("%s's Stop is not blocked under either policy", async (host) => {
    const payload = JSON.stringify(getPayload(host, "Stop", { last_assistant_message: fault }));
    const { code, stdout } = await call(["--host", host, "--on-error", "deny"], payload, { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  });
});

describe.each(["allow", "deny"])("when one hook after another hangs, under %s,", (policy) => {
  const args = ["--host", "claude", "--on-error", policy];
  test.each(["hang DENY", "leave DENY"])("the last hook's denial holds in time (%s)", async (command) => {
    const { code, stdout } = await call(args, shell("claude", command), { argv: [hanging], time: scaleMs(1_000) });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  });
  test("a matcher that never ends is a failure in time", async () => {
    const payload = JSON.stringify(
      getPayload("claude", "PreToolUse-mcp__tiny__echo", { tool_name: `mcp__${"x".repeat(400)}` }),
    );
    const { code } = await call(args, payload, { argv: [hanging] });
    expect(code).toBe(policy === "deny" ? 2 : 1);
  });
  test("a payload of 30 MB is answered in time", async () => {
    const list = JSON.stringify({
      ...getPayload("claude", "PreToolUse-Bash"),
      ...Object.fromEntries(Array.from({ length: 900_000 }, (_, at) => [`key number ${at}`, at])),
    });
    const { code, ms } = await once([...args, "--event", "PreToolUse"], list, { argv: [hanging] });
    // It may be read in time; no hook has anything against it then.
    expect([0, policy === "deny" ? 2 : 1]).toContain(code as number);
    expect(ms).toBeLessThan(HANG_MS);
  });
});

test.skipIf(process.platform !== "linux")(
  "a thread watches the deadline when the system has no room for a timer",
  async () => {
    const { code, stdout } = await call(["--host", "claude"], shell("claude", "regex DENY"), {
      argv: ["/bin/sh", "-c", 'ulimit -i 0; exec "$@"', "sh", guard],
    });
    expect({ code, denies: stdout.includes("the other hook says no") }).toEqual({ code: 2, denies: true });
  },
);

test("a denial is the exit code when stdout is closed from the start", async () => {
  const payload = JSON.stringify(
    getPayload("gemini", "BeforeTool-run_shell_command", { tool_input: { command: "none DENY" } }),
  );
  const { code } = await call(["--host", "gemini"], payload, { argv: ["/bin/sh", "-c", 'exec "$@" >&-', "sh", guard] });
  expect(code).toBe(2);
});

test("an answer of 1 MB arrives whole and alone when it is read slowly", async () => {
  const payload = JSON.stringify(
    getPayload("gemini", "BeforeTool-run_shell_command", { tool_input: { command: "large" } }),
  );
  const { code, stdout } = await call(["--host", "gemini", "--on-error", "deny"], payload, {
    slow: scaleMs(300) + 1_200,
  });
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ decision: "deny", reason: "x".repeat(1_000_000) });
});

test("a payload of 30 MB gets the answer of the policy", async () => {
  const list = JSON.stringify({
    ...getPayload("claude", "PreToolUse-Bash", { tool_input: { command: "x DENY" } }),
    list: Array(5_000_000).fill(12345),
  });
  const { code, stdout } = await once(["--host", "claude", "--on-error", "deny"], list, {});
  expect(code).toBe(2);
  expect(stdout).toContain("deny");
});

test("the document denies with exit code 0 when Codex has closed stderr", async () => {
  const { code, stdout } = await call(["--host", "codex"], shell("codex", "none DENY"), { mute: true });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
    permissionDecision: "deny",
    permissionDecisionReason: "the other hook says no",
  });
});

test("text that hooks print before they hang goes to stderr", async () => {
  const { stdout, stderr } = await call(["--host", "claude"], shell("claude", "print-and-loop DENY"));
  expect(stderr).toStartWith("printed to stdout\nprinted to stderr\n");
  expect(stdout).not.toContain("printed");
});

test("run() in a custom program ends in time", async () => {
  const script = join(folder, "script.ts");
  const hang = `() => { ${"/^x*x*x*x*x*x*x*x*x*x*y$/"}.test("x".repeat(400)); }`;
  writeFileSync(
    script,
    `import { run } from ${JSON.stringify(join(ROOT, "src/index.ts"))};\nawait run({ PreToolUse: ${hang} });\n`,
  );
  const { code, stderr } = await once(["--host", "codex", "--on-error", "deny"], shell("codex", "ls"), {
    argv: [process.execPath, script],
  });
  expect(code).toBe(2);
  expect(stderr).toContain(`did not answer within ${TIME_MS} ms`);
});

describe("the exit code denies after an endless regular expression when stdout is", () => {
  const payload = JSON.stringify(getPayload("cursor", "beforeShellExecution"));
  const script = join(folder, "cursor.ts");
  const watched = join(folder, "cursor-watched.ts");
  beforeAll(() => {
    const from = (path: string) => JSON.stringify(join(ROOT, path));
    const hang = `() => { ${"/^x*x*x*x*x*x*x*x*x*x*y$/"}.test("x".repeat(400)); }`;
    writeFileSync(script, `import { run } from ${from("src/index.ts")};\nawait run({ PreToolUse: ${hang} });\n`);
    writeFileSync(
      watched,
      `import { runCall } from ${from("src/run/call.ts")};
import { createWatchedDeadline } from ${from("src/run/watch.ts")};
import { createHookEntry } from ${from("src/protocol/hook.ts")};
const argv = process.argv.slice(2);
await runCall([createHookEntry({ event: "PreToolUse", handler: ${hang} }, "hang")], {}, argv, { deadline: createWatchedDeadline(argv) });
`,
    );
  });
  const ways: [name: string, shell: string | undefined, deaf: boolean][] = [
    ["closed from the start", 'exec "$@" >&-', false],
    ["the null device", 'exec "$@" >/dev/null', false],
    ["a pipe that nobody reads", undefined, true],
  ];
  for (const [name, line, deaf] of ways) {
    test.each(["the system's timer", "a thread"])(`${name}: %s`, async (watch) => {
      const program = [process.execPath, watch === "a thread" ? watched : script];
      const argv = line === undefined ? program : ["/bin/sh", "-c", line, "sh", ...program];
      const { code } = await once(["--host", "cursor", "--on-error", "deny"], payload, {
        argv,
        deaf,
        time: scaleMs(1_000),
      });
      expect(code).toBe(2);
    });
  }
  test("read, in which case it is 0 and the document denies", async () => {
    const { code, stdout } = await once(["--host", "cursor", "--on-error", "deny"], payload, {
      argv: [process.execPath, script],
    });
    expect([code, JSON.parse(stdout).permission]).toEqual([0, "deny"]);
  });
});

test.each([[], ["0"], ["99"], ["x"]])("--resume %p without a call to continue is a denial", async (...words) => {
  const { code, stderr } = await once(["--resume", ...words], "{}", { argv: [guard] });
  expect({ code, told: stderr.includes("no call to continue") }).toEqual({ code: 2, told: true });
});

describe("when a thread watches the deadline,", () => {
  const script = join(folder, "watched.ts");
  beforeAll(() => {
    const from = (path: string) => JSON.stringify(join(ROOT, path));
    writeFileSync(
      script,
      `import { runCall } from ${from("src/run/call.ts")};
import { resumeCall } from ${from("src/run/resume.ts")};
import { createWatchedDeadline } from ${from("src/run/watch.ts")};
import { createHookEntry } from ${from("src/protocol/hook.ts")};
import faulty from ${from("test/support/faulty-hooks/a-faulty.ts")};
import denying from ${from("test/support/faulty-hooks/b-deny.ts")};
const entries = [createHookEntry(faulty, "a-faulty"), createHookEntry(denying, "b-deny")];
const argv = process.argv.slice(2);
const again = [process.execPath, import.meta.path, "--resume"];
if (argv[0] === "--resume") await resumeCall(entries, argv[1] ?? "");
else await runCall(entries, {}, argv, { deadline: createWatchedDeadline(argv, process.env.ALONE ? undefined : again) });
`,
    );
  });
  const argv = [process.execPath, script];
  // Two programs start one after another, and neither is compiled.
  const time = scaleMs(1_500);
  const watched = (args: readonly string[], input: string, env = {}) => call(args, input, { argv, env, time });

  test.each(["loop", "regex", "loop-after-await", "none", "large"])(
    "a denial holds beside a hook that does %s, under allow",
    async (fault) => {
      const { code, stdout } = await watched(["--host", "claude"], shell("claude", `${fault} DENY`));
      expect({ code, denies: JSON.parse(stdout).hookSpecificOutput.permissionDecision }).toEqual({
        code: 2,
        denies: "deny",
      });
    },
  );
  test("the answer is that of the policy when no new process can start", async () => {
    const { code, stderr } = await watched(["--host", "codex", "--on-error", "deny"], shell("codex", "regex"), {
      ALONE: "1",
    });
    expect({ code, told: stderr.includes(`did not answer within ${time} ms`) }).toEqual({ code: 2, told: true });
  });
});
