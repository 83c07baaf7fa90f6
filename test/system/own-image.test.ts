import { afterAll, expect, test } from "bun:test";
import { appendFileSync, copyFileSync, linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIN_OWN_BYTES } from "../../src/protocol/executable-size.ts";
import { isOwnImage } from "../../src/system/own-image.ts";
import { BUILD_MS, placeExecutable } from "../support/executables.ts";
import { writeOwnImage } from "../support/own-image.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-images-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string) => join(folder, name);

test(
  "an executable with other hooks is recognized, whatever its name, its links and trailing data are",
  async () => {
    const built = file("acme-guard");
    await placeExecutable("test/attack/faulty", built);
    expect(isOwnImage(built)).toBe(true);
    copyFileSync(built, file("ls"));
    appendFileSync(file("ls"), Buffer.alloc(1_000_000, "x"));
    symlinkSync("ls", file("link"));
    linkSync(file("ls"), file("hard"));
    for (const name of ["ls", "link", "hard"]) expect(isOwnImage(file(name))).toBe(true);
  },
  BUILD_MS,
);

for (const format of ["elf", "mach-o", "pe"] as const)
  test(`an image of ${format} is recognized by the name of its entry module`, () => {
    writeOwnImage(file(format), { format, padding: 4000 });
    expect(isOwnImage(file(format))).toBe(true);
    writeOwnImage(file(format), { format, entry: "claude" });
    expect(isOwnImage(file(format))).toBe(false);
  });

test("a segment that ends far after the program is searched", () => {
  writeOwnImage(file("pages"), { padding: 60_000 });
  expect(isOwnImage(file("pages"))).toBe(true);
});

test("other large programs, small files, directories, loops and damaged images are not recognized", () => {
  writeOwnImage(file("small"), { size: MIN_OWN_BYTES - 1 });
  writeFileSync(file("text"), Buffer.alloc(MIN_OWN_BYTES + 1, "#"));
  writeFileSync(file("elf-only"), Buffer.concat([Buffer.from("\x7fELF\x02"), Buffer.alloc(MIN_OWN_BYTES, 0xff)]));
  writeFileSync(file("pe-only"), Buffer.concat([Buffer.from("MZ"), Buffer.alloc(MIN_OWN_BYTES, 0xff)]));
  writeFileSync(file("mach-only"), Buffer.concat([Buffer.from([0xcf, 0xfa, 0xed, 0xfe]), Buffer.alloc(MIN_OWN_BYTES)]));
  symlinkSync("loop", file("loop"));
  for (const name of ["small", "text", "elf-only", "pe-only", "mach-only", "loop", "absent", "."])
    expect([name, isOwnImage(file(name))]).toEqual([name, false]);
  expect(isOwnImage(process.execPath)).toBe(false);
});
