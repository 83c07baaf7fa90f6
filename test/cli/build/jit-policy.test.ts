import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileProgram } from "../../../src/cli/build/compile-program.ts";
import { detectTarget } from "../../../src/operate/executable/image.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-jit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Prints whether a function that was called 1,000 times is compiled, and whether the default policy would compile it.
 */
const PROGRAM = `import { numberOfDFGCompiles } from "bun:jsc";
function add(a, b) { return a + b; }
async function isCompiled(calls, rounds) {
  for (let round = 0; round < rounds && numberOfDFGCompiles(add) === 0; round++) {
    for (let at = 0; at < calls; at++) add(at, 1);
    await Bun.sleep(10);
  }
  return numberOfDFGCompiles(add) > 0;
}
const first = await isCompiled(50, 20);
Bun.unsafe.setJITPolicy(1);
console.log(JSON.stringify([first, await isCompiled(5_000, Infinity)]));
process.exit(0);
`;

/** Makes a plain runtime compile synchronously rather than in another thread. An executable ignores this variable. */
const env = { ...process.env, BUN_JSC_useConcurrentJIT: "0" };
const run = (...command: string[]): unknown => JSON.parse(Bun.spawnSync(command, { env }).stdout.toString());

test("an executable delays JIT compilation until it switches to the default policy", async () => {
  const source = join(folder, "source.ts");
  writeFileSync(source, PROGRAM);
  expect(run(process.execPath, source)).toEqual([true, true]);
  const outfile = join(folder, "program");
  await withWorkshop(folder, async (shop) => {
    const entry = join(shop.folder, "entry.ts");
    writeFileSync(entry, PROGRAM);
    await compileProgram(entry, { outfile, target: detectTarget() }, shop);
  });
  expect(run(outfile)).toEqual([false, true]);
});
