import * as v from "valibot";
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
  buildOnce,
  createPath,
  describe,
  describeObject,
  describeRecord,
  orElse,
  orElseEmpty,
  createMissingIssue,
} from "./schema.ts";
import { CONFIG_SCOPES, type ConfigScope } from "./sources.ts";

const LOCKED_MESSAGE = "must be true, or a list of names";
const PAUSE_MESSAGE = "must be true, false, or a time: 10m";

const UNTIL_MESSAGE = "must be a day, 2026-12-31, or a time with its zone, 2026-12-31T12:00:00Z";
const UNTIL_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
const UNTIL = buildOnce(() =>
  v.pipe(
    v.string(UNTIL_MESSAGE),
    v.regex(UNTIL_FORM, UNTIL_MESSAGE),
    // The regular expression accepts dates that don't exist, such as February 31.
    v.check((until) => !UNTIL_FORM.test(until) || !Number.isNaN(parseEnd(until)), UNTIL_MESSAGE),
  ),
);

/** Returns when an `until` ends, as Unix time in milliseconds. A date ends at midnight UTC. */
export const parseEnd = (until: string): number => Date.parse(until.includes("T") ? until : `${until}T23:59:59.999Z`);

/** Returns when a date that a user typed ends, as Unix time in milliseconds, or NaN if it isn't a valid date. */
export const readEnd = (until: unknown): number => (v.is(UNTIL(), until) ? parseEnd(until) : Number.NaN);

const KINDS = { ...VALUE_KINDS, end: UNTIL };
type Kinds = { [K in keyof typeof KINDS]: ReturnType<(typeof KINDS)[K]> };
type Kind = keyof Kinds;
type Described<F extends Record<string, Kind>, R extends keyof F> = {
  [K in keyof F]: K extends R ? Kinds[F[K]] : v.OptionalSchema<Kinds[F[K]], undefined>;
};

/** Builds the schemas of fields from the kinds of their values. */
function describeFields<const F extends Record<string, Kind>, R extends keyof F & string = never>(
  fields: F,
  descriptions: Readonly<Record<keyof F, string>>,
  required: readonly R[] = [],
): Described<F, R> {
  const described = Object.entries(fields).map(([field, kind]) => {
    const schema = describe(descriptions[field as keyof F], KINDS[kind]() as v.GenericSchema);
    return [field, (required as readonly string[]).includes(field) ? schema : v.optional(schema)];
  });
  return Object.fromEntries(described) as Described<F, R>;
}

/** Returns whether a config entry adds a rule rather than only changing the settings of an existing one. */
export function isOwnRule(rule: Readonly<Record<string, unknown>>): boolean {
  for (const field in RULE_FIELDS) if (rule[field] !== undefined && !SETTING_FIELDS.includes(field)) return true;
  return false;
}

/** Schema of an added rule, or of the settings of an existing one. */
export const RULE = buildOnce(() =>
  v.pipe(
    describeObject(
      describeFields(RULE_FIELDS, {
        program: "The program that it is about, or several: kubectl|helm",
        pattern: "What its arguments have to be",
        path: "The files that it is about, instead of a program: migrations/**. Relative to the project",
        access: "What may not be done to them: read, edit, delete",
        mcp: "The MCP server that it is about, with wildcards",
        tool: "The tool, of the server or of the host, with wildcards: delete_*",
        arguments: "What the tool's arguments have to be, by their names: main|release/*",
        url: "The host that it is about, with a path: *.corp.example/api/**",
        method: "The methods of HTTP: DELETE|PUT. Absent: any",
        reason: "What such a call does, as a clause: it deploys to production",
        advice: "The safer way: open a release request",
        deny: "Lines and calls that it catches, for rules test and config check",
        allow: "Lines and calls that it lets pass",
        action: "ask lets the user decide; hosts that can't ask deny. warn lets the call pass, and tells",
        enabled: "false turns the rule off",
      }),
    ),
    v.rawCheck(({ dataset: { typed, value, issues }, addIssue }) => {
      if (!isObject(value)) return;
      if (isOwnRule(value)) for (const issue of listMissing(value)) addIssue(issue);
      else if (typed && !issues && SETTING_FIELDS.every((field) => value[field] === undefined))
        addIssue({ message: "it sets nothing; give action or enabled, or program and reason for a rule of your own" });
    }),
    v.metadata({
      anyOf: [
        ...Object.values(RULE_KINDS).map(describeForm),
        { maxProperties: SETTING_FIELDS.length, anyOf: SETTING_FIELDS.map((field) => ({ required: [field] })) },
      ],
    }),
  ),
);

