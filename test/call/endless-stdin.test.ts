import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXECUTABLE } from "../support/fixtures.ts";
import { scaleMs } from "../support/machine.ts";

/** Runs the executable with a shell script's output as stdin. */
async function callWith(script: string, ...args: string[]) {
  const home = mkdtempSync(join(tmpdir(), "bridge-hooks-endless-"));
  try {
    const started = performance.now();
    const child = Bun.spawn(
      ["sh", "-c", `{ ${script}; } 2>/dev/null | "$0" --host claude --event PreToolUse "$@"`, EXECUTABLE, ...args],
      { env: { PATH: "/usr/bin:/bin", HOME: home }, stdout: "pipe", stderr: "pipe", timeout: scaleMs(30_000) },
    );
    const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
    return { code, stderr, ms: performance.now() - started };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

describe.skipIf(process.platform === "win32")("endless stdin", () => {
  test("is rejected at the size limit if it arrives fast", async () => {
    const { code, stderr } = await callWith("yes", "--on-error", "deny");
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /stdin (?:is larger than 256 MB|was not closed within \d+ ms)|reading the payload took too long/,
      ),
    ]);
  });

  test("is rejected at the call's time limit if it arrives slowly", async () => {
    const slow = "while echo x; do sleep 0.02; done";
    const { code, ms } = await callWith(slow, "--on-error", "deny", "--timeout-ms", "1500");
    expect(code).toBe(2);
    expect(ms).toBeLessThan(scaleMs(6_000));
  });
});
