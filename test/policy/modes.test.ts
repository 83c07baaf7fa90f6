import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readModes, readModeStatement } from "../../src/policy/modes.ts";
import type { ConfigSource } from "../../src/policy/sources.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-modes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns the overall mode that results from a managed and a user config file. A string is written to the file as it
 * is.
 */
async function combine(managed: unknown, user: unknown): Promise<string> {
  const sources: ConfigSource[] = [];
  for (const [scope, document] of [["managed", managed] as const, ["user", user] as const]) {
    if (document === undefined) continue;
    const path = join(folder, `${scope}.json`);
    writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document));
    sources.push({ scope, path });
  }
  return (await readModes(sources)).find("a-hook");
}

test("the managed config decides whether users may set a mode", async () => {
  const observe = { mode: "observe" };
  expect(await combine(undefined, observe)).toBe("observe");
  expect(await combine({}, observe)).toBe("enforce");
  expect(await combine({ mode: "warn" }, observe)).toBe("warn");
  expect(await combine({ mode: { users: true } }, observe)).toBe("observe");
  expect(await combine({ mode: { mode: "warn", users: true } }, {})).toBe("warn");
  expect(await combine({ mode: { mode: "warn", users: true } }, observe)).toBe("observe");
  expect(await combine({ mode: { users: "yes" } }, observe)).toBe("enforce");
  expect(await combine("{ does not parse", observe)).toBe("enforce");
  expect(await combine(undefined, "{ does not parse")).toBe("enforce");
  expect(await combine(observe, undefined)).toBe("observe");
});

test("a mode is valid through its last day", async () => {
  const until = (day: string) => combine(undefined, { mode: { mode: "observe", until: day } });
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  expect([await until(day(-2)), await until(day(0)), await until(day(2))]).toEqual(["enforce", "observe", "observe"]);
});

describe("a mode is validated, and an invalid one is reported and enforces:", () => {
  const CASES: [value: unknown, problems: string[]][] = [
    ["observe", []],
    [{ mode: "warn", until: "2026-12-31", hooks: { a: "observe" }, rules: { "git/*": { mode: "warn" } } }, []],
    ["Observe", ['must be "observe", "warn" or "enforce", or an object']],
    [null, ['must be "observe", "warn" or "enforce", or an object']],
    [{ mode: "off" }, ['mode: must be "observe", "warn" or "enforce"']],
    [{ until: "2026-12-31" }, ['mode: must be "observe", "warn" or "enforce"']],
    [
      { mode: "observe", until: "tomorrow" },
      ["until: must be a date (2026-12-31), or a time with a time zone (2026-12-31T12:00:00Z)"],
    ],
    [{ hooks: ["a"] }, ["hooks: must be an object that contains modes by name"]],
    [{ rules: { "git/*": 1 } }, ['rules.git/*: must be "observe", "warn" or "enforce"']],
    [{ users: 1 }, ["users: must be true or false"]],
    [{ modes: 1 }, ['modes: unknown field "modes"; did you mean mode?']],
  ];
  for (const [value, expected] of CASES)
    test(JSON.stringify(value), () => {
      const { problems, value: statement } = readModeStatement(value);
      expect(
        problems.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`)),
      ).toEqual(expected);
      if (expected.length > 0) expect(statement.mode).toBe("enforce");
    });
});
