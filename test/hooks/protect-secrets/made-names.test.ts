import { expect, test } from "bun:test";
import { MADE_NAMES_ALLOWED, MADE_NAMES_DENIED } from "./made-names.ts";
import { askBash } from "./project.ts";

for (const line of MADE_NAMES_DENIED)
  test(`protect-secrets denies ${line}`, async () => expect((await askBash(line))?.decision).toBe("deny"));
for (const line of MADE_NAMES_ALLOWED)
  test(`protect-secrets allows ${line}`, async () => expect(await askBash(line)).toBeUndefined());
