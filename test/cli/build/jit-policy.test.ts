import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileProgram } from "../../../src/cli/build/bundle.ts";
import { detectTarget } from "../../../src/cli/build/image.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-jit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Calls a function as often as the engine waits for otherwise, before and after it is to compile as usual. */
const PROGRAM = `import { numberOfDFGCompiles } from "bun:jsc";
function add(a, b) { return a + b; }
const call = () => { for (let at = 0; at < 5_000; at++) add(at, 1); };
call();
const first = numberOfDFGCompiles(add);
Bun.unsafe.setJITPolicy(1);
for (let round = 0; round < 20 && numberOfDFGCompiles(add) === 0; round++) {
  call();
  await Bun.sleep(5);
}
console.log(JSON.stringify([first, numberOfDFGCompiles(add) > 0]));
process.exit(0);
`;

test("an executable compiles late, until it asks for the usual policy", async () => {
  const outfile = join(folder, "program");
  await withWorkshop(folder, async (shop) => {
    const entry = join(shop.folder, "entry.ts");
    writeFileSync(entry, PROGRAM);
    await compileProgram(entry, outfile, detectTarget(), shop);
  });
  expect(Bun.spawnSync([outfile]).stdout.toString().trim()).toBe("[0,true]");
  // Without it, the function would have been compiled by then.
  const source = join(folder, "source.ts");
  writeFileSync(source, PROGRAM.replace("const first", "await Bun.sleep(50); call();\nconst first"));
  expect(JSON.parse(Bun.spawnSync([process.execPath, source]).stdout.toString())).toEqual([1, true]);
});
