import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deferCompilation } from "../../../src/cli/build/compile-thresholds.ts";
import { detectTarget } from "../../../src/cli/build/image.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-thresholds-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The engine's options, as a runtime that still obeys variables prints them. */
function listEngineOptions(runtime: string): string[] {
  const { stderr } = Bun.spawnSync([runtime, "-e", "0"], { env: { BUN_JSC_dumpOptions: "3" } });
  return stderr.toString().split("\n");
}

test.skipIf(detectTarget() !== "bun-linux-x64")(
  "the engine goes by the higher thresholds, and by nothing else that differs",
  () => {
    const image = readFileSync(process.execPath);
    deferCompilation(image, "bun-linux-x64");
    const changed = join(folder, "bun");
    writeFileSync(changed, image);
    chmodSync(changed, 0o755);
    const [before, after] = [listEngineOptions(process.execPath), listEngineOptions(changed)];
    expect(before.length).toBeGreaterThan(100);
    expect(after.filter((line) => !before.includes(line)).map((line) => line.trim())).toEqual([
      "thresholdForJITAfterWarmUp=20000",
      "thresholdForJITSoon=5000",
      "thresholdForOptimizeAfterWarmUp=4000",
      "thresholdForOptimizeAfterLongWarmUp=4000",
      // The engine computes it from the others.
      "reoptimizationRetryCounterMax=19",
    ]);
    expect(after.length).toBe(before.length);
  },
);

test("an image without the thresholds, or with several, is refused; those of other systems stay as they are", () => {
  const shipped = new Int32Array([7, 500, 100, 1_000, 1_000, 7]).buffer;
  const none = () => Buffer.from(new Int32Array([7, 500, 100, 1_000, 7]).buffer);
  const twice = () => Buffer.concat([Buffer.from(shipped), Buffer.from(shipped)]);
  expect(() => deferCompilation(none(), "bun-linux-x64")).toThrow("found none");
  expect(() => deferCompilation(twice(), "bun-linux-x64-baseline")).toThrow("found several");
  for (const image of [none(), twice()]) {
    const before = Buffer.from(image);
    deferCompilation(image, "bun-darwin-arm64");
    expect(image.equals(before)).toBe(true);
  }
});
