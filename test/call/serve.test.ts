import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeExecutable } from "../support/executables.ts";
import { PROBE } from "../../src/protocol/probe.ts";
import { omitAllowId } from "../support/allow-id.ts";
import { getPayload } from "../support/fixtures.ts";
import { scaleMs, waitFor } from "../support/machine.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-serve-"));
const executable = join(folder, "probe");
beforeAll(async () => void (await placeExecutable("test/support/probe-hooks", executable)), 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  id: number | string | null;
  exit_code: number;
  stderr: string;
  answer: unknown;
}

const environment = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
const start = (args: string[], file = executable) =>
  spawn(file, ["serve", "--host", "claude", ...args], {
    cwd: folder,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
    // Kills a process that is hanging.
    timeout: scaleMs(60_000),
  });

const request = (id: number, payload: unknown) => `${JSON.stringify({ id, payload })}\n`;

/** Returns a function that counts the complete lines a process has printed since. */
function countLines(child: ChildProcess): () => number {
  let count = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) count++;
  });
  return () => count;
}

/** Resolves to a process's answers, stderr and exit code once the process ends. */
function ended(child: ChildProcess): Promise<{ answers: Answer[]; stderr: string; code: number | null }> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  child.stdin?.on("error", () => {});
  return new Promise((resolve) =>
    child.on("close", (code) =>
      resolve({
        answers: stdout
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(omitAllowId(line))),
        stderr,
        code,
      }),
    ),
  );
}

