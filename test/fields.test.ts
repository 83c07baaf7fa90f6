import { describe, expect, test } from "bun:test";
import type { AnyEvent } from "../src/core/event.ts";
import { entryOf, type HookEntry } from "../src/core/hook.ts";
import { merge } from "../src/core/merge.ts";
import { checkResponse, type IHookResponse } from "../src/core/response.ts";
import { dispatch } from "../src/run/dispatch.ts";
import { eventOf } from "./fixtures.ts";

describe("a new result and a session's variables in an answer", () => {
  for (const value of [
    { modified_output: "" },
    { modified_output: { content: [{ type: "text", text: "a" }] } },
    { session_env: {} },
    { session_env: { _A1: 'it\'s\n"two" lines $HOME \\', b: "" } },
  ])
    test(`${JSON.stringify(value)} is fine`, () => expect(checkResponse(value)).toEqual(value as IHookResponse));

  const wrong: [value: unknown, message: string][] = [
    [{ modified_output: 1 }, "it returned a modified_output that is neither a string nor an object"],
    [{ modified_output: null }, "it returned a modified_output that is neither a string nor an object"],
    [{ modified_output: ["a"] }, "it returned a modified_output that is neither a string nor an object"],
    [{ modified_output: { size: 1n } }, "it returned a modified_output that is no JSON"],
    [{ modified_output: { a: undefined } }, 'it returned a modified_output without a value for "a"'],
    [{ session_env: ["A=1"] }, "it returned a session_env that is not an object"],
    [{ session_env: { "A B": "1" } }, 'it returned a session_env with the invalid name "A B"'],
    [{ session_env: { "A=1; rm -rf": "" } }, 'it returned a session_env with the invalid name "A=1; rm -rf"'],
    [{ session_env: { "1A": "" } }, 'it returned a session_env with the invalid name "1A"'],
    [{ session_env: { "A\n": "" } }, 'it returned a session_env with the invalid name "A\\n"'],
    [{ session_env: { A: 1 } }, 'it returned a session_env whose "A" is not a string'],
    [{ session_env: { A: "a\0b" } }, 'it returned a session_env whose "A" contains a NUL character'],
  ];
  for (const [value, message] of wrong)
    test(`${Bun.inspect(value, { compact: true })} is not`, () => void expect(() => checkResponse(value)).toThrow(message));

  test("of several hooks the last result counts, and later variables replace earlier ones", () => {
    const merged = merge([
      { modified_output: "one", session_env: { A: "1", B: "1" } },
      { modified_output: "", session_env: { B: "2", ["__proto__"]: "3" } },
      {},
    ]);
    expect(merged).toEqual({ modified_output: "", session_env: { A: "1", B: "2", ["__proto__"]: "3" } });
  });
});

describe("a hook sees the result as the ones before it changed it", () => {
  const entry = (name: string, handler: (event: any) => unknown): HookEntry =>
    entryOf({ event: ["PostToolUse", "PostToolUseFailure"], handler: handler as never }, name);
  const hide = (name: string, secret: string, read: (event: any) => string) =>
    entry(name, (event) => ({ modified_output: read(event).replaceAll(secret, "[hidden]") }));
  const last = async (event: AnyEvent, read: (event: any) => string) => {
    const outcomes = await dispatch([hide("a", "KEY-A", read), hide("b", "KEY-B", read)], event, performance.now() + 2_000);
    return merge(outcomes.map(({ response }) => response)).modified_output;
  };
  const bash = eventOf("claude", "PostToolUse-Bash");
  const output = { text: "KEY-A KEY-B", raw: { stdout: "KEY-A KEY-B", stderr: "" }, stdout: "KEY-A KEY-B", stderr: "" };

  test("so that two redactions hold together, whatever they read", async () => {
    const event = { ...bash, output } as AnyEvent;
    expect(await last(event, ({ output }) => output.text)).toBe("[hidden] [hidden]");
    expect(await last(event, ({ output }) => output.stdout + output.stderr)).toBe("[hidden] [hidden]");
    expect(await last(event, ({ output }) => JSON.stringify(output.raw))).not.toMatch(/KEY-/);
  });
  test("an error's text too", async () => {
    const event = { ...bash, event: "PostToolUseFailure", output: undefined, error: "KEY-A KEY-B" } as unknown as AnyEvent;
    expect(await last(event, ({ error }) => error)).toBe("[hidden] [hidden]");
  });
});
