import { expect, test } from "bun:test";
import { hosts } from "../../src/hosts/index.ts";
import { findRuleGaps, listRuleGaps } from "../../src/operate/policy/rule-gaps.ts";

test("a rule has a gap on a host that does not run hooks for the rule's tools", () => {
  const tools = { Bash: ["sh"], Read: ["read"], Edit: ["edit"], MCP: [] };
  const find = (conditions: object) => findRuleGaps(conditions as Record<string, unknown>, tools);
  expect(find({ path: "x", access: ["read", "edit", "delete"] })).toEqual([]);
  expect(find({ url: "x.example" })).toEqual(["tools that fetch web pages"]);
  expect(find({ mcp: "x" })).toEqual(["MCP server tools"]);
  expect([find({ tool: "WebSearch" }), find({ tool: "Read" }), find({ tool: "web_*" })]).toEqual([
    ["the tool WebSearch"],
    [],
    [],
  ]);
  expect(find({ program: "x" })).toEqual([]);
  expect(findRuleGaps({ path: "x", access: ["read", "edit", "delete"] }, {})).toEqual([
    "tools that read files",
    "tools that change files",
  ]);
});

test("the gaps of a rule name the hosts", async () => {
  const gaps = await listRuleGaps({ url: "x.example" }, hosts);
  expect(gaps.map(({ host }) => host)).toContain("codex");
  expect(gaps.map(({ host }) => host)).not.toContain("claude");
  expect(await listRuleGaps({ program: "x" }, hosts)).toEqual([]);
});
