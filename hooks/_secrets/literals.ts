/** What a subpattern requires: all matching strings if there are few, and substrings of which every match contains one. */
interface Need {
  exact: readonly string[] | undefined;
  pieces: readonly string[] | undefined;
}

const MAX_TEXTS = 64;
const NOTHING: Need = { exact: [""], pieces: undefined };
const ANYTHING: Need = { exact: undefined, pieces: undefined };

/** Substrings that are common in unrelated file names. */
const COMMON =
  /\.(?:json|ya?ml|toml|xml|txt|conf)$|^(?:config|default|settings|connections|profiles|keys|cache|\.local)/;

/** Rates a substring; a longer substring and punctuation are more selective. */
const ratePiece = (piece: string): number => {
  const { length } = piece.replace(COMMON, "");
  return length === 0 ? 0 : length + (/[^a-z]/.test(piece) ? 4 : 0);
};
const rate = (pieces: readonly string[] | undefined): number => (pieces ? Math.min(...pieces.map(ratePiece)) : -1);

const pickBetter = (one: readonly string[] | undefined, other: readonly string[] | undefined) =>
  rate(other) >= rate(one) ? other : one;

/** Returns the most selective path segment of each string. */
function toPieces(texts: readonly string[] | undefined): readonly string[] | undefined {
  const steps = texts?.map((text) =>
    text.split("/").reduce((best, step) => (ratePiece(step) >= ratePiece(best) ? step : best)),
  );
  return steps?.every((step) => step.length > 1) ? steps : undefined;
}

function joinNeeds(needs: readonly Need[]): Need {
  let run: readonly string[] | undefined = [""];
  let isExact = true;
  let pieces: readonly string[] | undefined;
  for (const { exact, pieces: inside } of needs) {
    const joined: readonly string[] | undefined = exact && run?.flatMap((start) => exact.map((end) => start + end));
    if (joined && joined.length <= MAX_TEXTS) run = joined;
    else {
      pieces = [toPieces(run), inside].reduce(pickBetter, pieces);
      [run, isExact] = [exact ?? [""], false];
    }
  }
  return { exact: isExact ? run : undefined, pieces: pickBetter(pieces, toPieces(run)) };
}

const chooseNeeds = (needs: readonly Need[]): Need => ({
  exact: needs.every(({ exact }) => exact) ? needs.flatMap(({ exact }) => exact ?? []) : undefined,
  pieces: needs.every(({ pieces }) => pieces) ? needs.flatMap(({ pieces }) => pieces ?? []) : undefined,
});

const ELEMENT = /\\[dwsDWSbBnt]|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(\?:|[()|^$.]|[^]/y;
const QUANTIFIER = /[*+?]\??|\{(\d+)(?:,\d*)?\}\??/y;

/** Expands a character class with few characters; a larger class matches any character. */
const readClass = (text: string): Need =>
  /^\[[^\\^-]{1,3}-?\]$/.test(text) ? { exact: [...text.slice(1, -1)], pieces: undefined } : ANYTHING;

function readElement(text: string): Need {
  if (/^(?:[$^]|\\[bB])$/.test(text)) return NOTHING;
  if (text.startsWith("[")) return readClass(text);
  if (text === "." || /^\\[dwsDWS]$/.test(text)) return ANYTHING;
  return { exact: [text.replace("\\", "")], pieces: undefined };
}

/** Parses alternatives up to the closing parenthesis. */
function readAlternatives(source: string, from: number): { need: Need; end: number } {
  const alternatives: Need[][] = [[]];
  let at = from;
  while (at < source.length && source[at] !== ")") {
    ELEMENT.lastIndex = at;
    const element = ELEMENT.exec(source)?.[0] ?? "";
    at += element.length;
    let need = element === "|" ? NOTHING : readElement(element);
    if (element.startsWith("(")) {
      const group = readAlternatives(source, at);
      at = group.end + 1;
      need = /[=!]$/.test(element) ? NOTHING : group.need;
    }
    QUANTIFIER.lastIndex = at;
    const [quantifier, minCount] = QUANTIFIER.exec(source) ?? [];
    at += quantifier?.length ?? 0;
    if (element === "|") alternatives.push([]);
    else alternatives.at(-1)?.push(quantifier === undefined ? need : repeatNeed(need, quantifier, minCount));
  }
  return { need: chooseNeeds(alternatives.map(joinNeeds)), end: at };
}

function repeatNeed({ exact, pieces }: Need, quantifier: string, minCount: string | undefined): Need {
  if (quantifier.startsWith("?")) return { exact: exact && ["", ...exact], pieces: undefined };
  const isOptional = quantifier.startsWith("*") || minCount === "0";
  return isOptional ? ANYTHING : { exact: undefined, pieces: pickBetter(pieces, toPieces(exact)) };
}

/**
 * Returns substrings of which every match of a pattern contains one between slashes; undefined if the pattern requires none. Only the build
 * calls this function because it is slow.
 */
export function listRequiredPieces({ source }: Pick<RegExp, "source">): readonly string[] | undefined {
  const { need } = readAlternatives(source, 0);
  const pieces = pickBetter(toPieces(need.exact), need.pieces);
  return pieces && removeLonger(pieces);
}

/** Removes strings that contain another string in the list. */
export const removeLonger = (pieces: readonly string[]): readonly string[] =>
  [...new Set(pieces)].filter((piece, _, all) => !all.some((other) => other !== piece && piece.includes(other)));
