import { describe, expect, test } from "bun:test";
import { CODE_LINES } from "./code-lines.ts";
import { askLine } from "./support.ts";

for (const [title, { denied, allowed }] of Object.entries(CODE_LINES))
  describe(`block-destructive on ${title}`, () => {
    test.each(denied)("denies %s", async (line) => expect((await askLine(line))?.decision).toBe("deny"));
    test.each(allowed)("allows %s", async (line) => expect(await askLine(line)).toBeUndefined());
  });
