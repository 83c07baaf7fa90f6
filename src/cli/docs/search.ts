import { type PageLayout, wrapLabeled } from "../terminal/layout.ts";
import type { DocsPage } from "./pages.ts";
import { removeMarkup, splitBlocks, splitItems } from "./render.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** A passage that matches the search words. */
interface DocsMatch {
  topic: string;
  /** The heading above the passage. */
  heading: string;
  passage: string;
  /** The number of search words that match the start of a word in the heading. */
  headingWords: number;
  /** The number of search words that match the start of a word in the page's name or description. */
  pageWords: number;
  /** The page's section in the index. */
  section: string;
}

const HEADING = /^#+ (.*)$/;
/** The sections whose pages rank below others with equally good matches, the lowest last. */
const LOW_SECTIONS = ["Reference", "Hosts", "Contributing"];
/** The maximum number of passages shown per page. Further passages are only counted. */
const MAX_PASSAGES = 3;
/** The maximum number of pages shown with passages. Further pages are only named. */
const MAX_PAGES = 8;
const MAX_LENGTH = 300;

/** Stop words, which are ignored in questions. */
const STOP_WORDS = new Set(
  "a an and any are as at be been but by can did do does for from get gets has have how i if in into is it its me my of on only or our should so something than that the then there these this to use was we what when where which who why will with would you your".split(
    " ",
  ),
);

/** Splits a question into search words. Drops stop words, unless only stop words remain. */
export function splitWords(text: string): string[] {
  const words = text
    .toLowerCase()
    .split(/[\s"'?!,;]+/)
    .filter(Boolean);
  const significantWords = words.filter((word) => !STOP_WORDS.has(word));
  return significantWords.length > 0 ? significantWords : words;
}

const countWordStarts = (words: readonly string[], text: string): number =>
  words.filter((word) => ` ${text}`.toLowerCase().includes(` ${word}`)).length;

/**
 * Finds paragraphs, list items and table rows that contain all words. A heading's words count as part of the text below
 * it, so a heading with all words finds its whole section.
 */
export function searchPages(words: readonly string[], pages: readonly DocsPage[]): DocsMatch[] {
  if (words.length === 0) throw new Error("pass the words to search for");
  return pages.flatMap((page) => {
    let heading = "";
    const pageWords = countWordStarts(words, `${page.topic} ${page.answers}`);
    return splitBlocks(page.text).flatMap((lines) => {
      const title = HEADING.exec(lines[0] ?? "")?.[1];
      if (title !== undefined) heading = removeMarkup(title);
      const headingWords = countWordStarts(words, heading);
      const isTable = lines[0]?.startsWith("|") === true;
      const body = title === undefined ? lines : lines.slice(1);
      const isCode = body[0]?.trimStart().startsWith("```") === true;
      const passages = isTable
        ? body.filter((_, at) => at !== 1)
        : isCode
          ? [body.slice(1, -1).join(" ")]
          : splitItems(body).map((item) => item.replace(/^\s*(?:[-*]|\d+\.) /, "").replaceAll("\n", " "));
      return passages.flatMap((raw) => {
        const passage = removeMarkup(raw.replaceAll(/\s*\|\s*/g, "  ")).trim();
        const searchText = `${heading} ${passage} ${page.topic}`.toLowerCase();
        const isDirectMatch =
          headingWords === words.length || words.some((word) => passage.toLowerCase().includes(word));
        return isDirectMatch && words.every((word) => searchText.includes(word))
          ? [{ topic: page.topic, heading, passage, headingWords, pageWords, section: page.section }]
          : [];
      });
    });
  });
}

/**
 * Formats the passages by page. Pages are sorted by the number of search words in a heading, which count twice, and in
 * the page's description. If these are equal, the section decides, then the number of passages.
 */
export function formatMatches(matches: readonly DocsMatch[], { width, paint }: PageLayout): string {
  const rate = (matches: readonly DocsMatch[]) =>
    Math.max(...matches.map(({ headingWords, pageWords }) => 2 * headingWords + pageWords));
  const rankSection = ([match]: readonly DocsMatch[]) => LOW_SECTIONS.indexOf(match?.section ?? "");
  const pages = [...Map.groupBy(matches, ({ topic }) => topic)].toSorted(
    ([, a], [, b]) => rate(b) - rate(a) || rankSection(a) - rankSection(b) || b.length - a.length,
  );
  const pageTexts = pages.slice(0, MAX_PAGES).map(([topic, pageMatches]) => {
    const sortedMatches = pageMatches.toSorted((a, b) => b.headingWords - a.headingWords);
    const passages = sortedMatches.slice(0, MAX_PASSAGES).flatMap(({ heading, passage }) => {
      const text = passage === heading ? heading : `${heading}: ${passage}`;
      const cut = text.length > MAX_LENGTH ? `${text.slice(0, text.lastIndexOf(" ", MAX_LENGTH))} …` : text;
      return wrapLabeled("  ", cut, 2, { width });
    });
    const countNote = pageMatches.length > MAX_PASSAGES ? [`  and ${pageMatches.length - MAX_PASSAGES} more`] : [];
    return [paint(1, `${getOwnCommand()} docs ${topic}`), ...passages, ...countNote].join("\n");
  });
  const otherTopics = pages.slice(MAX_PAGES).map(([topic]) => topic);
  return [
    ...pageTexts,
    ...(otherTopics.length > 0 ? [wrapLabeled("", `Also on: ${otherTopics.join(", ")}`, 0, { width }).join("\n")] : []),
  ].join("\n\n");
}
