import type { BuildTarget } from "../../operate/executable/image.ts";

/**
 * Machine code in the runtime's image, a single `movabs` instruction, that sets two numbers: how many heap blocks an
 * engine thread keeps ready, and how many blocks must be allocated before that thread starts. A command that needs the
 * parser allocates almost 200 blocks, which is enough to start the thread with the shipped numbers. The thread then
 * prepares memory that is never used, which costs 4 to 6% more processor time [measured 2026-11-28, 200 pairs].
 */
const MOVABS_OPCODE = [0x48, 0xb8] as const;
const SHIPPED_NUMBERS = [32, 64] as const;
const PATCHED_NUMBERS = [32, 320] as const;

/**
 * Targets whose image contains the shipped numbers exactly once, and whose patched engine uses the new numbers [run,
 * 1.4.5 for Linux x64]. Images for other targets stay unchanged.
 */
const KNOWN_TARGETS: readonly BuildTarget[] = ["bun-linux-x64", "bun-linux-x64-baseline"];

const encodeMove = (numbers: readonly number[]): Buffer =>
  Buffer.concat([Buffer.of(...MOVABS_OPCODE), Buffer.from(new Int32Array(numbers).buffer)]);

/**
 * Changes engine options in a runtime's image, in place.
 * @throws Error if a known target's image doesn't contain the options in exactly one place.
 */
export function changeEngineOptions(image: Buffer, target: BuildTarget): void {
  if (!KNOWN_TARGETS.includes(target)) return;
  const shippedInstruction = encodeMove(SHIPPED_NUMBERS);
  const at = image.indexOf(shippedInstruction);
  if (at < 0 || image.indexOf(shippedInstruction, at + 1) >= 0)
    throw new Error(
      `expected the heap block numbers ${SHIPPED_NUMBERS.join(", ")} once in this Bun for ${target.slice(4)}, found ${at < 0 ? "none" : "several"}; ` +
        "see src/cli/build/engine-options.ts",
    );
  encodeMove(PATCHED_NUMBERS).copy(image, at);
}
