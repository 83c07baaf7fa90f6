import type { HostAnswer } from "../protocol/host/host.ts";
import { type Alarms, alarms, type Pending } from "./alarm.ts";
import { answers, captureErrors, errors, exitCodeOf, memoryFile, replaceDescriptor } from "./io.ts";

/** What is known of a hook: what it answered and logged, or how it failed. */
export type Known = { response: object; log: readonly string[] } | { failure: string };

/** What is known of a call while its hooks run. */
export interface Progress {
  /** By the hooks' names. */
  known: readonly (readonly [string, Known])[];
  /** All hooks of the call are known: if that was not enough, no further process takes over. */
  settled?: true;
  /** Why no hook can be asked. */
  problem?: string;
}

/** What a process has to know that takes over a call, since the engine of the one before was still busy when the time was up. */
export interface Handover extends Progress {
  argv: readonly string[];
  /** The payload's text, or a descriptor that has it. */
  payload: string | number;
  /** Where the process took the place of another: descriptors of the host's stdout and stderr, and of what hooks have printed. */
  inherited?: { stdout: number; stderr: number; printed: number };
  /** The folder that the host has called in, if it is still there. */
  cwd: string | undefined;
  /** When the call has to end, in milliseconds since the epoch. */
  until: number;
}

/** What happens when the time is up. */
export interface Deadline {
  /**
   * Ends this process `ms` milliseconds from now with this answer, whatever its engine is busy with. Resolves to whether a new process
   * can take over instead, which asks the hooks that are left.
   */
  arm: (ms: number, answer: HostAnswer, payload: string) => Promise<boolean>;
  /** Where a new process can take over: it does so with this, unless more is known within `ms` milliseconds. */
  expect: (ms: number, progress: Progress) => void;
  /** Once hooks are asked: has a new process take over at once, if one can; it does not return then. */
  handOver: () => void;
  /** Makes the answer ours to give. It does not return where the time was up before. */
  claim: () => void;
}

/** A process that has taken over late still has so much time for an answer. */
const LEAST_MS = 100;

/** Nothing where it has been deleted. */
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
 * @param takeover the words that start this very program again, up to the handover's descriptor; absent where that can't be done.
 * @param until when the call has to end at the latest, in milliseconds since the epoch.
 */
export function deadlineOf(
  argv: readonly string[],
  takeover?: readonly string[],
  until = Number.POSITIVE_INFINITY,
): Deadline {
  let system: Alarms | undefined;
  let pending: Pending[] = [];
  let handover: { fd: number; constant: Pick<Handover, "argv" | "payload" | "inherited" | "cwd"> } | undefined;
  /** When the call has to end, and when the timer is due, as the engine counts. */
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
        // What it starts takes the place of all else.
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
      // The time was up: it may be written already, or just now. A flush does nothing twice, and ends the process.
      if (performance.now() >= due) system?.flush();
      for (const one of pending) one.drop();
    },
  };
}
