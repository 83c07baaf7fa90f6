import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_PROCESSOR_MS, allotTime } from "../../src/call/ask/share-time.ts";
import { BUILD_MS, placeExecutable } from "../support/executables.ts";
import { getPayload } from "../support/fixtures.ts";
import { scaleMs } from "../support/machine.ts";

describe("the time of a hook", () => {
  const own = (timeoutMs?: number) => (timeoutMs === undefined ? {} : { timeoutMs });
  const CASES: [hook: number | undefined, others: (number | undefined)[], left: number, share: number][] = [
    [undefined, [], 4_000, 4_000],
    [undefined, [], 18_000, 18_000],
    [undefined, [undefined], 4_000, 2_000],
    [undefined, [undefined], 18_000, 14_000],
    [60_000, [undefined, undefined], 70_000, 60_000],
    [60_000, [undefined, undefined], 30_000, 22_000],
    [60_000, [60_000], 30_000, 15_000],
    [50, [undefined], 4_000, 50],
    [undefined, [50], 4_000, 3_950],
    [10, [], 4_000, 10],
    [undefined, [undefined], -5, 50],
    [5_000, [], 0, 50],
  ];
  for (const [hook, others, left, share] of CASES)
    test(`with ${hook ?? "no"} limit and others [${others.map((one) => one ?? "none").join(", ")}] is ${share} ms of ${left} ms left`, () =>
      expect(allotTime(own(hook), others.map(own), left)).toBe(share));
});

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-time-"));
const program = join(folder, "busy");
beforeAll(() => placeExecutable("test/support/busy-hooks", program), BUILD_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LONG = ["--timeout-ms", String(scaleMs(60_000))];

interface Called {
  code: number | null;
  stderr: string;
  /** Wall time and CPU time in milliseconds. */
  ms: number;
  cpuMs: number;
}

async function call(
  command: string,
  flags: readonly string[],
  { lateMs = 0, stoppedMs = 0, gapMs = 0 }: { lateMs?: number; stoppedMs?: number; gapMs?: number } = {},
): Promise<Called> {
  const started = performance.now();
  const child = Bun.spawn([program, "--host", "claude", "--on-error", "deny", "--event", "PreToolUse", ...flags], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? "" },
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  if (lateMs > 0) await Bun.sleep(lateMs);
  if (stoppedMs > 0) child.kill("SIGSTOP");
  const payload = JSON.stringify(getPayload("claude", "PreToolUse-Bash", { tool_input: { command } }));
  if (gapMs > 0) {
    child.stdin.write(payload.slice(0, 100));
    await child.stdin.flush();
    await Bun.sleep(gapMs);
    child.stdin.write(payload.slice(100));
    await child.stdin.flush();
  } else {
    child.stdin.write(payload);
    await child.stdin.end();
  }
  if (stoppedMs > 0) {
    await Bun.sleep(stoppedMs);
    child.kill("SIGCONT");
  }
  const stderr = await new Response(child.stderr).text();
  await child.exited;
  const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000;
  return { code: child.exitCode, stderr, ms: performance.now() - started, cpuMs };
}

const readLimit = (stderr: string, hook: string) =>
  Number(new RegExp(`hook "${hook}" failed: it took longer than (\\d+) ms`).exec(stderr)?.[1]);

describe.skipIf(process.platform === "win32")("a busy machine causes no denial:", () => {
  test.concurrent("a payload that arrives after two and a half seconds", async () => {
    expect(await call("ls", ["--timeout-ms", "18000"], { lateMs: 2_500 })).toMatchObject({ code: 0, stderr: "" });
  });
  test.concurrent("a late payload is denied by a hook like any other", async () => {
    const { code, stderr } = await call("ls DENY", ["--timeout-ms", "18000"], { lateMs: 2_500 });
    expect([code, stderr]).toEqual([2, expect.stringContaining("the last hook says no")]);
  });
  test.concurrent("a payload in two parts, seconds apart, from a host that leaves the pipe open", async () => {
    const { code, stderr, ms } = await call("ls DENY", ["--timeout-ms", "18000"], { gapMs: 3_000 });
    expect([code, stderr]).toEqual([2, expect.stringContaining("the last hook says no")]);
    expect(ms).toBeLessThan(15_000);
  });
  test.concurrent("a process that gets no CPU time for five seconds", async () => {
    expect(await call("ls", ["--timeout-ms", "18000"], { stoppedMs: 5_000 })).toMatchObject({ code: 0, stderr: "" });
  });
});

describe.skipIf(process.platform === "win32")("a hook", () => {
  test.concurrent("that waits gets the time that its module requests", async () => {
    const { code, stderr, ms } = await call("wait", LONG);
    expect([code, stderr]).toEqual([0, ""]);
    expect(ms).toBeGreaterThan(4_500);
  });
  test.concurrent("that waits is ended at its own limit, and the next hook decides", async () => {
    const { code, stderr } = await call("never DENY", LONG);
    expect(code).toBe(2);
    // On a busy machine, the hook ends later than that.
    expect(readLimit(stderr, "d-ends")).toBeGreaterThanOrEqual(200);
    expect(stderr).toContain("the last hook says no");
  });
  test.concurrent(
    "that computes is ended by its CPU time, whatever the call's time limit is, and the next hook decides",
    async () => {
      const { code, stderr, ms, cpuMs } = await call("spin DENY", LONG);
      expect(code).toBe(2);
      expect(stderr).toContain("the last hook says no");
      // The hook runs twice: in the first run, an earlier hook could have been what blocked the engine.
      expect(cpuMs).toBeGreaterThan(2 * DEFAULT_PROCESSOR_MS - 200);
      expect(cpuMs).toBeLessThan(2 * DEFAULT_PROCESSOR_MS + 3_000);
      // The reported time includes both runs but nothing else.
      expect(readLimit(stderr, "b-busy")).toBeGreaterThan(2 * DEFAULT_PROCESSOR_MS - 200);
      expect(readLimit(stderr, "b-busy")).toBeLessThan(ms);
    },
  );
  test.concurrent("that computes is reported with the time that it took if the call has little time", async () => {
    const { code, stderr, ms } = await call("spin", ["--timeout-ms", "2000"]);
    expect(code).toBe(2);
    expect(readLimit(stderr, "b-busy")).toBeGreaterThan(300);
    expect(readLimit(stderr, "b-busy")).toBeLessThan(ms);
  });
});