/** Lists what is missing from an added rule, or whether it mixes fields of several kinds. */
function listMissing(rule: Readonly<Record<string, unknown>>) {
  const kinds = listRuleKinds(rule);
  const [kind = "program", other] = kinds;
  const { needs } = RULE_KINDS[kind];
  const [first] = needs;
  const isMet = (needs as readonly (readonly string[])[]).some((group) =>
    group.every((one) => rule[one] !== undefined),
  );
  const lacks = first.filter((field) => rule[field] === undefined);
  const severalKinds = `it has fields of several kinds of rules (${kinds.join(", ")}); write a rule for each`;
  const needed = needs.length > 1 ? needs.join(" or ") : lacks.join(" and ");
  // Without any field of a kind, a misspelt field may belong to another kind.
  const meant =
    kinds.length > 0 ? needs.flat() : Object.values(RULE_KINDS).flatMap(({ fields }): string[] => [...fields]);
  return [
    ...(other ? [{ message: severalKinds }] : []),
    ...(isMet ? [] : [createMissingIssue(`${needed} is missing`, meant)]),
    ...(rule.reason === undefined ? [createMissingIssue("reason is missing", ["reason"])] : []),
  ];
}

/** Builds the JSON Schema of one kind of added rule: its own fields and those that all kinds share. */
const describeForm = ({ fields, needs }: (typeof RULE_KINDS)[RuleKind]) => {
  const ofKinds = Object.values(RULE_KINDS).flatMap((kind): string[] => [...kind.fields]);
  const shared = Object.keys(RULE_FIELDS).filter((field) => !ofKinds.includes(field));
  return {
    propertyNames: { enum: [...fields, ...shared] },
    anyOf: needs.map((group) => ({ required: [...group, "reason"] })),
  };
};

/** Format of a rule id: category/name. */
export const RULE_ID = new RegExp(`^${ID_WORDS}/${ID_WORDS}$`);
/** Schema of an exception from rules. */
export const EXCEPTION = buildOnce(() =>
  describeObject(
    describeFields(
      EXCEPTION_FIELDS,
      {
        rule: "The rule, or several: git/*",
        match: "What passes, with wildcards: a command, or a file; absent: all that the rule catches",
        project: "Only in this folder and below",
        reason: "Why",
        until: "The last day, 2026-12-31, or a time with its zone, 2026-12-31T12:00:00Z",
      },
      REQUIRED_EXCEPTION_FIELDS,
    ),
  ),
);
export type Exception = v.InferOutput<ReturnType<typeof EXCEPTION>>;

/** `"off", "decisions" or "all"` */
const formatChoice = (words: readonly string[]): string =>
  words
    .map((word) => `"${word}"`)
    .join(", ")
    .replace(/, (?=[^,]*$)/, " or ");

const MODE_MESSAGE = `must be ${formatChoice(MODES)}`;

function describeMode() {
  const fields = {
    mode: v.picklist(MODES, MODE_MESSAGE),
    until: v.optional(describe("The last day; everything is enforced then: 2026-12-31", UNTIL())),
  };
  const timed = v.union([v.picklist(MODES), describeObject(fields, { missing: () => MODE_MESSAGE })], MODE_MESSAGE);
  const describeGroup = (description: string) =>
    v.optional(
      orElseEmpty(
        describe(description, describeRecord(orElse(timed, "enforce"), "must be an object, with a mode for each")),
      ),
    );
  const all = describeObject({
    mode: v.optional(fields.mode),
    until: fields.until,
    hooks: describeGroup("Modes of hooks, by their names"),
    rules: describeGroup("Modes of rules, by their ids; git/* is all of a category"),
    users: v.optional(
      orElse(describe("In the managed file: true lets users set modes in theirs", describeFlag()), false),
    ),
  });
  const checked = v.pipe(
    all,
    v.rawCheck(({ dataset: { value }, addIssue }) => {
      // The value may not be an object at all.
      const given = toObject(value);
      if (given.until !== undefined && given.mode === undefined)
        addIssue({ message: MODE_MESSAGE, path: createPath(given, "mode") });
    }),
  );
  return v.union([v.picklist(MODES), checked], `${MODE_MESSAGE}, or an object`);
}

