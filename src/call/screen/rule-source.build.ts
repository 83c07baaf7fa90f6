import { ID_WORDS, RULE_ACTIONS, RULE_FIELDS, type RuleField } from "../../policy/vocabulary.ts";
import { FILE_ACCESSES, PROGRAM_ENDINGS } from "../../protocol/rule.ts";

/**
 * Creates the regular expression that matches an added rule with valid fields, up to the next rule or the end of the
 * rules. It must run in linear time because an agent may write a project's file. The fields that define the rule's kind
 * come first, in the order most programs write them, then the reason, then the other fields in any order.
 * @param hasCalls whether to match rules about calls as well, with additional groups for their conditions
 */
function createRuleSource(hasWhitespace: boolean, hasCalls: boolean): string {
  const values = describeValues(hasCalls);
  const describeField = (...names: RuleField[]) =>
    `"${names.length === 1 ? names[0] : `(?:${names.join("|")})`}":~${values[RULE_FIELDS[names[0] as RuleField]]}`;
  const kinds = [
    `${describeField("program")},~(?:${describeField("pattern")},~)?`,
    ...(hasCalls
      ? [
          `"path":~"(${GLOB})",~${describeField("access")},~`,
          `${describeField("mcp")},~(?:${describeField("tool")},~)?(?:${describeField("arguments")},~)?`,
          `"tool":~"(${PLAIN_NAMES})",~(?:${describeField("arguments")},~)?`,
          `"url":~"(${URL})",~(?:${describeField("method")},~)?`,
        ]
      : []),
  ];
  const otherFields: readonly RuleField[] = ["advice", "deny", "allow", "action", "enabled"];
  // Fields of the same kind share an alternative to keep the expression short. The engine compiles it on each call.
  const alternatives = [...Map.groupBy(otherFields, (field) => RULE_FIELDS[field]).values()];
  // Limit the repetitions, since each repetition of a group takes the engine microseconds to compile.
  const id = ID_WORDS.replace(/\*$/, "{0,9}");
  const rule =
    `"${id}\\/${id}":~\\{~(?:${kinds.join("|")})${describeField("reason")}` +
    `(?:,~(?:${alternatives.map((names) => describeField(...names)).join("|")})){0,${otherFields.length}}~\\}(?:,~(?=")|~(?=\\}))`;
  return rule.replaceAll("~", hasWhitespace ? "[ \\n\\r\\t]*" : "").replaceAll(TILDE, "~");
}

/** Stands for a literal "~". */
const TILDE = "\0";
/** A name that isn't next to a wildcard, so that it can be compared with calls. */
const TOKEN = "[\\w-]+";
/** A path of plain characters that contains such a name and no `..`. */
const GLOB = `(?!(?:[^"/]*\\/){0,20}\\.\\.[/"])(?=(?:[\\w*${TILDE}-]*[/.]){0,30}${TOKEN}[/."])[\\w./*${TILDE}-]+`;
const NAMES = "[\\w.*:@/-]+(?:\\|[\\w.*:@/-]+){0,20}";
const PLAIN_NAMES = `${TOKEN}(?:\\|${TOKEN}){0,20}`;
const URL = `(?:https?:\\/\\/)?(?:\\*\\.)?${TOKEN}(?:\\.${TOKEN}){0,9}(?::\\d{1,5})?(?:\\/[\\w./*%@+-]*)?`;

/** Maps each kind of value to a regular expression that matches valid values. "~" stands for optional whitespace. */
function describeValues(hasCalls: boolean): Readonly<Partial<Record<(typeof RULE_FIELDS)[RuleField], string>>> {
  const ignoreCase = (ending: string) => ending.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  /** Matches a program name, but not a pattern such as `mkfs.*`, since commands are searched for the exact name. */
  const program = `[\\w.+-]{2,}(?<!\\.(?:${PROGRAM_ENDINGS.map(ignoreCase).join("|")}))`;
  /** Matches a string that starts with a non-space character and whose escapes are all single characters. */
  const text = '"[!#-Z^-}][^\\0-\\x1f"\\\\]*(?:\\\\["\\\\/bfnrt][^\\0-\\x1f"\\\\]*){0,20}"';
  /**
   * Matches words, but no conditions (`?changes`) or sets (`<disk>`). Alternatives can't be empty, and "!" must come
   * before an option.
   */
  const words = "[\\w.*/=:@,+ -]*";
  const pattern = `"${words}(?:(?:(?<![ "])\\|(?![ "|])|(?<=[ "])!-[\\w.*/=:@,+-]*(?=[ "]))${words}){0,20}"`;
  // No minimum count here, since the engine would have to compile the item twice.
  const listOf = (item: string) => `\\[~(?!\\])(?:${item}(?:,~(?!\\])|(?=~\\]))){0,50}~\\]`;
  const access = `"(?:${FILE_ACCESSES.join("|")})"`;
  /** Matches a string without escapes. */
  const word = '"[!#-Z^-}][^\\0-\\x1f"\\\\]*"';
  const args = `\\{~(?!\\})(?:${word}:~${word}(?:,~(?!\\})|(?=~\\}))){0,9}~\\}`;
  const argumentsPattern = `(?:,~"arguments":~${args})?`;
  const examples = [
    `"path":~${word},~"access":~${access}`,
    `"(?:mcp":~${word},~"tool|mcp|tool)":~${word}${argumentsPattern}`,
    `"url":~${word}(?:,~"method":~${word})?`,
  ];
  return {
    programs: `"(${program}(?:\\|${program}){0,20})"`,
    patterns: `(?:${listOf(pattern)}|"${words}")`,
    text,
    accesses: `(?:${access}|${listOf(access)})`,
    names: `"${NAMES}"`,
    arguments: args,
    methods: '"[A-Za-z]+(?:\\|[A-Za-z]+){0,8}"',
    examples: listOf(hasCalls ? `(?:${text}|\\{~(?:${examples.join("|")})~\\})` : text),
    action: `"(?:${RULE_ACTIONS.join("|")})"`,
    flag: "(?:true|false)",
  };
}

/**
 * Regular expressions, first without and then with rules about calls. Each has two variants, first for text without
 * whitespace between tokens and then for text with it.
 */
export const RULE_SOURCES: readonly string[] = [false, true].flatMap((hasCalls) =>
  [false, true].map((isSpaced) => createRuleSource(isSpaced, hasCalls)),
);
