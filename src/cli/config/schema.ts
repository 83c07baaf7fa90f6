import type { Hook } from "../../protocol/hook.ts";
import { DEFAULT_LOG_SETTINGS, LOG_KEYS, type LogKey, MAX_RETAIN_DAYS } from "../../run/log/log-settings.ts";
import { ALLOWERS } from "../../run/exceptions/allow-policy.ts";
import { EXCEPTION_FIELDS, RULE_FIELDS } from "../../run/rule-check.ts";
import type { HookSet } from "../find-hooks.ts";
import { MODES } from "../../run/modes.ts";
import { CONFIG_VERSION, KNOWN_KEYS } from "../list/config-file.ts";
import { jsonSchemaOf } from "../list/schema.ts";
import { loadRuleCatalog, type RuleCatalog } from "../rules/rule-catalog.ts";
import { loadJudgingHooks } from "./document-findings.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** What editors understand; they know newer drafts only in part. */
const DRAFT = "http://json-schema.org/draft-07/schema#";

/** The JSON Schema of config files, with the settings and the rules of these hooks. */
export async function createConfigSchema(hooks: HookSet, cwd: string): Promise<JsonSchema> {
  // The rules as they are without config files.
  const catalog = await loadRuleCatalog(hooks, cwd, { sources: [], read: async () => undefined });
  const loaded = await loadJudgingHooks(hooks.entries);
  const properties: Record<string, JsonSchema> = {
    version: { const: CONFIG_VERSION, description: "The form of the file" },
    hooks: describeHooks(catalog, loaded),
    rules: describeRules(catalog),
    exceptions: describeExceptions(catalog),
    locked: describeLocks(catalog),
    mode: describeModes(catalog),
    trusted: {
      description: "Folders of projects whose own files may say everything: ~/code/*. Not in a project's file",
      ...list({ type: "string" }),
    },
    log: describeLog(),
    allow: describeAllow(),
  };
  return {
    $schema: DRAFT,
    title: "Config file of bridge-hooks",
    type: "object",
    properties: {
      $schema: { type: "string", description: "For editors; nothing else reads it" },
      ...Object.fromEntries(KNOWN_KEYS.map((key) => [key, properties[key]])),
    },
    additionalProperties: false,
    definitions: {
      setting: {
        type: "object",
        properties: { action: ACTION, enabled: ENABLED },
        additionalProperties: false,
        minProperties: 1,
      },
    },
  };
}

/** The settings of the decision log. */
function describeLog(): JsonSchema {
  const values: Record<LogKey, JsonSchema> = {
    level: { enum: ["off", "decisions", "all"], description: "Which calls get a line" },
    content: {
      enum: ["redacted", "structure", "full"],
      description:
        "What a line tells of the call: with secrets replaced by their kinds, its shape alone, or everything",
    },
    retainDays: { type: "integer", minimum: 1, maximum: MAX_RETAIN_DAYS, description: "How long lines are kept" },
    chain: { type: "boolean", description: "Lines are numbered, and each holds the hash of the one before" },
    record: { type: "boolean", description: "Keep the payloads for bridge-hooks replay, with secrets replaced" },
  };
  return {
    type: "object",
    description: "The decision log. Not in a project's file",
    properties: Object.fromEntries(
      LOG_KEYS.map((key) => [key, { ...values[key], default: DEFAULT_LOG_SETTINGS[key] }]),
    ),
    additionalProperties: false,
  };
}

/** Who may make exceptions on purpose. */
function describeAllow(): JsonSchema {
  const time = { type: "string", pattern: "^\\d{1,5}[smhdw]$" };
  return {
    type: "object",
    description: "Who may let calls pass on purpose: bridge-hooks allow and pause. In the managed file alone",
    properties: {
      by: { enum: ALLOWERS, default: "users", description: "Each user, only administrators, or nobody" },
      longest: { ...time, description: "How long an exception lasts at most: 4h" },
      pause: {
        anyOf: [{ type: "boolean" }, time],
        default: true,
        description: "Whether hooks can be paused, or how long at most: 10m",
      },
    } satisfies Record<string, JsonSchema>,
    additionalProperties: false,
  };
}

const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

/** Other executables, which read the same file, may have other hooks. */
const describeHooks = ({ names }: RuleCatalog, hooks: ReadonlyMap<string, Hook>): JsonSchema => ({
  type: "object",
  description: "The settings of each hook, by its name",
  properties: Object.fromEntries(names.map((name) => [name, describeHook(hooks.get(name))])),
  additionalProperties: { type: "object" },
});

function describeHook(hook: Hook | undefined): JsonSchema {
  const about = hook?.description === undefined ? {} : { description: hook.description };
  if (hook && !hook.options) return { type: "object", ...about, additionalProperties: false };
  // A setting that has to be there may stand in another file.
  const {
    $schema: _,
    required: __,
    ...found
  } = ((hook?.options && jsonSchemaOf(hook.options, "draft-07")) as JsonSchema & {
    required?: unknown;
  }) ?? {};
  return { type: "object", ...about, ...found };
}

