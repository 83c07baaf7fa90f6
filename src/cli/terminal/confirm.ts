/** Asks the user; anything but yes counts as no. */
export const confirmWithUser = (question: string): boolean =>
  /^\s*y(es)?\s*$/i.test(prompt(`\n${question} [y/N]`) ?? "");

/** Whether a person is there to answer a question. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;
