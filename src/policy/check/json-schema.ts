import { toJsonSchema } from "@valibot/to-json-schema";
import type { Hook } from "../../protocol/hook.ts";
import { CONFIG_PARTS, type ConfigKey } from "../describe.ts";
import { LOG_LOCK } from "../vocabulary.ts";
import { loadCheckedHooks } from "./findings.ts";
import { getJsonSchema } from "./option-schema.ts";
import { type HookEntries, loadRuleCatalog, type RuleCatalog } from "./rule-catalog.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schema draft 7. Editors support it fully but newer drafts only in part. */
const SCHEMA_DRAFT = "http://json-schema.org/draft-07/schema#";

/** Creates the JSON Schema for config files. It includes the names, settings and rules of the given hooks. */
export async function createConfigSchema(hooks: HookEntries, cwd: string): Promise<JsonSchema> {
  // Load only the hooks' own rules by leaving out all config files.
  const catalog = await loadRuleCatalog(hooks, cwd, { sources: [], read: async () => undefined });
  const loadedHooks = await loadCheckedHooks(hooks.entries);
  const keys = Object.keys(CONFIG_PARTS) as ConfigKey[];
  const properties = Object.fromEntries(keys.map((key) => [key, convertPart(key)])) as Record<ConfigKey, JsonSchema>;
  const ids = listSettableRules(catalog).map(({ id }) => id);
  const { properties: fields } = properties.rules.additionalProperties as Record<"properties", JsonSchema>;
  return {
    $schema: SCHEMA_DRAFT,
    title: "Config file for bridge-hooks",
    type: "object",
    properties: {
      $schema: { type: "string", description: "Schema URL for editors. Ignored by bridge-hooks" },
      ...properties,
      hooks: {
        ...properties.hooks,
        properties: Object.fromEntries(catalog.names.map((name) => [name, describeHook(loadedHooks.get(name))])),
      },
      rules: { ...properties.rules, properties: describeRules(catalog) },
      exceptions: nameRules(properties.exceptions, ids),
      locked: { ...properties.locked, anyOf: [{ type: "boolean" }, { type: "array", items: describeLocks(catalog) }] },
      mode: nameModes(properties.mode, { hooks: catalog.names, rules: ids }),
    },
    additionalProperties: false,
    definitions: {
      setting: {
        type: "object",
        properties: { action: fields.action, enabled: fields.enabled },
        additionalProperties: false,
        minProperties: 1,
      },
    },
  };
}

/** Converts the schema for a key's value to JSON Schema, leaving out checks that only code can perform. */
function convertPart(key: ConfigKey): JsonSchema {
  const { $schema: _, ...schema } = toJsonSchema(CONFIG_PARTS[key].schema(), {
    // Leaves out the custom check that comes first in an object's schema and can't be expressed in JSON Schema.
    typeMode: "output",
    ignoreActions: ["check", "raw_check"],
  });
  return schema;
}

function describeHook(hook: Hook | undefined): JsonSchema {
  const annotation = hook?.description === undefined ? {} : { description: hook.description };
  if (hook && !hook.options) return { type: "object", ...annotation, additionalProperties: false };
  // Don't require any settings, since another file may set them.
  const {
    $schema: _,
    required: __,
    ...found
  } = ((hook?.options && getJsonSchema(hook.options, "draft-07")) as JsonSchema & { required?: unknown }) ?? {};
  return { type: "object", ...annotation, ...found };
}

const listSettableRules = ({ hooks }: RuleCatalog) => hooks.flatMap(({ rules }) => rules.filter(({ fixed }) => !fixed));

const describeRules = (catalog: RuleCatalog): JsonSchema =>
  Object.fromEntries(
    listSettableRules(catalog).map(({ id, reason, action = "deny", enabled = true }) => [
      id,
      {
        description: `${reason} (default: ${enabled ? action : "off"})`,
        // In draft 7, any keyword next to `$ref` is ignored, so wrap the reference in `allOf`.
        allOf: [{ $ref: "#/definitions/setting" }],
      },
    ]),
  );

/** Suggests the ids of known rules. Other ids stay valid. */
function nameRules({ items, ...schema }: JsonSchema, ids: readonly string[]): JsonSchema {
  const { properties, ...item } = items as Record<"properties", Record<"rule", JsonSchema>>;
  const { description, ...pattern } = properties.rule;
  return {
    ...schema,
    items: { ...item, properties: { ...properties, rule: { description, anyOf: [{ enum: ids }, pattern] } } },
  };
}

/**
 * Suggests the names of known hooks and rules. Other names stay valid, because the same file may be read by executables
 * with other hooks and rules.
 */
function nameModes(
  { anyOf, ...schema }: JsonSchema,
  knownNames: Readonly<Record<"hooks" | "rules", readonly string[]>>,
): JsonSchema {
  const [name, object] = anyOf as [JsonSchema, Record<"properties", Record<string, JsonSchema>>];
  const groups = Object.entries(knownNames).map(([key, names]) => {
    const { additionalProperties, ...group } = object.properties[key] as JsonSchema;
    const properties = Object.fromEntries(names.map((one) => [one, additionalProperties]));
    return [key, { ...group, properties, additionalProperties }];
  });
  const properties = { ...object.properties, ...Object.fromEntries(groups) };
  return { ...schema, anyOf: [name, { ...object, properties }] };
}

/** Builds the schema for the names in `locked`, which have no effect if they are unknown. */
function describeLocks(catalog: RuleCatalog): JsonSchema {
  const settings = catalog.hooks.flatMap(({ name, settings: all = [] }) => all.map((setting) => `${name}/${setting}`));
  const rules = listSettableRules(catalog).map(({ id }) => `rules/${id}`);
  const categories = [...new Set(rules.map((name) => `${name.split("/").slice(0, 2).join("/")}/*`))];
  // Accept any name for hooks that don't list their settings, and for rules, since files can add some.
  const openNames = catalog.names.filter((name) => !catalog.hooks.find((one) => one.name === name)?.settings);
  return {
    anyOf: [
      { enum: [...catalog.names, ...settings, ...categories, ...rules, LOG_LOCK] },
      ...["rules", ...openNames].map((name) => ({ type: "string", pattern: `^${RegExp.escape(name)}/\\S+$` })),
    ],
  };
}
