import * as v from "valibot";
import { isObject } from "../protocol/object.ts";
import { isProgramList } from "../protocol/rule.ts";
import {
  ALLOWERS,
  CONFIRMATIONS,
  CONFIG_VERSION,
  DEFAULT_LOG_SETTINGS,
  EXCEPTION_FIELDS,
  HOOKS_MESSAGE,
  ID_WORDS,
  MODES,
  REQUIRED_EXCEPTION_FIELDS,
  REQUIRED_RULE_FIELDS,
  RULE_ACTIONS,
  RULE_FIELDS,
  SETTING_FIELDS,
} from "./vocabulary.ts";
import { DURATION } from "./allow.ts";
import { buildOnce, createPath, describe, describeObject, describeRecord, orElse, orElseEmpty } from "./schema.ts";
import { CONFIG_SCOPES, type ConfigScope } from "./sources.ts";

const MUST_BE_STRING = "must be a string";
const LOCKED_MESSAGE = "must be true, or a list of names";
const PAUSE_MESSAGE = "must be true, false, or a time: 10m";
const describeText = () => v.pipe(v.string(MUST_BE_STRING), v.regex(/\S/, MUST_BE_STRING));
const describeFlag = () => v.boolean("must be true or false");

const UNTIL_MESSAGE = "must be a day, 2026-12-31, or a time with its zone, 2026-12-31T12:00:00Z";
const UNTIL_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
const UNTIL = buildOnce(() =>
  v.pipe(
    v.string(UNTIL_MESSAGE),
    v.regex(UNTIL_FORM, UNTIL_MESSAGE),
    // The form allows for the 31st of February.
    v.check((until) => !UNTIL_FORM.test(until) || !Number.isNaN(parseEnd(until)), UNTIL_MESSAGE),
  ),
);

/** When an `until` ends, in milliseconds: a day ends as it does in UTC. */
export const parseEnd = (until: string): number => Date.parse(until.includes("T") ? until : `${until}T23:59:59.999Z`);

/** When a date that somebody types ends; NaN if it is not one. */
export const readEnd = (until: unknown): number => (v.is(UNTIL(), until) ? parseEnd(until) : Number.NaN);

// Rules

const describePattern = () =>
  v.pipe(
    v.string(),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const word of dataset.value.split(" ")) {
        const message = explainPatternWord(word);
        if (message !== undefined) addIssue({ message });
      }
    }),
  );

/** The set that a word of a pattern names: `disk` in `of=<disk>`. */
export const getNamedSet = (word: string): string | undefined => /^[^<>]*<([^<>]*)>$/.exec(word)?.[1];

/** What is wrong with a word of a pattern, whatever sets and conditions there are. */
function explainPatternWord(word: string): string | undefined {
  if (word === "" || word.startsWith("?") || getNamedSet(word) !== undefined) return undefined;
  if (/[<>]/.test(word)) return `"${word}" can't be read; a set is written <name>, at the end of a word`;
  const words = word.replace(/^!/, "").split("|");
  if (words.includes("")) return `"${word}" has an empty alternative`;
  return word.startsWith("!") && !words.every((one) => one.startsWith("-"))
    ? `"${word}" can't be read; "!" may only stand before options`
    : undefined;
}

const PROGRAM_MESSAGE =
  'must be the name of a program in letters, digits and ".", "_", "+", "-", or several with "|" between them; ' +
  'leave out folders and ".exe", and write "mkfs.*" for all names that begin with "mkfs."';

/** What the values of each kind have to be. */
const KINDS = {
  programs: () =>
    v.pipe(v.string(PROGRAM_MESSAGE), v.check(isProgramList, PROGRAM_MESSAGE), v.metadata({ minLength: 1 })),
  patterns: () => v.union([describePattern(), v.array(describePattern())], "must be a string, or a list of strings"),
  text: describeText,
  texts: () => v.array(v.string(MUST_BE_STRING), "must be a list of strings"),
  // No id has a space in it; calls need not know that.
  ids: () => v.pipe(describeText(), v.metadata({ pattern: "^\\S+$" })),
  action: () => v.picklist(RULE_ACTIONS, 'must be "deny" or "ask"; enabled: false turns a rule off'),
  flag: describeFlag,
  end: UNTIL,
};

