/** What a subpattern requires: all matching strings if there are few, and substrings of which every match contains one. */
interface Need {
  exact: readonly string[] | undefined;
  substrings: readonly string[] | undefined;
}

const MAX_TEXTS = 64;
const NOTHING: Need = { exact: [""], substrings: undefined };
const ANYTHING: Need = { exact: undefined, substrings: undefined };

/** Substrings that are common in unrelated file names. */
const COMMON =
  /\.(?:json|ya?ml|toml|xml|txt|conf)$|^(?:config|default|settings|connections|profiles|keys|cache|\.local)/;

/** Rates a substring; a longer substring and punctuation are more selective. */
const ratePiece = (substring: string): number => {
  const { length } = substring.replace(COMMON, "");
  return length === 0 ? 0 : length + (/[^a-z]/.test(substring) ? 4 : 0);
};
const rate = (substrings: readonly string[] | undefined): number =>
  substrings ? Math.min(...substrings.map(ratePiece)) : -1;

const pickBetter = (first: readonly string[] | undefined, second: readonly string[] | undefined) =>
  rate(second) >= rate(first) ? second : first;

/** Returns the most selective path segment of each string. */
function toPieces(texts: readonly string[] | undefined): readonly string[] | undefined {
  const steps = texts?.map((text) =>
    text.split("/").reduce((bestSegment, step) => (ratePiece(step) >= ratePiece(bestSegment) ? step : bestSegment)),
  );
  return steps?.every((step) => step.length > 1) ? steps : undefined;
}

function joinNeeds(requirements: readonly Need[]): Need {
  let run: readonly string[] | undefined = [""];
  let isExact = true;
  let substrings: readonly string[] | undefined;
  for (const { exact, substrings: inside } of requirements) {
    const combinations: readonly string[] | undefined =
      exact && run?.flatMap((start) => exact.map((end) => start + end));
    if (combinations && combinations.length <= MAX_TEXTS) run = combinations;
    else {
      substrings = [toPieces(run), inside].reduce(pickBetter, substrings);
      [run, isExact] = [exact ?? [""], false];
    }
  }
  return { exact: isExact ? run : undefined, substrings: pickBetter(substrings, toPieces(run)) };
}

const chooseNeeds = (requirements: readonly Need[]): Need => ({
  exact: requirements.every(({ exact }) => exact) ? requirements.flatMap(({ exact }) => exact ?? []) : undefined,
  substrings: requirements.every(({ substrings }) => substrings)
    ? requirements.flatMap(({ substrings }) => substrings ?? [])
    : undefined,
});

const ELEMENT = /\\[dwsDWSbBnt]|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(\?:|[()|^$.]|[^]/y;
const QUANTIFIER = /[*+?]\??|\{(\d+)(?:,\d*)?\}\??/y;

/** Expands a character class with few characters; a larger class matches any character. */
const readClass = (text: string): Need =>
  /^\[[^\\^-]{1,3}-?\]$/.test(text) ? { exact: [...text.slice(1, -1)], substrings: undefined } : ANYTHING;

function readElement(text: string): Need {
  if (/^(?:[$^]|\\[bB])$/.test(text)) return NOTHING;
  if (text.startsWith("[")) return readClass(text);
  if (text === "." || /^\\[dwsDWS]$/.test(text)) return ANYTHING;
  return { exact: [text.replace("\\", "")], substrings: undefined };
}

/** Parses alternatives up to the closing parenthesis. */
function readAlternatives(source: string, from: number): { requirement: Need; end: number } {
  const alternatives: Need[][] = [[]];
  let at = from;
  while (at < source.length && source[at] !== ")") {
    ELEMENT.lastIndex = at;
    const element = ELEMENT.exec(source)?.[0] ?? "";
    at += element.length;
    let requirement = element === "|" ? NOTHING : readElement(element);
    if (element.startsWith("(")) {
      const group = readAlternatives(source, at);
      at = group.end + 1;
      requirement = /[=!]$/.test(element) ? NOTHING : group.requirement;
    }
    QUANTIFIER.lastIndex = at;
    const [quantifier, minCount] = QUANTIFIER.exec(source) ?? [];
    at += quantifier?.length ?? 0;
    if (element === "|") alternatives.push([]);
    else
      alternatives.at(-1)?.push(quantifier === undefined ? requirement : repeatNeed(requirement, quantifier, minCount));
  }
  return { requirement: chooseNeeds(alternatives.map(joinNeeds)), end: at };
}

function repeatNeed({ exact, substrings }: Need, quantifier: string, minCount: string | undefined): Need {
  if (quantifier.startsWith("?")) return { exact: exact && ["", ...exact], substrings: undefined };
  const isOptional = quantifier.startsWith("*") || minCount === "0";
  return isOptional ? ANYTHING : { exact: undefined, substrings: pickBetter(substrings, toPieces(exact)) };
}

/**
 * Returns substrings of which every match of a pattern contains one between slashes; undefined if the pattern requires none. Only the build
 * calls this function because it is slow.
 */
export function listRequiredPieces({ source }: Pick<RegExp, "source">): readonly string[] | undefined {
  const { requirement: need } = readAlternatives(source, 0);
  const substrings = pickBetter(toPieces(need.exact), need.substrings);
  return substrings && removeLonger(substrings);
}

/** Removes strings that contain another string in the list. */
export const removeLonger = (substrings: readonly string[]): readonly string[] =>
  [...new Set(substrings)].filter(
    (substring, _, all) => !all.some((shorter) => shorter !== substring && substring.includes(shorter)),
  );
