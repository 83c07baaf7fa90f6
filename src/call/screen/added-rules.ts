import { PATH_MARK, TOOL_MARK, URL_MARK } from "./call-rules.ts";
import { RULE_SOURCES } from "./rule-source.build.ts";

/** A config file without its added rules. */
export interface ShortConfig {
  text: string;
  /** Lowercase program names from the omitted rules, as in `"deploy"kubectl"`; empty if there are none. */
  programs: string;
  /** Lowercase conditions of the omitted rules about calls. The delimiter before each condition shows its kind. */
  calls: string;
}

/**
 * Minimum length of text worth shortening. Shorter text takes less time to parse than the regular expression takes to
 * compile.
 */
const MIN_LENGTH = 1 << 14;
/** Maximum length of a command that is first searched for just the initial characters of program names. */
const SHORT_LINE = 100;

const RULES_KEY = '"rules"';
/** Compiled regular expressions, in the order of `RULE_SOURCES`. */
const compiledExpressions: RegExp[] = [];

/**
 * Omits the rules at the start of a config file's `rules` if they are valid, as most are. Finding them takes the engine
 * a tenth of the time needed to parse and check them. The remaining text is valid JSON if and only if the full text is,
 * and it has the same content except for these rules.
 * @param minLength minimum length of text to shorten; lower in tests
 */
export function omitAddedRules(text: string, minLength: number = MIN_LENGTH): ShortConfig {
  const unchanged = { text, programs: "", calls: "" };
  if (text.length < minLength) return unchanged;
  const key = text.indexOf(RULES_KEY) + RULES_KEY.length;
  const rulesStart = text.indexOf('"', key);
  const prefix = text.slice(0, rulesStart);
  if (key < RULES_KEY.length || !endsAtRules(prefix, key)) return unchanged;
  const hasWhitespace = prefix.length > key + ":{".length;
  const hasCalls = CALL_FIELDS.some((field) => text.includes(field));
  const form = +hasWhitespace + 2 * +hasCalls;
  const rule = (compiledExpressions[form] ??= new RegExp(RULE_SOURCES[form] as string, "gy"));
  // Replace each rule with its conditions and a quote. The text after the last rule starts with a quote or a brace.
  const shortened = text
    .slice(rulesStart)
    .replace(rule, hasCalls ? `$1${PATH_MARK}$2${TOOL_MARK}$3${URL_MARK}$4"` : '$1"');
  const [next, last] = [shortened.indexOf('""'), shortened.indexOf('"}')];
  const end = 1 + (next < 0 || (last >= 0 && last < next) ? last : next);
  if (shortened.length === text.length - rulesStart || end === 0) return unchanged;
  const calls = `"${shortened.slice(0, end)}`.toLowerCase();
  // Keep only the program names, which come before the first delimiter of each rule.
  const programs = (hasCalls ? calls.replaceAll(/\x01[^"]*/g, "") : calls).replaceAll("|", '"');
  return {
    text: prefix + shortened.slice(end),
    programs: /[^"]/.test(programs) ? programs : "",
    calls: hasCalls ? calls : "",
  };
}

/** Fields used only in rules about calls. A file without any of them has no such rules. */
const CALL_FIELDS = ['"path"', '"mcp"', '"tool"', '"url"'];

/** Returns whether a text ends where a config file's rules start, in a top-level object. */
function endsAtRules(prefix: string, key: number): boolean {
  // Text with escapes is rejected, so the quotes before the colon must enclose a name.
  const gap = prefix.slice(key).trim();
  if (!gap.startsWith(":") || gap.slice(1).trim() !== "{" || prefix.includes("\\")) return false;
  try {
    JSON.parse(`${prefix}}}`);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a lowercase command mentions one of the programs. */
export function mentionsProgram(line: string, programs: string): boolean {
  if (line.length <= SHORT_LINE && !hasFirstCharacters(line, programs)) return false;
  for (const name of programs.split('"')) if (name !== "" && line.includes(name)) return true;
  return false;
}

/** Returns whether the command contains the first two characters of one of the programs. */
function hasFirstCharacters(line: string, programs: string): boolean {
  for (let at = 0; at + 1 < line.length; at++) if (programs.includes(`"${line.slice(at, at + 2)}`)) return true;
  return false;
}
