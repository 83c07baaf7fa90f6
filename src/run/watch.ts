import { type Deadline, type Handover, workingFolder } from "./deadline.ts";
import { answers, captureErrors, errors, exitCodeOf } from "./io.ts";
import watcher from "./watcher.js" with { type: "text" };

const OPEN = 0;
const OURS = 1;
const TAKEN = 2;
/** For a new process to answer. */
const LONGEST_END_MS = 10_000;

/**
 * The deadline of a call where the system's timers can't be reached: a thread of its own watches. It takes some milliseconds to start.
 * @param takeover the words that start this very program again and have it read a handover from a descriptor, which follows them.
 */
export function watchedBy(argv: readonly string[], takeover?: readonly string[]): Deadline {
  const claim = new Int32Array(new SharedArrayBuffer(4));
  let thread: Worker | undefined;
  const cwd = workingFolder();
  let payload = "";
  let end = Number.POSITIVE_INFINITY;
  let isAsking = false;
  const tell = (news: object) => thread?.postMessage(news);
  /** The thread ends this process when it has written the answer; where it can't, nobody is to wait for ever. */
  const waitForEnd = (): never => {
    Atomics.wait(claim, 0, TAKEN, LONGEST_END_MS);
    return process.kill(process.pid, "SIGKILL") as never;
  };
  return {
    async arm(ms, answer, text) {
      captureErrors();
      payload = text;
      end = performance.now() + ms;
      thread ??= new Worker(URL.createObjectURL(new Blob([watcher])));
      thread.unref();
      const { stdout, stderr } = answer;
      tell({
        ms,
        claim,
        answer: { stdout: stdout && `${stdout}\n`, stderr: stderr && `${stderr}\n`, exit_code: exitCodeOf(answer) },
        descriptors: { stdout: answers(), stderr: errors() },
        ...(takeover && { takeover: [...takeover, "0"], env: { ...process.env } }),
      });
      return takeover !== undefined;
    },
    expect(ms, progress) {
      const left = end - performance.now();
      const handover: Handover = { argv, payload, cwd, until: Date.now() + left, ...progress };
      isAsking = progress.problem === undefined;
      tell({ ms: Math.min(ms, left), handover });
    },
    handOver() {
      if (!isAsking || !takeover) return;
      tell({ ms: 0 });
      waitForEnd();
    },
    claim() {
      if (thread && Atomics.compareExchange(claim, 0, OPEN, OURS) !== OPEN) waitForEnd();
    },
  };
}