const TIMED_MODE: JsonSchema = {
  anyOf: [
    { enum: MODES },
    {
      type: "object",
      properties: {
        mode: { enum: MODES },
        until: { type: "string", description: "The last day; everything is enforced then: 2026-12-31" },
      },
      required: ["mode"],
      additionalProperties: false,
    },
  ],
};

function describeModes(catalog: RuleCatalog): JsonSchema {
  const group = (names: readonly string[], description: string): JsonSchema => ({
    type: "object",
    description,
    properties: Object.fromEntries(names.map((name) => [name, TIMED_MODE])),
    additionalProperties: TIMED_MODE,
  });
  return {
    description:
      "observe withholds denials, questions and rewrites; warn also tells the model and the user; enforce is the default. Not in a project's file",
    anyOf: [
      { enum: MODES },
      {
        type: "object",
        properties: {
          mode: { enum: MODES },
          until: { type: "string", description: "The last day; everything is enforced then: 2026-12-31" },
          hooks: group(catalog.names, "Modes of hooks, by their names"),
          rules: group(
            listRuleIds(catalog).map(({ id }) => id),
            "Modes of rules, by their ids; git/* is all of a category",
          ),
          users: { type: "boolean", description: "In the managed file: true lets users set modes in theirs" },
        },
        additionalProperties: false,
      },
    ],
  };
}

const ACTION = { enum: ["deny", "ask"], description: "ask lets the user decide; hosts that can't ask deny" };
const ENABLED = { type: "boolean", description: "false turns the rule off" };
const ID_PATTERN = "^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$";
const TEXT = { type: "string", minLength: 1 };

const listRuleIds = ({ hooks }: RuleCatalog) => hooks.flatMap(({ rules }) => rules.filter(({ fixed }) => !fixed));

function describeRules(catalog: RuleCatalog): JsonSchema {
  const setting = { action: ACTION, enabled: ENABLED };
  return {
    type: "object",
    description: "Rules that are set or added, by their ids: category/name",
    properties: Object.fromEntries(
      listRuleIds(catalog).map(({ id, reason, action = "deny", enabled = true }) => [
        id,
        {
          description: `${reason} (default: ${enabled ? action : "off"})`,
          // Beside $ref alone nothing else would count.
          allOf: [{ $ref: "#/definitions/setting" }],
        },
      ]),
    ),
    propertyNames: { pattern: ID_PATTERN },
    additionalProperties: {
      type: "object",
      description: "A rule of your own, or the setting of one that another file adds",
      properties: Object.fromEntries(RULE_FIELDS.map((field) => [field, { ...setting, ...OWN_RULE }[field] ?? {}])),
      additionalProperties: false,
      anyOf: [
        { required: ["program", "reason"] },
        { maxProperties: 2, anyOf: [{ required: ["action"] }, { required: ["enabled"] }] },
      ],
    },
  };
}

const OWN_RULE: Readonly<Record<string, JsonSchema>> = {
  program: { ...TEXT, description: "The program that it is about, or several: kubectl|helm" },
  pattern: { anyOf: [{ type: "string" }, list({ type: "string" })], description: "What its arguments have to be" },
  reason: { ...TEXT, description: "What such a call does, as a clause: it deploys to production" },
  advice: { ...TEXT, description: "The safer way: open a release request" },
  deny: { ...list({ type: "string" }), description: "Lines that it catches, for rules test and config check" },
  allow: { ...list({ type: "string" }), description: "Lines that it lets pass" },
};

function describeExceptions(catalog: RuleCatalog): JsonSchema {
  const fields: Readonly<Record<string, JsonSchema>> = {
    rule: {
      anyOf: [{ enum: listRuleIds(catalog).map(({ id }) => id) }, TEXT],
      description: "The rule, or several: git/*",
    },
    match: {
      ...TEXT,
      description: "What passes, with wildcards: a command, or a file; absent: all that the rule catches",
    },
    project: { ...TEXT, description: "Only in this folder and below" },
    reason: { ...TEXT, description: "Why" },
    until: { ...TEXT, description: "The last day, 2026-12-31, or a time with its zone, 2026-12-31T12:00:00Z" },
  };
  return {
    description: "What rules let pass. Not in a project's file",
    ...list({
      type: "object",
      properties: Object.fromEntries(EXCEPTION_FIELDS.map((field) => [field, fields[field] ?? {}])),
      required: ["rule", "reason"],
      additionalProperties: false,
    }),
  };
}

/** Names of locks: hooks, settings and rules. Names of other executables' hooks are possible, too. */
function describeLocks({ hooks, names, ...catalog }: RuleCatalog): JsonSchema {
  const settings = hooks.flatMap(({ name, settings: all = [] }) => all.map((setting) => `${name}/${setting}`));
  const rules = listRuleIds({ hooks, names, ...catalog }).map(({ id }) => `rules/${id}`);
  const categories = [...new Set(rules.map((name) => `${name.split("/").slice(0, 2).join("/")}/*`))];
  return {
    description: "What weaker files can't set: true for every hook, or names. Not in a project's file",
    anyOf: [{ type: "boolean" }, list({ anyOf: [{ enum: [...names, ...settings, ...categories, ...rules] }, TEXT] })],
  };
}
