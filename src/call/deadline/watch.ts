import { type Deadline, type Handover, getWorkingFolder } from "./deadline.ts";
import { BUSY_MS } from "../ask/share-time.ts";
import { getAnswerDescriptor, captureOutput, getMessageDescriptor, getExitCode } from "../process/io.ts";
import watcher from "./watcher.js" with { type: "text" };

const OPEN = 0;
const OURS = 1;
const TAKEN = 2;
/** Time for a new process to answer. */
const MAX_TAKEOVER_MS = 10_000;

/**
 * The deadline of a call where system timers are not available: a worker thread watches. Starting it takes a few
 * milliseconds.
 * @param takeover the command that starts this program again to read a handover; the descriptor is appended.
 */
export function createWatchedDeadline(argv: readonly string[], takeover?: readonly string[]): Deadline {
  const claim = new Int32Array(new SharedArrayBuffer(4));
  let thread: Worker | undefined;
  const cwd = getWorkingFolder();
  let payload = "";
  let end = Number.POSITIVE_INFINITY;
  let isAsking = false;
  const postMessage = (news: object) => thread?.postMessage(news);
  const startThread = () => {
    thread ??= new Worker(URL.createObjectURL(new Blob([watcher])));
    thread.unref();
  };
  /** The thread ends this process once the answer is written; if it can't, don't wait forever. */
  const waitForEnd = (): never => {
    Atomics.wait(claim, 0, TAKEN, MAX_TAKEOVER_MS);
    return process.kill(process.pid, "SIGKILL") as never;
  };
  return {
    async arm(ms, answer, text, progress) {
      captureOutput();
      payload = text;
      end = performance.now() + ms;
      startThread();
      const { stdout, stderr } = answer;
      postMessage({
        ms,
        busyMs: BUSY_MS,
        claim,
        answer: { stdout: stdout && `${stdout}\n`, stderr: stderr && `${stderr}\n`, exit_code: getExitCode(answer) },
        descriptors: { stdout: getAnswerDescriptor(), stderr: getMessageDescriptor() },
        ...(takeover && { takeover: [...takeover, "0"], env: { ...process.env } }),
      });
      if (takeover) this.reportProgress({ ms, busyMs: BUSY_MS }, progress);
      return takeover !== undefined;
    },
    reportProgress({ ms, busyMs }, progress) {
      const left = end - performance.now();
      const handover: Handover = { argv, payload, cwd, until: Date.now() + left, ...progress };
      isAsking = progress.problem === undefined;
      postMessage({ ms: Math.min(ms, left), busyMs, handover });
    },
    handOver() {
      if (!isAsking || !takeover) return;
      postMessage({ ms: 0, busyMs: BUSY_MS });
      waitForEnd();
    },
    claimAnswer() {
      if (thread && Atomics.compareExchange(claim, 0, OPEN, OURS) !== OPEN) waitForEnd();
    },
    async limitExit(ms, exit_code) {
      startThread();
      postMessage({ ms, exit_code });
    },
  };
}
