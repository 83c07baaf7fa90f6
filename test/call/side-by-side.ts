/** Runs a task when its turn comes. */
export type RunInTurn = <T>(task: () => Promise<T>) => Promise<T>;

/** For tests that run side by side (`test.concurrent`): at most this many of their tasks run at once. */
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
