import { describe, expect, test } from "bun:test";
import { MORE_PRODUCT_LINES } from "./more-product-lines.ts";
import { PRODUCT_LINES } from "./product-lines.ts";
import { askLine } from "./support.ts";

const SHELLS: Readonly<Record<string, string>> = { "PS> ": "powershell", "CMD> ": "cmd" };
const ask = (line: string) => {
  const [prefix = ""] = /^(?:PS|CMD)> /.exec(line) ?? [];
  return askLine(line.slice(prefix.length), {}, undefined, SHELLS[prefix]);
};

const kinds = { ...PRODUCT_LINES, ...MORE_PRODUCT_LINES };
let ran = 0;
for (const [kind, { denied, allowed }] of Object.entries(kinds))
  describe(`block-destructive on ${kind}`, () => {
    for (const line of denied)
      test(`denies ${line}`, async () => {
        expect((await ask(line))?.decision).toBe("deny");
        ran++;
      });
    for (const line of allowed)
      test(`allows ${line}`, async () => {
        expect(await ask(line)).toBeUndefined();
        ran++;
      });
  });

test("every kind has at least eight commands of both sorts, and all are tested", () => {
  const counts = Object.values(kinds).map(({ denied, allowed }) => [denied.length, allowed.length]);
  expect(Math.min(...counts.flat())).toBeGreaterThanOrEqual(8);
  expect(ran).toBe(counts.flat().reduce((sum, count) => sum + count, 0));
});
