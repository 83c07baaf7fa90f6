import { describe, expect, test } from "bun:test";
import protectHooks from "../../../hooks/protect-hooks.ts";
import { HOOKS_RULES, listRules } from "../../../hooks/_protect-rules.ts";
import { askHook } from "../../support/ask-hook.ts";
import { root } from "./project.ts";

const ask = (command: string) =>
  askHook(protectHooks, { event: "PreToolUse", cwd: root, tool: "Bash", tool_name: "Bash", input: { command } }, {});

for (const { id, deny, allow } of listRules({ decision: "deny" }))
  describe(`the rule ${id}`, () => {
    for (const line of deny)
      test(`denies ${line}`, async () => {
        const answer = await ask(line);
        expect([answer?.decision, answer?.reason?.endsWith(` [bridge-hooks ${id}]`)]).toEqual(["deny", true]);
      });
    for (const line of allow) test(`allows ${line}`, async () => expect((await ask(line))?.decision).toBeUndefined());
  });

test("protect-hooks has four rules with examples", () => expect(Object.keys(HOOKS_RULES).length).toBe(4));
