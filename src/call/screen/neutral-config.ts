import type { ConcernIndex } from "../../protocol/concerns.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { isObject } from "../../protocol/object.ts";
import {
  EXCEPTION_FIELDS,
  ID_WORDS,
  REQUIRED_EXCEPTION_FIELDS,
  hasNeededFields,
  listRuleKinds,
  RULE_ACTIONS,
  RULE_FIELDS,
  RULE_KINDS,
  SETTING_FIELDS,
} from "../../policy/vocabulary.ts";
import { isProgramList } from "../../protocol/rule.ts";
import {
  isAccessOrAccessList,
  explainGlob,
  isMethodList,
  isNameList,
  isUrlPattern,
} from "../../protocol/rule-forms.ts";
import { type CallMention, mayGlobConcern, mayToolConcern, mayUrlConcern } from "./call-rules.ts";

/** The parts of a call that a config file may apply to. */
interface ConfiguredCall {
  /** The command without quotes, in lowercase; undefined if the call has none. */
  line: string | undefined;
  getMention: () => CallMention;
}

/**
 * Config file keys that can be handled without a full parse. `locked` and `trusted` determine which files apply;
 * `announce` affects only the start of a session.
 */
const KNOWN_CONFIG_KEYS = "|$schema|hooks|mode|announce|rules|exceptions|locked|trusted|";

/**
 * Returns whether a config file certainly doesn't change which calls concern the hooks. Such a file is valid, sets only
 * lists that exclude calls, doesn't turn on rules that are off by default, and adds only rules that don't concern this
 * call. Regular expressions are compiled on demand instead of before each call.
 */
export function isNeutralConfig(config: Payload | undefined, concerns: ConcernIndex, call: ConfiguredCall): boolean {
  if (!hasKnownKeys(config)) return false;
  const { hooks = {}, rules = {}, exceptions = [] } = config;
  if (!isObject(hooks) || !isObject(rules) || !Array.isArray(exceptions)) return false;
  const knownSettings = (config.hooks === undefined ? {} : JSON.parse(concerns.hooks)) as Record<
    string,
    readonly string[]
  >;
  for (const name in knownSettings)
    if (Object.hasOwn(hooks, name) && !hasOnlyNarrowingSettings(hooks[name], knownSettings[name] ?? [])) return false;
  for (const id in rules) if (!isNeutralRule(id, rules[id], concerns, call)) return false;
  for (const exception of exceptions) if (!isValidException(exception)) return false;
  return true;
}

/** Returns whether a config file contains only known keys. Others, such as log settings, count as unknown. */
export function hasKnownKeys(config: Payload | undefined): config is Payload {
  for (const key in config) if (!KNOWN_CONFIG_KEYS.includes(`|${key}|`)) return false;
  return config !== undefined && (config.hooks === undefined || isObject(config.hooks));
}

/** Returns whether a hook's settings are nothing but lists of strings that exclude calls. */
function hasOnlyNarrowingSettings(settings: unknown, narrowingSettings: readonly string[]): boolean {
  if (!isObject(settings)) return false;
  for (const key in settings) if (!narrowingSettings.includes(key) || !isStringList(settings[key])) return false;
  return true;
}

function isStringList(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (const item of value) if (!isNonEmptyString(item)) return false;
  return true;
}

const isNonEmptyString = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** Compiled only if a file contains rules. */
let ruleId: RegExp | undefined;

const isRuleId = (id: string) => (ruleId ??= new RegExp(`^${ID_WORDS}/${ID_WORDS}$`)).test(id);

function isNeutralRule(id: string, rule: unknown, { ruleCategories }: ConcernIndex, call: ConfiguredCall): boolean {
  if (!isObject(rule) || !isRuleId(id) || !hasValidFields(rule, RULE_FIELDS)) return false;
  for (const field in rule) if (!SETTING_FIELDS.includes(field)) return isUnrelatedRule(rule, call);
  if (rule.enabled === undefined && rule.action === undefined) return false;
  // This setting may turn on a rule that is off by default.
  return rule.enabled === false || ruleCategories.includes(`|${id.slice(0, id.indexOf("/"))}|`);
}

/** Returns whether an added rule is complete and doesn't concern the call. */
function isUnrelatedRule(rule: Payload, { line, getMention }: ConfiguredCall): boolean {
  const kinds = listRuleKinds(rule);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1 || !hasNeededFields(rule, kind)) return false;
  switch (kind) {
    case "program":
      return !mentionsProgram(line, rule.program as string);
    case "path":
      return ![rule.path].flat().some((glob) => mayGlobConcern(glob as string, getMention()));
    case "url":
      return ![rule.url].flat().some((url) => mayUrlConcern(url as string, getMention()));
    case "tool":
      return rule.mcp !== undefined || !mayToolConcern(rule.tool as string, getMention());
  }
}

