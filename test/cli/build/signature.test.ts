import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "../../../src/cli/build/build.ts";
import { prepareRuntime } from "../../../src/cli/build/prepare-runtime.ts";
import { signImage } from "../../../src/cli/build/sign.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";
import { readSignature } from "../../support/macho.ts";
import { expectToBeSigned, expectToTakeAnotherProgram } from "./strip-support.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-signature-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Builds a Mach-O file with a few empty pages, the way a linker would: __TEXT, __LINKEDIT, and a signature that's too
 * short.
 */
function unsigned(): Buffer {
  const image = Buffer.alloc(0x6010 + 32, 0xab).fill(0, 0, 0x400);
  for (const [at, value] of [0xfeedfacf, 0x1000007, 3, 2, 3, 2 * 72 + 16].entries()) image.writeUInt32LE(value, 4 * at);
  const segment = (at: number, name: string, fields: number[]) => {
    image.writeUInt32LE(0x19, at);
    image.writeUInt32LE(72, at + 4);
    image.write(name, at + 8);
    for (const [index, value] of fields.entries()) image.writeBigUInt64LE(BigInt(value), at + 24 + 8 * index);
  };
  segment(32, "__TEXT", [0x100000000, 0x4000, 0, 0x4000]);
  segment(104, "__LINKEDIT", [0x100004000, 0x2000, 0x4000, 0x2010 + 32]);
  for (const [at, value] of [0x1d, 16, 0x6010, 32].entries()) image.writeUInt32LE(value, 176 + 4 * at);
  return image;
}

test("the signature covers every page, and the header contains its offset", () => {
  const signed = signImage(unsigned());
  expect(readSignature(signed)).toEqual({
    identifier: "bridge-hooks",
    flags: 0x20002,
    badPages: [],
    pages: 7,
    problems: [],
  });
  // An image that is already signed is signed again.
  expect(signImage(Buffer.from(signed)).equals(signed)).toBe(true);
  for (const page of [0, 3, 6]) {
    const changed = Buffer.from(signed);
    changed[page * 4096 + 8] = 7;
    expect(readSignature(changed).badPages).toEqual([page]);
    expect(readSignature(signImage(changed)).badPages).toEqual([]);
  }
});
test("signing fails for an executable without room for a signature", () => {
  const image = unsigned();
  image.writeUInt32LE(0x26, 176);
  expect(() => signImage(image)).toThrow("this Mach-O executable has no LC_CODE_SIGNATURE");
});

/** Explains why a runtime couldn't be downloaded. The rest of the test is then skipped. */
function explainSkip(error: Error): string {
  if (!error.message.includes("could not be downloaded")) throw error;
  console.warn(`skipped: ${error.message}`);
  return error.message;
}

// The same test for darwin-arm64 is in project.test.ts.
test("an executable built for darwin-x64 starts on macOS, and other builds can be based on it", async () => {
  const outfile = join(folder, "guard");
  const hook = join(folder, "hooks", "deny.ts");
  await Bun.write(
    hook,
    'export default { event: "PreToolUse", handler: () => ({ decision: "deny", reason: "no" }) };\n',
  );
  const built = await buildExecutable({ hooks: join(folder, "hooks"), target: "bun-darwin-x64", outfile }).catch(
    explainSkip,
  );
  if (typeof built === "string") return;
  expectToBeSigned(outfile);
  await expectToTakeAnotherProgram(outfile, "bun-darwin-x64", folder);
});

for (const target of ["bun-darwin-x64", "bun-darwin-arm64"] as const)
  test(`Bun's own signature for ${target.slice(4)}, if it creates one, differs from ours only in the name`, async () => {
    const [entry, bun] = [join(folder, "entry.ts"), join(folder, `${target}-by-bun`)];
    writeFileSync(entry, "console.log(1);\n");
    // An executable accepts a program only once, so build this one from Bun's plain runtime.
    const executablePath = await withWorkshop(folder, (shop) => prepareRuntime(target, shop)).catch(explainSkip);
    if (!existsSync(executablePath)) return;
    const { success } = await Bun.build({
      entrypoints: [entry],
      target: "bun",
      compile: { target, outfile: bun, executablePath },
    });
    expect(success).toBe(true);
    const image = readFileSync(bun);
    if (target === "bun-darwin-x64") expect(readSignature(image).badPages).not.toEqual([]);
    else expect(signImage(Buffer.from(image), "a.out").equals(image)).toBe(true);
  });
