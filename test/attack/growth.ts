import { expect } from "bun:test";
import { measureRawCpuTime } from "../support/machine.ts";

const SMALL = 6_000;
const LARGE = 10 * SMALL;
/** Maximum slowdown for an input ten times as long: a factor of ten, plus a margin for a busy machine. */
const FACTOR = 25;
/** Below `QUICK_MS`, growth is just noise. Above `SLOW_MS`, a run is too slow regardless of growth. */
const QUICK_MS = 100;
const SLOW_MS = 1_000;
const ATTEMPTS = 4;

/** Processes an input of the given number of characters. */
export type MeasuredWork = (size: number) => unknown;

/**
 * Describes how CPU time grows if it grows faster than the input; undefined if growth is at most linear. Slow functions
 * are measured several times, because CPU time includes the engine's compiler and garbage collector threads.
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

/** Repeats a string until it reaches a given length. */
export const repeatToSize = (piece: string, size: number): string =>
  piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/** Concatenates numbered strings until they reach a given length. */
export function repeatNumberedToSize(piece: (at: number) => string, size: number): string {
  let text = "";
  for (let at = 1; text.length < size; at++) text += piece(at);
  return text;
}

/** Expects a function's time to grow no faster than its input. */
export const expectLinear = async (work: MeasuredWork): Promise<void> =>
  expect(await findSuperlinearGrowth(work)).toBeUndefined();
