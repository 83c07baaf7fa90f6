import * as v from "valibot";
import { findMisspelledName } from "../protocol/name-suggestions.ts";
import { isObject } from "../protocol/object.ts";
import { FILE_ACCESSES, isProgramList } from "../protocol/rule.ts";
import { explainGlob, isMethodList, isNameList, isUrlPattern } from "../protocol/rule-forms.ts";
import { describeObject, describeRecord } from "./schema.ts";
import { hasNeededFields, listRuleKinds, RULE_ACTIONS } from "./vocabulary.ts";

export const MUST_BE_STRING = "must be a string";
export const describeText = () => v.pipe(v.string(MUST_BE_STRING), v.regex(/\S/, MUST_BE_STRING));
export const describeFlag = () => v.boolean("must be true or false");

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

/** Returns the set that a word in a pattern refers to by name: `disk` for `of=<disk>`. */
export const getNamedSet = (word: string): string | undefined => /^[^<>]*<([^<>]*)>$/.exec(word)?.[1];

/** Explains what is wrong with the syntax of a word in a pattern. Doesn't check the names of sets and conditions. */
function explainPatternWord(word: string): string | undefined {
  if (word === "" || word.startsWith("?") || getNamedSet(word) !== undefined) return undefined;
  if (/[<>]/.test(word)) return `"${word}" is not valid; write a set as <name>, at the end of the word`;
  const words = word.replace(/^!/, "").split("|");
  if (words.includes("")) return `"${word}" has an empty alternative`;
  return word.startsWith("!") && !words.every((one) => one.startsWith("-"))
    ? `"${word}" is not valid; "!" may only precede options`
    : undefined;
}

const PROGRAM_MESSAGE =
  'must be a program name (letters, digits, ".", "_", "+", "-"), or several separated by "|"; ' +
  'omit directories and ".exe"; "mkfs.*" stands for all names that start with "mkfs."';

const GLOBS_MESSAGE = "must be a glob, or a list of globs";
const ACCESS_MESSAGE = `must be ${FILE_ACCESSES.join(", ")}, or a list of them`;
const NAMES_MESSAGE = 'must be a name, with "*" as a wildcard, or several separated by "|"';
const METHODS_MESSAGE = 'must be an HTTP method, or several separated by "|": DELETE|PUT';
const URL_MESSAGE = 'must be a host, optionally with a path: "*.corp.example/api/**"';
const EXAMPLE_MESSAGE = "must be a list of commands, or of objects with the rule's fields";

const describeGlob = () =>
  v.pipe(
    v.string(GLOBS_MESSAGE),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? explainGlob(dataset.value) : undefined;
      if (message !== undefined) addIssue({ message });
    }),
    v.metadata({ minLength: 1 }),
  );

/** Builds the schema for a single value or a non-empty list of values. */
const describeOneOrMany = <const S extends v.GenericSchema>(describeOne: () => S, message: string) =>
  v.union([describeOne(), v.pipe(v.array(describeOne()), v.nonEmpty(message))], message);

const describeNames = () =>
  v.pipe(v.string(NAMES_MESSAGE), v.check(isNameList, NAMES_MESSAGE), v.metadata({ pattern: "^\\S+$" }));
const describeMethods = () =>
  v.pipe(
    v.string(METHODS_MESSAGE),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? explainMethods(dataset.value) : undefined;
      if (message !== undefined) addIssue({ message });
    }),
    v.metadata({ pattern: "^[A-Za-z|]+$" }),
  );

/** HTTP methods of common servers: WebDAV, caches, UPnP and Exchange included. */
const HTTP_METHODS: readonly string[] = [
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE", "QUERY", "PRI", "PURGE", "BAN"],
  ...["PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "ACL", "SEARCH", "REPORT", "MKCALENDAR"],
  ...["BIND", "UNBIND", "REBIND", "LINK", "UNLINK", "ORDERPATCH", "MERGE", "UPDATE", "LABEL", "CHECKIN", "CHECKOUT"],
  ...["UNCHECKOUT", "MKACTIVITY", "MKWORKSPACE", "MKREDIRECTREF", "UPDATEREDIRECTREF", "REFRESH", "POLL", "NOTIFY"],
  ...["SUBSCRIBE", "UNSUBSCRIBE", "BCOPY", "BDELETE", "BMOVE", "BPROPFIND", "BPROPPATCH"],
];

/** Explains what is wrong with a list of HTTP methods. Only a misspelled known method is an error: servers define others. */
function explainMethods(text: string): string | undefined {
  if (!isMethodList(text)) return METHODS_MESSAGE;
  for (const method of text.split("|")) {
    const known = findMisspelledName(method, HTTP_METHODS);
    if (known !== undefined) return `unknown HTTP method "${method}"; did you mean ${known}?`;
  }
  return undefined;
}

const describeUrl = () =>
  v.pipe(v.string(URL_MESSAGE), v.check(isUrlPattern, URL_MESSAGE), v.metadata({ minLength: 1 }));
const describeArguments = () =>
  v.pipe(
    describeRecord(describeText(), "must be an object with a pattern for each argument"),
    v.check((patterns) => Object.keys(patterns).length > 0, "must name at least one argument"),
    v.metadata({ minProperties: 1 }),
  );

/**
 * Builds the schema for an example call. It has the same fields as a rule of that kind but only one value per field.
 */
const describeExample = () =>
  v.pipe(
    describeObject({
      path: v.optional(describeText()),
      access: v.optional(v.picklist(FILE_ACCESSES, `must be ${FILE_ACCESSES.join(", ")}`)),
      mcp: v.optional(describeText()),
      tool: v.optional(describeText()),
      arguments: v.optional(describeRecord(v.unknown(), "must be an object")),
      url: v.optional(describeText()),
      method: v.optional(describeText()),
    }),
    v.rawCheck(({ dataset: { value, issues }, addIssue }) => {
      if (issues) return;
      const kinds = isObject(value) ? listRuleKinds(value) : [];
      const [kind] = kinds;
      if (kind === undefined || kinds.length > 1 || !hasNeededFields({ ...(value as object), reason: "" }, kind))
        addIssue({ message: "must have url, mcp, tool, or both path and access" });
    }),
  );

/** Schemas for each kind of field value. */
export const VALUE_KINDS = {
  programs: () =>
    v.pipe(v.string(PROGRAM_MESSAGE), v.check(isProgramList, PROGRAM_MESSAGE), v.metadata({ minLength: 1 })),
  patterns: () => v.union([describePattern(), v.array(describePattern())], "must be a string, or a list of strings"),
  text: describeText,
  globs: () => describeOneOrMany(describeGlob, GLOBS_MESSAGE),
  accesses: () => describeOneOrMany(() => v.picklist(FILE_ACCESSES, ACCESS_MESSAGE), ACCESS_MESSAGE),
  names: describeNames,
  arguments: describeArguments,
  urls: () => describeOneOrMany(describeUrl, URL_MESSAGE),
  methods: describeMethods,
  examples: () => v.array(v.union([v.string(MUST_BE_STRING), describeExample()], EXAMPLE_MESSAGE), EXAMPLE_MESSAGE),
  // Forbids spaces in rule ids. Only the JSON Schema uses this pattern.
  ids: () => v.pipe(describeText(), v.metadata({ pattern: "^\\S+$" })),
  action: () => v.picklist(RULE_ACTIONS, 'must be "deny", "ask" or "warn"; enabled: false turns a rule off'),
  flag: describeFlag,
};
