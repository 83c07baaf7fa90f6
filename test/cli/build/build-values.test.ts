import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addBuildValues } from "../../../src/cli/build/build-values.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-values-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);

const bundle = (entry: string) =>
  Bun.build({
    entrypoints: [join(folder, entry)],
    plugins: [{ name: "values", setup: addBuildValues }],
    metafile: true,
    throw: false,
  });

test("a bundle contains the values of a *.build.ts module, and none of their sources", async () => {
  put("table.ts", 'export const table = [{ name: "a", remark: "long" }, { name: "b", remark: "longer" }];');
  put("names.build.ts", 'import { table } from "./table.ts"; export const NAMES = table.map(({ name }) => name);');
  put("main.ts", 'import { NAMES } from "./names.build.ts"; export default NAMES;');
  const { success, outputs, metafile } = await bundle("main.ts");
  expect(success).toBe(true);
  const text = await outputs[0]?.text();
  expect([text?.includes('"a"'), text?.includes("long")]).toEqual([true, false]);
  expect(Object.keys(metafile?.inputs ?? {}).filter((path) => path.endsWith("/table.ts"))).toEqual([]);
});

test("a value that JSON can't represent is an error", async () => {
  for (const [at, value] of ["() => 1", "new Map([[1, 2]])", "undefined"].entries()) {
    put(`bad${at}.build.ts`, `export const VALUE = ${value};`);
    put(`bad${at}.ts`, `import { VALUE } from "./bad${at}.build.ts"; console.log(VALUE);`);
    const { success, logs } = await bundle(`bad${at}.ts`);
    expect([value, success, logs.join("\n")]).toEqual([
      value,
      false,
      expect.stringContaining("VALUE: only JSON values"),
    ]);
  }
});
