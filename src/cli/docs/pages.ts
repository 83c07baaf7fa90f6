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

/**
 * Finds the page of a topic.
 * @throws Error if there is none.
 */
export function findPage(given: string, pages: readonly DocsPage[]): DocsPage {
  const wanted = given
    .toLowerCase()
    .replace(/^(\.\/)?docs\//, "")
    .replace(/(\/readme)?\.md$/, "");
  const found = pages.find(({ topic }) => topic === wanted) ?? pages.find(({ path }) => path === wanted);
  if (found) return found;
  const near = findNearestName(
    wanted,
    pages.flatMap(({ topic, path }) => (wanted.includes("/") ? [path] : [topic])),
  );
  throw new Error(`unknown page "${given}"${hintOf(near) || `; ${getOwnCommand()} docs lists the pages`}`);
}
