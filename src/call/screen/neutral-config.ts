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
import { areAccesses, explainGlob, isMethodList, isNameList, isUrlPattern } from "../../protocol/rule-forms.ts";
import { type CallMention, mayGlobConcern, mayToolConcern, mayUrlConcern } from "./call-rules.ts";

/** What of a call a config file may be about. */
interface ConfiguredCall {
  /** The line in lower case, without quotes; undefined for a call without one. */
  line: string | undefined;
  getMention: () => CallMention;
}

/**
 * What a config file may have without a look at all of it. `locked` and `trusted` say which of them counts, and
 * `announce` is about the start of a session alone.
 */
const KEYS = "|$schema|hooks|mode|announce|rules|exceptions|locked|trusted|";

/**
 * Whether a config file changes nothing about what concerns the hooks: it sets nothing for them but lists that take calls
 * away, turns on no rule that is off by default, adds rules about programs that the line does not mention, and all of it
 * is right. Each look says yes to what is certain only. Expressions are made where they are needed, not before each call.
 */
export function isNeutralConfig(config: Payload | undefined, concerns: ConcernIndex, call: ConfiguredCall): boolean {
  if (!hasKnownKeys(config)) return false;
  const { hooks = {}, rules = {}, exceptions = [] } = config;
  if (!isObject(hooks) || !isObject(rules) || !Array.isArray(exceptions)) return false;
  const known = (config.hooks === undefined ? {} : JSON.parse(concerns.hooks)) as Record<string, readonly string[]>;
  for (const name in known)
    if (Object.hasOwn(hooks, name) && !areNarrowing(hooks[name], known[name] ?? [])) return false;
  for (const id in rules) if (!isNeutralRule(id, rules[id], concerns, call)) return false;
  for (const one of exceptions) if (!isRightException(one)) return false;
  return true;
}

/** Whether a config file says nothing but about hooks and their rules: nothing of the log, for example. */
export function hasKnownKeys(config: Payload | undefined): config is Payload {
  for (const key in config) if (!KEYS.includes(`|${key}|`)) return false;
  return config !== undefined && (config.hooks === undefined || isObject(config.hooks));
}

/** Whether settings of a hook are nothing but such lists, each of texts. */
function areNarrowing(settings: unknown, narrowing: readonly string[]): boolean {
  if (!isObject(settings)) return false;
  for (const key in settings) if (!narrowing.includes(key) || !isTextList(settings[key])) return false;
  return true;
}

function isTextList(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (const one of value) if (!isText(one)) return false;
  return true;
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** Made where a file has rules. */
let ruleId: RegExp | undefined;

const isRuleId = (id: string) => (ruleId ??= new RegExp(`^${ID_WORDS}/${ID_WORDS}$`)).test(id);

function isNeutralRule(id: string, said: unknown, { ruleCategories }: ConcernIndex, call: ConfiguredCall): boolean {
  if (!isObject(said) || !isRuleId(id) || !areRight(said, RULE_FIELDS)) return false;
  for (const field in said) if (!SETTING_FIELDS.includes(field)) return isIdleRule(said, call);
  if (said.enabled === undefined && said.action === undefined) return false;
  // It may turn on what is off otherwise.
  return said.enabled === false || ruleCategories.includes(`|${id.slice(0, id.indexOf("/"))}|`);
}

/** Whether an added rule is complete, and not about a call. */
function isIdleRule(said: Payload, { line, getMention }: ConfiguredCall): boolean {
  const kinds = listRuleKinds(said);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1 || !hasNeededFields(said, kind)) return false;
  switch (kind) {
    case "program":
      return !mentionsProgram(line, said.program as string);
    case "path":
      return ![said.path].flat().some((glob) => mayGlobConcern(glob as string, getMention()));
    case "url":
      return ![said.url].flat().some((url) => mayUrlConcern(url as string, getMention()));
    case "tool":
      return said.mcp !== undefined || !mayToolConcern(said.tool as string, getMention());
  }
}

/** Whether an exception is right; one that ends some day is left to those that read dates. */
const isRightException = (said: unknown): boolean =>
  isObject(said) && areRight(said, EXCEPTION_FIELDS) && isRequiredThere(said, REQUIRED_EXCEPTION_FIELDS);

/** Whether all fields of an object are known, and right. */
function areRight(said: Payload, fields: Readonly<Record<string, string>>): boolean {
  for (const field in said) if (!Object.hasOwn(fields, field) || !isRight(fields[field], said[field])) return false;
  return true;
}

function isRequiredThere(said: Payload, fields: readonly string[]): boolean {
  for (const field of fields) if (said[field] === undefined) return false;
  return true;
}

const isRight = (kind: string | undefined, value: unknown): boolean =>
  kind !== undefined && Object.hasOwn(CHECKS, kind) && CHECKS[kind]?.(value) === true;

/** What values of each kind have to be; a kind that is missing is left to those that read all of the file. */
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  programs: (value) => typeof value === "string" && isProgramList(value),
  patterns: (value) => (Array.isArray(value) ? value.every(isRightPattern) : isRightPattern(value)),
  text: isText,
  ids: isText,
  globs: (value) => areSeveral(value, (one) => explainGlob(one) === undefined),
  urls: (value) => areSeveral(value, isUrlPattern),
  accesses: areAccesses,
  names: (value) => typeof value === "string" && isNameList(value),
  methods: (value) => typeof value === "string" && isMethodList(value),
  arguments: (value) => isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isText),
  examples: (value) => Array.isArray(value) && value.every((one) => isText(one) || isRightExample(one)),
  action: (value) => (RULE_ACTIONS as readonly unknown[]).includes(value),
  flag: (value) => typeof value === "boolean",
};

/** Whether a value is one right text, or a list of such that is not empty. */
const areSeveral = (value: unknown, isRightOne: (text: string) => boolean): boolean =>
  typeof value === "string"
    ? isRightOne(value)
    : Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string" && isRightOne(one));

/** Whether an example is one call, by the fields of a rule; one with other values is left to those that read all of it. */
function isRightExample(said: unknown): boolean {
  if (!isObject(said)) return false;
  const kinds = listRuleKinds(said);
  const [kind] = kinds;
  if (kind === undefined || kind === "program" || kinds.length > 1 || !hasNeededFields({ ...said, reason: "" }, kind))
    return false;
  const fields: readonly string[] = RULE_KINDS[kind].fields;
  for (const field in said)
    if (!fields.includes(field) || !(field === "arguments" ? isObject(said[field]) : isText(said[field]))) return false;
  return said.access === undefined || (typeof said.access === "string" && areAccesses(said.access));
}

/** Words, nothing of which has to be looked up (`?changes`, `<disk>`): alternatives, or an option with "!" before it. */
const isRightPattern = (pattern: unknown) =>
  typeof pattern === "string" &&
  /^(?:!-[^\s|<>]*|[^\s|<>?!][^\s|<>]*(?:\|[^\s|<>]+)*)?(?: (?:!-[^\s|<>]*|[^\s|<>?!][^\s|<>]*(?:\|[^\s|<>]+)*))*$/.test(
    pattern,
  );

/** Whether a line has the name of one of the programs, `mkfs.*` included. */
function mentionsProgram(line: string | undefined, programs: string): boolean {
  if (line === undefined) return false;
  const names = programs.toLowerCase();
  if (!names.includes("|") && !names.endsWith("*")) return line.includes(names);
  for (const name of names.split("|")) if (line.includes(name.endsWith("*") ? name.slice(0, -1) : name)) return true;
  return false;
}
