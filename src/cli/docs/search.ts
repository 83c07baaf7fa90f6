import { type Page, wrapLabeled } from "../terminal/layout.ts";
import type { DocsPage } from "./pages.ts";
import { removeMarkup, splitBlocks } from "./render.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** A passage of a page that has all words. */
interface DocsMatch {
  topic: string;
  /** The heading that it is below. */
  heading: string;
  passage: string;
}

const HEADING = /^#+ (.*)$/;
/** More passages of a page are counted. */
const MAX_PASSAGES = 3;

/** Finds the passages, or rows of tables, that have all words; a heading counts for what is below it. */
export function searchPages(text: string, pages: readonly DocsPage[]): DocsMatch[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) throw new Error("--search takes words");
  return pages.flatMap((page) => {
    let heading = "";
    return splitBlocks(page.text).flatMap((lines) => {
      const title = HEADING.exec(lines[0] ?? "")?.[1];
      if (title !== undefined) heading = removeMarkup(title);
      const isTable = lines[0]?.startsWith("|") === true;
      const body = title === undefined ? lines : lines.slice(1);
      const passages = isTable ? body.filter((_, at) => at !== 1) : [body.join(" ")];
      return passages.flatMap((raw) => {
        const passage = removeMarkup(raw.replaceAll(/\s*\|\s*/g, "  ").replaceAll(/^```\w*|```$/g, "")).trim();
        const where = `${heading} ${passage || heading} ${page.topic}`.toLowerCase();
        const isNamed = words.some((word) => (passage || heading).toLowerCase().includes(word));
        return isNamed && words.every((word) => where.includes(word))
          ? [{ topic: page.topic, heading, passage: passage || heading }]
          : [];
      });
    });
  });
}

/** Formats the passages by page, those with the most first. */
export function formatMatches(matches: readonly DocsMatch[], { width, paint }: Page): string {
  const pages = [...Map.groupBy(matches, ({ topic }) => topic)].toSorted(([, a], [, b]) => b.length - a.length);
  return pages
    .map(([topic, found]) => {
      const shown = found.slice(0, MAX_PASSAGES).flatMap(({ heading, passage }) => {
        const text = passage === heading ? heading : `${heading}: ${passage}`;
        return wrapLabeled(
          "  ",
          text.length > MAX_LENGTH ? `${text.slice(0, text.lastIndexOf(" ", MAX_LENGTH))} …` : text,
          2,
          { width },
        );
      });
      const more = found.length > MAX_PASSAGES ? [`  and ${found.length - MAX_PASSAGES} more`] : [];
      return [paint(1, `${getOwnCommand()} docs ${topic}`), ...shown, ...more].join("\n");
    })
    .join("\n\n");
}

const MAX_LENGTH = 300;
