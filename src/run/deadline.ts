import type { HostAnswer } from "../protocol/host/host.ts";
import { type Alarms, alarms, type Pending } from "./alarm.ts";
import { answers, captureErrors, errors, exitCodeOf, memoryFile, replaceDescriptor } from "./io.ts";

/** The result of a hook: its response and log, or its failure. */
export type Known = { response: object; log: readonly string[] } | { failure: string };

/** The results of a call while its hooks run. */
export interface Progress {
  /** Results by hook name. */
  known: readonly (readonly [string, Known])[];
  /** All hooks are done: if the answer still takes too long, no further process takes over. */
  settled?: true;
  /** Why no hooks can run. */
  problem?: string;
}

/**
 * The state passed to the process that takes over a call because the engine of the previous one was still busy at the
 * deadline.
 */
export interface Handover extends Progress {
  argv: readonly string[];
  /** The payload's text, or a file descriptor with it. */
  payload: string | number;
  /**
   * If the process was replaced in place: descriptors of the host's stdout and stderr, and of the output that hooks
   * have printed.
   */
  inherited?: { stdout: number; stderr: number; printed: number };
  /** The working directory in which the host called, if it still exists. */
  cwd: string | undefined;
  /** When the call has to end, in milliseconds since the epoch. */
  until: number;
}

/** Ends a call in time, whatever the engine is busy with. */
export interface Deadline {
  /**
   * Schedules the end of this process with this answer in `ms` milliseconds, whatever its engine is busy with. Resolves
   * to whether a new process can take over instead and run the remaining hooks.
   */
  arm: (ms: number, answer: HostAnswer, payload: string) => Promise<boolean>;
  /**
   * If a new process can take over, it starts with this progress in `ms` milliseconds, unless the next call comes
   * first.
   */
  expect: (ms: number, progress: Progress) => void;
  /**
   * After the hooks were started: lets a new process take over at once, if one can; in that case it does not return.
   */
  handOver: () => void;
  /** Takes the right to answer. Does not return if the time was already up. */
  claim: () => void;
}

/** A process that takes over late still has this long to answer. */
const LEAST_MS = 100;

/** The current directory; undefined if it was deleted. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();
const line = (text: string) => encoder.encode(text && `${text}\n`);

/**
 * The deadline of a call that has this process to itself.
 * @param takeover the command that starts this program again, without the handover's descriptor; absent where that is
 * not possible.
 * @param until the latest time at which the call has to end, in milliseconds since the epoch.
 */
export function deadlineOf(
  argv: readonly string[],
  takeover?: readonly string[],
  until = Number.POSITIVE_INFINITY,
): Deadline {
  let system: Alarms | undefined;
  let pending: Pending[] = [];
  let handover: { fd: number; constant: Pick<Handover, "argv" | "payload" | "inherited" | "cwd"> } | undefined;
  /** When the call has to end, and when the timer fires, in `performance.now()` time. */
  let end = Number.POSITIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;
  let other: Deadline | undefined;
  let isAsking = false;
  const start = (ms: number) => {
    const now = performance.now();
    due = Math.min(now + ms, end);
    system?.timer.start(Math.max(due - now, 1));
  };
  return {
    async arm(ms, answer, payload) {
      system ??= alarms();
      if (!system) {
        other ??= (await import("./watch.ts")).watchedBy(argv, takeover);
        return other.arm(ms, answer, payload);
      }
      const printed = captureErrors();
      system.timer.stop();
      for (const one of pending) one.drop();
      pending = [
        system.exit(exitCodeOf(answer)),
        system.text(answers(), line(answer.stdout)),
        system.text(errors(), line(answer.stderr)),
      ];
      if (takeover && printed !== undefined) {
        const inherited = { stdout: answers(), stderr: errors(), printed };
        handover ??= {
          fd: memoryFile(""),
          constant: { argv, payload: memoryFile(payload), inherited, cwd: workingFolder() },
        };
        // Registered last, so it runs first: the new process replaces everything below it.
        pending.push(system.program([...takeover, String(handover.fd)]));
      }
      end = performance.now() + Math.min(ms, Math.max(until - Date.now(), LEAST_MS));
      start(ms);
      return handover !== undefined;
    },
    expect(ms, progress) {
      other?.expect(ms, progress);
      if (!handover) return;
      isAsking = progress.problem === undefined;
      const next: Handover = { ...handover.constant, until: Date.now() + end - performance.now(), ...progress };
      replaceDescriptor(handover.fd, memoryFile(JSON.stringify(next)));
      start(ms);
    },
    handOver() {
      other?.handOver();
      if (handover && isAsking) system?.flush();
    },
    claim() {
      other?.claim();
      system?.timer.stop();
      // The time is up: the answer may be written already, or is being written. Flushing again repeats nothing, and
      // ends the process.
      if (performance.now() >= due) system?.flush();
      for (const one of pending) one.drop();
    },
  };
}
