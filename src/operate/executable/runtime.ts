import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { LIBRARY_SWITCHES, RUNTIME_SWITCHES } from "./switches.ts";

/**
 * Switches off the runtime's own environment variables, decided one by one.
 *
 * An executable made by `bun build --compile` contains all of Bun, and Bun obeys environment variables: one of them
 * turns the executable into `bun` itself, another loads foreign code before ours. Hosts let a repository set variables
 * for the hooks they call, so names that are `off` (`switches.ts`) are made unreachable in the runtime image: their
 * first byte becomes 0xFF, which no JSON text and no shell assignment can produce. The image is changed before Bun
 * appends the program, and signed afterwards.
 */
const UNREACHABLE = 0xff;

/** mimalloc's options, one of which keeps the process from getting memory; changing the prefix disables all of them. */
const ALLOCATOR_PREFIX = "mimalloc";

/**
 * Windows decodes the names that C code asks for with the system's code page, in which 0xFF is the letter "ÿ". There,
 * an empty name finds nothing, and neither does a name with "=" inside it.
 */
const isWindowsImage = (image: Buffer): boolean => image.toString("latin1", 0, 2) === "MZ";

/** Half of a UTF-16 surrogate pair, which never occurs in a text without the other half. */
const LONE_SURROGATE = [0xff, 0xd8];

/** Bun compares this prefix in machine code, letter by letter, and not with a string. */
const ENGINE_PREFIX = "BUN_JSC_";

/**
 * Makes every switch that is off unreachable, in place.
 * @throws Error if the image holds a name that `RUNTIME_SWITCHES` does not list, or if a switch is not where it was
 * expected.
 */
export function hardenRuntime(image: Buffer): void {
  const unknown = new Set<string>();
  const text = image.toString("latin1");
  // Windows asks for some names in UTF-16.
  const name = /(?:BUN|NODE)_[A-Z][A-Z0-9_]+|(?:B\0U\0N|N\0O\0D\0E)\0_\0[A-Z]\0(?:[A-Z0-9_]\0)+/g;
  for (let match = name.exec(text); match; match = name.exec(text)) {
    const found = match[0].replaceAll("\0", "");
    const decided = RUNTIME_SWITCHES.find(([prefix]) => found.startsWith(prefix));
    if (!decided) unknown.add(found);
    else if (decided[1] === "off") image.set(found === match[0] ? [UNREACHABLE] : LONE_SURROGATE, match.index);
    // Names stand next to each other without a gap: continue right after the start of this one.
    name.lastIndex = match.index + (decided?.[0].length ?? 4);
  }
  if (unknown.size > 0) {
    throw new Error(
      `this Bun has switches that nobody has decided about (${[...unknown].join(", ")}); add them to src/operate/executable/switches.ts`,
    );
  }
  const windows = isWindowsImage(image);
  for (const at of findOccurrences(image, ALLOCATOR_PREFIX)) {
    if (windows) image.write("=", at + 1);
    else image[at] = UNREACHABLE;
  }
  for (const [name, decision] of LIBRARY_SWITCHES) {
    if (decision === "keep") continue;
    for (const at of findOccurrences(image, name))
      if (!isNameByte(image[at - 1])) image[at] = windows ? 0 : UNREACHABLE;
  }
  // Images for Windows hold texts in UTF-16 too. Those of 1.4.5 have no such name among them.
  if (windows) hardenWideNames(image);
  const comparisons = [...findX64Comparisons(text), ...findArm64Comparisons(image)];
  if (comparisons.length !== 1)
    throw new Error(
      `expected one place that compares ${ENGINE_PREFIX} in this Bun, found ${comparisons.length}; see src/operate/executable/runtime.ts`,
    );
  comparisons[0]?.();
  function* findX64Comparisons(code: string) {
    // cmp byte [reg], 'B'; jne; cmp byte [reg + 1], 'U'; jne; …
    const steps = [...ENGINE_PREFIX].map((letter, index) =>
      index === 0 ? letter : `(?:\\x41)?\\x80[\\x78-\\x7f]\\x0${index}${letter}`,
    );
    for (const { index } of code.matchAll(new RegExp(steps.join("\\x75[\\x00-\\xff]"), "g")))
      yield () => void (image[index] = UNREACHABLE);
  }
}

