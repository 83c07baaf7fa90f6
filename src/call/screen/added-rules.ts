import { PATH_MARK, TOOL_MARK, URL_MARK } from "./call-rules.ts";
import { RULE_SOURCES } from "./rule-source.build.ts";

/** A config file without rules that it adds. */
export interface ShortConfig {
  text: string;
  /** The programs of the rules that were left out, in lower case: `"deploy"kubectl"`; empty if there are none. */
  programs: string;
  /** What the rules about calls look at that were left out, in lower case, each behind the mark of its kind. */
  calls: string;
}

/** Shorter texts are parsed as they are: to compile the expression takes longer. */
const MIN_LENGTH = 1 << 14;
/** In lines up to this length it pays to look for the beginnings of names first. */
const SHORT_LINE = 100;

const KEY = '"rules"';
/** By their sources. */
const expressions: RegExp[] = [];

/**
 * Leaves out what a config file with many rules has at the beginning of them: added rules that are right, as most are. The
 * engine finds these in a tenth of the time that parsing and checking them takes. The rest is JSON if, and only if, the
 * text is, and says the same but for them.
 * @param minLength tests give shorter texts.
 */
export function omitAddedRules(text: string, minLength: number = MIN_LENGTH): ShortConfig {
  const whole = { text, programs: "", calls: "" };
  if (text.length < minLength) return whole;
  const key = text.indexOf(KEY) + KEY.length;
  const from = text.indexOf('"', key);
  const head = text.slice(0, from);
  if (key < KEY.length || !opensRules(head, key)) return whole;
  const isSpaced = head.length > key + ":{".length;
  const hasCalls = CALL_FIELDS.some((field) => text.includes(field));
  const form = +isSpaced + 2 * +hasCalls;
  const rule = (expressions[form] ??= new RegExp(RULE_SOURCES[form] as string, "gy"));
  // The rules become what they look at, with a quote behind each. What follows the last one begins with a quote or a brace.
  const short = text.slice(from).replace(rule, hasCalls ? `$1${PATH_MARK}$2${TOOL_MARK}$3${URL_MARK}$4"` : '$1"');
  const [next, last] = [short.indexOf('""'), short.indexOf('"}')];
  const end = 1 + (next < 0 || (last >= 0 && last < next) ? last : next);
  if (short.length === text.length - from || end === 0) return whole;
  const calls = `"${short.slice(0, end)}`.toLowerCase();
  // The programs alone: what stands before the first mark of each rule.
  const programs = (hasCalls ? calls.replaceAll(/\x01[^"]*/g, "") : calls).replaceAll("|", '"');
  return {
    text: head + short.slice(end),
    programs: /[^"]/.test(programs) ? programs : "",
    calls: hasCalls ? calls : "",
  };
}

/** A file without any of these has no rule about calls. */
const CALL_FIELDS = ['"path"', '"mcp"', '"tool"', '"url"'];

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
