import { type Deadline, type HandoverState, getWorkingFolder } from "./deadline.ts";
import { DEFAULT_PROCESSOR_MS } from "../ask/share-time.ts";
import { getAnswerDescriptor, captureOutput, getMessageDescriptor, getExitCode } from "../process/io.ts";
import watcher from "./watcher.js" with { type: "text" };

const UNCLAIMED = 0;
const CLAIMED_BY_CALL = 1;
const CLAIMED_BY_WATCHER = 2;
/** Maximum time for a new process to answer, in milliseconds. */
const MAX_TAKEOVER_MS = 10_000;

/**
 * Creates a deadline with a worker thread, for systems without usable system timers. The thread takes a few
 * milliseconds to start.
 * @param takeover the command that restarts this program to read a handover. The descriptor is appended to it.
 */
export function createWatchedDeadline(argv: readonly string[], takeover?: readonly string[]): Deadline {
  const claim = new Int32Array(new SharedArrayBuffer(4));
  let thread: Worker | undefined;
  const cwd = getWorkingFolder();
  let payload = "";
  let end = Number.POSITIVE_INFINITY;
  let canRunHooks = false;
  const postMessage = (message: object) => thread?.postMessage(message);
  const startThread = () => {
    thread ??= new Worker(URL.createObjectURL(new Blob([watcher])));
    thread.unref();
  };
  /**
   * Waits for the thread to write the answer and end this process. The wait is limited in case the thread can't end it.
   */
  const waitForEnd = (): never => {
    Atomics.wait(claim, 0, CLAIMED_BY_WATCHER, MAX_TAKEOVER_MS);
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
        busyMs: DEFAULT_PROCESSOR_MS,
        claim,
        answer: { stdout: stdout && `${stdout}\n`, stderr: stderr && `${stderr}\n`, exit_code: getExitCode(answer) },
        descriptors: { stdout: getAnswerDescriptor(), stderr: getMessageDescriptor() },
        ...(takeover && { takeover: [...takeover, "0"], env: { ...process.env } }),
      });
      if (takeover) this.reportProgress({ ms, busyMs: DEFAULT_PROCESSOR_MS }, progress);
      return takeover !== undefined;
    },
    reportProgress({ ms, busyMs }, progress) {
      const remainingMs = end - performance.now();
      const handover: HandoverState = { argv, payload, cwd, until: Date.now() + remainingMs, ...progress };
      canRunHooks = progress.problem === undefined;
      postMessage({ ms: Math.min(ms, remainingMs), busyMs, handover });
    },
    handOver() {
      if (!canRunHooks || !takeover) return;
      postMessage({ ms: 0, busyMs: DEFAULT_PROCESSOR_MS });
      waitForEnd();
    },
    claimAnswer() {
      if (thread && Atomics.compareExchange(claim, 0, UNCLAIMED, CLAIMED_BY_CALL) !== UNCLAIMED) waitForEnd();
    },
    async limitExit(ms, exit_code) {
      startThread();
      postMessage({ ms, exit_code });
    },
  };
}
