import { join } from "node:path";
import { asText } from "../src/cli/matrix.ts";

/** Puts the present capability table into the README. */
const file = join(import.meta.dir, "../README.md");
const text = await Bun.file(file).text();
await Bun.write(
  file,
  text.replace(/<!-- matrix -->[\s\S]*<!-- \/matrix -->/, () => `<!-- matrix -->\n\n${asText({ markdown: true })}\n\n<!-- /matrix -->`),
);
