import * as v from "valibot";
import { joinChoices } from "../protocol/choices.ts";
import { isObject, toObject } from "../protocol/object.ts";
import {
  ALLOWERS,
  AUDIENCES,
  CONFIRMATIONS,
  CONFIG_VERSION,
  DEFAULT_LOG_SETTINGS,
  EXCEPTION_FIELDS,
  HOOKS_MESSAGE,
  ID_WORDS,
  MODES,
  NOTIFY_FORMATS,
  REQUIRED_EXCEPTION_FIELDS,
  listRuleKinds,
  RULE_FIELDS,
  RULE_KINDS,
  type RuleKind,
  SETTING_FIELDS,
  WEBHOOK_FORM,
  WEBHOOK_MESSAGE,
} from "./vocabulary.ts";
import { DURATION } from "./allow.ts";
import { describeFlag, MUST_BE_STRING, VALUE_KINDS } from "./rule-values.ts";
import {
  memoize,
  createPath,
  addDescription,
  describeObject,
  describeRecord,
  orElse,
  orElseEmpty,
  createMissingIssue,
} from "./schema.ts";
import { CONFIG_SCOPES, type ConfigScope } from "./sources.ts";

const LOCKED_MESSAGE = "must be true, or a list of names";
const PAUSE_MESSAGE = "must be true, false, or a duration such as 10m";

const UNTIL_MESSAGE = "must be a date (2026-12-31), or a time with a time zone (2026-12-31T12:00:00Z)";
const UNTIL_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
const UNTIL_SCHEMA = memoize(() =>
  v.pipe(
    v.string(UNTIL_MESSAGE),
    v.regex(UNTIL_FORM, UNTIL_MESSAGE),
    // Check the date itself, too: the regular expression would accept February 31.
    v.check((until) => !UNTIL_FORM.test(until) || !Number.isNaN(parseEnd(until)), UNTIL_MESSAGE),
  ),
);

/** Returns when an `until` value ends, as Unix time in milliseconds. A date ends at midnight UTC. */
export const parseEnd = (until: string): number => Date.parse(until.includes("T") ? until : `${until}T23:59:59.999Z`);

/** Like `parseEnd`, but returns NaN for an invalid value, such as one mistyped by a user. */
export const readEnd = (until: unknown): number => (v.is(UNTIL_SCHEMA(), until) ? parseEnd(until) : Number.NaN);

const FIELD_SCHEMAS = { ...VALUE_KINDS, end: UNTIL_SCHEMA };
type FieldSchemas = { [K in keyof typeof FIELD_SCHEMAS]: ReturnType<(typeof FIELD_SCHEMAS)[K]> };
type FieldKind = keyof FieldSchemas;
type DescribedFields<F extends Record<string, FieldKind>, R extends keyof F> = {
  [K in keyof F]: K extends R ? FieldSchemas[F[K]] : v.OptionalSchema<FieldSchemas[F[K]], undefined>;
};

/** Builds a schema for each field, depending on the kind of its value. */
function describeFields<const F extends Record<string, FieldKind>, R extends keyof F & string = never>(
  fields: F,
  descriptions: Readonly<Record<keyof F, string>>,
  required: readonly R[] = [],
): DescribedFields<F, R> {
  const schemas = Object.entries(fields).map(([field, kind]) => {
    const schema = addDescription(descriptions[field as keyof F], FIELD_SCHEMAS[kind]() as v.GenericSchema);
    return [field, (required as readonly string[]).includes(field) ? schema : v.optional(schema)];
  });
  return Object.fromEntries(schemas) as DescribedFields<F, R>;
}

/** Returns whether an entry in `rules` adds a rule rather than changing an existing one. */
export function isOwnRule(rule: Readonly<Record<string, unknown>>): boolean {
  for (const field in RULE_FIELDS) if (rule[field] !== undefined && !SETTING_FIELDS.includes(field)) return true;
  return false;
}

