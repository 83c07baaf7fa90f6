import { expect } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildTarget } from "../../../src/operate/executable/image.ts";
import { stripProgram } from "../../../src/cli/build/strip-program.ts";
import { readSignature } from "../../support/macho.ts";

/**
 * Expects an executable whose program has been stripped to accept another program and to have nothing left to strip.
 *
 * @param folder directory for the other executables.
 */
export async function expectToTakeAnotherProgram(file: string, target: BuildTarget, folder: string): Promise<void> {
  const [entry, stripped, again] = ["tiny.ts", `stripped-${target}.exe`, `again-${target}.exe`].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(entry, "console.log(1);\n");
  const image = stripProgram(readFileSync(file));
  writeFileSync(stripped, image, { mode: 0o755 });
  const { success } = await Bun.build({
    entrypoints: [entry],
    target: "bun",
    compile: { target, outfile: again, executablePath: stripped },
    throw: false,
  });
  expect([target, success]).toEqual([target, true]);
  expect([target, statSync(again).size < statSync(file).size]).toEqual([target, true]);
  expect([target, stripProgram(Buffer.from(image)).equals(image)]).toEqual([target, true]);
}

/** Expects macOS to start an executable: its signature matches its bytes and covers all of them. */
export function expectToBeSigned(file: string): void {
  const { pages, ...signature } = readSignature(readFileSync(file));
  expect(signature).toEqual({ identifier: "bridge-hooks", flags: 0x20002, badPages: [], problems: [] });
  expect(pages).toBeGreaterThan(20_000);
}