/** Returns whether an exception is valid. Exceptions with an expiry date are left to the full parser. */
const isValidException = (exception: unknown): boolean =>
  isObject(exception) &&
  hasValidFields(exception, EXCEPTION_FIELDS) &&
  hasRequiredFields(exception, REQUIRED_EXCEPTION_FIELDS);

/** Returns whether all fields of an object are known and valid. */
function hasValidFields(object: Payload, fields: Readonly<Record<string, string>>): boolean {
  for (const field in object) if (!Object.hasOwn(fields, field) || !isValid(fields[field], object[field])) return false;
  return true;
}

function hasRequiredFields(object: Payload, fields: readonly string[]): boolean {
  for (const field of fields) if (object[field] === undefined) return false;
  return true;
}

const isValid = (kind: string | undefined, value: unknown): boolean =>
  kind !== undefined && Object.hasOwn(CHECKS_BY_KIND, kind) && CHECKS_BY_KIND[kind]?.(value) === true;

/** Maps each kind of value to a function that checks it. Other kinds are left to the full parser. */
const CHECKS_BY_KIND: Readonly<Record<string, (value: unknown) => boolean>> = {
  programs: (value) => typeof value === "string" && isProgramList(value),
  patterns: (value) => (Array.isArray(value) ? value.every(isValidPattern) : isValidPattern(value)),
  text: isNonEmptyString,
  ids: isNonEmptyString,
  globs: (value) => isStringOrStringList(value, (glob) => explainGlob(glob) === undefined),
  urls: (value) => isStringOrStringList(value, isUrlPattern),
  accesses: isAccessOrAccessList,
  names: (value) => typeof value === "string" && isNameList(value),
  methods: (value) => typeof value === "string" && isMethodList(value),
  arguments: (value) =>
    isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isNonEmptyString),
  examples: (value) =>
    Array.isArray(value) && value.every((example) => isNonEmptyString(example) || isValidExample(example)),
  action: (value) => (RULE_ACTIONS as readonly unknown[]).includes(value),
  flag: (value) => typeof value === "boolean",
};

/** Returns whether a value is a valid string or a non-empty list of valid strings. */
const isStringOrStringList = (value: unknown, isValidText: (text: string) => boolean): boolean =>
  typeof value === "string"
    ? isValidText(value)
    : Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string" && isValidText(item));

/**
 * Returns whether an example describes a single kind of call, using only the fields of that kind. Other examples are
 * left to the full parser.
 */
function isValidExample(example: unknown): boolean {
  if (!isObject(example)) return false;
  const kinds = listRuleKinds(example);
  const [kind] = kinds;
  if (
    kind === undefined ||
    kind === "program" ||
    kinds.length > 1 ||
    !hasNeededFields({ ...example, reason: "" }, kind)
  )
    return false;
  const fields: readonly string[] = RULE_KINDS[kind].fields;
  for (const field in example)
    if (
      !fields.includes(field) ||
      !(field === "arguments" ? isObject(example[field]) : isNonEmptyString(example[field]))
    )
      return false;
  return example.access === undefined || (typeof example.access === "string" && isAccessOrAccessList(example.access));
}

/**
 * Returns whether a pattern consists of words, with no conditions (`?changes`) or sets (`<disk>`). A word may be a list
 * of alternatives, or "!" and an option.
 */
const isValidPattern = (pattern: unknown) =>
  typeof pattern === "string" &&
  /^(?:!-[^\s|<>]*|[^\s|<>?!][^\s|<>]*(?:\|[^\s|<>]+)*)?(?: (?:!-[^\s|<>]*|[^\s|<>?!][^\s|<>]*(?:\|[^\s|<>]+)*))*$/.test(
    pattern,
  );

/** Returns whether a command contains one of the program names, which may be patterns such as `mkfs.*`. */
function mentionsProgram(line: string | undefined, programs: string): boolean {
  if (line === undefined) return false;
  const names = programs.toLowerCase();
  if (!names.includes("|") && !names.endsWith("*")) return line.includes(names);
  for (const name of names.split("|")) if (line.includes(name.endsWith("*") ? name.slice(0, -1) : name)) return true;
  return false;
}
