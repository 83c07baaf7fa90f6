import type { BuildTarget } from "./image.ts";

/**
 * How often a function runs before the engine compiles it, as the runtime's image has it: after its start, after another
 * look, and the same twice for the optimizing compiler. A hook call ends before compiled code has paid for itself, and
 * the threads that compile keep its processor busy: with the higher thresholds, lines that need the parser take up to
 * 45 % less processor time, while a warm `serve` takes 10 to 15 % more for them [measured 2026-11-25, on a busy machine].
 */
const SHIPPED = [500, 100, 1_000, 1_000] as const;
const DEFERRED = [20_000, 5_000, 4_000, 4_000] as const;

/**
 * The targets whose image is known to have these numbers side by side, once, and whose engine was asked afterwards what
 * it goes by [run, 1.4.5 for Linux x64]. The images for other systems stay as they are.
 */
const KNOWN_TARGETS: readonly BuildTarget[] = ["bun-linux-x64", "bun-linux-x64-baseline"];

const encodeNumbers = (numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeInt32LE(number, at * 4);
  return bytes;
};

/**
 * Raises the thresholds in the image of a runtime, in place.
 * @throws Error if the image of a known target doesn't have them in exactly one place.
 */
export function deferCompilation(image: Buffer, target: BuildTarget): void {
  if (!KNOWN_TARGETS.includes(target)) return;
  const shipped = encodeNumbers(SHIPPED);
  const at = image.indexOf(shipped);
  if (at < 0 || image.indexOf(shipped, at + 1) >= 0)
    throw new Error(
      `expected the thresholds ${SHIPPED.join(", ")} in one place of this Bun for ${target.slice(4)}, found ${at < 0 ? "none" : "several"}; ` +
        "see src/cli/build/compile-thresholds.ts",
    );
  encodeNumbers(DEFERRED).copy(image, at);
}
