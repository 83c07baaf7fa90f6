import { hintOf, findNearestName } from "../../protocol/name-suggestions.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** A page of the documentation. */
export interface DocsPage {
  /** How it is asked for: its file's name, or with the folder's where an earlier page has that name. */
  topic: string;
  /** Its path in `docs`, without the extension; a folder's own page is named as the folder. */
  path: string;
  /** Its file in `docs`. */
  file: string;
  section: string;
  /** What it answers. */
  answers: string;
  text: string;
}

/** The page that lists the others, and what each answers. */
const INDEX = "docs/README.md";

const getLastName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Lists the pages as their index does: it has all of them. */
export function listPages(files: Readonly<Record<string, string>>): DocsPage[] {
  const pages: DocsPage[] = [];
  let section = "";
  for (const line of (files[INDEX] ?? "").split("\n")) {
    section = /^## ([^:]*)/.exec(line)?.[1] ?? section;
    const [, file, answers] = /^(?:- )?\[[^\]]+\]\(([^)]+\.md)\): (.*)$/.exec(line) ?? [];
    const text = files[`docs/${file}`];
    if (file === undefined || answers === undefined || text === undefined) continue;
    const path = file.replace(/(\/README)?\.md$/, "");
    const name = getLastName(path);
    const topic = pages.some((page) => page.topic === name) ? path : name;
    pages.push({ topic, path, file, section, answers: answers.replace(/\.$/, ""), text });
  }
  return pages;
}

/** Returns the page that is named by topic, path, file, or its words: `first hook` names `first-hook`. */
export function findNamedPage(given: string, pages: readonly DocsPage[]): DocsPage | undefined {
  const wanted = normalizeName(given);
  return pages.find(({ topic }) => topic === wanted) ?? pages.find(({ path }) => path === wanted);
}

const normalizeName = (given: string) =>
  given
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, "-")
    .replace(/^(\.\/)?docs\//, "")
    .replace(/(\/readme)?\.md$/, "");

/** Formats the hint for a name that is one typo away from a page's; "" if there is none. */
export function suggestPage(given: string, pages: readonly DocsPage[]): string {
  const wanted = normalizeName(given);
  const names = pages.map(({ topic, path }) => (wanted.includes("/") ? path : topic));
  return hintOf(findNearestName(wanted, names));
}

/**
 * Finds the page of a topic.
 * @throws Error if there is none.
 */
export function findPage(given: string, pages: readonly DocsPage[]): DocsPage {
  const found = findNamedPage(given, pages);
  if (found) return found;
  throw new Error(`unknown page "${given}"${suggestPage(given, pages) || `; ${getOwnCommand()} docs lists the pages`}`);
}
