import { readFileSync } from "node:fs";
import type { BuildTarget } from "../../src/operate/executable/image.ts";
import { readSignature } from "../support/macho.ts";
import type { Observations } from "./checks.ts";

/** CPU architecture codes in executable headers. */
const ELF_MACHINE = { x64: 0x3e, arm64: 0xb7 };
const PE_MACHINE = { x64: 0x8664, arm64: 0xaa64 };
const MACHO_CPU = { x64: 0x0100_0007, arm64: 0x0100_000c };

/** Checks an executable's headers. Any result other than `ok` describes a problem. */
export function readStructure(file: string, target: BuildTarget): Observations {
  const image = readFileSync(file);
  const arch = target.includes("arm64") ? "arm64" : "x64";
  const checks = target.includes("linux")
    ? readElf(image, ELF_MACHINE[arch], target)
    : target.includes("windows")
      ? readPortable(image, PE_MACHINE[arch])
      : readMacho(image, MACHO_CPU[arch]);
  return new Map(Object.entries(checks).map(([name, holds]) => [name, holds === true ? "ok" : holds || "it does not"]));
}

type Checks = Record<string, true | string | false>;

const expectSame = (value: unknown, wanted: unknown): true | string =>
  Bun.deepEquals(value, wanted) || `${JSON.stringify(value)} instead of ${JSON.stringify(wanted)}`;

function readElf(image: Buffer, machine: number, target: BuildTarget): Checks {
  const loader = /\/lib(?:64)?\/ld-[\w.-]+/.exec(image.toString("latin1", 0, 4096))?.[0] ?? "";
  return {
    "ELF, 64 bits": expectSame(image.toString("latin1", 0, 5), "\x7fELF\x02"),
    processor: expectSame(image.readUInt16LE(18), machine),
    "the loader belongs to its C library": expectSame(loader.includes("musl"), target.endsWith("musl")),
    // Some arm64 kernels use 64 kB pages, which require a larger segment alignment.
    "segments are aligned to pages of 64 kB":
      machine !== ELF_MACHINE.arm64 || expectSame(readSegmentAlignment(image) % 0x10000, 0),
  };
}

function readSegmentAlignment(image: Buffer): number {
  const [at, size, count] = [Number(image.readBigUInt64LE(32)), image.readUInt16LE(54), image.readUInt16LE(56)];
  const headers = Array.from({ length: count }, (_, index) => at + index * size);
  return Math.min(
    ...headers
      .filter((header) => image.readUInt32LE(header) === 1)
      .map((header) => Number(image.readBigUInt64LE(header + 48))),
  );
}

function readMacho(image: Buffer, cpu: number): Checks {
  const { badPages: bad, pages, problems, identifier, flags } = readSignature(image);
  return {
    "Mach-O, 64 bits": expectSame(image.readUInt32LE(0), 0xfeedfacf),
    processor: expectSame(image.readUInt32LE(4), cpu),
    "an executable": expectSame(image.readUInt32LE(12), 2),
    "every page matches the signature": bad.length === 0 || `${bad.length} of ${pages} differ`,
    "the header and the signature agree": problems.length === 0 || problems.join("; "),
    "signed ad hoc, with its own name": expectSame([identifier, flags], ["bridge-hooks", 0x20002]),
  };
}

function readPortable(image: Buffer, machine: number): Checks {
  const at = image.readUInt32LE(0x3c);
  const [count, optional] = [image.readUInt16LE(at + 6), image.readUInt16LE(at + 20)];
  const sections = Array.from({ length: count }, (_, index) => {
    const header = at + 24 + optional + 40 * index;
    const field = (offset: number) => image.readUInt32LE(header + offset);
    return {
      name: image.toString("latin1", header, header + 8).replace(/\0+$/, ""),
      end: field(16) && field(20) + field(16),
      memory: [field(12), field(12) + field(8)] as const,
    };
  });
  const [headers, imageSize] = [image.readUInt32LE(at + 24 + 60), image.readUInt32LE(at + 24 + 56)];
  const overlaps = sections.filter(({ memory: [start] }, index) => start < (sections[index - 1]?.memory[1] ?? headers));
  const certificate = image.readUInt32LE(at + 24 + 112 + 4 * 8);
  return {
    "PE, 64 bits": expectSame([image.toString("latin1", at, at + 4), image.readUInt16LE(at + 24)], ["PE\0\0", 0x20b]),
    processor: expectSame(image.readUInt16LE(at + 4), machine),
    "a console program": expectSame(image.readUInt16LE(at + 24 + 68), 3),
    "the program is in a section": expectSame(sections.at(-1)?.name, ".bun"),
    "sections lie inside the file": sections.every(({ end }) => end <= image.length),
    "sections do not overlap in memory": overlaps.length === 0 || overlaps.map(({ name }) => name).join(", "),
    "the image size matches its sections": sections.every(({ memory: [, end] }) => end <= imageSize),
    "no signature of another program": expectSame(certificate, 0),
  };
}
