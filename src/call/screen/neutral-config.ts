import type { ConcernIndex } from "../../protocol/concerns.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { isObject } from "../../protocol/object.ts";
import {
  EXCEPTION_FIELDS,
  ID_WORDS,
  REQUIRED_EXCEPTION_FIELDS,
  REQUIRED_RULE_FIELDS,
  RULE_ACTIONS,
  RULE_FIELDS,
  SETTING_FIELDS,
} from "../../policy/vocabulary.ts";
import { isProgramList } from "../../protocol/rule.ts";

/** What a config file may have without a look at all of it. `locked` and `trusted` say which of them counts. */
const KEYS = "|$schema|hooks|mode|rules|exceptions|locked|trusted|";

/**
 * Whether a config file changes nothing about what concerns the hooks: it sets nothing for them but lists that take calls
 * away, turns on no rule that is off by default, adds rules about programs that the line does not mention, and all of it
 * is right. Each look says yes to what is certain only. Expressions are made where they are needed, not before each call.
 * @param line the call's line in lower case, without quotes; undefined for a call without one.
 */
export function isNeutralConfig(config: Payload | undefined, concerns: ConcernIndex, line?: string): boolean {
  if (!hasKnownKeys(config)) return false;
  const { hooks = {}, rules = {}, exceptions = [] } = config;
  if (!isObject(hooks) || !isObject(rules) || !Array.isArray(exceptions)) return false;
  const known = (config.hooks === undefined ? {} : JSON.parse(concerns.hooks)) as Record<string, readonly string[]>;
  for (const name in known)
    if (Object.hasOwn(hooks, name) && !areNarrowing(hooks[name], known[name] ?? [])) return false;
  for (const id in rules) if (!isNeutralRule(id, rules[id], concerns, line)) return false;
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

function isNeutralRule(id: string, said: unknown, { ruleCategories }: ConcernIndex, line: string | undefined): boolean {
  if (!isObject(said) || !isRuleId(id) || !areRight(said, RULE_FIELDS)) return false;
  for (const field in said)
    if (!SETTING_FIELDS.includes(field))
      return isRequiredThere(said, REQUIRED_RULE_FIELDS) && !mentionsProgram(line, said.program as string);
  if (said.enabled === undefined && said.action === undefined) return false;
  // It may turn on what is off otherwise.
  return said.enabled === false || ruleCategories.includes(`|${id.slice(0, id.indexOf("/"))}|`);
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

function isRight(kind: string | undefined, value: unknown): boolean {
  switch (kind) {
    case "programs":
      return typeof value === "string" && isProgramList(value);
    case "patterns":
      return Array.isArray(value) ? value.every(isRightPattern) : isRightPattern(value);
    case "text":
    case "ids":
      return isText(value);
    case "texts":
      return isTextList(value);
    case "action":
      return (RULE_ACTIONS as readonly unknown[]).includes(value);
    case "flag":
      return typeof value === "boolean";
    default:
      return false;
  }
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
