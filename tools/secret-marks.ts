import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECRET_RULES } from "../src/secrets/kinds/index.ts";
import type { SecretRule } from "../src/secrets/kinds/rule.ts";
import { URL_CREDENTIALS, URL_LITERAL } from "../src/secrets/anchors.ts";
import { parsePattern, type PatternNode, skipCharacter } from "./pattern-nodes.ts";

export const MARKS_FILE = join(import.meta.dir, "../src/secrets/marks.txt");

/**
 * Characters used to find secrets, best first: those that are rare in source code or shared by many secrets. The engine
 * finds rare characters with vector instructions.
 */
const MARKERS = "~$+?&:-_.AJGKYMNO210X3ZQVBcpEFILSTUR456789bdfhjkqvwxyzaeiglmnorstu/=";
/**
 * Kinds of markers. Each kind has its own expression: a large expression compiles slowly, and an expression is fast
 * only if its markers are rare.
 */
const MARKER_KINDS = [/^_/, /^-/, /^[^-\w[]/, /^\d/, /^[A-Z]/, /^[a-z]/, /^\[/];

/**
 * Number of characters that an expression matches after a marker. It stops earlier at a part whose length varies
 * greatly.
 */
const ENOUGH_LENGTH = 24;
const MAX_SLACK = 100;
const HEX_SET = /^\[(?:0-9|A-F|a-f)+\]$/;
const LITERAL = /^\\?[.-]$/;
/**
 * Like `isTokenStart` but slightly more permissive. A letter or digit may come directly before a token only in escapes
 * such as `\n` and `%3D`.
 */
const TOKEN_START = String.raw`(?<![A-Za-z0-9]{3}|[^\\0-9A-Fa-f][A-Za-z0-9])`;

/**
 * Maximum length of prefixes for which an expression checks the start of the token. Many words end in such short
 * prefixes.
 */
const SHORT_PREFIX_LENGTH = 2;

/** Character sets, each a subset of the next. `measureRun` counts characters in the last one. */
const LETTERS = "[A-Za-z0-9]";
const CHARACTER_SETS = [LETTERS, "[\\w-]", "[^\\x00- \"'`]"].map((source) => ({
  source,
  has: new RegExp(`^${source}$`),
}));
/**
 * Lengths that an expression can require of a character run. The list is short, so that many secrets share a length.
 */
const RUN_LENGTHS = [20, 12, 8];
const WIDE_RUN_LENGTH = 20;
/**
 * A run of letters and digits too long for ordinary names. If enough secrets require such a run, checking the two
 * characters before the marker is enough.
 */
const LONG_RUN = `${LETTERS}{${WIDE_RUN_LENGTH}}`;
const MIN_LONG_RUN_MARKS = 4;
const CHARACTERS = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code));

/** Maximum number of alternatives to try one after another. */
const MAX_ALTERNATIVES = 8;

/** A character that leads the search to a secret, and the text around it. */
interface Mark {
  marker: string;
  /** Whether the marker is part of a token. Tokens start at a word boundary. */
  isToken: boolean;
  before: string;
  /** The rest of the literal piece, followed by a character run. */
  behind: string;
  /** Distance from the end of the marker back to the start of the literal piece. */
  offset: number;
  piece: string;
  /** Expression for the text after the piece. */
  beginning: string;
}

