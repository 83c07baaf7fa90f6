import { formatHint, findNearestName } from "../../protocol/name-suggestions.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export interface DocsPage {
  /** The page's name in requests: the file name, prefixed with the directory if an earlier page has the same name. */
  topic: string;
  /** The path in `docs` without the extension. For an index page, the path of its directory. */
  path: string;
  /** The file's path in `docs`. */
  file: string;
  section: string;
  /** The question that the page answers. */
  answers: string;
  text: string;
}

/** The index page, which lists the other pages with their topics. */
const INDEX_PAGE = "docs/README.md";

const getLastName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Lists the pages in the order of the index, which contains every page. */
export function listPages(files: Readonly<Record<string, string>>): DocsPage[] {
  const pages: DocsPage[] = [];
  let section = "";
  for (const line of (files[INDEX_PAGE] ?? "").split("\n")) {
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

/** Returns the page with a given topic, path or file name. Spaces count as hyphens: `first hook` finds `first-hook`. */
export function findNamedPage(name: string, pages: readonly DocsPage[]): DocsPage | undefined {
  const normalizedName = normalizeName(name);
  return pages.find(({ topic }) => topic === normalizedName) ?? pages.find(({ path }) => path === normalizedName);
}

const normalizeName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, "-")
    .replace(/^(\.\/)?docs\//, "")
    .replace(/(\/readme)?\.md$/, "");

/** Returns a hint if the name is one typo away from a page's name, otherwise "". */
export function suggestPage(name: string, pages: readonly DocsPage[]): string {
  const normalizedName = normalizeName(name);
  const names = pages.map(({ topic, path }) => (normalizedName.includes("/") ? path : topic));
  return formatHint(findNearestName(normalizedName, names));
}

/**
 * Finds a topic's page.
 * @throws Error if no page has the topic.
 */
export function findPage(topic: string, pages: readonly DocsPage[]): DocsPage {
  const page = findNamedPage(topic, pages);
  if (page) return page;
  throw new Error(
    `unknown page "${topic}"${suggestPage(topic, pages) || `; to list the pages: ${getOwnCommand()} docs`}`,
  );
}
