import type { Deadline, Handover } from "./deadline.ts";
import { answers, captureErrors, errors } from "./io.ts";
import watcher from "./watcher.js" with { type: "text" };

const OPEN = 0;
const OURS = 1;
const TAKEN = 2;

/**
 * The deadline of a call where the system's timers can't be reached: a thread of its own watches. It takes some milliseconds to start.
 * @param takeover the words that start this very program again and have it read a handover from a descriptor, which follows them.
 */
export function watchedBy(argv: readonly string[], takeover?: readonly string[]): Deadline {
  const claim = new Int32Array(new SharedArrayBuffer(4));
  let thread: Worker | undefined;
  let payload = "";
  const tell = (news: object) => thread?.postMessage(news);
  return {
    arm(ms, { stdout, stderr, exit_code }, text) {
      captureErrors();
      payload = text;
      thread ??= new Worker(URL.createObjectURL(new Blob([watcher])));
      thread.unref();
      tell({
        ms,
        claim,
        answer: { stdout: stdout && `${stdout}\n`, stderr: stderr && `${stderr}\n`, exit_code },
        descriptors: { stdout: answers(), stderr: errors() },
        ...(takeover && { takeover: [...takeover, "0"], env: { ...process.env } }),
      });
      return takeover !== undefined;
    },
    expect: (ms, next) => tell({ ms, handover: { argv, payload, ...next } satisfies Handover }),
    claim() {
      if (!thread || Atomics.compareExchange(claim, 0, OPEN, OURS) === OPEN) return;
      // The thread ends this process when it has written the answer.
      for (;;) Atomics.wait(claim, 0, TAKEN);
    },
  };
}
