import { ID_WORDS, RULE_ACTIONS, RULE_FIELDS, type RuleField } from "../../policy/vocabulary.ts";
import { FILE_ACCESSES, PROGRAM_ENDINGS } from "../../protocol/rule.ts";

/**
 * The expression that finds a rule that is right in every field, up to the next one or to the end of the rules: made of
 * the fields that rules have, when a file is long. It is linear, since a project's file is an agent's text. The fields of
 * a kind stand first, in the order in which most programs write them, then the reason; the others follow in any.
 * @param hasCalls whether it finds rules about calls as well, whose conditions are its further groups.
 */
function createRuleSource(isSpaced: boolean, hasCalls: boolean): string {
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
  const others: readonly RuleField[] = ["advice", "deny", "allow", "action", "enabled"];
  // Those of a kind together: the engine compiles the expression in each call.
  const alternatives = [...Map.groupBy(others, (field) => RULE_FIELDS[field]).values()];
  // The engine takes microseconds for each turn of a group, so the turns are limited.
  const id = ID_WORDS.replace(/\*$/, "{0,9}");
  const rule =
    `"${id}\\/${id}":~\\{~(?:${kinds.join("|")})${describeField("reason")}` +
    `(?:,~(?:${alternatives.map((names) => describeField(...names)).join("|")})){0,${others.length}}~\\}(?:,~(?=")|~(?=\\}))`;
  return rule.replaceAll("~", isSpaced ? "[ \\n\\r\\t]*" : "").replaceAll(TILDE, "~");
}

/** Stands for "~" itself. */
const TILDE = "\0";
/** A name that stands between signs other than wildcards: calls are compared by it. */
const TOKEN = "[\\w-]+";
/** A path in plain characters, without `..`, and with such a name. */
const GLOB = `(?!(?:[^"/]*\\/){0,20}\\.\\.[/"])(?=(?:[\\w*${TILDE}-]*[/.]){0,30}${TOKEN}[/."])[\\w./*${TILDE}-]+`;
const NAMES = "[\\w.*:@/-]+(?:\\|[\\w.*:@/-]+){0,20}";
const PLAIN_NAMES = `${TOKEN}(?:\\|${TOKEN}){0,20}`;
const URL = `(?:https?:\\/\\/)?(?:\\*\\.)?${TOKEN}(?:\\.${TOKEN}){0,9}(?::\\d{1,5})?(?:\\/[\\w./*%@+-]*)?`;

/** Describes values that are right, by their kinds. "~" stands for blanks, where programs write them. */
function describeValues(hasCalls: boolean): Readonly<Partial<Record<(typeof RULE_FIELDS)[RuleField], string>>> {
  const ignoreCase = (ending: string) => ending.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  /** Without `mkfs.*`: a line is searched for the whole name. */
  const program = `[\\w.+-]{2,}(?<!\\.(?:${PROGRAM_ENDINGS.map(ignoreCase).join("|")}))`;
  /** Begins with what is not blank; of the escapes, it has those of one character. */
  const text = '"[!#-Z^-}][^\\0-\\x1f"\\\\]*(?:\\\\["\\\\/bfnrt][^\\0-\\x1f"\\\\]*){0,20}"';
  /** Without sets and conditions; alternatives are not empty, and "!" stands before one option. */
  const words = "[\\w.*/=:@,+ -]*";
  const pattern = `"${words}(?:(?:(?<![ "])\\|(?![ "|])|(?<=[ "])!-[\\w.*/=:@,+-]*(?=[ "]))${words}){0,20}"`;
  // Without a least number: the engine would compile the item twice.
  const listOf = (item: string) => `\\[~(?!\\])(?:${item}(?:,~(?!\\])|(?=~\\]))){0,50}~\\]`;
  const access = `"(?:${FILE_ACCESSES.join("|")})"`;
  /** Without escapes. */
  const word = '"[!#-Z^-}][^\\0-\\x1f"\\\\]*"';
  const args = `\\{~(?!\\})(?:${word}:~${word}(?:,~(?!\\})|(?=~\\}))){0,9}~\\}`;
  const called = `(?:,~"arguments":~${args})?`;
  const examples = [
    `"path":~${word},~"access":~${access}`,
    `"(?:mcp":~${word},~"tool|mcp|tool)":~${word}${called}`,
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

/** The sources, without rules about calls and with them, each for texts without blanks between tokens and with them. */
export const RULE_SOURCES: readonly string[] = [false, true].flatMap((hasCalls) =>
  [false, true].map((isSpaced) => createRuleSource(isSpaced, hasCalls)),
);
