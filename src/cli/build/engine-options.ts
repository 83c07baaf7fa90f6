import type { BuildTarget } from "../../operate/executable/image.ts";

/**
 * How many blocks of its heap a thread of the engine keeps ready, and after how many blocks it starts, in an instruction
 * (`movabs`) of the runtime's image. A line that needs the parser takes almost 200 blocks: with the thread, such a call
 * takes 4 to 6 % more processor time, and what it makes ready is never used [measured 2026-11-28, 200 pairs].
 */
const MOVE = [0x48, 0xb8] as const;
const SHIPPED = [32, 64] as const;
const CHANGED = [32, 320] as const;

/**
 * The targets whose image is known to have these numbers side by side, once, and whose engine was asked afterwards what
 * it goes by [run, 1.4.5 for Linux x64]. The images for other systems stay as they are.
 */
const KNOWN_TARGETS: readonly BuildTarget[] = ["bun-linux-x64", "bun-linux-x64-baseline"];

const encodeMove = (numbers: readonly number[]): Buffer =>
  Buffer.concat([Buffer.of(...MOVE), Buffer.from(new Int32Array(numbers).buffer)]);

/**
 * Changes options of the engine in the image of a runtime, in place.
 * @throws Error if the image of a known target doesn't have them in exactly one place.
 */
export function changeEngineOptions(image: Buffer, target: BuildTarget): void {
  if (!KNOWN_TARGETS.includes(target)) return;
  const shipped = encodeMove(SHIPPED);
  const at = image.indexOf(shipped);
  if (at < 0 || image.indexOf(shipped, at + 1) >= 0)
    throw new Error(
      `expected the numbers of heap blocks ${SHIPPED.join(", ")} in one place of this Bun for ${target.slice(4)}, found ${at < 0 ? "none" : "several"}; ` +
        "see src/cli/build/engine-options.ts",
    );
  encodeMove(CHANGED).copy(image, at);
}