/** Schema for an added rule or for the settings of an existing one. */
export const RULE_SCHEMA = memoize(() =>
  v.pipe(
    describeObject(
      describeFields(RULE_FIELDS, {
        program: "Programs to which the rule applies, separated by |, such as kubectl|helm",
        pattern: "Pattern that the program's arguments must match",
        path: "Files to which the rule applies, relative to the project, such as migrations/**",
        access: "Forbidden kinds of file access: read, edit, delete",
        mcp: "MCP server to which the rule applies, with optional wildcards",
        tool: "Tool of the MCP server or the host, with optional wildcards, such as delete_*",
        arguments: "Patterns that the tool's arguments must match, by argument name, such as main|release/*",
        url: "URL host to which the rule applies, with an optional path, such as *.corp.example/api/**",
        method: "HTTP methods, such as DELETE|PUT; any method by default",
        reason: "Effect of the call, as a clause such as: it deploys to production",
        advice: "Safer alternative, such as: open a release request",
        deny: "Example commands and calls that the rule must match; checked by rules test and config check",
        allow: "Example commands and calls that no rule may match; checked by rules test and config check",
        action:
          "Action for matching calls: ask lets the user decide (or denies, on hosts that can't ask); warn allows the call with a warning",
        enabled: "Whether the rule is active",
      }),
    ),
    v.rawCheck(({ dataset: { typed, value, issues }, addIssue }) => {
      if (!isObject(value)) return;
      if (isOwnRule(value)) for (const issue of listFormProblems(value)) addIssue(issue);
      else if (typed && !issues && SETTING_FIELDS.every((field) => value[field] === undefined))
        addIssue({ message: "this entry has no effect; set action or enabled, or add a rule with program and reason" });
    }),
    v.metadata({
      anyOf: [
        ...Object.values(RULE_KINDS).map(describeRuleForm),
        { maxProperties: SETTING_FIELDS.length, anyOf: SETTING_FIELDS.map((field) => ({ required: [field] })) },
      ],
    }),
  ),
);

/** Lists what is wrong with an added rule: missing fields, or fields that belong to different kinds of rules. */
function listFormProblems(rule: Readonly<Record<string, unknown>>) {
  const kinds = listRuleKinds(rule);
  const [kind = "program", secondKind] = kinds;
  const { needs } = RULE_KINDS[kind];
  const [first] = needs;
  const isMet = (needs as readonly (readonly string[])[]).some((group) =>
    group.every((one) => rule[one] !== undefined),
  );
  const missingFields = first.filter((field) => rule[field] === undefined);
  const severalKinds = `fields of several rule kinds are mixed (${kinds.join(", ")}); write a separate rule for each kind`;
  const requirement = needs.length > 1 ? needs.join(" or ") : missingFields.join(" and ");
  // If no field shows the rule's kind, a misspelled field could belong to any kind.
  const possibleFields =
    kinds.length > 0 ? needs.flat() : Object.values(RULE_KINDS).flatMap(({ fields }): string[] => [...fields]);
  return [
    ...(secondKind ? [{ message: severalKinds }] : []),
    ...(isMet ? [] : [createMissingIssue(`${requirement} is missing`, possibleFields)]),
    ...(rule.reason === undefined ? [createMissingIssue("reason is missing", ["reason"])] : []),
  ];
}

/**
 * Builds the JSON Schema for one kind of added rule. It allows the kind's own fields and the ones that all kinds share.
 */
const describeRuleForm = ({ fields, needs }: (typeof RULE_KINDS)[RuleKind]) => {
  const kindFields = Object.values(RULE_KINDS).flatMap((kind): string[] => [...kind.fields]);
  const sharedFields = Object.keys(RULE_FIELDS).filter((field) => !kindFields.includes(field));
  return {
    propertyNames: { enum: [...fields, ...sharedFields] },
    anyOf: needs.map((group) => ({ required: [...group, "reason"] })),
  };
};

