import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alignSegments } from "../../../src/cli/build/align-segments.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const LARGE_PAGE = 1 << 21;
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-segments-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads the headers of an ELF image. `NOBITS` sections occupy no bytes in the file. */
function readHeaders(image: Buffer) {
  const read = (at: number) => Number(image.readBigUInt64LE(at));
  const list = (at: number, size: number, count: number) => Array.from({ length: count }, (_, n) => at + n * size);
  return {
    segments: list(read(32), image.readUInt16LE(54), image.readUInt16LE(56)).map((at) => ({
      kind: image.readUInt32LE(at),
      bytes: image.subarray(read(at + 8), read(at + 8) + read(at + 32)),
      offset: read(at + 8),
      address: read(at + 16),
    })),
    sections: list(read(40), image.readUInt16LE(58), image.readUInt16LE(60)).map((at) => ({
      address: read(at + 16),
      bytes: image.readUInt32LE(at + 4) === 8 ? "none" : image.subarray(read(at + 24), read(at + 24) + read(at + 32)),
    })),
  };
}

/** Lists the mapped segments whose address and file offset aren't a whole number of huge pages apart. */
const listMisplaced = (image: Buffer) =>
  readHeaders(image).segments.filter(
    ({ kind, offset, address }) => kind === 1 && (address - offset) % LARGE_PAGE !== 0,
  );

test.skipIf(process.platform !== "linux")("only the position of the segments in the file changes", () => {
  const image = readFileSync(process.execPath);
  const before = Bun.hash(image);
  expect(listMisplaced(image).length).toBeGreaterThan(0);
  const aligned = alignSegments(image);
  expect(Bun.hash(image)).toBe(before);
  expect(listMisplaced(aligned)).toEqual([]);
  expect(alignSegments(aligned)).toBe(aligned);
  const [was, is] = [readHeaders(image), readHeaders(aligned)];
  expect(is.segments.length).toBe(was.segments.length);
  for (const [at, { kind, address, bytes }] of was.segments.entries()) {
    const found = is.segments[at];
    expect([found?.kind, found?.address]).toEqual([kind, address]);
    // The headers are part of the first segment.
    if (found?.offset !== 0 && kind !== 6) expect(found?.bytes.equals(bytes)).toBe(true);
  }
  expect(is.sections).toEqual(was.sections);
  const file = join(folder, "bun");
  writeFileSync(file, aligned);
  chmodSync(file, 0o755);
  expect(Bun.spawnSync([file, "-e", "console.log(6 * 7)"]).stdout.toString()).toBe("42\n");
});

test.skipIf(process.platform !== "linux")("the segments keep their position when a program is added", () =>
  expect(listMisplaced(readFileSync(EXECUTABLE))).toEqual([]),
);

test("images for other systems don't change", () => {
  for (const text of ["MZ", "\xcf\xfa\xed\xfe", "\x7fELF\x01", "#!/bin/sh\n"]) {
    const image = Buffer.from(text.padEnd(100), "latin1");
    expect(alignSegments(image)).toBe(image);
  }
});
