import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILD_MS, linkExecutable, placeExecutable } from "../support/executables.ts";
import { PROBE } from "../../src/protocol/probe.ts";
import { omitAllowId } from "../support/allow-id.ts";
import { waitFor } from "../support/machine.ts";
import { getPayload } from "../support/fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-serve-"));
const executable = join(folder, "probe");
beforeAll(async () => void (await placeExecutable("test/support/probe-hooks", executable)), BUILD_MS);
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
  });

/** How a process ended, and what it said. */
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

/** What a process answers to these lines. */
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

/** A client that writes a line when the one before it is answered. */
function converse(child: ChildProcess) {
  let stdout = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  const write = (id: number, way: string) => child.stdin?.write(`${JSON.stringify({ id, payload: bash(way) })}\n`);
  return {
    write,
    ask: async (id: number, way: string) => {
      const before = stdout.length;
      write(id, way);
      await waitFor(() => stdout.includes("\n", before) || child.exitCode !== null, `the answer to line ${id}`);
    },
  };
}

/** What a process of its own says to a call. */
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

describe("many calls in one process", () => {
  test("each is answered as a process of its own answers it", async () => {
    const ways = ["none", "deny", "ask", "large", "throw", "rubbish", "misspelt", "unicode", "exit"];
    const argv = ["--on-error", "deny", "--event", "PreToolUse"];
    const { answers } = await answersTo(ways.map((way, id) => ({ id, argv, payload: bash(way) })));
    for (const [id, way] of ways.entries())
      expect(answers[id]).toEqual({ id, ...(await alone(["--host", "claude", ...argv], bash(way))) } as Answer);
    expect(answers.map(({ exit_code }) => exit_code)).toContain(2);
  });

  test("an answer waits for no other", async () => {
    const calls = ["never", "none", "deny"].map((way, id) => ({
      id,
      argv: ["--timeout-ms", "500"],
      payload: bash(way),
    }));
    expect((await answersTo(calls)).order.at(-1)).toBe(0);
  });

  test("doctor's call is denied", async () => {
    const payload = getPayload("claude", "PreToolUse-Bash", { tool_input: { command: PROBE } });
    expect((await answersTo([{ id: "x", payload }])).answers).toEqual([
      { id: "x", exit_code: 2, stderr: expect.any(String), answer: denied(expect.stringContaining("doctor")) },
    ]);
  });

  test("a hook that changes what it asks about sees the change", async () => {
    const [found] = (await answersTo([{ id: 1, payload: bash("guarded") }])).answers;
    expect(found?.answer).toEqual(denied("before false, afterwards true"));
  });

  test("10,000 calls", async () => {
    const calls = Array.from({ length: 10_000 }, (_, id) => ({ id, payload: bash(id % 100 === 7 ? "deny" : "none") }));
    const { answers } = await answersTo(calls);
    expect(answers.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(answers.filter(({ answer }) => answer !== null).length).toBe(100);
  });
});

describe("what goes wrong ends as the failure policy says", () => {
  const closed = ["--on-error", "deny"];
  const ok = { id: 5, payload: bash("none") };
  const fine = { id: 5, exit_code: 0, stderr: "", answer: null };

  test("a line that is not valid JSON, no request, or has no id", async () => {
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

  test("a call without a payload, or with flags that are none", async () => {
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

  test("a hook that throws, hangs, loops, ends the process or throws later", async () => {
    const lines = ["throw", "never", "loop", "throw-later", "exit", "none"].map((way, id) => ({
      id: id + 1,
      argv: ["--timeout-ms", "500"],
      payload: bash(way),
    }));
    const { answers } = await answersTo(lines, closed);
    expect(answers.map(({ exit_code }) => exit_code)).toEqual([2, 2, 2, 2, 2, 0]);
    expect(answers[1]?.answer).toEqual(denied(expect.stringContaining("took longer than")));
  });

  test("10 MB in one line, and a line that is longer than any may be", async () => {
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

  test("a hook that leaves the folder, or reads stdin, takes nothing from others", async () => {
    const { answers } = await answersTo(
      ["chdir", "stdin", "deny", "none"].map((way, id) => ({ id, payload: bash(way) })),
      closed,
    );
    expect(answers.map(({ exit_code }) => exit_code)).toEqual([2, 0, 2, 0]);
    expect(answers[0]?.answer).toEqual(denied(expect.stringContaining("process.chdir")));
  });

  test("a hook's output stays off the answers", async () => {
    const { answers, stderr } = await answersTo([{ id: 1, payload: bash("noise") }]);
    expect(answers.length).toBe(1);
    for (const noise of ["noise 1", "noise 2", "noise 3", "noise 4"]) expect(stderr).toContain(noise);
  });
});

describe("its end", () => {
  test("with its stdin, when the last answer is out", async () => {
    expect((await answersTo([{ id: 1, payload: bash("noise") }])).order).toEqual([1]);
    expect((await answersTo([])).order).toEqual([]);
  });

  test("when its client has gone", async () => {
    const child = start([]);
    child.stdout?.destroy();
    child.stdin?.write(`${JSON.stringify({ id: 1, payload: bash("deny") })}\n`);
    const code = await new Promise((resolve) => child.on("exit", resolve));
    child.stdin?.destroy();
    expect(code).toBe(1);
  });

  test("when a hook loops where nothing can stop it", async () => {
    const child = start([]);
    const end = ended(child);
    const { ask, write } = converse(child);
    await ask(0, "none");
    write(1, "loop-async");
    const { answers, code } = await end;
    expect([answers.map(({ id }) => id), code, child.signalCode]).toEqual([[0], null, "SIGALRM"]);
  });

  test("when nobody reads its answers", async () => {
    const child = start([]);
    child.stdin?.on("error", () => {});
    const line = `${JSON.stringify({ id: 1, payload: bash("deny") })}\n`;
    child.stdin?.write(line.repeat(20_000));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    child.stdin?.destroy();
    expect(code).toBe(1);
  });

  test("when another executable has taken its place, after what it has read is answered", async () => {
    const own = join(folder, "own");
    linkExecutable(executable, own);
    const child = start([], own);
    const end = ended(child);
    const { ask } = converse(child);
    await ask(1, "none");
    copyFileSync(executable, `${own}.new`);
    renameSync(`${own}.new`, own);
    // It looks after its file with a line that it reads, at most once a second.
    let asked = 1;
    while (child.exitCode === null) await Promise.race([ask(++asked, "none"), end]);
    const { answers, code } = await end;
    const ids = answers.map(({ id }) => id as number);
    expect([code, ids]).toEqual([0, ids.map((_, at) => at + 1)]);
    expect(ids.length).toBeWithin(Math.max(2, asked - 1), asked + 1);
  });
});

test("its memory stays as it is", async () => {
  const child = start([]);
  const size = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "latin1"))?.[1]) / 1024;
  const sizes: number[] = [];
  let answered = 0;
  const line = `${JSON.stringify({ id: 1, payload: bash("none") })}\n`;
  await new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      const before = Math.floor(answered / 10_000);
      for (const byte of chunk) if (byte === 10) answered++;
      if (Math.floor(answered / 10_000) > before) sizes.push(size());
      if (answered === 100_000) resolve();
    });
    for (let batch = 0; batch < 100; batch++) child.stdin?.write(line.repeat(1_000));
  });
  child.stdin?.end();
  expect(sizes.length).toBe(10);
  // The first calls fill caches and heap.
  const [first, last] = [sizes[2] as number, sizes.at(-1) as number];
  expect(last).toBeLessThan(first * 1.15 + 5);
});