/** Format of a rule id: `category/name`. */
export const RULE_ID = new RegExp(`^${ID_WORDS}/${ID_WORDS}$`);
/** Schema for an exception to rules. */
export const EXCEPTION_SCHEMA = memoize(() =>
  describeObject(
    describeFields(
      EXCEPTION_FIELDS,
      {
        rule: "ID of the rule, or a pattern for several rules such as git/*",
        match: "Command or file to allow, with optional wildcards; default: everything that the rule matches",
        project: "Directory, with all subdirectories, to which the exception is limited",
        reason: "Reason for the exception",
        until: "Last day of the exception (2026-12-31), or an end time with a time zone (2026-12-31T12:00:00Z)",
      },
      REQUIRED_EXCEPTION_FIELDS,
    ),
  ),
);
export type Exception = v.InferOutput<ReturnType<typeof EXCEPTION_SCHEMA>>;

/** Formats words as a list of choices, such as `"off", "decisions" or "all"`. */
const formatChoice = (words: readonly string[]): string => joinChoices(words.map((word) => `"${word}"`));

const MODE_MESSAGE = `must be ${formatChoice(MODES)}`;

function describeMode() {
  const fields = {
    mode: v.picklist(MODES, MODE_MESSAGE),
    until: v.optional(
      addDescription(
        "Last day on which the mode applies, such as 2026-12-31; after this day, everything is enforced",
        UNTIL_SCHEMA(),
      ),
    ),
  };
  const timedMode = v.union([v.picklist(MODES), describeObject(fields, { missing: () => MODE_MESSAGE })], MODE_MESSAGE);
  const describeGroup = (description: string) =>
    v.optional(
      orElseEmpty(
        addDescription(
          description,
          describeRecord(orElse(timedMode, "enforce"), "must be an object that contains modes by name"),
        ),
      ),
    );
  const all = describeObject({
    mode: v.optional(fields.mode),
    until: fields.until,
    hooks: describeGroup("Modes of hooks, by hook name"),
    rules: describeGroup("Modes of rules, by rule id; git/* stands for the whole category"),
    users: v.optional(
      orElse(
        addDescription("Whether users may set modes in their own files (managed file only)", describeFlag()),
        false,
      ),
    ),
  });
  const checkedSchema = v.pipe(
    all,
    v.rawCheck(({ dataset: { value }, addIssue }) => {
      // Values that aren't objects are dealt with elsewhere.
      const modeObject = toObject(value);
      if (modeObject.until !== undefined && modeObject.mode === undefined)
        addIssue({ message: MODE_MESSAGE, path: createPath(modeObject, "mode") });
    }),
  );
  return v.union([v.picklist(MODES), checkedSchema], `${MODE_MESSAGE}, or an object`);
}

type LogKey = keyof typeof DEFAULT_LOG_SETTINGS;

const describeLogSetting = <const S extends v.GenericSchema>(key: LogKey, description: string, schema: S) =>
  v.optional(orElse(addDescription(description, schema, { default: DEFAULT_LOG_SETTINGS[key] }), undefined as never));

/** Builds the schema for one of several strings. */
const describeChoice = <const W extends readonly string[]>(words: W) =>
  v.picklist(words, `must be ${formatChoice(words)}`);

/** How long log lines may be kept at most, in days (ten years). */
const MAX_RETAIN_DAYS = 3650;
const DAYS_MESSAGE = `must be a whole number of days from 1 to ${MAX_RETAIN_DAYS}`;

const FILE_MESSAGE = "must be the absolute path of a file";
const describeFile = (description: string) =>
  v.optional(
    addDescription(description, v.pipe(v.string(FILE_MESSAGE), v.regex(/^(?:\/|[A-Za-z]:[\\/])/, FILE_MESSAGE))),
  );

