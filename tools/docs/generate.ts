import { join } from "node:path";
import { hosts } from "../../src/hosts/index.ts";
import { documents } from "../../test/seeds/documents.ts";
import { formatPage, PAGE as CONFORMANCE_PAGE } from "../../test/seeds/page.ts";
import { EXECUTABLE, ROOT } from "../../test/support/fixtures.ts";
import { formatCliPage } from "./cli-page.ts";
import { formatAbsentEvents, formatHostMatrix } from "./host-matrix.ts";
import { hostParts } from "./host-pages.ts";
import { productPage, rulePages, rulesOverview } from "./rule-pages.ts";
import { recordLines, extractTypedLines, withRecording } from "./recording.ts";
import { drawImportGraph } from "./import-graph.ts";
import { drawTerminal } from "./terminal-picture.ts";

export const RECORDING_PAGE = join(ROOT, "docs/guide/first-hook.md");

/** The parts of pages that are generated, by marker: hosts' tables and answers, rule categories, directories of src. */
export const generatedParts: readonly [file: string, marker: string, text: string][] = [
  ["docs/rules/README.md", "categories", rulesOverview],
  ["docs/contributing/architecture.md", "rooms", drawImportGraph()],
  ["docs/hosts/README.md", "absent", formatAbsentEvents(hosts)],
  ...hosts.map((host): [string, string, string] => [`docs/hosts/${host.id}.md`, "matrix", formatHostMatrix(host)]),
  ...hostParts,
];

/** Pages that are generated entirely. */
export const generatedPages: readonly [file: string, text: string][] = [
  ...rulePages,
  productPage,
  ["docs/reference/cli.md", formatCliPage()],
  [CONFORMANCE_PAGE, formatPage(documents)],
];

/** The README's picture, which shows a real run on a machine that has only the executable. */
export const PICTURE = join(ROOT, "docs/images/denial.svg");
const DENIED = '"git push --force origin main"';
export const drawDenial = (executable: string): string =>
  drawTerminal(
    recordLines(executable, [`bridge-hooks try --command ${DENIED}`, `bridge-hooks explain --command ${DENIED}`]),
    "bridge-hooks try shows that every host denies git push --force; bridge-hooks explain shows the rule and the reason",
    [14, 11],
  );

const createMarkerPattern = (marker: string) => new RegExp(`<!-- ${marker} -->[\\s\\S]*<!-- /${marker} -->`);
export const withGenerated = (page: string, marker: string, text: string): string =>
  page.replace(createMarkerPattern(marker), () => `<!-- ${marker} -->\n\n${text}\n\n<!-- /${marker} -->`);

if (import.meta.main) {
  for (const [file, marker, text] of generatedParts) {
    const path = join(ROOT, file);
    await Bun.write(path, withGenerated(await Bun.file(path).text(), marker, text));
  }
  for (const [file, text] of generatedPages) await Bun.write(join(ROOT, file), text);
  const guide = await Bun.file(RECORDING_PAGE).text();
  await Bun.write(RECORDING_PAGE, withRecording(guide, recordLines(EXECUTABLE, extractTypedLines(guide))));
  await Bun.write(PICTURE, drawDenial(EXECUTABLE));
}