type Kinds = { [K in keyof typeof KINDS]: ReturnType<(typeof KINDS)[K]> };
type Kind = keyof Kinds;
type Described<F extends Record<string, Kind>, R extends keyof F> = {
  [K in keyof F]: K extends R ? Kinds[F[K]] : v.OptionalSchema<Kinds[F[K]], undefined>;
};

/** Describes fields by the kinds of their values. */
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

/** Whether a file adds a rule, and does not only set one. */
export function isOwnRule(rule: Readonly<Record<string, unknown>>): boolean {
  for (const field in RULE_FIELDS) if (rule[field] !== undefined && !SETTING_FIELDS.includes(field)) return true;
  return false;
}

/** A rule that is added, or the setting of one. */
export const RULE = buildOnce(() =>
  v.pipe(
    describeObject(
      describeFields(RULE_FIELDS, {
        program: "The program that it is about, or several: kubectl|helm",
        pattern: "What its arguments have to be",
        reason: "What such a call does, as a clause: it deploys to production",
        advice: "The safer way: open a release request",
        deny: "Lines that it catches, for rules test and config check",
        allow: "Lines that it lets pass",
        action: "ask lets the user decide; hosts that can't ask deny",
        enabled: "false turns the rule off",
      }),
    ),
    v.rawCheck(({ dataset: { typed, value, issues }, addIssue }) => {
      if (!isObject(value)) return;
      if (isOwnRule(value)) {
        for (const field of REQUIRED_RULE_FIELDS)
          if (value[field] === undefined) addIssue({ message: `${field} is missing` });
      } else if (typed && !issues && SETTING_FIELDS.every((field) => value[field] === undefined))
        addIssue({ message: "it sets nothing; give action or enabled, or program and reason for a rule of your own" });
    }),
    v.metadata({
      anyOf: [
        { required: REQUIRED_RULE_FIELDS },
        { maxProperties: SETTING_FIELDS.length, anyOf: SETTING_FIELDS.map((field) => ({ required: [field] })) },
      ],
    }),
  ),
);

/** The form of a rule's id: category/name. */
export const RULE_ID = new RegExp(`^${ID_WORDS}/${ID_WORDS}$`);
/** What a rule lets pass. */
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

// Modes

const MODE_MESSAGE = `must be ${MODES.join(", ")}`;

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
      const given = value as Record<string, unknown>;
      if (given.until !== undefined && given.mode === undefined)
        addIssue({ message: MODE_MESSAGE, path: createPath(given, "mode") });
    }),
  );
  return v.union([v.picklist(MODES), checked], `${MODE_MESSAGE}, or an object`);
}

// The decision log

type LogKey = keyof typeof DEFAULT_LOG_SETTINGS;

const describeLogSetting = <const S extends v.GenericSchema>(key: LogKey, description: string, schema: S) =>
  v.optional(orElse(describe(description, schema, { default: DEFAULT_LOG_SETTINGS[key] }), undefined as never));

/** Describes a choice of words. */
const describeChoice = <const W extends readonly string[]>(words: W) =>
  v.picklist(
    words,
    `must be ${words
      .map((word) => `"${word}"`)
      .join(", ")
      .replace(/, (?=[^,]*$)/, " or ")}`,
  );

/** Ten years. */
const MAX_RETAIN_DAYS = 3650;
const DAYS_MESSAGE = `must be a whole number of days from 1 to ${MAX_RETAIN_DAYS}`;

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
    } satisfies Record<LogKey, v.GenericSchema>,
    { noun: "setting" },
  );

/** The settings of the decision log. */
export type LogSettings = { readonly [K in LogKey]: NonNullable<v.InferOutput<ReturnType<typeof describeLog>>[K]> };

// Exceptions on purpose

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

// The file

/** A key of a config file. */
export interface ConfigPart {
  schema: () => v.GenericSchema;
  /** The scopes whose files may set it; a project has to be trusted to set rules. */
  scopes: readonly ConfigScope[];
  /** What holds while it is wrong. */
  impact: string;
  /** The same where one of its entries is. */
  entryImpact?: string;
}

const ANY_FILE = CONFIG_SCOPES;
const OWN_FILES = CONFIG_SCOPES.filter((scope) => scope !== "project");

/** The keys of a config file, in the order in which people read about them. */
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