/** Builds the schema for notifications about denials. */
const describeNotify = () =>
  describeObject(
    {
      webhook: v.optional(
        addDescription(
          "URL to which denials are posted",
          v.pipe(v.string(WEBHOOK_MESSAGE), v.regex(WEBHOOK_FORM, WEBHOOK_MESSAGE)),
        ),
      ),
      webhookFile: describeFile("File that contains the webhook URL, if the URL is a secret"),
      secretFile: describeFile("File that contains the secret for signing posts"),
      caFile: describeFile("PEM file with the CA certificates to trust for the webhook"),
      format: v.optional(
        addDescription(
          "Format of the message: json contains the fields of the log line, slack contains only text",
          describeChoice(NOTIFY_FORMATS),
          {
            default: "json",
          },
        ),
      ),
      desktop: v.optional(addDescription("Whether to show a desktop notification", describeFlag(), { default: false })),
    },
    { noun: "setting" },
  );
export type NotifySettings = v.InferOutput<ReturnType<typeof describeNotify>>;

const describeLog = () =>
  describeObject(
    {
      level: describeLogSetting("level", "Calls to log", describeChoice(["off", "decisions", "all"])),
      content: describeLogSetting(
        "content",
        "How much of each call is logged: everything except secrets, only the structure, or everything",
        describeChoice(["redacted", "structure", "full"]),
      ),
      retainDays: describeLogSetting(
        "retainDays",
        "Number of days for which log lines are kept",
        v.pipe(
          v.number(DAYS_MESSAGE),
          v.check((days) => Number.isInteger(days) && days >= 1 && days <= MAX_RETAIN_DAYS, DAYS_MESSAGE),
          v.metadata({ type: "integer", minimum: 1, maximum: MAX_RETAIN_DAYS }),
        ),
      ),
      chain: describeLogSetting(
        "chain",
        "Whether each line contains its number and the hash of the previous line",
        describeFlag(),
      ),
      record: describeLogSetting(
        "record",
        "Whether to store payloads for bridge-hooks replay, with secrets replaced",
        describeFlag(),
      ),
      notify: describeLogSetting("notify", "Notifications about denials, sent after the answer", describeNotify()),
    } satisfies Record<LogKey, v.GenericSchema>,
    { noun: "setting" },
  );

/** Settings of the decision log. */
export type LogSettings = { readonly [K in LogKey]: NonNullable<v.InferOutput<ReturnType<typeof describeLog>>[K]> };

const describeDuration = (message: string) => v.pipe(v.string(message), v.regex(DURATION, message));

const FROM_MESSAGE = `must be one of ${CONFIRMATIONS.join(", ")}, or a list of them`;
const describeConfirmation = () => v.picklist(CONFIRMATIONS, FROM_MESSAGE);

const describeAllow = () =>
  describeObject({
    by: v.optional(
      addDescription(
        "Users who may create exceptions: all users, only administrators, or nobody",
        v.picklist(ALLOWERS, `must be one of ${ALLOWERS.join(", ")}`),
        { default: "users" },
      ),
    ),
    longest: v.optional(
      addDescription(
        "Maximum duration of an exception, such as 4h",
        describeDuration("must be a duration such as 30m, 4h or 7d"),
      ),
    ),
    pause: v.optional(
      addDescription(
        "Whether hooks can be paused, or the maximum duration of a pause, such as 10m",
        v.union([v.boolean(), describeDuration(PAUSE_MESSAGE)], PAUSE_MESSAGE),
        { default: true },
      ),
    ),
    from: v.optional(
      addDescription(
        "Kinds of terminal in which exceptions must be confirmed",
        v.union([describeConfirmation(), v.array(describeConfirmation(), FROM_MESSAGE)], FROM_MESSAGE),
      ),
    ),
  });

/** Describes a top-level key of a config file. */
export interface ConfigPart {
  schema: () => v.GenericSchema;
  /** Scopes whose files may set the key. A project's rules apply only if the project is trusted. */
  scopes: readonly ConfigScope[];
  /** What applies as long as the value is invalid. */
  impact: string;
  /** What applies as long as an individual entry in the value is invalid. */
  entryImpact?: string;
}

