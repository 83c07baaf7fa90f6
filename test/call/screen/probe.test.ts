import { describe, expect, test } from "bun:test";
import { PROBE } from "../../../src/protocol/probe.ts";
import { parseQuickly } from "../../../src/call/screen/read-quickly.ts";
import { startCpuClock } from "../../support/machine.ts";

const LONG = "const count = 1;\n".repeat(5_000);
const many = Array.from({ length: 2_000 }, (_, at) => at);
const isRead = (payload: object) => parseQuickly(JSON.stringify(payload)) !== undefined;

describe("a doctor probe takes the full path", () => {
  const payloads: object[] = [
    { tool_input: { command: PROBE } },
    { tool_input: { file_path: PROBE, content: LONG } },
    { content: LONG, prompt: PROBE },
    { content: LONG, toolArgs: JSON.stringify({ command: PROBE }) },
    { toolArgs: ` \n${JSON.stringify({ command: PROBE, content: LONG })}` },
    { content: LONG, tool_input: { arguments: { list: [1, { path: PROBE }] } } },
    { content: LONG, many, prompt: PROBE },
    { content: LONG, many: many.map((at) => ({ at })), prompt: PROBE },
    { content: LONG, many: Object.fromEntries(many.map((at) => [`key ${at}`, at])), prompt: PROBE },
  ];
  for (const [at, payload] of payloads.entries()) test(`in layout ${at}`, () => expect(isRead(payload)).toBe(false));
});

test("a payload that only resembles a doctor probe takes the quick path", () => {
  expect(isRead({ prompt: "x" })).toBe(true);
  expect(isRead({ content: LONG, many, prompt: "x" })).toBe(true);
  // Not doctor's probe: no field has exactly this value.
  expect(isRead({ content: `${LONG}${PROBE}`, prompt: "x" })).toBe(true);
});

test("a payload with a million values is searched for doctor's words in linear time", () => {
  const values = JSON.stringify({ content: LONG, deep: Array.from({ length: 1_000 }, () => many) });
  const readCpuTime = startCpuClock();
  expect(parseQuickly(values)).toBeDefined();
  expect(readCpuTime()).toBeLessThan(2_000);
});
