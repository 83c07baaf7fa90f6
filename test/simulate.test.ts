import { describe, expect, test } from "bun:test";
import * as z from "zod";
import { allow, context, defineHook, deny } from "../src/index.ts";
import { simulate } from "../src/testing.ts";

const guard = defineHook({
  name: "guard",
  event: ["PreToolUse", "Stop"],
  tool: "Bash",
  options: z.strictObject({ most: z.number().default(3) }),
  handler: (event, { options, log }) => {
    if (event.event === "Stop") return event.continuations < options.most ? deny("go on") : undefined;
    log(`looked at ${event.input.command}`);
    return event.input.command.length > options.most ? deny(`longer than ${options.most}`) : allow();
  },
});

/** The result without what differs from run to run. */
function plain({ event: _, ...result }: Awaited<ReturnType<typeof simulate>>) {
  return { ...result, hooks: result.hooks.map(({ ms, ...hook }) => ({ ...hook, ms: ms >= 0 })) };
}

describe("one hook", () => {
  test("all of what it did", async () => {
    expect(plain(await simulate(guard, { event: "PreToolUse", tool: "Bash", input: { command: "rm -rf /" } }))).toEqual({
      matched: true,
      decision: "deny",
      reason: "longer than 3",
      log: ["looked at rm -rf /"],
      options: { most: 3 },
      hooks: [
        {
          name: "guard",
          matched: true,
          decision: "deny",
          reason: "longer than 3",
          log: ["looked at rm -rf /"],
          options: { most: 3 },
          ms: true,
        },
      ],
      warnings: [],
    });
  });
  test("with options of the test", async () => {
    const { decision, options } = await simulate(
      guard,
      { event: "PreToolUse", tool: "Bash", input: { command: "rm -rf /" } },
      { options: { most: 10 } },
    );
    expect([decision, options]).toEqual(["allow", { most: 10 }]);
  });
  test("as a module", async () => {
    const module = { default: defineHook({ event: "Notification", handler: ({ message }) => context(message) }), other: 1 };
    const { additional_context, hooks } = await simulate(module, { event: "Notification", message: "hello" });
    expect([additional_context, hooks[0]?.name]).toEqual(["hello", "hook"]);
  });
});
