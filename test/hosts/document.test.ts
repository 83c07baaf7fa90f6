import { expect, test } from "bun:test";
import { formatDocument } from "../../src/hosts/codec/wire.ts";

test("documents for Windows are ASCII with the same content", () => {
  const document = {
    reason: "größer – 日本語 🙂 \ud800 \u2028 \x7f",
    nested: { schlüssel: ["ß", 1, null] },
    absent: undefined,
  };
  const text = formatDocument(document, "win32");
  expect(text).toMatch(/^[\0-\x7f]*$/);
  expect(JSON.parse(text)).toEqual(JSON.parse(formatDocument(document, "linux")));
  expect(text).toContain(String.raw`"gr\u00f6\u00dfer \u2013 \u65e5`);
  expect(formatDocument(document, "linux")).toContain("größer – 日本語 🙂");
  expect(formatDocument({ a: undefined }, "win32")).toBe("");
});
