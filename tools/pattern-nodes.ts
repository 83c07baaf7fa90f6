/** An element of a pattern in `src/secrets/kinds`, and how often it's repeated. */
export interface PatternNode {
  source: string;
  min: number;
  max: number;
  /** Minimum length of one repetition, in characters. */
  length: number;
  isAssertion: boolean;
  /** Expression for a single character, or the alternatives of a group. */
  content: RegExp | PatternNode[][];
}

const OPENING = /\((?:\?(?:<?[=!]|:|<\w+>))?/y;
const CHARACTER = /\\[^]|\[(?:[^\]\\]|\\[^])*\]|[^]/y;
const QUANTIFIER = /\{(?<min>\d+)(?:,(?<max>\d+))?\}\??|\?/y;

function readAt(expression: RegExp, source: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(source);
}

/** Parses the subset of regular expression syntax that secret patterns use. */
export function parsePattern({ source }: RegExp): PatternNode[][] {
  let at = 0;
  const readAlternatives = (): PatternNode[][] => {
    const all: PatternNode[][] = [[]];
    while (at < source.length && source[at] !== ")")
      if (source[at] === "|") {
        at++;
        all.push([]);
      } else all.at(-1)?.push(readNode());
    return all;
  };
  const readContent = (): Pick<PatternNode, "source" | "content" | "length" | "isAssertion"> => {
    const from = at;
    if (source[at] === "(") {
      const [opening = ""] = readAt(OPENING, source, at) ?? [];
      at += opening.length;
      const content = readAlternatives();
      at++;
      const isAssertion = /[=!]$/.test(opening);
      return {
        source: source.slice(from, at),
        content,
        length: isAssertion ? 0 : measureShortest(content),
        isAssertion,
      };
    }
    const [one = ""] = readAt(CHARACTER, source, at) ?? [];
    at += one.length;
    return { source: one, content: new RegExp(`^${one}$`), length: 1, isAssertion: false };
  };
  const readNode = (): PatternNode => {
    const node = readContent();
    const quantifier = readAt(QUANTIFIER, source, at);
    if (!quantifier) return { ...node, min: 1, max: 1 };
    at += quantifier[0].length;
    const { min = "0", max = quantifier[0] === "?" ? "1" : min } = quantifier.groups ?? {};
    return { ...node, min: Number(min), max: Number(max) };
  };
  return readAlternatives();
}

const measureShortest = (alternatives: readonly PatternNode[][]): number =>
  Math.min(...alternatives.map((nodes) => nodes.reduce((sum, { min, length }) => sum + min * length, 0)));

/** Returns what remains of patterns after they match a given character, or any character. */
export function skipCharacter(states: readonly PatternNode[][], character?: string): PatternNode[][] {
  const remaining = states.flatMap((nodes) => [...listRests(nodes, character)]);
  return [...new Map(remaining.map((nodes) => [JSON.stringify(nodes), nodes])).values()];
}

function* listRests([head, ...rest]: readonly PatternNode[], character: string | undefined): Generator<PatternNode[]> {
  if (!head) return;
  if (head.min === 0 || head.isAssertion) yield* listRests(rest, character);
  if (head.isAssertion) return;
  const repetition = head.max > 1 ? [{ ...head, min: Math.max(0, head.min - 1), max: head.max - 1 }] : [];
  if (Array.isArray(head.content))
    for (const nodes of head.content) yield* listRests([...nodes, ...repetition, ...rest], character);
  else if (character === undefined || head.content.test(character)) yield [...repetition, ...rest];
}
