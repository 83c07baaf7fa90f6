import type { BuildTarget } from "./image.ts";

/** Numbers in a runtime's image that the engine goes by. */
interface EngineOptions {
  name: string;
  shipped: Buffer;
  changed: Buffer;
}

const encodeNumbers = (...numbers: readonly number[]): Buffer => Buffer.from(new Int32Array(numbers).buffer);

const ENGINE_OPTIONS: readonly EngineOptions[] = [
  // How often a function runs before the engine compiles it: after its start, after another look, and the same twice for
  // the optimizing compiler. A hook call ends before compiled code has paid for itself, and the threads that compile keep
  // its processor busy: with the higher thresholds, lines that need the parser take up to 45 % less processor time, while a
  // warm `serve` takes 10 to 15 % more for them [measured 2026-11-25, on a busy machine].
  {
    name: "compiler thresholds",
    shipped: encodeNumbers(500, 100, 1_000, 1_000),
    changed: encodeNumbers(20_000, 5_000, 4_000, 4_000),
  },
  // How many blocks of its heap a thread keeps ready, and after how many blocks it starts. A line that needs the parser
  // takes 150 blocks: what the thread made ready was never used, for 5 % of the processor time [measured 2026-11-26]. The
  // numbers are in an instruction, `movabs`.
  {
    name: "heap blocks",
    shipped: Buffer.concat([Buffer.of(0x48, 0xb8), encodeNumbers(32, 64)]),
    changed: Buffer.concat([Buffer.of(0x48, 0xb8), encodeNumbers(32, 192)]),
  },
];

/**
 * The targets whose image is known to have these numbers side by side, once, and whose engine was asked afterwards what
 * it goes by [run, 1.4.5 for Linux x64]. The images for other systems stay as they are.
 */
const KNOWN_TARGETS: readonly BuildTarget[] = ["bun-linux-x64", "bun-linux-x64-baseline"];

/**
 * Changes the engine's options in the image of a runtime, in place.
 * @throws Error if the image of a known target doesn't have them in exactly one place.
 */
export function changeEngineOptions(image: Buffer, target: BuildTarget): void {
  if (!KNOWN_TARGETS.includes(target)) return;
  for (const { name, shipped, changed } of ENGINE_OPTIONS) {
    const at = image.indexOf(shipped);
    if (at < 0 || image.indexOf(shipped, at + 1) >= 0)
      throw new Error(
        `expected the ${name} in one place of this Bun for ${target.slice(4)}, found ${at < 0 ? "none" : "several"}; ` +
          "see src/cli/build/engine-options.ts",
      );
    changed.copy(image, at);
  }
}