type LogKey = keyof typeof DEFAULT_LOG_SETTINGS;

const describeLogSetting = <const S extends v.GenericSchema>(key: LogKey, description: string, schema: S) =>
  v.optional(orElse(describe(description, schema, { default: DEFAULT_LOG_SETTINGS[key] }), undefined as never));

/** Builds the schema of a choice of strings. */
const describeChoice = <const W extends readonly string[]>(words: W) =>
  v.picklist(words, `must be ${formatChoice(words)}`);

/** Maximum retention of log lines, in days: ten years. */
const MAX_RETAIN_DAYS = 3650;
const DAYS_MESSAGE = `must be a whole number of days from 1 to ${MAX_RETAIN_DAYS}`;

const FILE_MESSAGE = "must be the full path of a file";
const describeFile = (description: string) =>
  v.optional(describe(description, v.pipe(v.string(FILE_MESSAGE), v.regex(/^(?:\/|[A-Za-z]:[\\/])/, FILE_MESSAGE))));

/** Builds the schema of the notifications that are sent after a denial. */
const describeNotify = () =>
  describeObject(
    {
      webhook: v.optional(
        describe(
          "The URL that a denial is posted to",
          v.pipe(v.string(WEBHOOK_MESSAGE), v.regex(WEBHOOK_FORM, WEBHOOK_MESSAGE)),
        ),
      ),
      webhookFile: describeFile("Instead: a file with the URL, where that is a secret"),
      secretFile: describeFile("A file with the secret that posts are signed with"),
      caFile: describeFile("A file with the certificates, in PEM, that the webhook's has to descend from"),
      format: v.optional(
        describe("json has the fields of the line; slack has a text alone", describeChoice(NOTIFY_FORMATS), {
          default: "json",
        }),
      ),
      desktop: v.optional(describe("Shows a notification on the desktop", describeFlag(), { default: false })),
    },
    { noun: "setting" },
  );
export type NotifySettings = v.InferOutput<ReturnType<typeof describeNotify>>;

const describeLog = () =>
  describeObject(
    {
      level: describeLogSetting("level", "Which calls get a line", describeChoice(["off", "decisions", "all"])),
      content: describeLogSetting(
        "content",
        "What a line tells of the call: with secrets replaced by their kinds, its shape alone, or everything",
        describeChoice(["redacted", "structure", "full"]),
      ),
      retainDays: describeLogSetting(
        "retainDays",
        "How long lines are kept",
        v.pipe(
          v.number(DAYS_MESSAGE),
          v.check((days) => Number.isInteger(days) && days >= 1 && days <= MAX_RETAIN_DAYS, DAYS_MESSAGE),
          v.metadata({ type: "integer", minimum: 1, maximum: MAX_RETAIN_DAYS }),
        ),
      ),
      chain: describeLogSetting(
        "chain",
        "Lines are numbered, and each holds the hash of the one before",
        describeFlag(),
      ),
      record: describeLogSetting(
        "record",
        "Keep the payloads for bridge-hooks replay, with secrets replaced",
        describeFlag(),
      ),
      notify: describeLogSetting("notify", "Who is told of a denial, after the answer", describeNotify()),
    } satisfies Record<LogKey, v.GenericSchema>,
    { noun: "setting" },
  );

/** The settings of the decision log. */
export type LogSettings = { readonly [K in LogKey]: NonNullable<v.InferOutput<ReturnType<typeof describeLog>>[K]> };

const describeDuration = (message: string) => v.pipe(v.string(message), v.regex(DURATION, message));

const FROM_MESSAGE = `must be one of ${CONFIRMATIONS.join(", ")}, or a list of them`;
const describeConfirmation = () => v.picklist(CONFIRMATIONS, FROM_MESSAGE);

const describeAllow = () =>
  describeObject({
    by: v.optional(
      describe(
        "Each user, only administrators, or nobody",
        v.picklist(ALLOWERS, `must be one of ${ALLOWERS.join(", ")}`),
        { default: "users" },
      ),
    ),
    longest: v.optional(
      describe("How long an exception lasts at most: 4h", describeDuration("must be a time: 30m, 4h, 7d")),
    ),
    pause: v.optional(
      describe(
        "Whether hooks can be paused, or how long at most: 10m",
        v.union([v.boolean(), describeDuration(PAUSE_MESSAGE)], PAUSE_MESSAGE),
        { default: true },
      ),
    ),
    from: v.optional(
      describe(
        "Where an exception has to be confirmed: in one of these kinds of terminal",
        v.union([describeConfirmation(), v.array(describeConfirmation(), FROM_MESSAGE)], FROM_MESSAGE),
      ),
    ),
  });

