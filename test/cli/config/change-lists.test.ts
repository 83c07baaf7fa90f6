import { describe, expect, test } from "bun:test";
import { change, type Documents } from "./support.ts";

describe("a change of one key creates missing lists and objects in them", () => {
  const EXCEPTION = { rule: "git/push", match: "git push x", reason: "r" };
  const json = JSON.stringify(EXCEPTION);
  const LISTS: [documents: Documents, key: string, value: string, becomes: unknown][] = [
    [{}, "exceptions.0", json, { exceptions: [EXCEPTION] }],
    [{}, "exceptions.+", json, { exceptions: [EXCEPTION] }],
    [{ user: "" }, "exceptions.+", json, { exceptions: [EXCEPTION] }],
    [{ user: {} }, "exceptions.0", json, { exceptions: [EXCEPTION] }],
    [{ user: { exceptions: [] } }, "exceptions.+", json, { exceptions: [EXCEPTION] }],
    [{ user: { exceptions: [EXCEPTION] } }, "exceptions.+", json, { exceptions: [EXCEPTION, EXCEPTION] }],
    [{ user: { exceptions: [EXCEPTION] } }, "exceptions.1", json, { exceptions: [EXCEPTION, EXCEPTION] }],
    [{}, "exceptions.+", "{rule: 'git/push', match: 'git push x', reason: 'r'}", { exceptions: [EXCEPTION] }],
    [{}, "hooks.guard.allow.0", "a", { hooks: { guard: { allow: ["a"] } } }],
    [{}, "hooks.guard.allow.+", "a", { hooks: { guard: { allow: ["a"] } } }],
    [
      { user: { hooks: { guard: { allow: ["a"] } } } },
      "hooks.guard.allow.+",
      "b",
      { hooks: { guard: { allow: ["a", "b"] } } },
    ],
    [{}, "locked.+", "guard", { locked: ["guard"] }],
  ];
  for (const [documents, key, value, becomes] of LISTS)
    test(`${key} of ${JSON.stringify(documents)} set to ${value}`, async () => {
      const { said, text = said } = await change(documents, "user", key, value);
      expect(JSON.parse(text)).toEqual(becomes);
    });
  test("removes a top-level list with its last item, but keeps an empty list in a setting", async () => {
    const unset = async (user: object, key: string) => JSON.parse((await change({ user }, "user", key)).text ?? "");
    expect(await unset({ exceptions: [EXCEPTION], mode: "warn" }, "exceptions.0")).toEqual({ mode: "warn" });
    const other = { ...EXCEPTION, reason: "other" };
    expect(await unset({ exceptions: [EXCEPTION, other] }, "exceptions.0")).toEqual({ exceptions: [other] });
    const setting = { hooks: { guard: { allow: ["a"] } } };
    expect(await unset(setting, "hooks.guard.allow.0")).toEqual({ hooks: { guard: { allow: [] } } });
  });
  test("names the added item", async () =>
    expect((await change({ user: { exceptions: [EXCEPTION] } }, "user", "exceptions.+", json)).said).toContain(
      "exceptions.1 = ",
    ));
  test("says how to remove an added exception, and whether it has an end", async () => {
    const user = { exceptions: [EXCEPTION] };
    const { said } = await change({ user }, "user", "exceptions.+", json);
    expect(said).toMatch(/\nto undo: .*config unset exceptions\.1\nnote: the exception has no expiry date/);
    const timed = JSON.stringify({ ...EXCEPTION, until: "2099-01-01" });
    const later = await change({ user }, "user", "exceptions.+", timed);
    expect(later.said).toMatch(/\nto undo: .*config unset exceptions\.1$/);
    expect((await change({ user }, "user", "exceptions.0.until", "2099-01-01")).said).not.toContain("to undo");
  });
  test("adds only the first item of a new list, and nothing to a value that isn't a list", async () => {
    expect((await change({}, "user", "exceptions.3", json)).said).toBe("exceptions is empty; use exceptions.0");
    expect((await change({ user: { exceptions: {} } }, "user", "exceptions.+", json)).said).toBe(
      "exceptions is {}, not a list",
    );
    expect((await change({}, "user", "exceptions.+.until", "2099-01-01")).text).toBeUndefined();
    expect((await change({ user: { exceptions: [EXCEPTION] } }, "user", "exceptions.+")).said).toContain("is not set");
  });
});
