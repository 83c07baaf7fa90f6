/** A word that expands to more than this many words is left as written. */
const MOST = 64;

/**
 * The end of the quoted part at `at` (a quote, a backslash, `$(…)`, `${…}` or a backtick); `at` itself if nothing is
 * quoted there.
 */
function findQuoteEnd(text: string, at: number): number {
  const letter = text[at];
  if (letter === "\\") return at + 2;
  if (letter === "'" || letter === '"' || letter === "`") {
    for (let i = at + 1; i < text.length; i++)
      if (text[i] === "\\" && letter !== "'") i++;
      else if (text[i] === letter) return i + 1;
    return text.length;
  }
  const open = letter === "$" ? text[at + 1] : undefined;
  if (open === "'") {
    let i = at + 2;
    while (i < text.length && text[i] !== "'") i += text[i] === "\\" ? 2 : 1;
    return i + 1;
  }
  if (open !== "(" && open !== "{") return at;
  const close = open === "(" ? ")" : "}";
  let depth = 0;
  for (let i = at + 1; i < text.length;) {
    if (text[i] === open) depth++;
    else if (text[i] === close && --depth === 0) return i + 1;
    const next = text[i] === "$" ? i : findQuoteEnd(text, i);
    i = next > i ? next : i + 1;
  }
  return text.length;
}

/** Parses the brace expansion at `at`: its parts and its end; undefined if it is not an expansion. */
function parseBrace(text: string, at: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = at + 1;
  for (let i = at; i < text.length;) {
    const letter = text[i];
    if (letter === "{") depth++;
    else if ((letter === "," && depth === 1) || (letter === "}" && --depth === 0)) {
      parts.push(text.slice(start, i));
      start = i + 1;
      if (letter === "}") break;
    }
    const next = findQuoteEnd(text, i);
    i = next > i ? next : i + 1;
  }
  if (depth !== 0 || start <= at + 1) return undefined;
  const listed = parts.length > 1 ? parts : expandSequence(parts[0] as string);
  return listed && { parts: listed, end: start };
}

/** Expands the sequences `1..3` and `a..c`. */
function expandSequence(text: string): string[] | undefined {
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, first = "", last = "", step = "1"] = match;
  const letters = /[A-Za-z]/.test(first);
  if (letters !== /[A-Za-z]/.test(last)) return undefined;
  const [from, to] = letters ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(first), Number(last)];
  const by = Math.max(1, Math.abs(Number(step))) * (from > to ? -1 : 1);
  const width = Math.max(...[first, last].map((end) => (/^-?0\d/.test(end) ? end.length : 0)));
  const found: string[] = [];
  for (let value = from; by > 0 ? value <= to : value >= to; value += by) {
    if (found.length === MOST) return undefined;
    found.push(
      letters
        ? String.fromCharCode(value)
        : `${value < 0 ? "-" : ""}${String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, "0")}`,
    );
  }
  return found;
}

/** Expands the braces of a word; the results are still quoted. Undefined if there are too many. */
export function expandBraces(text: string): string[] | undefined {
  let words = [""];
  let plain = 0;
  for (let i = 0; i < text.length;) {
    const brace = text[i] === "{" ? parseBrace(text, i) : undefined;
    if (!brace) {
      const next = findQuoteEnd(text, i);
      i = next > i ? next : i + 1;
      continue;
    }
    const before = text.slice(plain, i);
    const alternatives: string[] = [];
    for (const part of brace.parts) {
      const inside = expandBraces(part);
      if (!inside || words.length * (alternatives.length + inside.length) > MOST) return undefined;
      alternatives.push(...inside);
    }
    words = words.flatMap((word) => alternatives.map((part) => word + before + part));
    i = plain = brace.end;
  }
  return words.map((word) => word + text.slice(plain));
}
