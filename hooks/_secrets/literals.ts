/**
 * What a subpattern requires of a string. `exact` lists all matching strings if there are only a few. Any match
 * contains at least one of the `substrings`.
 */
interface Requirement {
  exact: readonly string[] | undefined;
  substrings: readonly string[] | undefined;
}

const MAX_ALTERNATIVE_STRINGS = 64;
const EMPTY_STRING_REQUIREMENT: Requirement = { exact: [""], substrings: undefined };
const ANY_STRING_REQUIREMENT: Requirement = { exact: undefined, substrings: undefined };

/** Substrings that often occur in the names of unrelated files. */
const COMMON_SUBSTRING =
  /\.(?:json|ya?ml|toml|xml|txt|conf)$|^(?:config|default|settings|connections|profiles|keys|cache|\.local)/;

/** Rates how selective a substring is. Longer substrings and those with punctuation are more selective. */
const rateSelectivity = (substring: string): number => {
  const { length } = substring.replace(COMMON_SUBSTRING, "");
  return length === 0 ? 0 : length + (/[^a-z]/.test(substring) ? 4 : 0);
};
const rateSubstrings = (substrings: readonly string[] | undefined): number =>
  substrings ? Math.min(...substrings.map(rateSelectivity)) : -1;

const chooseMoreSelective = (first: readonly string[] | undefined, second: readonly string[] | undefined) =>
  rateSubstrings(second) >= rateSubstrings(first) ? second : first;

/** Replaces each string with its most selective path segment. */
function toSubstrings(texts: readonly string[] | undefined): readonly string[] | undefined {
  const segments = texts?.map((text) =>
    text
      .split("/")
      .reduce((bestSegment, segment) =>
        rateSelectivity(segment) >= rateSelectivity(bestSegment) ? segment : bestSegment,
      ),
  );
  return segments?.every((segment) => segment.length > 1) ? segments : undefined;
}

function joinRequirements(requirements: readonly Requirement[]): Requirement {
  let adjacentTexts: readonly string[] | undefined = [""];
  let isExact = true;
  let substrings: readonly string[] | undefined;
  for (const { exact, substrings: inside } of requirements) {
    const combinations: readonly string[] | undefined =
      exact && adjacentTexts?.flatMap((start) => exact.map((end) => start + end));
    if (combinations && combinations.length <= MAX_ALTERNATIVE_STRINGS) adjacentTexts = combinations;
    else {
      substrings = [toSubstrings(adjacentTexts), inside].reduce(chooseMoreSelective, substrings);
      [adjacentTexts, isExact] = [exact ?? [""], false];
    }
  }
  return {
    exact: isExact ? adjacentTexts : undefined,
    substrings: chooseMoreSelective(substrings, toSubstrings(adjacentTexts)),
  };
}

const chooseRequirements = (requirements: readonly Requirement[]): Requirement => ({
  exact: requirements.every(({ exact }) => exact) ? requirements.flatMap(({ exact }) => exact ?? []) : undefined,
  substrings: requirements.every(({ substrings }) => substrings)
    ? requirements.flatMap(({ substrings }) => substrings ?? [])
    : undefined,
});

const REGEX_ELEMENT = /\\[dwsDWSbBnt]|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(\?:|[()|^$.]|[^]/y;
const REGEX_QUANTIFIER = /[*+?]\??|\{(\d+)(?:,\d*)?\}\??/y;

/** Expands a character class if it has only a few characters. Otherwise, treats it as matching anything. */
const expandCharacterClass = (text: string): Requirement =>
  /^\[[^\\^-]{1,3}-?\]$/.test(text) ? { exact: [...text.slice(1, -1)], substrings: undefined } : ANY_STRING_REQUIREMENT;

function readElement(text: string): Requirement {
  if (/^(?:[$^]|\\[bB])$/.test(text)) return EMPTY_STRING_REQUIREMENT;
  if (text.startsWith("[")) return expandCharacterClass(text);
  if (text === "." || /^\\[dwsDWS]$/.test(text)) return ANY_STRING_REQUIREMENT;
  return { exact: [text.replace("\\", "")], substrings: undefined };
}

/** Parses alternatives up to the closing parenthesis. */
function readAlternatives(source: string, from: number): { requirement: Requirement; end: number } {
  const alternatives: Requirement[][] = [[]];
  let at = from;
  while (at < source.length && source[at] !== ")") {
    REGEX_ELEMENT.lastIndex = at;
    const element = REGEX_ELEMENT.exec(source)?.[0] ?? "";
    at += element.length;
    let requirement = element === "|" ? EMPTY_STRING_REQUIREMENT : readElement(element);
    if (element.startsWith("(")) {
      const group = readAlternatives(source, at);
      at = group.end + 1;
      requirement = /[=!]$/.test(element) ? EMPTY_STRING_REQUIREMENT : group.requirement;
    }
    REGEX_QUANTIFIER.lastIndex = at;
    const [quantifier, minCount] = REGEX_QUANTIFIER.exec(source) ?? [];
    at += quantifier?.length ?? 0;
    if (element === "|") alternatives.push([]);
    else
      alternatives
        .at(-1)
        ?.push(quantifier === undefined ? requirement : repeatRequirement(requirement, quantifier, minCount));
  }
  return { requirement: chooseRequirements(alternatives.map(joinRequirements)), end: at };
}

function repeatRequirement(
  { exact, substrings }: Requirement,
  quantifier: string,
  minCount: string | undefined,
): Requirement {
  if (quantifier.startsWith("?")) return { exact: exact && ["", ...exact], substrings: undefined };
  const isOptional = quantifier.startsWith("*") || minCount === "0";
  return isOptional
    ? ANY_STRING_REQUIREMENT
    : { exact: undefined, substrings: chooseMoreSelective(substrings, toSubstrings(exact)) };
}

/**
 * Returns substrings to search for, at least one of which occurs in any match of the pattern, within a single path
 * segment. Returns undefined if the pattern doesn't require any. Slow, so it is called only at build time.
 */
export function listRequiredSubstrings({ source }: Pick<RegExp, "source">): readonly string[] | undefined {
  const { requirement: need } = readAlternatives(source, 0);
  const substrings = chooseMoreSelective(toSubstrings(need.exact), need.substrings);
  return substrings && removeSuperstrings(substrings);
}

/** Removes strings that contain another string of the list. */
export const removeSuperstrings = (substrings: readonly string[]): readonly string[] =>
  [...new Set(substrings)].filter(
    (substring, _, substringList) =>
      !substringList.some((shorter) => shorter !== substring && substring.includes(shorter)),
  );
