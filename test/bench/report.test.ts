import { expect, test } from "bun:test";
import { parsePeers } from "./peers.ts";
import { buildCallTable, formatMarkdown, formatTable } from "./report.ts";

const ratio = { q1: 10.5, median: 11.25, q3: 12.75 };
const result = {
  id: "pipeline",
  group: "calls" as const,
  title: 'npm test 2>&1 | tail -20 && echo "done"',
  bytes: 500,
  ms: 123.456,
  ratios: { "node:fs": ratio, Bun: ratio, FFI: ratio, JSON: ratio },
  beyondMs: ratio,
  memory: 150_000_000,
  floorMemory: Number.NaN,
  goal: { ratio: 1, floor: "JSON" as const },
};

test("a table fits 110 columns", () => {
  const lines = formatTable(buildCallTable([result])).split("\n");
  expect(lines).toHaveLength(2);
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(110);
  expect(lines[1]).toMatch(/ 123\.46 +11\.25 +10\.50–12\.75 +1\.00\* +11\.25 +11\.25 +11\.25 +143\/-$/);
});

test("a pipe in a title is escaped in a Markdown table", () =>
  expect(formatMarkdown(buildCallTable([result]))).toContain('| npm test 2>&1 \\| tail -20 && echo "done" | 123.46 |'));

test("a malformed peer list is rejected", () => {
  expect(
    parsePeers('[{ "name": "mine", "command": ["./mine", "-x"] }, { "name": "line", "command": "./a | b" }]', "f"),
  ).toHaveLength(2);
  for (const text of ["{}", "[1]", '[{ "name": "x" }]', '[{ "name": "x", "command": [] }]'])
    expect(() => parsePeers(text, "peers.json")).toThrow("peers.json: not a list");
});
