/**
 * What the disk said in this turn of the event loop; undefined where a process has one call only. The calls that a
 * resident process has read at the same time share it: none of them can know of a change that comes later. It is
 * forgotten whenever stdin was read and whenever the turn ends, so what a call is told was seen after the call came.
 */
let answers: Map<string, unknown> | undefined;
const { setImmediate } = globalThis;
/** A call names any number of files. */
const MAX_ANSWERS = 2_000;

/** From here on the calls of a turn share what the disk says. */
export const shareLooks = (): void => void (answers ??= new Map());

/** What was seen does not count any more. */
export const forgetLooks = (): void => answers?.clear();

/**
 * Asks the disk, or returns what it has said in this turn. Not for what a hook may change and ask again.
 * @param question unique to what `look` finds.
 */
export function lookOnce<T>(question: string, look: () => T): T {
  if (!answers) return look();
  if (answers.has(question)) return answers.get(question) as T;
  if (answers.size === 0) setImmediate(forgetLooks);
  else if (answers.size >= MAX_ANSWERS) answers.clear();
  const found = look();
  answers.set(question, found);
  return found;
}
