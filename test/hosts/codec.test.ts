import { describe, expect, test } from "bun:test";
import type { LoweredResponse } from "../../src/protocol/host/host.ts";
import {
  type AnswerTable,
  buildField,
  createEncoder,
  joinFields,
  nestFields,
  writeDecision,
} from "../../src/hosts/codec/answer.ts";
import { findDecision, findText, isDenial, listShapePaths } from "../../src/hosts/codec/answer-paths.ts";

/** The table of an imaginary host. */
const table: AnswerTable<"gate" | "stop" | "result"> = {
  noReason: "Denied.",
  stderr: ["denial", "message"],
  wantsExitCode: ({ deny }) => deny === "exit",
  acceptedFields: { old_reason: "reason" },
  shapes: {
    gate: {
      exitCode: "optional",
      fields: {
        verdict: writeDecision({ deny: ["no", "never"], ask: "ask", rewrite: "yes" }),
        text: joinFields("reason", "denial", "context"),
        inner: nestFields({ event: "event", args: "input" }),
        shown: buildField("message", ({ message }) => message && `!${message}`),
      },
    },
    stop: { exitCode: "always", needsReason: true, fields: {}, deniedFields: { goOn: "denial" } },
    result: {
      replacesByDenial: true,
      fields: { stop: writeDecision({ deny: true }), text: joinFields("reason", "output") },
    },
  },
};
const encode = createEncoder(table);
const write = (shape: keyof typeof table.shapes, response: LoweredResponse, deny = "json") => {
  const { stdout, stderr, exit_code } = encode(response, shape, "Before", { deny });
  return [stdout, stderr, exit_code];
};

describe("an answer table", () => {
  test("writes the fields that have a value, in the table's order", () => {
    expect(write("gate", {})).toEqual(["", "", 0]);
    expect(write("gate", { decision: "deny", reason: "R", additional_context: "C", user_message: "M" })).toEqual([
      String.raw`{"verdict":"no","text":"R\n\nC","shown":"!M"}`,
      "",
      0,
    ]);
    expect(write("gate", { decision: "ask", reason: "R" })).toEqual(['{"verdict":"ask"}', "", 0]);
    expect(write("gate", { input: { a: 1 } })).toEqual([
      '{"verdict":"yes","inner":{"event":"Before","args":{"a":1}}}',
      "",
      0,
    ]);
  });
  test("gives a denial a reason, and an exit code with stderr if required", () => {
    expect(write("gate", { decision: "deny" })).toEqual(['{"verdict":"no","text":"Denied."}', "", 0]);
    expect(write("gate", { decision: "deny", reason: "R", user_message: "M" }, "exit")).toEqual([
      '{"verdict":"no","text":"R","shown":"!M"}',
      "R\n\nM",
      2,
    ]);
    expect(write("stop", { decision: "deny", reason: "R" })).toEqual(['{"goOn":"R"}', "R", 2]);
  });
  test("sends a new result as a denial if the host can't replace results", () => {
    expect(write("result", { output: "new" })).toEqual(['{"stop":true,"text":"new"}', "", 0]);
  });
  test("parses every value of a decision, and a denial without a separate field by its reason", () => {
    for (const [document, isDenied] of [
      [{ verdict: "no" }, true],
      [{ verdict: "never" }, true],
      [{ verdict: "ask" }, false],
      [{ text: "R" }, false],
    ] as const)
      expect([document, isDenial(document, table, "gate")]).toEqual([document, isDenied]);
    expect(isDenial({ goOn: "R" }, table, "stop")).toBe(true);
    expect(isDenial({ goOn: " " }, table, "stop")).toBe(false);
  });
  test("finds texts and decisions in the fields of the answer's shape, then in the fields of any shape", () => {
    const places = listShapePaths(table, "gate", "passed");
    expect(findText({ text: "new", old_reason: "old" }, places, "reason")).toBe("new");
    expect(findText({ old_reason: "old" }, places, "reason")).toBe("old");
    expect(findDecision({ verdict: "ask" }, places, ["allow", "ask"])).toBe("ask");
    expect(findDecision({ verdict: "maybe" }, places, ["allow", "ask"])).toBeUndefined();
  });
});
