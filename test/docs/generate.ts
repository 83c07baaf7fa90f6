import { join } from "node:path";
import { formatMatrix } from "../../src/cli/matrix/matrix.ts";
import { hosts } from "../../src/hosts/index.ts";
import { documents } from "../seeds/documents.ts";
import { formatPage } from "../seeds/page.ts";
import { EXECUTABLE, ROOT } from "../support/fixtures.ts";
import { rulePages, rulesOverview } from "./rule-pages.ts";
import { recordLines, extractTypedLines, withRecording } from "./recording.ts";

export const RECORDING_PAGE = join(ROOT, "docs/guide/first-hook.md");

/** The generated text between a page's markers: the capability table of one host or of all, and the categories of rules. */
export const generatedParts: readonly [file: string, marker: string, text: string][] = [
  ["docs/rules/README.md", "categories", rulesOverview],
  ["docs/hosts/README.md", "overview", splitParts(formatMatrix({ markdown: true, notes: false }))[0] as string],
  ...hosts.map((host): [string, string, string] => [
    `docs/hosts/${host.id}.md`,
    "matrix",
    splitParts(formatMatrix({ markdown: true, host }))[1] as string,
  ]),
];

/** Splits the table's text at its headings; all hosts at a glance come first. */
function splitParts(text: string): string[] {
  return text.split(/^#### .*\n\n/m).map((part) => part.trim());
}

const createMarkerPattern = (marker: string) => new RegExp(`<!-- ${marker} -->[\\s\\S]*<!-- /${marker} -->`);
export const withGenerated = (page: string, marker: string, text: string): string =>
  page.replace(createMarkerPattern(marker), () => `<!-- ${marker} -->\n\n${text}\n\n<!-- /${marker} -->`);

if (import.meta.main) {
  for (const [file, marker, text] of generatedParts) {
    const path = join(ROOT, file);
    await Bun.write(path, withGenerated(await Bun.file(path).text(), marker, text));
  }
  for (const [file, text] of rulePages) await Bun.write(join(ROOT, file), text);
  const guide = await Bun.file(RECORDING_PAGE).text();
  await Bun.write(RECORDING_PAGE, withRecording(guide, recordLines(EXECUTABLE, extractTypedLines(guide))));
  await Bun.write(join(ROOT, "docs/seeds.md"), formatPage(documents));
}
