/** A part of a text with the places that its characters have there. */
export interface MappedText {
  text: string;
  /** Where a character stands in the whole text. */
  locate: (at: number) => number;
}

const isQuote = (letter: string | undefined) => letter === "'" || letter === '"' || letter === "`";
/** What joins two quoted parts of one text in scripts: `"a" + "b"`. */
const JOIN = /["'`] {0,4}\+? {0,4}["'`]/y;

/** `$'…'` and `$"…"`: the `$` belongs to the quotes. */
export const opensDollarQuote = (text: string, at: number): boolean =>
  text[at] === "$" && (text[at + 1] === "'" || text[at + 1] === '"');

/** The text as it is once quotes, escapes and joins are taken away: `gh''p_…` and `"gh" + "p_…"` become `ghp_…`. */
export function removeQuotes(text: string): MappedText {
  let plain = "";
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (isQuote(letter)) {
      JOIN.lastIndex = at;
      if (JOIN.test(text)) at = JOIN.lastIndex - 1;
      else if (/^[ \t]{0,8}[;&|)]/.test(text.slice(at + 1, at + 10))) {
        // A value ends where its quotes end in front of an operator.
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

/** A word of a shell line, without its quotes. */
export interface ShellWord extends MappedText {
  start: number;
  end: number;
  /** An operator follows the word, or a line break. */
  endsCommand?: "pipe" | "line" | "other";
  /** It stands behind `<<<`. */
  isHereString?: true;
  /** It stands behind `<<`: the line that ends what follows. */
  isHereDocument?: true;
  /** Whether a character is in single quotes, where `$` is a letter. */
  isLiteral: (at: number) => boolean;
}

const LIST_COMMA = /\s{0,4},\s{0,20}(?=["'])/y;

/** A quoted part that is longer is a quote of prose. */
const MAX_QUOTED = 1 << 14;
const MAX_WORDS = 5_000;

/** Collects words from their parts. */
function createCollector({ text, locate }: MappedText) {
  const words: ShellWord[] = [];
  let word = "";
  let places: number[] = [];
  let start = -1;
  let here: { isHereString?: true; isHereDocument?: true } = {};
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
    markHere: (form: typeof here) => void (here = form),
    finish(at: number, endsCommand?: ShellWord["endsCommand"]) {
      const last = words.at(-1);
      if (start < 0) {
        if (endsCommand && last) last.endsCommand ??= endsCommand;
        return;
      }
      const [kept, literal] = [places, dollars];
      const end = locate(at - 1) + 1;
      const located = { text: word, locate: (one: number) => kept[one] ?? end, start: locate(start), end };
      const isLiteral = (one: number) => literal.includes(one);
      words.push({ ...located, isLiteral, ...(endsCommand && { endsCommand }), ...here });
      [word, places, start, here, dollars] = ["", [], -1, {}, []];
    },
  };
}

/** Splits a text into words as shells do; a quote without an end is a letter. */
export function splitWords(mapped: MappedText): ShellWord[] {
  const { text } = mapped;
  const collector = createCollector(mapped);
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

/** Adds a quoted part to a word; returns where the text goes on. */
function collectQuoted(collector: Collector, text: string, at: number): number {
  const end = findQuoteEnd(text, at);
  collector.begin(at);
  if (end < 0) {
    collector.add(at, at + 1);
    return at + 1;
  }
  if (text[at] === "'") collector.addLiteral(at + 1, end);
  else collector.add(at + 1, end);
  // The next item of a list: `["mysql", "-p…"]`.
  LIST_COMMA.lastIndex = end + 1;
  if (!LIST_COMMA.test(text)) return end + 1;
  collector.finish(end + 1);
  return LIST_COMMA.lastIndex;
}

/** Ends a word at an operator or blank; returns where the text goes on. */
function collectOperator(collector: Collector, text: string, at: number): number {
  const letter = text[at] as string;
  const isPipe = letter === "|" && text[at + 1] !== "|" && text[at - 1] !== "|";
  const kind = isPipe ? "pipe" : letter === "\n" ? "line" : "other";
  collector.finish(at, /[\n;|&()]/.test(letter) ? kind : undefined);
  const [redirection = ""] = /^<<[<-]?/.exec(text.slice(at, at + 3)) ?? [];
  if (redirection !== "") collector.markHere(redirection === "<<<" ? { isHereString: true } : { isHereDocument: true });
  return at + (redirection.length || 1);
}

/** Where a quoted part ends; -1 if it does not. */
export function findQuoteEnd(text: string, start: number, longest = MAX_QUOTED): number {
  const quote = text[start] as string;
  const most = Math.min(text.length, start + longest);
  for (let at = start + 1; at < most; at++) {
    if (text[at] === "\\" && quote !== "'") at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/** Whether a place of a text is in single quotes of a shell line that have a `$`. */
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
