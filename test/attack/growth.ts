import { expect } from "bun:test";

const SMALL = 6_000;
const LARGE = 10 * SMALL;
/** What ten times the input may take: ten times the time, and what a busy machine adds. */
const FACTOR = 25;
/** Milliseconds below which growth is noise, and above which an answer is too slow whatever its growth. */
const QUICK_MS = 100;
const SLOW_MS = 1_000;
const ATTEMPTS = 4;

/** Something that is done with an input of so many characters. */
export type MeasuredWork = (size: number) => unknown;

/** Milliseconds of this process's own work: a machine that is busy otherwise does not matter. */
async function measureCpuTime(work: MeasuredWork, size: number): Promise<number> {
  const before = process.cpuUsage();
  await work(size);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** How long a work took, where that is more than linear growth explains; measured again before anything is said against it. */
export async function findSuperlinearGrowth(work: MeasuredWork): Promise<string | undefined> {
  let found = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const large = await measureCpuTime(work, LARGE);
    if (large < QUICK_MS) return undefined;
    const small = await measureCpuTime(work, SMALL);
    if (large < SLOW_MS && large < FACTOR * small) return undefined;
    found = `${large.toFixed(0)} ms for ${LARGE} characters, ${small.toFixed(0)} ms for ${SMALL}`;
    if (large > 3 * SLOW_MS) break;
  }
  return found;
}

/** A text of so many characters that repeats a piece. */
export const repeatToSize = (piece: string, size: number): string =>
  piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/** The same of pieces that differ by their number. */
export function repeatNumberedToSize(piece: (at: number) => string, size: number): string {
  let text = "";
  for (let at = 1; text.length < size; at++) text += piece(at);
  return text;
}

/** Expects that a work's time grows no faster than its input. */
export const expectLinear = async (work: MeasuredWork): Promise<void> =>
  expect(await findSuperlinearGrowth(work)).toBeUndefined();
