import { describe, expect, test } from "bun:test";
import { toLongForm } from "../../../src/cli/config/short-forms.ts";
import { createConfigSchema } from "../../../src/policy/check/json-schema.ts";
import type { ConfigScope } from "../../../src/policy/sources.ts";
import { change, type Documents, hooks } from "./support.ts";

const RULE = { program: "a", pattern: "b", reason: "r" };

describe("config set converts a value in its short form to its long form", () => {
  const CASES: [documents: Documents, key: string, value: string, document: object][] = [
    [{ user: { mode: "observe" } }, "mode.mode", "enforce", { mode: { mode: "enforce" } }],
    [{ user: { mode: "observe" } }, "mode.until", "2999-01-01", { mode: { mode: "observe", until: "2999-01-01" } }],
    [
      { user: { mode: "warn" } },
      "mode.rules.git/*",
      "observe",
      { mode: { mode: "warn", rules: { "git/*": "observe" } } },
    ],
    [
      { user: { mode: "warn" } },
      "mode.hooks.guard",
      "observe",
      { mode: { mode: "warn", hooks: { guard: "observe" } } },
    ],
    [
      { user: { mode: { rules: { "git/push": "warn" } } } },
      "mode.rules.git/push.until",
      "2999-01-01",
      { mode: { rules: { "git/push": { mode: "warn", until: "2999-01-01" } } } },
    ],
    [
      { user: { mode: { hooks: { guard: "warn" } } } },
      "mode.hooks.guard.mode",
      "observe",
      { mode: { hooks: { guard: { mode: "observe" } } } },
    ],
    [{ managed: { allow: { from: "ssh" } } }, "allow.from.+", "tmux", { allow: { from: ["ssh", "tmux"] } }],
    [
      { user: { rules: { "x/y": RULE } } },
      "rules.x/y.pattern.1",
      "c",
      { rules: { "x/y": { ...RULE, pattern: ["b", "c"] } } },
    ],
    [
      { user: { rules: { "x/y": { path: "a/**", access: "edit", reason: "r" } } } },
      "rules.x/y.access.+",
      "delete",
      { rules: { "x/y": { path: "a/**", access: ["edit", "delete"], reason: "r" } } },
    ],
  ];
  for (const [documents, key, value, document] of CASES)
    test(`for ${key}`, async () => {
      const [scope = "user"] = Object.keys(documents) as ConfigScope[];
      const { said, text = "null" } = await change(documents, scope, key, value);
      expect([said, JSON.parse(text)]).toEqual([expect.any(String), document]);
    });

  test("and keeps comments", async () => {
    const user = '{\n  // The trial.\n  "mode": "observe", // until May\n  "locked": [] // none\n}\n';
    expect((await change({ user }, "user", "mode.mode", "warn")).text).toBe(
      user.replace('"observe"', '{\n    "mode": "warn"\n  }'),
    );
  });
});

describe("config unset of a key in the long form removes the short one", () => {
  const CASES: [mode: unknown, key: string, document: object][] = [
    ["observe", "mode.mode", { log: {} }],
    [{ rules: { "git/push": "warn" } }, "mode.rules.git/push.mode", { log: {} }],
    [{ mode: "warn", hooks: { guard: "warn" } }, "mode.hooks.guard.mode", { mode: { mode: "warn" }, log: {} }],
  ];
  for (const [mode, key, document] of CASES)
    test(`for ${key}`, async () => {
      const { said, text = "null" } = await change({ user: { mode, log: {} } }, "user", key);
      expect(said).toContain(`${key} is no longer set (was "`);
      expect(JSON.parse(text)).toEqual(document);
    });

  test("and reports a missing part of the long form", async () => {
    const { said } = await change({ user: { mode: "observe" } }, "user", "mode.until");
    expect(said).toStartWith("mode.until is not set in user/config.json (user)");
  });
});

describe("a change that would alter a short form's meaning fails, and the error contains a command that works", () => {
  const CASES: [documents: Documents, key: string, value: string | undefined, command: string, then: object][] = [
    [{ user: { locked: true } }, "locked.+", "guard", `config set locked '["guard"]'`, { locked: ["guard"] }],
    [{ user: { locked: true } }, "locked.1", "guard", `config set locked '["guard"]'`, { locked: ["guard"] }],
    [
      { managed: { mode: 5 } },
      "mode.mode",
      "warn",
      `config set --scope managed mode '{"mode":"warn"}'`,
      { mode: { mode: "warn" } },
    ],
    [
      { user: { rules: { "git/push": "ask" } } },
      "rules.git/push.action",
      "ask",
      `config set rules.git/push '{"action":"ask"}'`,
      { rules: { "git/push": { action: "ask" } } },
    ],
    [
      { user: { mode: { mode: "observe", until: "2999-01-01", rules: { "git/*": "warn" } } } },
      "mode.mode",
      undefined,
      "config unset mode.until",
      { mode: { mode: "observe", rules: { "git/*": "warn" } } },
    ],
  ];
  for (const [documents, key, value, command, then] of CASES)
    test(`for ${key} of ${JSON.stringify(documents)}`, async () => {
      const [scope = "user"] = Object.keys(documents) as ConfigScope[];
      const { said, text } = await change(documents, scope, key, value);
      expect(text).toBeUndefined();
      expect(said).toEndWith(`: bridge-hooks ${command}`);
      const [, , ...words] = command.replace("--scope managed ", "").split(" ");
      const [pasted = "", typed] = words;
      const done = await change(documents, scope, pasted, typed?.replaceAll("'", ""));
      expect(JSON.parse(done.text ?? "null")).toEqual(then);
    });

  test("and no wrong command is suggested", async () => {
    const { said } = await change({ user: { mode: 5 } }, "user", "mode.mode", "obey");
    expect(said).toBe("user/config.json (user) was not changed: mode is 5, which has no items or fields");
  });
});

type Schema = Readonly<Record<string, unknown>>;

/** Lists the paths at which a schema accepts a string in place of an object or array. */
function listShortForms(schema: Schema, path: readonly string[] = []): string[][] {
  const choices = ((schema.anyOf ?? schema.oneOf ?? []) as Schema[]).flatMap((one) => (one.anyOf as Schema[]) ?? [one]);
  const takes = (types: string[]) =>
    choices.some(({ type, enum: words }) => types.includes((type as string) ?? (words ? "string" : "")));
  const below = [schema, ...choices].flatMap(({ properties = {}, additionalProperties }) => [
    ...Object.entries(properties as Record<string, Schema>),
    ...(typeof additionalProperties === "object" ? [["any/name", additionalProperties as Schema] as const] : []),
  ]);
  return [
    ...(takes(["string"]) && takes(["object", "array"]) ? [[...path]] : []),
    ...below.flatMap(([name, one]) => listShortForms(one, [...path, name])),
  ];
}

test("every short form in the file's description is known", async () => {
  const { properties } = (await createConfigSchema(hooks, "/")) as { properties: Record<string, Schema> };
  const { hooks: _, ...parts } = properties;
  const found = new Map(listShortForms({ properties: parts }).map((path) => [path.join("."), path]));
  for (const path of ["mode", "mode.rules.any/name", "allow.from", "rules.any/name.path"])
    expect([...found.keys()]).toContain(path);
  const unknown = [...found.values()].filter((path) => toLongForm(path, "x") === "x");
  expect(unknown).toEqual([]);
});
