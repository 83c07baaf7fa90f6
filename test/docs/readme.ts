import { join } from "node:path";
import { asText } from "../../src/cli/matrix/matrix.ts";
import { EXECUTABLE } from "../support/fixtures.ts";
import { record, typed, withRecording } from "./recording.ts";
import { documents } from "../seeds/documents.ts";
import { page } from "../seeds/page.ts";

/** Puts the present capability table into the README, and what the commands of its recording print; and makes docs/seeds.md. */
const file = join(import.meta.dir, "../../README.md");
const text = await Bun.file(file).text();
const matrix = text.replace(
  /<!-- matrix -->[\s\S]*<!-- \/matrix -->/,
  () => `<!-- matrix -->\n\n${asText({ markdown: true })}\n\n<!-- /matrix -->`,
);
await Bun.write(file, withRecording(matrix, record(EXECUTABLE, typed(matrix))));
await Bun.write(join(import.meta.dir, "../../docs/seeds.md"), page(documents));
