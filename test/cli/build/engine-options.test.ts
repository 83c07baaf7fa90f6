import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeEngineOptions } from "../../../src/cli/build/engine-options.ts";
import { detectTarget } from "../../../src/operate/executable/image.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-options-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Lists the engine's options without their descriptions, as printed by a runtime that still reads the environment
 * variables.
 */
function listEngineOptions(runtime: string): string[] {
  const { stderr } = Bun.spawnSync([runtime, "-e", "0"], { env: { BUN_JSC_dumpOptions: "3" } });
  return stderr
    .toString()
    .split("\n")
    .map((line) => line.replace(/ +\.\.\. .*/, ""));
}

test.skipIf(detectTarget() !== "bun-linux-x64")(
  "the engine uses the changed options, and otherwise its defaults",
  () => {
    const image = readFileSync(process.execPath);
    changeEngineOptions(image, "bun-linux-x64");
    const changed = join(folder, "bun");
    writeFileSync(changed, image);
    chmodSync(changed, 0o755);
    const [before, after] = [listEngineOptions(process.execPath), listEngineOptions(changed)];
    expect(before.length).toBeGreaterThan(100);
    expect(after.filter((line) => !before.includes(line)).map((line) => line.trim())).toEqual([
      "warmUpMarkedBlockStartAfterBlocks=320",
    ]);
    expect(after.length).toBe(before.length);
  },
);

test("an image without the numbers, or with several matches, is rejected; images for other systems don't change", () => {
  const shipped = Buffer.from([7, 0x48, 0xb8, 32, 0, 0, 0, 64, 0, 0, 0, 7]);
  changeEngineOptions(Buffer.from(shipped), "bun-linux-x64");
  const wrong = [
    [shipped.subarray(0, 8), "found none"],
    [Buffer.concat([shipped, shipped]), "found several"],
  ] as const;
  for (const [image, found] of wrong) {
    expect(() => changeEngineOptions(Buffer.from(image), "bun-linux-x64-baseline")).toThrow(found);
    const other = Buffer.from(image);
    changeEngineOptions(other, "bun-darwin-arm64");
    expect(other.equals(image)).toBe(true);
  }
});
