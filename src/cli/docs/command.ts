import { Command, Option } from "clipanion";
import { describePage } from "../help/page.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";

export class DocsCommand extends UserCommand {
  static override paths = [["docs"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "more",
    description: "Show a page of the documentation, offline.",
    details: `
      Without a TOPIC it lists the pages with what each answers. At a terminal a page goes through $PAGER, or less; elsewhere it is Markdown.
    `,
    examples: [["What to do when a hook never runs", "bridge-hooks docs troubleshooting"]],
  });

  topic = Option.String({ name: "TOPIC", required: false });

  async work(): Promise<number> {
    const { readDocs } = await import("../build/sources.ts");
    const { findPage, listPages } = await import("./pages.ts");
    const { formatPageList, renderPage } = await import("./render.ts");
    const { showText } = await import("./pager.ts");
    const pages = listPages(await readDocs());
    const page = this.topic === undefined ? undefined : findPage(this.topic, pages);
    if (!page) showText(formatPageList(pages, describePage()));
    else showText(process.stdout.isTTY ? renderPage(page, pages, describePage()) : page.text);
    return 0;
  }
}
