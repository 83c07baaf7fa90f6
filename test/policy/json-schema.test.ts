import { describe, expect, test } from "bun:test";
import { createConfigSchema } from "../../src/policy/check/json-schema.ts";
import { CONFIG_KEYS } from "../../src/policy/describe.ts";
import { hooks } from "../cli/config/support.ts";

const schema = (await createConfigSchema(hooks, "/")) as Record<string, any>;

describe("the JSON Schema of config files", () => {
  test("has every key that the executable reads", () => {
    expect(Object.keys(schema.properties)).toEqual(["$schema", ...CONFIG_KEYS]);
    expect(Object.values(schema.properties).every((one) => typeof one === "object")).toBe(true);
    expect(schema.additionalProperties).toBe(false);
  });
  test("has the settings of every hook, all of them optional", () => {
    const { guard, fixed, ...others } = schema.properties.hooks.properties;
    expect(guard.properties.most).toEqual({ type: "number", default: 3 });
    expect([guard.additionalProperties, guard.required]).toEqual([false, undefined]);
    expect(fixed).toEqual({ type: "object", additionalProperties: false });
    expect(others["dotted.name"].properties.level).toEqual({ type: "string", enum: ["low", "high"], default: "low" });
  });
  test("has the IDs of the rules that config files may set", () => {
    expect(Object.keys(schema.properties.rules.properties)).toEqual(["git/push", "git/pull", "disks/wipe"]);
    expect(schema.properties.rules.properties["disks/wipe"].description).toBe("r (default: off)");
    expect(schema.properties.exceptions.items.properties.rule.anyOf[0].enum).toEqual([
      "git/push",
      "git/pull",
      "disks/wipe",
    ]);
    expect(schema.properties.locked.anyOf[1].items.anyOf[0].enum).toEqual([
      "guard",
      "dotted.name",
      "fixed",
      "guard/allow",
      "guard/deny",
      "guard/most",
      "guard/label",
      "dotted.name/level",
      "dotted.name/limits",
      "rules/git/*",
      "rules/disks/*",
      "rules/git/push",
      "rules/git/pull",
      "rules/disks/wipe",
      "log",
    ]);
  });
});
