import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { LIBRARY_SWITCHES, RUNTIME_SWITCHES } from "./switches.ts";

/**
 * Replaces the first byte of a variable's name, which disables the variable. `switches.ts` contains an explicit
 * decision for each variable.
 *
 * An executable created by `bun build --compile` contains all of Bun, including support for its environment variables.
 * One variable turns the executable into `bun` itself, and another makes it load foreign code first. Since hosts let a
 * repository set variables for the hooks they call, the variables marked `off` are made unreachable in the runtime
 * image. Neither JSON nor a shell assignment can produce the byte 0xFF. The image is changed before Bun appends the
 * program, and is signed afterwards.
 */
const UNREACHABLE = 0xff;

/**
 * Prefix of the environment variables for mimalloc, the memory allocator. Changing the prefix disables them all. One of
 * them could prevent the process from allocating memory.
 */
const ALLOCATOR_PREFIX = "mimalloc";

/**
 * Returns whether an image is for Windows. On Windows, C code decodes variable names with the system code page, in
 * which 0xFF may be a letter such as "ÿ". Disabled names in Windows images are therefore emptied or given a "=", which
 * real variable names can't contain.
 */
const isWindowsImage = (image: Buffer): boolean => image.toString("latin1", 0, 2) === "MZ";

/**
 * The first half of a UTF-16 surrogate pair, in little-endian order. Valid text never contains it without the second
 * half.
 */
const LONE_SURROGATE = [0xff, 0xd8];

/**
 * Prefix of engine options. Bun doesn't store this prefix as a string: its machine code compares the letters one by
 * one.
 */
const ENGINE_PREFIX = "BUN_JSC_";

/**
 * Makes every disabled switch unreachable, in place.
 * @throws Error if the image contains a name missing from `RUNTIME_SWITCHES`, or if the code that compares names with
 * `BUN_JSC_` can't be located.
 */