/** A top-level key of a config file. */
export interface ConfigPart {
  schema: () => v.GenericSchema;
  /** The scopes whose files may set the key. A project's file can set rules only if the project is trusted. */
  scopes: readonly ConfigScope[];
  /** What applies while the value is invalid. */
  impact: string;
  /** What applies while a single entry of the value is invalid. */
  entryImpact?: string;
}

const ANY_FILE = CONFIG_SCOPES;
const OWN_FILES = CONFIG_SCOPES.filter((scope) => scope !== "project");

/** The keys of a config file, in the order of the documentation. */
export const CONFIG_PARTS = {
  version: {
    schema: buildOnce(() =>
      describe(
        "The form of the file",
        v.literal(
          CONFIG_VERSION,
          ({ input }) => `version ${JSON.stringify(input)} is unknown to this executable (it knows ${CONFIG_VERSION})`,
        ),
      ),
    ),
    scopes: ANY_FILE,
    impact: "what it does not know is ignored",
  },
  hooks: {
    schema: buildOnce(() =>
      describe(
        "The settings of each hook, by its name",
        describeRecord(
          describeRecord(v.unknown(), "must be an object, with the hook's settings by their names"),
          HOOKS_MESSAGE,
        ),
      ),
    ),
    scopes: ANY_FILE,
    impact: "the hook fails at every call; a project's file is ignored for it",
  },
  rules: {
    schema: buildOnce(() =>
      describe(
        "Rules that are set or added, by their ids: category/name",
        describeRecord(RULE(), "must be an object, with the rules by their ids"),
        { propertyNames: { pattern: RULE_ID.source } },
      ),
    ),
    scopes: ANY_FILE,
    impact: "none of its rules is in force",
    entryImpact: "this rule is void; the others hold",
  },
  exceptions: {
    schema: buildOnce(() =>
      describe("What rules let pass. Not in a project's file", v.array(EXCEPTION(), "must be a list of exceptions")),
    ),
    scopes: OWN_FILES,
    impact: "none of its exceptions is in force",
    entryImpact: "this exception is void; the others hold",
  },
  locked: {
    schema: buildOnce(() =>
      describe(
        "What weaker files can't set: true for every hook, or names. Not in a project's file",
        orElse(v.union([v.boolean(), v.array(v.string(LOCKED_MESSAGE))], LOCKED_MESSAGE), true),
      ),
    ),
    scopes: OWN_FILES,
    impact: "until it is fixed, every hook is locked",
  },
  trusted: {
    schema: buildOnce(() =>
      describe(
        "Folders of projects whose own files may say everything: ~/code/*. Not in a project's file",
        orElse(v.array(v.string(MUST_BE_STRING), "must be a list of folders"), []),
      ),
    ),
    scopes: OWN_FILES,
    impact: "until it is fixed, no project is trusted",
  },
  mode: {
    schema: buildOnce(() =>
      describe(
        "observe withholds denials, questions and rewrites; warn also tells the model and the user; enforce is the default. Not in a project's file",
        describeMode(),
      ),
    ),
    scopes: OWN_FILES,
    impact: "until it is fixed, it enforces",
  },
  announce: {
    schema: buildOnce(() =>
      describe(
        "Who gets one line at the start of a session with the policy, its mode, and what of it is not in force; off is the default. Not in a project's file",
        orElse(describeChoice(AUDIENCES), "user"),
      ),
    ),
    scopes: OWN_FILES,
    impact: "until it is fixed, the user is told",
  },
  log: {
    schema: buildOnce(() => describe("The decision log. Not in a project's file", describeLog())),
    scopes: OWN_FILES,
    impact: "until it is fixed, the default applies",
  },
  allow: {
    schema: buildOnce(() =>
      describe(
        "Who may let calls pass on purpose: bridge-hooks allow and pause. In the managed file alone",
        describeAllow(),
      ),
    ),
    scopes: ["managed"],
    impact: "until it is fixed, nobody can make an exception on purpose",
  },
} satisfies Record<string, ConfigPart>;

export type ConfigKey = keyof typeof CONFIG_PARTS;
export const CONFIG_KEYS = Object.keys(CONFIG_PARTS) as ConfigKey[];