/** Makes the names of C and C++ code unreachable where they are in UTF-16; those of the runtime itself already are. */
function hardenWideNames(image: Buffer): void {
  const names = LIBRARY_SWITCHES.flatMap(([name, decision]) => (decision === "off" ? [name] : []));
  for (const name of [ALLOCATOR_PREFIX, ...names]) {
    for (const at of findOccurrences(image, Buffer.from(name, "utf16le")))
      if (image[at - 1] !== 0 || !isNameByte(image[at - 2])) image.set(LONE_SURROGATE, at);
  }
}

function* findOccurrences(image: Buffer, name: string | Buffer): Generator<number> {
  for (let at = image.indexOf(name); at >= 0; at = image.indexOf(name, at + 1)) yield at;
}

/** Whether a byte can be part of a name. */
const isNameByte = (byte = 0): boolean => /\w/.test(String.fromCharCode(byte));

/**
 * Finds switches that should be off and are not, in an executable. Its program holds their names, too: that is left out,
 * as far as the bundler's first path.
 */
export function findReachableSwitches(image: Buffer): string[] {
  const begins = FIRST_MODULES.map((path) => image.indexOf(path)).filter((at) => at >= 0);
  const runtime = image.subarray(0, Math.min(image.length, ...begins));
  const names = RUNTIME_SWITCHES.flatMap(([name, decision]) => (decision === "off" ? [name] : []));
  const found = names.filter((name) => runtime.includes(name));
  // Who hides the runtime behind such a path has not overwritten this name before it, either.
  const [first] = TOOL_SWITCHES;
  const isOverwritten = runtime.includes(Buffer.concat([Buffer.of(UNREACHABLE), Buffer.from(first.slice(1))]));
  return isOverwritten ? found : [...new Set([first, ...found])];
}
/** How paths of modules begin in an executable: on Windows, and elsewhere. */
const FIRST_MODULES = ["~BUN/root/chunk-", "/$bunfs/root/chunk-"];

/**
 * The switches that a copy needs to serve as a tool: to run as `bun`, to download runtimes from this machine's package
 * registry, and to load no code from a cache.
 */
const TOOL_SWITCHES = ["BUN_BE_BUN", "BUN_COMPILE_TARGET_TARBALL_URL", "BUN_RUNTIME_TRANSPILER_CACHE_PATH"] as const;

/**
 * Makes those switches reachable again in a file: for a private copy that runs tools and is deleted afterwards.
 * @throws Error if the file is not an executable that `hardenRuntime` has changed.
 */
export function restoreRuntimeSwitches(file: string): void {
  const missing = new Set<string>(TOOL_SWITCHES);
  const [chunk, seam] = [Buffer.alloc(8 * 1024 * 1024), 64];
  const image = openSync(file, "r+");
  try {
    for (let at = 0; missing.size > 0; at += chunk.length - seam) {
      const part = chunk.subarray(0, readSync(image, chunk, 0, chunk.length, at));
      if (part.length === 0)
        throw new Error(
          `this executable has no ${[...missing].join(", ")} that is off; see src/operate/executable/runtime.ts`,
        );
      for (const name of missing) {
        const found = part.indexOf(Buffer.concat([Buffer.of(UNREACHABLE), Buffer.from(name.slice(1))]));
        if (found >= 0 && writeSync(image, name, at + found) > 0) missing.delete(name);
      }
    }
  } finally {
    closeSync(image);
  }
}

/** Finds `cmp wN, #letter`, one per letter, a few instructions apart. */
function* findArm64Comparisons(image: Buffer): Generator<() => void> {
  const isCompare = (at: number, letter: string) =>
    (image.readUInt32LE(at) & 0xfffffc1f) >>> 0 === (0x7100001f | (letter.charCodeAt(0) << 10)) >>> 0;
  const [head = "", ...rest] = ENGINE_PREFIX;
  for (let rn = 0; rn < 31; rn++) {
    const first = Buffer.alloc(4);
    first.writeUInt32LE((0x7100001f | (head.charCodeAt(0) << 10) | (rn << 5)) >>> 0);
    for (let at = image.indexOf(first); at >= 0; at = image.indexOf(first, at + 1)) {
      if (at % 4 !== 0 || at + 4 * 8 * rest.length > image.length) continue;
      let offset = at;
      const all = rest.every((letter) => {
        const next = [1, 2, 3, 4, 5, 6, 7].find((step) => isCompare(offset + 4 * step, letter));
        offset += 4 * (next ?? 0);
        return next !== undefined;
      });
      // The compared letter is the instruction's 12-bit immediate.
      if (all)
        yield () =>
          void image.writeUInt32LE(((image.readUInt32LE(at) & ~(0xfff << 10)) | (UNREACHABLE << 10)) >>> 0, at);
    }
  }
}
