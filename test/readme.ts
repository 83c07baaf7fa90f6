import { join } from "node:path";
import { asText } from "../src/cli/matrix.ts";
import { EXECUTABLE } from "./fixtures.ts";
import { record, typed, withRecording } from "./recording.ts";

/** Puts the present capability table into the README, and what the commands of its recording print. */
const file = join(import.meta.dir, "../README.md");
const text = await Bun.file(file).text();
const matrix = text.replace(
  /<!-- matrix -->[\s\S]*<!-- \/matrix -->/,
  () => `<!-- matrix -->\n\n${asText({ markdown: true })}\n\n<!-- /matrix -->`,
);
await Bun.write(file, withRecording(matrix, record(EXECUTABLE, typed(matrix))));