export function hardenRuntime(image: Buffer): void {
  const unknown = new Set<string>();
  const text = image.toString("latin1");
  // Windows images store some names in UTF-16.
  const name = /(?:BUN|NODE)_[A-Z][A-Z0-9_]+|(?:B\0U\0N|N\0O\0D\0E)\0_\0[A-Z]\0(?:[A-Z0-9_]\0)+/g;
  for (let match = name.exec(text); match; match = name.exec(text)) {
    const foundName = match[0].replaceAll("\0", "");
    const knownSwitch = RUNTIME_SWITCHES.find(([prefix]) => foundName.startsWith(prefix));
    if (!knownSwitch) unknown.add(foundName);
    else if (knownSwitch[1] === "off") image.set(foundName === match[0] ? [UNREACHABLE] : LONE_SURROGATE, match.index);
    // Names can be stored without separators. Resume the search right after this name's known prefix.
    name.lastIndex = match.index + (knownSwitch?.[0].length ?? 4);
  }
  if (unknown.size > 0) {
    throw new Error(
      `this Bun release has unreviewed switches (${[...unknown].join(", ")}); add them to src/operate/executable/switches.ts`,
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
  // Windows images also contain UTF-16 strings. In Bun 1.4.5, none of them is a variable name.
  if (windows) hardenWideNames(image);
  const comparisons = [...findX64Comparisons(text), ...findArm64Comparisons(image)];
  if (comparisons.length !== 1)
    throw new Error(
      `expected one comparison with ${ENGINE_PREFIX} in this Bun release, found ${comparisons.length}; see src/operate/executable/runtime.ts`,
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

/**
 * Makes UTF-16 copies of the C and C++ variable names unreachable. The runtime's own names have already been handled.
 */
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

/** Returns whether a byte can be part of a variable name. */
const isNameByte = (byte = 0): boolean => /\w/.test(String.fromCharCode(byte));

/**
 * Finds disabled switches that are still reachable in an executable. The search ends where the program starts, at the
 * first module path from the bundler: the program itself contains the switches' names.
 */
export function findReachableSwitches(image: Buffer): string[] {
  const programOffsets = FIRST_MODULES.map((path) => image.indexOf(path)).filter((at) => at >= 0);
  const runtime = image.subarray(0, Math.min(image.length, ...programOffsets));
  const names = RUNTIME_SWITCHES.flatMap(([name, decision]) => (decision === "off" ? [name] : []));
  const reachable = names.filter((name) => runtime.includes(name));
  // An attacker could plant a module path at the start of the file to end the search early. In that case, no
  // overwritten name comes before the path.
  const [first] = TOOL_SWITCHES;
  const isOverwritten = runtime.includes(Buffer.concat([Buffer.of(UNREACHABLE), Buffer.from(first.slice(1))]));
  return isOverwritten ? reachable : [...new Set([first, ...reachable])];
}
/** Start of the first module path in an executable: the first string on Windows, the second on other systems. */
const FIRST_MODULES = ["~BUN/root/chunk-", "/$bunfs/root/chunk-"];

/**
 * Switches that a copy of the executable needs to run tools. They let the copy run as `bun`, let it download runtimes
 * from this machine's package registry, and keep it from loading cached code.
 */
const TOOL_SWITCHES = ["BUN_BE_BUN", "BUN_COMPILE_TARGET_TARBALL_URL", "BUN_RUNTIME_TRANSPILER_CACHE_PATH"] as const;

/**
 * Re-enables the tool switches in a file. The file must be a private copy that is deleted after running tools.
 * @throws Error if the file isn't an executable that `hardenRuntime` has changed.
 */
export function restoreRuntimeSwitches(file: string): void {
  const remainingSwitches = new Set<string>(TOOL_SWITCHES);
  const [chunk, seam] = [Buffer.alloc(8 * 1024 * 1024), 64];
  const image = openSync(file, "r+");
  try {
    for (let at = 0; remainingSwitches.size > 0; at += chunk.length - seam) {
      const part = chunk.subarray(0, readSync(image, chunk, 0, chunk.length, at));
      if (part.length === 0)
        throw new Error(
          `this executable has no disabled switch ${[...remainingSwitches].join(", ")}; see src/operate/executable/runtime.ts`,
        );
      for (const name of remainingSwitches) {
        const index = part.indexOf(Buffer.concat([Buffer.of(UNREACHABLE), Buffer.from(name.slice(1))]));
        if (index >= 0 && writeSync(image, name, at + index) > 0) remainingSwitches.delete(name);
      }
    }
  } finally {
    closeSync(image);
  }
}

/**
 * Finds the `cmp wN, #letter` instructions that compare the prefix. There is one per letter, a few instructions apart.
 */
function* findArm64Comparisons(image: Buffer): Generator<() => void> {
  const isCompare = (at: number, letter: string) =>
    (image.readUInt32LE(at) & 0xfffffc1f) >>> 0 === (0x7100001f | (letter.charCodeAt(0) << 10)) >>> 0;
  const [head = "", ...tailLetters] = ENGINE_PREFIX;
  for (let rn = 0; rn < 31; rn++) {
    const first = Buffer.alloc(4);
    first.writeUInt32LE((0x7100001f | (head.charCodeAt(0) << 10) | (rn << 5)) >>> 0);
    for (let at = image.indexOf(first); at >= 0; at = image.indexOf(first, at + 1)) {
      if (at % 4 !== 0 || at + 4 * 8 * tailLetters.length > image.length) continue;
      let offset = at;
      const hasAllLetters = tailLetters.every((letter) => {
        const distance = [1, 2, 3, 4, 5, 6, 7].find((step) => isCompare(offset + 4 * step, letter));
        offset += 4 * (distance ?? 0);
        return distance !== undefined;
      });
      // The instruction's 12-bit immediate is the compared letter.
      if (hasAllLetters)
        yield () =>
          void image.writeUInt32LE(((image.readUInt32LE(at) & ~(0xfff << 10)) | (UNREACHABLE << 10)) >>> 0, at);
    }
  }
}
