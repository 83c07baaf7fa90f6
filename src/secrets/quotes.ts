/** A derived string that maps each of its characters back to the original text. */
export interface MappedString {
  text: string;
  /** Returns a character's offset in the original text. */
  locate: (at: number) => number;
}

const isQuote = (letter: string | undefined) => letter === "'" || letter === '"' || letter === "`";
/** What separates two concatenated strings, including their quotes: `" + "` in `"a" + "b"`. */
const STRING_CONCATENATION = /["'`] {0,4}\+? {0,4}["'`]/y;

/** Returns whether a `$` belongs to the quote after it, as in `$'…'` and `$"…"`. */
export const opensDollarQuote = (text: string, at: number): boolean =>
  text[at] === "$" && (text[at + 1] === "'" || text[at + 1] === '"');

/** Removes quotes, escapes and string concatenation, so that `gh''p_…` and `"gh" + "p_…"` both become `ghp_…`. */
export function removeQuotes(text: string): MappedString {
  let plain = "";
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (isQuote(letter)) {
      STRING_CONCATENATION.lastIndex = at;
      if (STRING_CONCATENATION.test(text)) at = STRING_CONCATENATION.lastIndex - 1;
      else if (/^[ \t]{0,8}[;&|)]/.test(text.slice(at + 1, at + 10))) {
        // An operator after the closing quote ends the value.
        plain += "\n";
        places.push(at);
      }
      continue;
    }
    if (opensDollarQuote(text, at)) continue;
    if ((letter === "\\" || letter === "^") && /[^\sntr]/.test(text[at + 1] ?? " ")) continue;
    plain += letter;
    places.push(at);
  }
  return { text: plain, locate: (at) => places[at] ?? text.length };
}

/** A word of a shell command line, without its quotes. */
export interface ShellWord extends MappedString {
  start: number;
  end: number;
  /** The kind of operator or line break after the word, if the command ends there. */
  endsCommand?: "pipe" | "line" | "other";
  /** Whether the word is a here-string (`<<< word`). */
  isHereString?: true;
  /** Whether the word is the delimiter of a here-document (`<< word`). */
  isHereDocument?: true;
  /** Returns whether a character is inside single quotes, where `$` is literal. */
  isLiteral: (at: number) => boolean;
}

const LIST_COMMA = /\s{0,4},\s{0,20}(?=["'])/y;

/** Maximum length of a quoted string. Anything longer is usually prose. */
const MAX_QUOTED_LENGTH = 1 << 14;
const MAX_WORDS = 5_000;

/** Creates a collector that assembles words from their parts. */
function createCollector({ text, locate }: MappedString) {
  const words: ShellWord[] = [];
  let word = "";
  let places: number[] = [];
  let start = -1;
  let hereKind: { isHereString?: true; isHereDocument?: true } = {};
  let dollars: number[] = [];
  return {
    words,
    begin: (at: number) => void (start = start < 0 ? at : start),
    addLiteral(from: number, to: number) {
      for (let at = text.indexOf("$", from); at >= 0 && at < to; at = text.indexOf("$", at + 1))
        dollars.push(word.length + at - from);
      this.add(from, to);
    },
    add(from: number, to: number) {
      this.begin(from);
      word += text.slice(from, to);
      for (let at = from; at < to; at++) places.push(locate(at));
    },
    markHere: (form: typeof hereKind) => void (hereKind = form),
    finish(at: number, endsCommand?: ShellWord["endsCommand"]) {
      const last = words.at(-1);
      if (start < 0) {
        if (endsCommand && last) last.endsCommand ??= endsCommand;
        return;
      }
      const [offsets, literalOffsets] = [places, dollars];
      const end = locate(at - 1) + 1;
      const mappedWord = { text: word, locate: (one: number) => offsets[one] ?? end, start: locate(start), end };
      const isLiteral = (one: number) => literalOffsets.includes(one);
      words.push({ ...mappedWord, isLiteral, ...(endsCommand && { endsCommand }), ...hereKind });
      [word, places, start, hereKind, dollars] = ["", [], -1, {}, []];
    },
  };
}

/** Splits a string into words as a shell would. An unclosed quote counts as an ordinary character. */
export function splitWords(mappedText: MappedString): ShellWord[] {
  const { text } = mappedText;
  const collector = createCollector(mappedText);
  for (let at = 0; at < text.length && collector.words.length < MAX_WORDS;) {
    const letter = text[at] as string;
    if (letter === "\\" && at + 1 < text.length) {
      const [lineEnd] = /^\r?\n/.exec(text.slice(at + 1, at + 3)) ?? [];
      if (lineEnd === undefined) collector.add(at + 1, at + 2);
      at += 1 + (lineEnd?.length ?? 1);
    } else if (opensDollarQuote(text, at)) {
      collector.begin(at);
      at++;
    } else if (isQuote(letter)) at = collectQuoted(collector, text, at);
    else if (/[\s;|&()<>]/.test(letter)) at = collectOperator(collector, text, at);
    else {
      collector.add(at, at + 1);
      at++;
    }
  }
  collector.finish(text.length, "other");
  return collector.words;
}

type Collector = ReturnType<typeof createCollector>;

/** Adds a quoted part to the word. Returns the offset after it. */
function collectQuoted(collector: Collector, text: string, at: number): number {
  const end = findQuoteEnd(text, at);
  collector.begin(at);
  if (end < 0) {
    collector.add(at, at + 1);
    return at + 1;
  }
  if (text[at] === "'") collector.addLiteral(at + 1, end);
  else collector.add(at + 1, end);
  // In a list such as `["mysql", "-p…"]`, the comma ends the word.
  LIST_COMMA.lastIndex = end + 1;
  if (!LIST_COMMA.test(text)) return end + 1;
  collector.finish(end + 1);
  return LIST_COMMA.lastIndex;
}

/** Ends the word at an operator or whitespace. Returns the offset after that. */
function collectOperator(collector: Collector, text: string, at: number): number {
  const letter = text[at] as string;
  const isPipe = letter === "|" && text[at + 1] !== "|" && text[at - 1] !== "|";
  const kind = isPipe ? "pipe" : letter === "\n" ? "line" : "other";
  collector.finish(at, /[\n;|&()]/.test(letter) ? kind : undefined);
  const [redirection = ""] = /^<<[<-]?/.exec(text.slice(at, at + 3)) ?? [];
  if (redirection !== "") collector.markHere(redirection === "<<<" ? { isHereString: true } : { isHereDocument: true });
  return at + (redirection.length || 1);
}

/** Returns the offset of the closing quote, or -1 if the quote isn't closed. */
export function findQuoteEnd(text: string, start: number, maxLength = MAX_QUOTED_LENGTH): number {
  const quote = text[start] as string;
  const maxEnd = Math.min(text.length, start + maxLength);
  for (let at = start + 1; at < maxEnd; at++) {
    if (text[at] === "\\" && quote !== "'") at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/**
 * Returns a function that checks whether an offset is inside single quotes. Callers only ask about `$`, so if the text
 * contains no `$`, the function always returns false.
 */
export function findLiteralParts(text: string): (at: number) => boolean {
  if (!text.includes("$") || !text.includes("'")) return () => false;
  const literal = new Uint8Array(text.length);
  let isDouble = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "\\") at++;
    else if (letter === '"') isDouble = !isDouble;
    else if (letter === "'" && !isDouble) {
      const end = text.indexOf("'", at + 1);
      if (end < 0) break;
      literal.fill(1, at + 1, end);
      at = end;
    }
  }
  return (at) => literal[at] === 1;
}
