import { Command, Option } from "clipanion";
import { describePage } from "../help/page.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class DocsCommand extends UserCommand {
  static override paths = [["docs"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "more",
    description: "Show a page of the documentation, offline.",
    details: `
      Without a TOPIC it lists the pages with what each answers; --search finds the passages that have all of some words. At a terminal a page goes through $PAGER, or less;
      elsewhere it is Markdown.
    `,
    examples: [
      ["What to do when a hook never runs", "bridge-hooks docs troubleshooting"],
      ["Where something is written about", "bridge-hooks docs --search 'managed config'"],
    ],
  });

  topic = Option.String({ name: "TOPIC", required: false });
  search = Option.String("--search", { description: "Words that a passage has to have, in any order" });

  async work(): Promise<number> {
    const { readDocs } = await import("../build/sources.ts");
    const { findPage, listPages } = await import("./pages.ts");
    const { formatPageList, renderPage } = await import("./render.ts");
    const pages = listPages(await readDocs());
    if (this.search !== undefined) {
      const { formatMatches, searchPages } = await import("./search.ts");
      const page = this.topic === undefined ? pages : [findPage(this.topic, pages)];
      const found = searchPages(this.search, page);
      if (found.length === 0)
        throw new Error(`no page has a passage with "${this.search}"; ${getOwnCommand()} docs lists them`);
      this.showText(formatMatches(found, describePage()));
      return 0;
    }
    const page = this.topic === undefined ? undefined : findPage(this.topic, pages);
    const text = !page
      ? formatPageList(pages, describePage())
      : process.stdout.isTTY
        ? renderPage(page, pages, describePage())
        : page.text;
    this.showText(text.trimEnd());
    return 0;
  }
}
