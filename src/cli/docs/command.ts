import { Command, Option } from "clipanion";
import { describePage } from "../help/page.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import type { DocsPage } from "./pages.ts";
import { formatDetails } from "../terminal/details.ts";

export class DocsCommand extends UserCommand {
  static override paths = [["docs"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "more",
    description: "Show or search the documentation, offline.",
    details: formatDetails([
      "Without arguments, lists the pages.",
      "If no page has the given name, searches for passages that contain all words.",
      "On a terminal, pages open in $PAGER or less; otherwise they are printed as Markdown.",
    ]),
    examples: [
      ["Read a page", "bridge-hooks docs troubleshooting"],
      ["Search all pages", "bridge-hooks docs use an existing shell hook"],
      ["Search a single page", "bridge-hooks docs logs --search rotate"],
    ],
  });

  words = Option.Rest({ name: "TOPIC" });
  search = Option.String("--search", { description: "Find passages that contain all of these words, in any order" });

  async work(): Promise<number> {
    const { readDocs } = await import("../build/sources.ts");
    const { findPage, findNamedPage, listPages, suggestPage } = await import("./pages.ts");
    const pages = listPages(await readDocs());
    const request = this.words.join(" ");
    if (this.search !== undefined)
      return this.showPassages(this.search, request === "" ? pages : [findPage(request, pages)]);
    const namedPage = findNamedPage(request, pages);
    if (namedPage) return this.showPage(namedPage, pages);
    if (request !== "")
      return this.showPassages(request, pages, this.words.length === 1 ? suggestPage(request, pages) : "");
    const { formatPageList } = await import("./render.ts");
    this.showText(formatPageList(pages, describePage()).trimEnd());
    return 0;
  }

  private async showPage(page: DocsPage, pages: readonly DocsPage[]): Promise<number> {
    const { renderPage } = await import("./render.ts");
    const text = process.stdout.isTTY ? renderPage(page, pages, describePage()) : page.text;
    this.showText(text.trimEnd());
    return 0;
  }

  private async showPassages(text: string, pages: readonly DocsPage[], hint = ""): Promise<number> {
    const { formatMatches, searchPages, splitWords } = await import("./search.ts");
    const passages = searchPages(splitWords(text), pages);
    if (passages.length === 0)
      throw new Error(
        `no page named "${text}" and no passage that matches it${hint || `; to list the pages: ${getOwnCommand()} docs`}`,
      );
    if (hint !== "") this.context.stderr.write(`bridge-hooks: no page named "${text}"${hint}\n`);
    this.showText(formatMatches(passages, describePage()));
    return 0;
  }
}
