/** A part of a text with the places that its characters have there. */
export interface MappedText {
  text: string;
  /** Where a character stands in the whole text. */
  locate: (at: number) => number;
}

const isQuote = (letter: string | undefined) => letter === "'" || letter === '"' || letter === "`";
/** What joins two quoted parts of one text in scripts: `"a" + "b"`. */
const JOIN = /["'`] {0,4}\+? {0,4}["'`]/y;

/** The text as it is once quotes, escapes and joins are taken away: `gh''p_…` and `"gh" + "p_…"` become `ghp_…`. */
export function removeQuotes(text: string): MappedText {
  let plain = "";
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (isQuote(letter)) {
      JOIN.lastIndex = at;
      if (JOIN.test(text)) at = JOIN.lastIndex - 1;
      continue;
    }
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
  /** An operator follows the word, or a line break: `|` is one, too. */
  endsCommand?: "pipe" | "other";
  /** It stands behind `<<<`. */
  isHereString?: true;
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
  let isHereString = false;
  return {
    words,
    begin: (at: number) => void (start = start < 0 ? at : start),
    add(from: number, to: number) {
      this.begin(from);
      word += text.slice(from, to);
      for (let at = from; at < to; at++) places.push(locate(at));
    },
    markHereString: () => void (isHereString = true),
    finish(at: number, endsCommand?: ShellWord["endsCommand"]) {
      const last = words.at(-1);
      if (start < 0) {
        if (endsCommand && last) last.endsCommand ??= endsCommand;
        return;
      }
      const kept = places;
      const end = locate(at - 1) + 1;
      const located = { text: word, locate: (one: number) => kept[one] ?? end, start: locate(start), end };
      words.push({ ...located, ...(endsCommand && { endsCommand }), ...(isHereString && { isHereString }) });
      [word, places, start, isHereString] = ["", [], -1, false];
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
      collector.begin(at);
      if (text[at + 1] !== "\n") collector.add(at + 1, at + 2);
      at += 2;
    } else if (isQuote(letter)) {
      const end = findQuoteEnd(text, at);
      collector.begin(at);
      if (end < 0) collector.add(at, at + 1);
      else collector.add(at + 1, end);
      at = end < 0 ? at + 1 : end + 1;
      // The next item of a list: `["mysql", "-p…"]`.
      LIST_COMMA.lastIndex = at;
      if (end >= 0 && LIST_COMMA.test(text)) {
        collector.finish(at);
        at = LIST_COMMA.lastIndex;
      }
    } else if (/[\s;|&()<>]/.test(letter)) {
      const isEnd = /[\n;|&()]/.test(letter);
      const isPipe = letter === "|" && text[at + 1] !== "|" && text[at - 1] !== "|";
      collector.finish(at, isEnd ? (isPipe ? "pipe" : "other") : undefined);
      const isHereString = text.startsWith("<<<", at);
      if (isHereString) collector.markHereString();
      at += isHereString ? 3 : 1;
    } else {
      collector.add(at, at + 1);
      at++;
    }
  }
  collector.finish(text.length, "other");
  return collector.words;
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
