/** Runs a task as soon as a slot is free. */
export type RunInTurn = <T>(task: () => Promise<T>) => Promise<T>;

/** Limits how many tasks run at once in concurrent tests (`test.concurrent`). */
export function limitTasks(most: number): RunInTurn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
