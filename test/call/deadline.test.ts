import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { placeExecutable } from "../support/executables.ts";
import { getPayload, ROOT } from "../support/fixtures.ts";
import { pickRepresentatives } from "../support/fuzz.ts";
import { scaleMs, waitFor } from "../support/machine.ts";
import { limitTasks } from "./side-by-side.ts";
import type { HostAnswer } from "../../src/protocol/host/host.ts";
import { createHookEntry, defineHook } from "../../src/protocol/hook.ts";
import { createSettledEntry } from "../../src/call/deadline/resume.ts";
import { answerCall } from "../support/answer-call.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-deadline-"));
const guard = join(folder, "guard");
const hanging = join(folder, "hanging");

/** Deadline for calls whose hooks don't end before it. */
const SHORT_MS = 100;
/**
 * A practically unlimited deadline, for calls that another hook answers. The blocking hook sets its own short deadline.
 */
const PATIENT_MS = 60_000;
/** Deadline for each hook that blocks the engine, and the maximum number of such hooks per call. */
const HOOK_MS = 150;
const MOST_BLOCKED = 4;
/**
 * Maximum CPU time a call may use beyond its deadlines: the product's own reserve, plus two launches of an uncompiled
 * program, which take up to 1.1 s on a busy machine [measured 2026-11-27]. A hook that never ends would exceed any
 * limit.
 */
const MORE_CPU_MS = 3_000;
/** A call that takes longer is hanging. It's killed and has no exit code. */
const HANG_MS = scaleMs(20_000);

/** Replaces the program that the `child` fault leaves running, which would hold the pipes open too long. */
const sleeper = join(folder, "bin/sleep");
const SLEEPER = '#!/bin/sh\necho $$ >"$PID_FILE.new" && mv "$PID_FILE.new" "$PID_FILE"\nexec /bin/sleep 1000\n';