/** Returns a process's answers to the given lines. */
async function answersTo(lines: readonly unknown[], args: string[] = []) {
  const child = start(args);
  child.stdin?.end(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  const { answers, stderr, code } = await ended(child);
  expect(code).toBe(0);
  return {
    answers: answers.toSorted((a, b) => Number(a.id) - Number(b.id)),
    order: answers.map(({ id }) => id),
    stderr,
  };
}

/** Returns the answer a separate process gives to a call. */
async function alone(args: string[], payload: unknown) {
  const child = spawn(executable, args, { cwd: folder, env: environment, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin?.end(JSON.stringify(payload));
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const exit_code = await new Promise((resolve) => child.on("close", resolve));
  return { exit_code, stderr: stderr.trimEnd(), answer: stdout ? JSON.parse(omitAllowId(stdout)) : null };
}

const bash = (way: string) => getPayload("claude", "PreToolUse-Bash", { tool_input: { command: `probe:${way}` } });
const denied = (reason: unknown) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
});

describe("bridge-hooks serve", () => {
  test("answers each call as a separate process would", async () => {
    const ways = ["none", "deny", "ask", "large", "throw", "rubbish", "misspelled", "unicode", "exit"];
    const argv = ["--on-error", "deny", "--event", "PreToolUse"];
    const { answers } = await answersTo(ways.map((way, id) => ({ id, argv, payload: bash(way) })));
    for (const [id, way] of ways.entries())
      expect(answers[id]).toEqual({ id, ...(await alone(["--host", "claude", ...argv], bash(way))) } as Answer);
    expect(answers.map(({ exit_code }) => exit_code)).toContain(2);
  });

  test("answers calls without waiting for an earlier one that hangs", async () => {
    const calls = ["never", "none", "deny"].map((way, id) => ({
      id,
      argv: ["--timeout-ms", String(scaleMs(500))],
      payload: bash(way),
    }));
    expect((await answersTo(calls)).order.at(-1)).toBe(0);
  });

  test("denies doctor's call", async () => {
    const payload = getPayload("claude", "PreToolUse-Bash", { tool_input: { command: PROBE } });
    expect((await answersTo([{ id: "x", payload }])).answers).toEqual([
      { id: "x", exit_code: 2, stderr: expect.any(String), answer: denied(expect.stringContaining("doctor")) },
    ]);
  });

  test("shows a hook its own change", async () => {
    const [found] = (await answersTo([{ id: 1, payload: bash("guarded") }])).answers;
    expect(found?.answer).toEqual(denied("before false, afterwards true"));
  });

  test("answers 10,000 calls in their order", async () => {
    const calls = Array.from({ length: 10_000 }, (_, id) => ({ id, payload: bash(id % 100 === 7 ? "deny" : "none") }));
    const { answers } = await answersTo(calls);
    expect(answers.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(answers.filter(({ answer }) => answer !== null).length).toBe(100);
  });
});

describe("bridge-hooks serve on a failure", () => {
  const closed = ["--on-error", "deny"];
  const ok = { id: 5, payload: bash("none") };
  const fine = { id: 5, exit_code: 0, stderr: "", answer: null };

  test("denies a line that is not JSON, is not a request or has no ID, and answers the next line", async () => {
    const lines = [
      "oops",
      "[1]",
      '"text"',
      "null",
      { payload: bash("deny") },
      { id: {}, payload: bash("deny") },
      "",
      ok,
    ];
    const { answers } = await answersTo(lines, closed);
    expect(answers.filter(({ id }) => id === null).length).toBe(6);
    for (const { id, exit_code } of answers) expect(exit_code).toBe(id === null ? 2 : 0);
    expect(answers.at(-1)).toEqual(fine);
  });

  test("denies or allows a call without a payload or with invalid flags, according to --on-error", async () => {
    const lines = [
      { id: 1 },
      { id: 2, payload: 7 },
      { id: 3, argv: "text", payload: bash("none") },
      { id: 4, argv: ["--nonsense"], payload: bash("none") },
      ok,
    ];
    const { answers } = await answersTo(lines, closed);
    expect(answers.map(({ exit_code }) => exit_code)).toEqual([2, 2, 2, 2, 0]);
    expect(answers[3]?.answer).toEqual(denied(expect.stringContaining("unknown argument")));
    const { answers: open } = await answersTo(lines);
    expect(open.map(({ exit_code }) => exit_code)).toEqual([1, 1, 1, 1, 0]);
  });

  test("denies a call whose hook throws, hangs, loops, exits or throws later, and answers the next call", async () => {
    const lines = ["throw", "never", "loop", "throw-later", "exit", "none"].map((way, id) => ({
      id: id + 1,
      argv: ["--timeout-ms", String(scaleMs(500))],
      payload: bash(way),
    }));
    const { answers } = await answersTo(lines, closed);
    expect(answers.map(({ exit_code }) => exit_code)).toEqual([2, 2, 2, 2, 2, 0]);
    expect(answers[1]?.answer).toEqual(denied(expect.stringContaining("took longer than")));
  });

  test("denies a line of 65 MB, and answers a line of 10 MB", async () => {
    const large = getPayload("claude", "PreToolUse-Bash", {
      tool_input: { command: `probe:deny ${"x".repeat(10 * 1024 * 1024)}` },
    });
    const { answers } = await answersTo([{ id: 1, payload: large }, "y".repeat(65 * 1024 * 1024), ok], closed);
    expect(answers.map(({ id, exit_code }) => [id, exit_code])).toEqual([
      [null, 2],
      [1, 2],
      [5, 0],
    ]);
  });

  test("denies a call whose hook changes the directory, and answers concurrent calls", async () => {
    const { answers } = await answersTo(
      ["chdir", "stdin", "deny", "none"].map((way, id) => ({ id, payload: bash(way) })),
      closed,
    );
    expect(answers.map(({ exit_code }) => exit_code)).toEqual([2, 0, 2, 0]);
    expect(answers[0]?.answer).toEqual(denied(expect.stringContaining("process.chdir")));
  });

  test("writes a hook's output to stderr, not between the answers", async () => {
    const { answers, stderr } = await answersTo([{ id: 1, payload: bash("noise") }]);
    expect(answers.length).toBe(1);
    for (const noise of ["noise 1", "noise 2", "noise 3", "noise 4"]) expect(stderr).toContain(noise);
  });
});

describe("bridge-hooks serve ends", () => {
  test("with its stdin, after the last answer", async () => {
    expect((await answersTo([{ id: 1, payload: bash("noise") }])).order).toEqual([1]);
    expect((await answersTo([])).order).toEqual([]);
  });

  test("with exit code 1 if its client has exited", async () => {
    const child = start([]);
    child.stdout?.destroy();
    child.stdin?.write(request(1, bash("deny")));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    child.stdin?.destroy();
    expect(code).toBe(1);
  });

  test("by SIGALRM if a hook blocks it and no timeout can end the hook", async () => {
    const child = start([]);
    const [end, countAnswers] = [ended(child), countLines(child)];
    child.stdin?.write(request(0, bash("none")));
    await waitFor(() => countAnswers() === 1, "the answer to the call before");
    child.stdin?.write(request(1, bash("block-async")));
    const { answers, code } = await end;
    expect([answers.map(({ id }) => id), code, child.signalCode]).toEqual([[0], null, "SIGALRM"]);
  });

  test("by SIGPROF if a hook loops and no timeout can end it, whatever the call's time limit is", async () => {
    const child = start(["--timeout-ms", "60000"]);
    const [end, countAnswers] = [ended(child), countLines(child)];
    child.stdin?.write(request(0, bash("none")));
    await waitFor(() => countAnswers() === 1, "the answer to the call before");
    child.stdin?.write(request(1, bash("loop-async")));
    const { answers, code } = await end;
    expect([answers.map(({ id }) => id), code, child.signalCode]).toEqual([[0], null, "SIGPROF"]);
  });

  test("with exit code 1 if its client does not read its answers", async () => {
    const child = start([]);
    child.stdin?.on("error", () => {});
    child.stdin?.write(request(1, bash("deny")).repeat(20_000));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    child.stdin?.destroy();
    expect(code).toBe(1);
  });

  test("after answering the calls already read, if its executable was replaced", async () => {
    const own = join(folder, "own");
    copyFileSync(executable, own);
    const child = start([], own);
    const [end, countAnswers] = [ended(child), countLines(child)];
    child.stdin?.write(request(1, bash("none")));
    await waitFor(() => countAnswers() === 1, "the answer to the call before");
    copyFileSync(executable, `${own}.new`);
    renameSync(`${own}.new`, own);
    // While it handles calls, the process checks its file at most once a second. Waiting longer would also work.
    await Bun.sleep(1_100);
    child.stdin?.write(request(2, bash("none")));
    const { answers, code } = await end;
    expect([answers.map(({ id }) => id), code]).toEqual([[1, 2], 0]);
  });
});

test("bridge-hooks serve uses hardly more memory after 120,000 calls than after 60,000", async () => {
  const child = start([]);
  const size = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "latin1"))?.[1]) / 1024;
  const sizes: number[] = [];
  let answered = 0;
  const line = request(1, bash("none"));
  await new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      const before = Math.floor(answered / 10_000);
      for (const byte of chunk) if (byte === 10) answered++;
      if (Math.floor(answered / 10_000) > before) sizes.push(size());
      if (answered === 120_000) resolve();
    });
    for (let batch = 0; batch < 120; batch++) child.stdin?.write(line.repeat(1_000));
  });
  child.stdin?.end();
  expect(sizes.length).toBe(12);
  // The first calls fill caches, and the engine's heap keeps growing until about the 60,000th call.
  const [first, last] = [sizes[5] as number, sizes.at(-1) as number];
  expect(last).toBeLessThan(first * 1.15 + 5);
});
