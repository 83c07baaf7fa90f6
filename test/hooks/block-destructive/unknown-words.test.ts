import { describe, expect, test } from "bun:test";
import { MORE_SPELLINGS } from "./more-spellings.ts";
import { OTHER_SPELLINGS } from "./other-spellings.ts";
import { PIPED_NAMES } from "./piped-names.ts";
import { CONDITIONAL_LINES } from "./conditional-lines.ts";
import { askLine } from "./support.ts";
import { UNKNOWN_WORDS } from "./unknown-words.ts";
import { VARIABLE_LINES } from "./variable-lines.ts";

for (const [name, { denied, allowed }] of Object.entries({
  ...UNKNOWN_WORDS,
  ...PIPED_NAMES,
  ...VARIABLE_LINES,
  ...OTHER_SPELLINGS,
  ...CONDITIONAL_LINES,
  ...MORE_SPELLINGS,
}))
  describe(`block-destructive on ${name}`, () => {
    for (const command of denied)
      test(`denies ${command}`, async () => expect((await askLine(command))?.decision).toBe("deny"));
    for (const command of allowed)
      test(`allows ${command}`, async () => expect(await askLine(command)).toBeUndefined());
  });
