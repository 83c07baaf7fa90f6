import { type Deadline, type Handover, workingFolder } from "./deadline.ts";
import { answers, captureErrors, errors, exitCodeOf } from "./io.ts";
import watcher from "./watcher.js" with { type: "text" };

const OPEN = 0;
const OURS = 1;
const TAKEN = 2;
/** Time for a new process to answer. */
const LONGEST_END_MS = 10_000;

/**
 * The deadline of a call where system timers are not available: a worker thread watches. Starting it takes a few
 * milliseconds.
 * @param takeover the command that starts this program again to read a handover; the descriptor is appended.
 */
export function watchedBy(argv: readonly string[], takeover?: readonly string[]): Deadline {
  const claim = new Int32Array(new SharedArrayBuffer(4));
  let thread: Worker | undefined;
  const cwd = workingFolder();
  let payload = "";
  let end = Number.POSITIVE_INFINITY;
  let isAsking = false;
  const tell = (news: object) => thread?.postMessage(news);
  /** The thread ends this process once the answer is written; if it can't, don't wait forever. */
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
