/**
 * What the disk said in this turn of the event loop; undefined where a process has one call only. The calls that a
 * resident process has read at the same time share it: none of them can know of a change that comes later. It is
 * forgotten whenever stdin was read and whenever the turn ends, so what a call is told was seen after the call came.
 */
let answers: Map<string, unknown> | undefined;
const { setImmediate } = globalThis;
/** A call names any number of files. */
const MAX_ANSWERS = 2_000;
/** How many hooks run that may change what they ask about. */
let writers = 0;

/** From here on the calls of a turn share what the disk says. */
export const shareLooks = (): void => void (answers ??= new Map());

/** What was seen does not count any more. */
export const forgetLooks = (): void => answers?.clear();

/** Runs a hook that may change files, and may ask about them again: until it is done, each question goes to the disk. */
export async function withoutSharedLooks<T>(run: () => Promise<T>): Promise<T> {
  writers++;
  try {
    return await run();
  } finally {
    writers--;
    forgetLooks();
  }
}

/**
 * Asks the disk, or returns what it has said in this turn.
 * @param question unique to what `look` finds.
 */
export function lookOnce<T>(question: string, look: () => T): T {
  if (!answers || writers > 0) return look();
  if (answers.has(question)) return answers.get(question) as T;
  if (answers.size === 0) setImmediate(forgetLooks);
  else if (answers.size >= MAX_ANSWERS) answers.clear();
  const found = look();
  answers.set(question, found);
  return found;
}