beforeAll(async () => {
  mkdirSync(dirname(sleeper));
  writeFileSync(sleeper, SLEEPER, { mode: 0o755 });
  await placeExecutable("test/support/faulty-hooks", guard);
  await placeExecutable("test/support/hanging-hooks", hanging);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface EndedCall {
  stdout: string;
  stderr: string;
  /** Exit code, or the signal that killed the process. */
  code: number | string | null;
}

interface CallOptions {
  env?: Record<string, string>;
  argv?: readonly string[];
  /** Time limit of the call in milliseconds. */
  time?: number;
  /** How long the reader of stdout pauses after the first bytes. */
  lateMs?: number;
  /** Whether stderr is closed from the start. */
  isMute?: boolean;
  /** Whether stdout has no reader. */
  isDeaf?: boolean;
}

async function readLate(stdout: ReadableStream<Uint8Array>, lateMs: number): Promise<string> {
  const [decoder, chunks] = [new TextDecoder(), [] as string[]];
  for await (const chunk of stdout) {
    if (chunks.length === 0) await Bun.sleep(lateMs);
    chunks.push(decoder.decode(chunk, { stream: true }));
  }
  return chunks.join("");
}

const runInTurn = limitTasks(2);

const call = (
  args: readonly string[],
  input: string,
  { env = {}, argv = [guard], time = SHORT_MS, lateMs = 0, isMute = false, isDeaf = false }: CallOptions = {},
): Promise<EndedCall> =>
  runInTurn(async () => {
    const command = isMute ? ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", ...argv] : argv;
    const child = Bun.spawn([...command, ...args, ...(args[0] === "--host" ? ["--timeout-ms", String(time)] : [])], {
      cwd: folder,
      env: { PATH: `${dirname(sleeper)}:${process.env.PATH}`, HOME: folder, ...env },
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
      timeout: HANG_MS,
    });
    if (isDeaf) await child.stdout.cancel();
    const [stdout, stderr] = await Promise.all([
      isDeaf ? "" : readLate(child.stdout, lateMs),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000;
    // An uncompiled program is slow to start.
    if ([guard, hanging].includes(argv[0] ?? "")) expect(cpuMs).toBeLessThan(MOST_BLOCKED * HOOK_MS + MORE_CPU_MS);
    return { stdout, stderr, code: child.exitCode ?? child.signalCode };
  });

const shell = (host: string, command: string, event = "PreToolUse-Bash") =>
  JSON.stringify(getPayload(host, event, { tool_input: { command } }));

const LOOPS = ["loop", "regex", "loop-after-await", "getter", "getter-after-await", "to-json", "proxy", "top"];
const FAULTS = [
  ...LOOPS,
  "exit",
  "really-exit",
  "abort",
  // This C library is found only on Linux with glibc.
  ...(existsSync("/lib64/ld-linux-x86-64.so.2") ? ["native-abort"] : []),
  "child",
  "object-prototype",
  "prototype-to-json",
  "stringify",
  "no-prototype",
  "no-message",
];
const envOf = (fault: string): Record<string, string> => (fault === "top" ? { FAULT_AT_TOP: "1" } : {});

describe("a denial is enforced with", () => {
  const all = ["allow", "deny"].flatMap((policy) => FAULTS.map((fault) => [policy, fault] as const));
  // Wherever a hook blocks the engine, another process gives the answer that the failure policy requires.
  const some = pickRepresentatives(all, ([policy, fault]) =>
    policy === "deny" && LOOPS.includes(fault) ? "deny, blocked" : `${policy}, ${fault}`,
  );
  test.concurrent.each(some)("--on-error %s and another hook with the fault %s", async (policy, fault) => {
    const PID_FILE = join(folder, `${policy}-${fault}.pid`);
    const { code, stdout, stderr } = await call(
      ["--host", "claude", "--on-error", policy],
      shell("claude", `${fault} DENY`),
      { env: { PID_FILE, ...envOf(fault) }, time: PATIENT_MS },
    );
    expect(code).toBe(2);
    const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
    expect(permissionDecision).toBe("deny");
    expect(permissionDecisionReason).toContain("the other hook says no");
    expect(stderr).not.toMatch(/\n\s+at |\.ts:\d/);
    if (fault !== "child") return;
    // The caller didn't wait for the process the hook left running.
    const readPid = () => existsSync(PID_FILE) && Number(readFileSync(PID_FILE, "utf8"));
    process.kill(await waitFor(readPid, "the program that the hook starts"));
  });
});

describe.each(pickRepresentatives(LOOPS, (fault) => (fault === "top" ? "while it loads" : "in its handler")))(
  "when a hook blocks the engine (%s)",
  (fault) => {
    const env = envOf(fault);
    test.concurrent("Codex gets exit code 2 and the failure on stderr with --on-error deny", async () => {
      const { code, stdout, stderr } = await call(["--host", "codex", "--on-error", "deny"], shell("codex", fault), {
        env,
        time: PATIENT_MS,
      });
      expect(code).toBe(2);
      expect(stderr).toContain('hook "a-faulty" failed: it took longer than');
      expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny");
    });
    test.concurrent(
      "Claude Code's PermissionRequest gets a denying document with --on-error deny, because it ignores exit codes",
      async () => {
        const { stdout } = await call(
          ["--host", "claude", "--on-error", "deny"],
          shell("claude", fault, "PermissionRequest-Bash-mode-default"),
          { env },
        );
        expect(JSON.parse(stdout).hookSpecificOutput.decision.behavior).toBe("deny");
      },
    );
    test.concurrent("the call proceeds with exit code 1 with --on-error allow", async () => {
      const { code, stdout } = await call(["--host", "claude"], shell("claude", fault), { env });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    });
    test.concurrent.each(["claude", "codex"])("%s may stop even with --on-error deny", async (host) => {
      const payload = JSON.stringify(getPayload(host, "Stop", { last_assistant_message: fault }));
      const { code, stdout } = await call(["--host", host, "--on-error", "deny"], payload, { env });
      expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    });
  },
);

describe("when several hooks hang in a row", () => {
  const argsOf = (policy: string) => ["--host", "claude", "--on-error", policy];
  const all = ["allow", "deny"].flatMap((policy) =>
    ["hang DENY", "leave DENY"].map((command) => [policy, command] as const),
  );
  // The last hook denies the call regardless of the policy.
  const some = pickRepresentatives(all, ([, command]) => command);
  test.concurrent.each(some)("the last hook's denial is enforced with --on-error %s (%s)", async (policy, command) => {
    const { code, stdout } = await call(argsOf(policy), shell("claude", command), {
      argv: [hanging],
      time: PATIENT_MS,
    });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  });
});

describe.each(["allow", "deny"])("with --on-error %s", (policy) => {
  const args = ["--host", "claude", "--on-error", policy];
  test.concurrent("a matcher that takes forever is a failure at the deadline", async () => {
    const payload = JSON.stringify(
      getPayload("claude", "PreToolUse-mcp__tiny__echo", { tool_name: `mcp__${"x".repeat(400)}` }),
    );
    const { code } = await call(args, payload, { argv: [hanging] });
    expect(code).toBe(policy === "deny" ? 2 : 1);
  });
});

/**
 * Adds fields to a payload as preformatted JSON, because serializing the values would take longer than the call itself.
 */
const addFields = (json: string, command = "x") => `${shell("claude", command).slice(0, -1)},${json}}`;

describe("a payload of 30 MB", () => {
  const listKeys = () => Array.from({ length: 900_000 }, (_, at) => `"key number ${at}":${at}`).join();
  const policies = pickRepresentatives(["deny", "allow"], () => "either is armed before the payload is read");
  test.each(policies)("with 900,000 keys is a failure with --on-error %s unless it is read in time", async (policy) => {
    const args = ["--host", "claude", "--on-error", policy, "--event", "PreToolUse"];
    const { code } = await call(args, addFields(listKeys()), { argv: [hanging] });
    // Whatever the exit code, no hook has denied the call.
    expect([0, policy === "deny" ? 2 : 1]).toContain(code as number);
  });
  test("with one long list is denied with --on-error deny, by a hook or at the deadline", async () => {
    const list = `"list":[${"12345,".repeat(5_000_000)}0]`;
    const { code, stdout } = await call(["--host", "claude", "--on-error", "deny"], addFields(list, "x DENY"));
    expect(code).toBe(2);
    expect(stdout).toContain("deny");
  });
});

describe("a denial is enforced", () => {
  test
    .skipIf(process.platform !== "linux")
    .concurrent("if the system has no timer left and a thread watches", async () => {
      const { code, stdout } = await call(["--host", "claude"], shell("claude", "regex DENY"), {
        argv: ["/bin/sh", "-c", 'ulimit -i 0; exec "$@"', "sh", guard],
        time: PATIENT_MS,
      });
      expect({ code, denies: stdout.includes("the other hook says no") }).toEqual({ code: 2, denies: true });
    });

  test.concurrent("by the exit code if stdout is closed from the start", async () => {
    const payload = JSON.stringify(
      getPayload("gemini", "BeforeTool-run_shell_command", { tool_input: { command: "none DENY" } }),
    );
    const { code } = await call(["--host", "gemini"], payload, {
      argv: ["/bin/sh", "-c", 'exec "$@" >&-', "sh", guard],
      time: PATIENT_MS,
    });
    expect(code).toBe(2);
  });

  test.concurrent("by the document, with exit code 0, if Codex has closed stderr", async () => {
    const { code, stdout } = await call(["--host", "codex"], shell("codex", "none DENY"), {
      isMute: true,
      time: PATIENT_MS,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "the other hook says no",
    });
  });
});

test.concurrent(
  "an answer of 1 MB arrives complete, without other output, even if its reader pauses until after the deadline",
  async () => {
    const payload = JSON.stringify(
      getPayload("gemini", "BeforeTool-run_shell_command", { tool_input: { command: "large" } }),
    );
    const answerMs = scaleMs(500);
    const { code, stdout } = await call(["--host", "gemini", "--on-error", "deny"], payload, {
      time: answerMs,
      // Unless something prevents it, the process ends itself 350 ms after the deadline.
      lateMs: answerMs + 500,
    });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ decision: "deny", reason: "x".repeat(1_000_000) });
  },
);

test.concurrent("output printed by a hook before it hangs is passed on to stderr", async () => {
  const { stdout, stderr } = await call(["--host", "claude"], shell("claude", "print-and-loop DENY"), {
    time: PATIENT_MS,
  });
  expect(stderr).toStartWith("printed to stdout\nprinted to stderr\n");
  expect(stdout).not.toContain("printed");
});

const HANG = `() => { ${"/^x*x*x*x*x*x*x*x*x*x*y$/"}.test("x".repeat(400)); }`;
const quotePath = (path: string) => JSON.stringify(join(ROOT, path));

test.concurrent("run() in another program ends at the deadline as well", async () => {
  const script = join(folder, "script.ts");
  writeFileSync(script, `import { run } from ${quotePath("src/index.ts")};\nawait run({ PreToolUse: ${HANG} });\n`);
  const { code, stderr } = await call(["--host", "codex", "--on-error", "deny"], shell("codex", "ls"), {
    argv: [process.execPath, script],
  });
  expect(code).toBe(2);
  expect(stderr).toContain(`did not answer within ${SHORT_MS} ms`);
});

describe("if a regular expression never ends and the host reads denials from stdout", () => {
  const payload = JSON.stringify(getPayload("cursor", "beforeShellExecution"));
  const script = join(folder, "cursor.ts");
  const watched = join(folder, "cursor-watched.ts");
  beforeAll(() => {
    writeFileSync(script, `import { run } from ${quotePath("src/index.ts")};\nawait run({ PreToolUse: ${HANG} });\n`);
    writeFileSync(
      watched,
      `import { runCall } from ${quotePath("src/call/call.ts")};
import { createWatchedDeadline } from ${quotePath("src/call/deadline/watcher-deadline.ts")};
import { createHookEntry } from ${quotePath("src/protocol/hook.ts")};
const argv = process.argv.slice(2);
await runCall([createHookEntry({ event: "PreToolUse", handler: ${HANG} }, "hang")], {}, argv, { deadline: createWatchedDeadline(argv) });
`,
    );
  });
  const losses: [name: string, shell: string | undefined, isDeaf: boolean][] = [
    ["is closed from the start", 'exec "$@" >&-', false],
    ["is the null device", 'exec "$@" >/dev/null', false],
    ["is a pipe without a reader", undefined, true],
  ];
  for (const [name, line, isDeaf] of losses) {
    test.concurrent.each(["the system's timer", "a thread"])(
      `the exit code denies if stdout ${name} (by %s)`,
      async (watch) => {
        const program = [process.execPath, watch === "a thread" ? watched : script];
        const argv = line === undefined ? program : ["/bin/sh", "-c", line, "sh", ...program];
        const { code } = await call(["--host", "cursor", "--on-error", "deny"], payload, { argv, isDeaf });
        expect(code).toBe(2);
      },
    );
  }
  test.concurrent("the exit code is 0 if stdout has a reader", async () => {
    const { code, stdout } = await call(["--host", "cursor", "--on-error", "deny"], payload, {
      argv: [process.execPath, script],
    });
    expect([code, JSON.parse(stdout).permission]).toEqual([0, "deny"]);
  });
});

test.concurrent.each([[], ["0"], ["99"], ["x"]])(
  "--resume %p is a denial if there is no call to continue",
  async (...words) => {
    const { code, stderr } = await call(["--resume", ...words], "{}");
    expect({ code, isReported: stderr.includes("no call to resume") }).toEqual({ code: 2, isReported: true });
  },
);

describe("when a thread watches", () => {
  const script = join(folder, "watched.ts");
  beforeAll(() =>
    writeFileSync(
      script,
      `import { runCall } from ${quotePath("src/call/call.ts")};
import { resumeCall } from ${quotePath("src/call/deadline/resume.ts")};
import { createWatchedDeadline } from ${quotePath("src/call/deadline/watcher-deadline.ts")};
import { createHookEntry } from ${quotePath("src/protocol/hook.ts")};
import faulty from ${quotePath("test/support/faulty-hooks/a-faulty.ts")};
import denying from ${quotePath("test/support/faulty-hooks/b-deny.ts")};
const entries = [createHookEntry(faulty, "a-faulty"), createHookEntry(denying, "b-deny")];
const argv = process.argv.slice(2);
const again = [process.execPath, import.meta.path, "--resume"];
if (argv[0] === "--resume") await resumeCall(entries, argv[1] ?? "");
else await runCall(entries, {}, argv, { deadline: createWatchedDeadline(argv, process.env.ALONE ? undefined : again) });
`,
    ),
  );
  const argv = [process.execPath, script];

  test.concurrent.each(["loop", "regex", "loop-after-await", "none", "large"])(
    "a denial is enforced with --on-error allow and another hook with the fault %s",
    async (fault) => {
      const { code, stdout } = await call(["--host", "claude"], shell("claude", `${fault} DENY`), {
        argv,
        // Two uncompiled programs are launched one after the other.
        time: scaleMs(1_000),
      });
      expect({ code, decision: JSON.parse(stdout).hookSpecificOutput.permissionDecision }).toEqual({
        code: 2,
        decision: "deny",
      });
    },
  );
  test.concurrent("the failure policy applies if no new process can start", async () => {
    const { code, stderr } = await call(["--host", "codex", "--on-error", "deny"], shell("codex", "regex"), {
      argv,
      env: { ALONE: "1" },
    });
    expect({ code, isReported: stderr.includes(`did not answer within ${SHORT_MS} ms`) }).toEqual({
      code: 2,
      isReported: true,
    });
  });
});

test("a denial already made when another process takes over is enforced at that process's deadline", async () => {
  const guard = createHookEntry(defineHook({ event: "PreToolUse", handler: () => undefined }), "guard");
  const settled = createSettledEntry(guard, { response: { decision: "deny", reason: "no" }, log: [] }, true);
  const answers: HostAnswer[] = [];
  const deadline = {
    ...{ reportProgress() {}, handOver() {}, claimAnswer() {}, limitExit: async () => {} },
    arm: async (_ms: number, answer: HostAnswer) => {
      answers.push(answer);
      return false;
    },
  };
  for (const entry of [guard, settled])
    await answerCall([entry], {}, ["--host", "claude", "--on-error", "allow"], {
      env: {},
      read: () => JSON.stringify(getPayload("claude", "PreToolUse-Bash")),
      deadline,
    });
  expect(answers.map(({ restricts = false }) => restricts)).toEqual([false, true]);
});
