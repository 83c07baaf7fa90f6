import { expect, test } from "bun:test";
import { join } from "node:path";
import { buildHarmfulLines } from "./harmful/lines.ts";
import { buildOrdinaryPaths, buildOrdinaryTexts } from "./ordinary/files.ts";
import { buildOrdinaryLines } from "./ordinary/lines.ts";
import { findDrops, readBaseline, type Score } from "./score.ts";
import { buildSecretTexts } from "./secret-forms.ts";

test("no category of the sample scores worse than the baseline", () => {
  // Runs in a separate process, because hooks read the home directory when they're loaded.
  const { stdout, stderr } = Bun.spawnSync([process.execPath, join(import.meta.dir, "score.ts"), "--sample", "--json"]);
  const score = JSON.parse(stdout.toString() || JSON.stringify(stderr.toString())) as Score;
  expect(findDrops(score, readBaseline().sample)).toEqual([]);
});

test("a category that scores worse than the baseline, or is missing, is reported", () => {
  const before: Score = { ordinary: { git: { lines: 10, denied: 0 } }, harmful: { disks: { lines: 10, denied: 9 } } };
  const after: Score = { ordinary: { git: { lines: 20, denied: 1 } }, harmful: { disks: { lines: 10, denied: 8 } } };
  expect(findDrops(before, before)).toEqual([]);
  expect(findDrops(after, before)).toEqual([
    "git: 1 of 20 false alarms, in the baseline 0 of 10",
    "disks: 8 of 10 found, in the baseline 9 of 10",
  ]);
  expect(findDrops({ ordinary: {}, harmful: {} }, before)).toHaveLength(2);
});

test("the corpora have their documented minimum sizes, and no duplicate commands", async () => {
  const ordinary = [...buildOrdinaryLines().values()].flat();
  expect(ordinary.length).toBeGreaterThanOrEqual(15_000);
  expect(new Set(ordinary).size).toBe(ordinary.length);
  const harmful = [...buildHarmfulLines().values()];
  expect(harmful.flat().length).toBeGreaterThanOrEqual(2_000);
  for (const lines of harmful) expect(new Set(lines).size).toBe(lines.length);
  expect(buildOrdinaryPaths().length).toBeGreaterThanOrEqual(5_000);
  expect(buildOrdinaryTexts().length).toBeGreaterThanOrEqual(500);
  expect(new Set((await buildSecretTexts()).map(({ issuer }) => issuer)).size).toBeGreaterThanOrEqual(30);
});

test("building a corpus twice gives the same commands", () => {
  expect([...buildOrdinaryLines()]).toEqual([...buildOrdinaryLines()]);
  expect([...buildHarmfulLines()]).toEqual([...buildHarmfulLines()]);
  expect(buildOrdinaryPaths()).toEqual(buildOrdinaryPaths());
});
