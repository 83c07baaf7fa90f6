import { expect } from "bun:test";
import { measureRawCpuTime } from "../support/machine.ts";

const SMALL = 6_000;
const LARGE = 10 * SMALL;
/** Allowed factor for ten times the input: ten times the time, plus noise of a busy machine. */
const FACTOR = 25;
/** Below `QUICK_MS`, growth is noise; above `SLOW_MS`, an answer is too slow in any case. */
const QUICK_MS = 100;
const SLOW_MS = 1_000;
const ATTEMPTS = 4;

/** Work on an input of a given number of characters. */
export type MeasuredWork = (size: number) => unknown;

/**
 * Reports the processor time of a work that grows faster than its input. It is measured several times before it is
 * reported: the engine compiles and collects garbage in other threads, whose time is counted too.
 */
export async function findSuperlinearGrowth(work: MeasuredWork): Promise<string | undefined> {
  let found = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const large = await measureRawCpuTime(() => work(LARGE));
    if (large < QUICK_MS) return undefined;
    const small = await measureRawCpuTime(() => work(SMALL));
    if (large < SLOW_MS && large < FACTOR * small) return undefined;
    found = `${large.toFixed(0)} ms for ${LARGE} characters, ${small.toFixed(0)} ms for ${SMALL}`;
    if (large > 3 * SLOW_MS) break;
  }
  return found;
}

/** A piece repeated to a text of a given length. */
export const repeatToSize = (piece: string, size: number): string =>
  piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/** The same with pieces that differ by their number. */
export function repeatNumberedToSize(piece: (at: number) => string, size: number): string {
  let text = "";
  for (let at = 1; text.length < size; at++) text += piece(at);
  return text;
}

/** Expects that a work's time grows no faster than its input. */
export const expectLinear = async (work: MeasuredWork): Promise<void> =>
  expect(await findSuperlinearGrowth(work)).toBeUndefined();
