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
    expect(await unset({ exceptions: [EXCEPTION, EXCEPTION] }, "exceptions.0")).toEqual({ exceptions: [EXCEPTION] });
    const setting = { hooks: { guard: { allow: ["a"] } } };
    expect(await unset(setting, "hooks.guard.allow.0")).toEqual({ hooks: { guard: { allow: [] } } });
  });
  test("names the added item", async () =>
    expect((await change({ user: { exceptions: [EXCEPTION] } }, "user", "exceptions.+", json)).said).toContain(
      "exceptions.1 = ",
    ));
  test("adds only the first item of a new list, and nothing to a value that isn't a list", async () => {
    expect((await change({}, "user", "exceptions.3", json)).said).toBe("exceptions is empty; use exceptions.0");
    expect((await change({ user: { exceptions: {} } }, "user", "exceptions.+", json)).said).toBe(
      "exceptions is {}, not a list",
    );
    expect((await change({}, "user", "exceptions.+.until", "2099-01-01")).text).toBeUndefined();
    expect((await change({ user: { exceptions: [EXCEPTION] } }, "user", "exceptions.+")).said).toContain("is not set");
  });
});
