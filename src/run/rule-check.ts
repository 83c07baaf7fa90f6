import type { RuleTerms } from "../protocol/hook.ts";
import { suggestName } from "../protocol/name-suggestions.ts";
import { isObject } from "../protocol/object.ts";
import { isProgramList } from "../protocol/rule.ts";
import { isStringList } from "./config.ts";

/** What is wrong in what a config file says about rules. */
export interface RuleProblem {
  /** Where, from the top of what was checked: `["pattern", 1]`. */
  path: readonly (string | number)[];
  /** A sentence without a full stop: what is wrong, and what to do. */
  message: string;
}

/** The fields of a rule that only a rule of its own has. */
const OWN_FIELDS = ["program", "pattern", "reason", "advice", "deny", "allow"];
export const RULE_FIELDS = [...OWN_FIELDS, "action", "enabled"];
export const EXCEPTION_FIELDS = ["rule", "match", "project", "reason", "until"];

const RULE_ID = /^[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/;

/** Whether a file adds a rule, and does not only set one. */
export const isOwnRule = (said: Readonly<Record<string, unknown>>): boolean =>
  OWN_FIELDS.some((field) => said[field] !== undefined);

/**
 * Finds what is wrong with a rule, or with the setting of one: it is void then, and nothing else.
 * @param terms what its pattern can name; absent where no hook here enforces such rules.
 */
export function findRuleProblems(id: string, said: unknown, terms?: RuleTerms): RuleProblem[] {
  if (!isObject(said)) return [{ path: [], message: "must be an object" }];
  const problems = [
    ...(RULE_ID.test(id) ? [] : [{ path: [], message: `"${id}" is not an id; write category/name in small letters` }]),
    ...findUnknownFields(said, RULE_FIELDS),
    ...findWrongKinds(said, { action: isAction, enabled: isBoolean }),
  ];
  if (isOwnRule(said)) return [...problems, ...findOwnProblems(said, terms)];
  return said.action === undefined && said.enabled === undefined && problems.length === 0
    ? [
        {
          path: [],
          message: "it sets nothing; give action or enabled, or program and reason for a rule of your own",
        },
      ]
    : problems;
}

function findOwnProblems(said: Readonly<Record<string, unknown>>, terms: RuleTerms | undefined): RuleProblem[] {
  const missing = ["program", "reason"]
    .filter((field) => said[field] === undefined)
    .map((field) => ({ path: [], message: `${field} is missing` }));
  const wrong = findWrongKinds(said, {
    program: isProgram,
    pattern: isTextOrList,
    reason: isText,
    advice: isText,
    deny: isTexts,
    allow: isTexts,
  });
  const { pattern = "" } = said;
  const patterns = typeof pattern === "string" ? [pattern] : isStringList(pattern) ? pattern : [];
  return [
    ...missing,
    ...wrong,
    ...patterns.flatMap((one, at) =>
      one
        .split(" ")
        .flatMap((word) => findWordProblem(word, terms) ?? [])
        .map((message) => ({ path: typeof pattern === "string" ? ["pattern"] : ["pattern", at], message })),
    ),
  ];
}

/** What is wrong with a word of a pattern. */
function findWordProblem(word: string, terms: RuleTerms | undefined): string | undefined {
  if (word.startsWith("?")) return findUnknownTerm("condition", word.slice(1), terms?.conditions);
  const [, set] = /^[^<>]*<([^<>]*)>$/.exec(word) ?? [];
  if (set !== undefined) return findUnknownTerm("set", set, terms?.sets);
  if (/[<>]/.test(word)) return `"${word}" can't be read; a set is written <name>, at the end of a word`;
  const words = word.replace(/^!/, "").split("|");
  if (word !== "" && words.includes("")) return `"${word}" has an empty alternative`;
  if (word.startsWith("!") && !words.every((one) => one.startsWith("-")))
    return `"${word}" can't be read; "!" may only stand before options`;
  return undefined;
}

function findUnknownTerm(kind: string, name: string, known: readonly string[] | undefined): string | undefined {
  if (!known || known.includes(name)) return undefined;
  return `unknown ${kind} "${name}"${suggestName(name, known) || `; known: ${known.join(", ")}`}`;
}

/** Finds what is wrong with an exception: it is void then. */
export function findExceptionProblems(said: unknown): RuleProblem[] {
  if (!isObject(said)) return [{ path: [], message: "must be an object" }];
  const missing = ["rule", "reason"]
    .filter((field) => said[field] === undefined)
    .map((field) => ({ path: [], message: `${field} is missing` }));
  const wrong = findWrongKinds(said, { rule: isText, match: isText, project: isText, reason: isText });
  const until =
    said.until === undefined || !Number.isNaN(readEnd(said.until))
      ? []
      : [
          {
            path: ["until"],
            message: "must be a day, 2026-12-31, or a time with its zone, 2026-12-31T12:00:00Z",
          },
        ];
  return [...missing, ...findUnknownFields(said, EXCEPTION_FIELDS), ...wrong, ...until];
}

/** When an exception ends, in milliseconds; a day ends as it does in UTC. NaN: this is not a date. */
export function readEnd(until: unknown): number {
  if (typeof until !== "string") return Number.NaN;
  if (/^\d{4}-\d\d-\d\d$/.test(until)) return Date.parse(`${until}T23:59:59.999Z`);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(until) ? Date.parse(until) : Number.NaN;
}

const findUnknownFields = (said: Readonly<Record<string, unknown>>, known: readonly string[]): RuleProblem[] =>
  Object.keys(said)
    .filter((field) => !known.includes(field))
    .map((field) => ({
      path: [field],
      message: `unknown field "${field}"${suggestName(field, known) || `; known: ${known.join(", ")}`}`,
    }));

/** A kind of value: what is said of one that is something else; undefined where it fits. */
type ValueKind = (value: unknown) => string | undefined;

const findWrongKinds = (
  said: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, ValueKind>>,
): RuleProblem[] =>
  Object.entries(kinds).flatMap(([field, kind]) => {
    const message = said[field] === undefined ? undefined : kind(said[field]);
    return message === undefined ? [] : [{ path: [field], message }];
  });

const isText: ValueKind = (value) =>
  typeof value === "string" && value.trim() !== "" ? undefined : "must be a string";
const isBoolean: ValueKind = (value) => (typeof value === "boolean" ? undefined : "must be true or false");
const isAction: ValueKind = (value) =>
  value === "deny" || value === "ask" ? undefined : 'must be "deny" or "ask"; enabled: false turns a rule off';
const isTexts: ValueKind = (value) => (isStringList(value) ? undefined : "must be a list of strings");
const isTextOrList: ValueKind = (value) =>
  typeof value === "string" || isStringList(value) ? undefined : "must be a string, or a list of strings";
const isProgram: ValueKind = (value) =>
  typeof value === "string" && isProgramList(value)
    ? undefined
    : 'must be the name of a program in letters, digits and ".", "_", "+", "-", or several with "|" between them; ' +
      'leave out folders and ".exe", and write "mkfs.*" for all names that begin with "mkfs."';