const escape = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
const repeat = ({ source, min, max }: PatternNode, maximum = max) => {
  const one = source.replace(/^\(\?<\w+>/, "(?:");
  if (min === maximum) return min === 1 ? one : `${one}{${min}}`;
  return min === 0 && maximum === 1 ? `${one}?` : `${one}{${min},${maximum}}`;
};

/** Formats the required text after the marker, up to the point where a match is certain enough. */
function formatBeginning(nodes: readonly PatternNode[]): string {
  let source = "";
  let length = 0;
  for (const node of nodes) {
    if (node.isAssertion) source += node.source;
    else if (length >= ENOUGH_LENGTH) break;
    else {
      length += node.min * node.length;
      const isCut = node.max - node.min > MAX_SLACK || (length >= ENOUGH_LENGTH && node.max > node.min);
      if (!isCut || node.min > 0) source += repeat(node, isCut ? node.min : node.max);
      if (isCut) break;
    }
  }
  return source;
}

/** Formats a simplified expression for a required run of characters; empty if the run is short. */
function formatRun(nodes: readonly PatternNode[]): string {
  let widestIndex = 0;
  let length = 0;
  for (const node of nodes) {
    const setIndex = CHARACTER_SETS.findIndex(({ has }) =>
      CHARACTERS.every((one) => has.test(one) || !mayHave(node, one)),
    );
    if (setIndex < 0 || (setIndex > widestIndex && length >= WIDE_RUN_LENGTH)) break;
    widestIndex = Math.max(widestIndex, setIndex);
    length += node.min * node.length;
  }
  const requiredLength = RUN_LENGTHS.find((one) => one <= length);
  return requiredLength === undefined ? "" : `${CHARACTER_SETS[widestIndex]?.source}{${requiredLength}}`;
}

const mayHave = ({ content, isAssertion }: PatternNode, character: string): boolean =>
  !isAssertion &&
  (Array.isArray(content)
    ? content.some((nodes) => nodes.some((node) => mayHave(node, character)))
    : content.test(character));

/** Lists the patterns that can follow a literal piece of a rule's pattern. */
function listRests({ pattern, lead: [fewest, maximum] = [0, 0] }: SecretRule, piece: string): PatternNode[][] {
  const rests: PatternNode[][] = [];
  let nodeLists = parsePattern(pattern);
  for (let length = 0; length <= maximum; length++) {
    let states = length < fewest ? [] : nodeLists;
    for (const character of piece) states = skipCharacter(states, character);
    rests.push(...states);
    nodeLists = skipCharacter(nodeLists);
  }
  if (rests.length === 0) throw new Error(`the pattern ${pattern} never contains "${piece}"`);
  return rests;
}

/** Chooses a marker: the best character in the literal piece or right after it. */
function chooseMark(piece: string, rest: readonly PatternNode[], isToken: boolean): Mark {
  const rank = (character: string) => (MARKERS + character).indexOf(character);
  const [best] = [...piece].sort((a, b) => rank(a) - rank(b)) as [string];
  const same = { isToken, piece, beginning: formatBeginning(rest) };
  const [run, next] = rest;
  if (/[a-z]/.test(best) && run && run.min === run.max && run.min > 1) {
    const offset = piece.length + run.min;
    if (HEX_SET.test(run.source)) return { ...same, marker: repeat(run), before: escape(piece), behind: "", offset };
    if (next && LITERAL.test(next.source)) {
      const before = escape(piece) + repeat(run);
      return { ...same, marker: next.source, before, behind: formatRun(rest.slice(2)), offset: offset + 1 };
    }
  }
  const at = piece.lastIndexOf(best);
  const behind = escape(piece.slice(at + 1)) + formatRun(rest);
  return { ...same, marker: escape(best), before: escape(piece.slice(0, at)), behind, offset: at + 1 };
}

const URL_MARK: Mark = {
  ...{
    marker: ":",
    isToken: false,
    before: "",
    behind: URL_CREDENTIALS.source.slice(1),
    offset: 1,
    piece: URL_LITERAL,
  },
  beginning: URL_CREDENTIALS.source.slice(String.raw`:\/\/`.length),
};

const listMarks = (): Mark[] => [
  ...SECRET_RULES.flatMap((rule) =>
    rule.prefixes.flatMap((piece) =>
      listRests(rule, piece).map((rest) => chooseMark(piece, rest, (rule.position ?? "start") === "start")),
    ),
  ),
  URL_MARK,
];

/** Joins alternatives. */
const joinAlternatives = (sources: readonly string[]) =>
  sources.length === 1 ? (sources[0] as string) : `(?:${sources.join("|")})`;

function group<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

const unique = (texts: readonly string[]) => [...new Set(texts)].sort();

/** Formats the text around a marker. Merges markers that have the same text on one side. */
function formatSides(marks: readonly Mark[], marker: string): string[] {
  const isShort = ({ isToken, before }: Mark) => isToken && before.length > 0 && before.length <= SHORT_PREFIX_LENGTH;
  const sides = [...group(marks, (mark) => `${isShort(mark)} ${mark.behind}`).values()].map((same) => {
    const [first] = same as [Mark];
    const { behind } = first;
    const before = unique(same.map((mark) => mark.before));
    const start = isShort(first) ? TOKEN_START : "";
    return { before: before.join("") === "" ? "" : `(?<=${start}${joinAlternatives(before)}${marker})`, behind };
  });
  return [...group(sides, ({ before }) => before)].map(([before, same]) => {
    const behind = unique(same.map((side) => side.behind));
    return `${before}${behind.includes("") ? "" : `(?=${behind.join("|")})`}`;
  });
}

/** Formats the last two characters before a marker as character sets. */
function formatEnds(marks: readonly Mark[], marker: string): string {
  const texts = marks.map(({ before }) => before.replaceAll("\\", ""));
  const list = (at: number) => {
    const characters = unique(texts.map((text) => text.at(at) as string));
    return `[${characters.join("").replaceAll(/[\\\]^-]/g, String.raw`\$&`)}]`;
  };
  return `(?<=${texts.every(({ length }) => length > 1) ? list(-2) : ""}${list(-1)}${marker})`;
}

/** Splits the markers by the character before them, so that only a few alternatives have to be tried. */
function formatBranches(marks: readonly Mark[], marker: string): string[] {
  const previousCharacters = unique(marks.map(({ before }) => before.slice(-1)));
  if (previousCharacters.length <= MAX_ALTERNATIVES || previousCharacters.includes(""))
    return formatSides(marks, marker);
  const middle = Math.ceil(previousCharacters.length / 2);
  return [previousCharacters.slice(0, middle), previousCharacters.slice(middle)].map((halfCharacters) => {
    const subset = marks.filter(({ before }) => halfCharacters.includes(before.slice(-1)));
    return `${formatEnds(subset, marker)}${joinAlternatives(formatBranches(subset, marker))}`;
  });
}

function formatMarker(marker: string, marks: readonly Mark[]): string {
  if (marker.startsWith("[")) return joinAlternatives(formatSides(marks, "")) + marker;
  // Any text or any character of a run can come before the marker.
  const isAny = ({ before }: Mark) => before === "" || before.endsWith("}");
  const unanchored = marks.filter(isAny);
  const long = marks.filter((mark) => !isAny(mark) && mark.behind === LONG_RUN);
  const withCharacters = long.length >= MIN_LONG_RUN_MARKS ? long : [];
  const others = marks.filter((mark) => !isAny(mark) && !withCharacters.includes(mark));
  return (
    marker +
    joinAlternatives([
      ...(unanchored.length > 0 ? formatSides(unanchored, marker) : []),
      ...(others.length > 0 ? formatBranches(others, marker) : []),
      ...(withCharacters.length > 0 ? [`${formatEnds(withCharacters, marker)}(?=${LONG_RUN})`] : []),
    ])
  );
}

/** Returns the last two characters of a piece up to the end of the marker, or fewer if the piece is shorter. */
const getEnd = ({ piece, offset }: Mark) => (offset > piece.length ? "" : piece.slice(Math.max(0, offset - 2), offset));

/**
 * Formats the file of markers, which has three sections:
 * 1. The last two characters of pieces up to their markers, with the position of the lines for these secret forms.
 * 2. Regular expressions that find markers, one per line.
 * 3. One line per secret form, sorted by piece: the piece, its distance from the end of the marker, and the expression
 * to match from there.
 */
export function formatMarks(): string {
  const marks = listMarks();
  const byMarker = [...group(marks, ({ marker }) => marker)];
  const finders = MARKER_KINDS.map((kind) =>
    byMarker.filter(([marker]) => kind.test(marker)).map(([marker, same]) => formatMarker(marker, same)),
  );
  const ends = new Map(
    marks.map((mark) => {
      const { offset, piece, isToken, beginning } = mark;
      return [[piece, offset, `${isToken ? TOKEN_START : ""}${escape(piece)}${beginning}`].join("\t"), getEnd(mark)];
    }),
  );
  const forms = [...ends.keys()].sort();
  const starts = forms.map((_, at) => forms.slice(0, at).join("\n").length + (at > 0 ? 1 : 0));
  const byEnd = [...group(forms, (form) => ends.get(form) as string)].map(
    ([end, same]) => ` ${end}@${same.map((form) => starts[forms.indexOf(form)]).join(",")}`,
  );
  const lines = ["# Generated from the rules in src/secrets/kinds: npm run marks", `${byEnd.join("")} `];
  return [...lines, ...finders.map((all) => all.join("|")), ...forms, ""].join("\n");
}

if (import.meta.main) writeFileSync(MARKS_FILE, formatMarks());
