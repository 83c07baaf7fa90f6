import { ID_WORDS, RULE_ACTIONS, RULE_FIELDS, type RuleField } from "../../policy/vocabulary.ts";
import { PROGRAM_ENDINGS } from "../../protocol/rule.ts";

/** A config file without rules that it adds. */
export interface ShortConfig {
  text: string;
  /** The programs of the rules that were left out, in lower case: `"deploy"kubectl"`; empty if there are none. */
  programs: string;
}

/** Shorter texts are parsed as they are: to compile the expression takes longer. */
const MIN_LENGTH = 1 << 14;
/** In lines up to this length it pays to look for the beginnings of names first. */
const SHORT_LINE = 100;

const KEY = '"rules"';
/** The fields that most programs write first, in this order; the others follow in any. */
const FIRST_FIELDS: readonly string[] = ["program", "pattern", "reason"] satisfies RuleField[];

/** For texts without blanks between tokens, and with them. */
const expressions: RegExp[] = [];

/**
 * The expression that finds a rule that is right in every field, up to the next one or to the end of the rules: made of
 * the fields that rules have, when a file is long. It is linear, since a project's file is an agent's text.
 */
export function getRuleSource(isSpaced: boolean): string {
  const values = describeValues();
  const describeField = (...names: RuleField[]) =>
    `"${names.length === 1 ? names[0] : `(?:${names.join("|")})`}"~:~${values[RULE_FIELDS[names[0] as RuleField]]}~`;
  const others = (Object.keys(RULE_FIELDS) as RuleField[]).filter((field) => !FIRST_FIELDS.includes(field));
  // Those of a kind together: the engine compiles the expression in each call.
  const alternatives = [...Map.groupBy(others, (field) => RULE_FIELDS[field]).values()];
  // The engine takes microseconds for each turn of a group, so the turns are limited.
  const id = ID_WORDS.replace(/\*$/, "{0,9}");
  const rule =
    `"${id}\\/${id}"~:~\\{~${describeField("program")},~(?:${describeField("pattern")},~)?${describeField("reason")}` +
    `(?:,~(?:${alternatives.map((names) => describeField(...names)).join("|")})){0,${others.length}}\\}~(?:,~(?=")|(?=\\}))`;
  return rule.replaceAll("~", isSpaced ? "[ \\n\\r\\t]*" : "");
}

/** Describes values that are right, by their kinds. Between their tokens, "~" stands for blanks. */
function describeValues(): Readonly<Record<(typeof RULE_FIELDS)[RuleField], string>> {
  const ignoreCase = (ending: string) => ending.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  /** Without `mkfs.*`: a line is searched for the whole name. */
  const program = `[\\w.+-]{2,}(?<!\\.(?:${PROGRAM_ENDINGS.map(ignoreCase).join("|")}))`;
  /** Begins with what is not blank; of the escapes, it has those of one character. */
  const text = '"[!#-Z^-}][^\\0-\\x1f"\\\\]*(?:\\\\["\\\\/bfnrt][^\\0-\\x1f"\\\\]*){0,20}"';
  /** Without sets and conditions; alternatives are not empty, and "!" stands before one option. */
  const words = "[\\w.*/=:@,+ -]*";
  const pattern = `"${words}(?:(?:(?<![ "])\\|(?![ "|])|(?<=[ "])!-[\\w.*/=:@,+-]*(?=[ "]))${words}){0,20}"`;
  const listOf = (item: string) => `\\[~(?:${item}~(?:,~(?!\\])|(?=\\]))){1,50}\\]`;
  return {
    programs: `"(${program}(?:\\|${program}){0,20})"`,
    patterns: `(?:${listOf(pattern)}|"${words}")`,
    text,
    texts: listOf(text),
    action: `"(?:${RULE_ACTIONS.join("|")})"`,
    flag: "(?:true|false)",
  };
}

/**
 * Leaves out what a config file with many rules has at the beginning of them: added rules that are right, as most are. The
 * engine finds these in a tenth of the time that parsing and checking them takes. The rest is JSON if, and only if, the
 * text is, and says the same but for them.
 * @param minLength tests give shorter texts.
 */
export function omitAddedRules(text: string, minLength: number = MIN_LENGTH): ShortConfig {
  const whole = { text, programs: "" };
  if (text.length < minLength) return whole;
  const key = text.indexOf(KEY) + KEY.length;
  const from = text.indexOf('"', key);
  const head = text.slice(0, from);
  if (key < KEY.length || !opensRules(head, key)) return whole;
  const isSpaced = head.length > key + ":{".length;
  const rule = (expressions[+isSpaced] ??= new RegExp(getRuleSource(isSpaced), "gy"));
  // The rules become their programs, with a quote behind each. What follows the last one begins with a quote or a brace.
  const short = text.slice(from).replace(rule, '$1"');
  const [next, last] = [short.indexOf('""'), short.indexOf('"}')];
  const end = 1 + (next < 0 || (last >= 0 && last < next) ? last : next);
  if (short.length === text.length - from || end === 0) return whole;
  return { text: head + short.slice(end), programs: `"${short.slice(0, end)}`.replaceAll("|", '"').toLowerCase() };
}

/** Whether a text ends where the rules of a config file begin: in an object that is the whole file's. */
function opensRules(head: string, key: number): boolean {
  // Without escapes, the quotes before the colon are those of a name.
  const between = head.slice(key).trim();
  if (!between.startsWith(":") || between.slice(1).trim() !== "{" || head.includes("\\")) return false;
  try {
    JSON.parse(`${head}}}`);
    return true;
  } catch {
    return false;
  }
}

/** Whether a line in lower case has one of the programs. */
export function mentionsOne(line: string, programs: string): boolean {
  if (line.length <= SHORT_LINE && !hasStart(line, programs)) return false;
  for (const name of programs.split('"')) if (name !== "" && line.includes(name)) return true;
  return false;
}

/** Whether one of the programs may begin in the line. */
function hasStart(line: string, programs: string): boolean {
  for (let at = 0; at + 1 < line.length; at++) if (programs.includes(`"${line.slice(at, at + 2)}`)) return true;
  return false;
}