const ANY_FILE = CONFIG_SCOPES;
const OWN_FILES = CONFIG_SCOPES.filter((scope) => scope !== "project");

/** The keys of a config file, in the order they are documented. */
export const CONFIG_PARTS = {
  version: {
    schema: memoize(() =>
      addDescription(
        "Version of the file format",
        v.literal(
          CONFIG_VERSION,
          ({ input }) =>
            `version ${JSON.stringify(input)} is not supported (this executable supports ${CONFIG_VERSION})`,
        ),
      ),
    ),
    scopes: ANY_FILE,
    impact: "unknown parts of the file are ignored",
  },
  hooks: {
    schema: memoize(() =>
      addDescription(
        "Settings of each hook, by hook name",
        describeRecord(
          describeRecord(v.unknown(), "must be an object with the hook's settings, by name"),
          HOOKS_MESSAGE,
        ),
      ),
    ),
    scopes: ANY_FILE,
    impact: "the hook fails on every call; in a project's file, its settings are ignored instead",
  },
  rules: {
    schema: memoize(() =>
      addDescription(
        "Rules to change or add, by rule id (category/name)",
        describeRecord(RULE_SCHEMA(), "must be an object with rules, by rule id"),
        { propertyNames: { pattern: RULE_ID.source } },
      ),
    ),
    scopes: ANY_FILE,
    impact: "none of the rules in this file apply",
    entryImpact: "this rule is ignored; all other rules apply",
  },
  exceptions: {
    schema: memoize(() =>
      addDescription(
        "Exceptions to rules (ignored in a project's file)",
        v.array(EXCEPTION_SCHEMA(), "must be a list of exceptions"),
      ),
    ),
    scopes: OWN_FILES,
    impact: "none of the exceptions in this file apply",
    entryImpact: "this exception is ignored; all other exceptions apply",
  },
  locked: {
    schema: memoize(() =>
      addDescription(
        "Names of hooks, settings and rules that files with lower precedence can't set, or true for every hook (ignored in a project's file)",
        orElse(v.union([v.boolean(), v.array(v.string(LOCKED_MESSAGE))], LOCKED_MESSAGE), true),
      ),
    ),
    scopes: OWN_FILES,
    impact: "every hook is locked until the file is fixed",
  },
  trusted: {
    schema: memoize(() =>
      addDescription(
        "Project directories whose config files may set everything, such as ~/code/* (ignored in a project's file)",
        orElse(v.array(v.string(MUST_BE_STRING), "must be a list of directories"), []),
      ),
    ),
    scopes: OWN_FILES,
    impact: "no project is trusted until the file is fixed",
  },
  mode: {
    schema: memoize(() =>
      addDescription(
        "Mode of all hooks: observe withholds denials, questions and rewrites; warn also notifies the model and the user; default: enforce (ignored in a project's file)",
        describeMode(),
      ),
    ),
    scopes: OWN_FILES,
    impact: "everything is enforced until the file is fixed",
  },
  announce: {
    schema: memoize(() =>
      addDescription(
        "Recipients of a session-start message about the policy, its mode and any parts not in force; off by default (ignored in a project's file)",
        orElse(describeChoice(AUDIENCES), "user"),
      ),
    ),
    scopes: OWN_FILES,
    impact: "the user gets the message until the file is fixed",
  },
  log: {
    schema: memoize(() => addDescription("Settings of the decision log (ignored in a project's file)", describeLog())),
    scopes: OWN_FILES,
    impact: "the default applies until the file is fixed",
  },
  allow: {
    schema: memoize(() =>
      addDescription("Limits for bridge-hooks allow and pause (managed file only)", describeAllow()),
    ),
    scopes: ["managed"],
    impact: "nobody can create an exception until the file is fixed",
  },
} satisfies Record<string, ConfigPart>;

export type ConfigKey = keyof typeof CONFIG_PARTS;
export const CONFIG_KEYS = Object.keys(CONFIG_PARTS) as ConfigKey[];
