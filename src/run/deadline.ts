import type { Answer } from "../core/host.ts";
import { type Alarms, alarms, type Pending, type Timer } from "./alarm.ts";
import { answers, captureErrors, errors, memoryFile, replaceDescriptor } from "./io.ts";

/** What is known of hooks, by name: what one answered, or how it failed. */
export type Known = Readonly<Record<string, { response: object } | { failure: string }>>;

/** What a process has to know that takes over a call, since the engine of the one before was still busy when the time was up. */
export interface Handover {
  argv: readonly string[];
  /** The payload's text, or a descriptor that has it. */
  payload: string | number;
  /** Where the process took the place of another: descriptors of the host's stdout and stderr, and of what hooks have printed. */
  inherited?: { stdout: number; stderr: number; printed: number };
  /** Milliseconds left for the hooks that nobody has asked yet. */
  left_ms: number;
  known: Known;
  /** All hooks of the call are known: if that was not enough, no third process takes over. */
  settled?: true;
  /** Why no hook can be asked at all. */
  problem?: string;
}

/** What is sent when the time is up. */
export interface Deadline {
  /**
   * Ends this process `ms` milliseconds from now with this answer, whatever its engine is busy with. Whether a new process can take
   * over: else, what keeps the engine busy also keeps it from what it still has to do.
   */
  arm: (ms: number, answer: Answer, payload: string) => boolean | Promise<boolean>;
  /** Within `ms` milliseconds from now there will be more to know; otherwise, a new process takes over with this. */
  expect: (ms: number, next: Pick<Handover, "left_ms" | "known" | "settled" | "problem">) => void;
  /** Makes the answer ours to give; it does not return where the time was up before. */
  claim: () => void;
}

const encoder = new TextEncoder();
const line = (text: string) => encoder.encode(text && `${text}\n`);

/**
 * The deadline of a call that has this process to itself.
 * @param takeover the words that start this very program again, up to the handover's descriptor; absent where that can't be done.
 */
export function deadlineOf(argv: readonly string[], takeover?: readonly string[]): Deadline {
  let system: Alarms | undefined;
  let pending: Pending[] = [];
  let timer: Timer | undefined;
  let due = Number.POSITIVE_INFINITY;
  let handover: { payload: number; printed: number; fd: number } | undefined;
  let other: Deadline | undefined;
  const start = (ms: number) => {
    due = performance.now() + ms;
    timer?.start(ms);
  };
  return {
    async arm(ms, answer, payload) {
      const { stdout, stderr, exit_code } = answer;
      system ??= alarms();
      if (!system) {
        other ??= (await import("./watch.ts")).watchedBy(argv, takeover);
        return other.arm(ms, answer, payload);
      }
      const printed = captureErrors();
      timer?.stop();
      for (const one of pending) one.drop();
      pending = [system.exit(exit_code), system.text(answers(), line(stdout)), system.text(errors(), line(stderr))];
      if (takeover && printed !== undefined) {
        handover ??= { printed, payload: memoryFile(payload), fd: memoryFile("") };
        // What it starts takes the place of all else.
        pending.push(system.program([...takeover, String(handover.fd)]));
      }
      timer ??= system.timer();
      start(ms);
      return handover !== undefined;
    },
    expect(ms, next) {
      other?.expect(ms, next);
      if (!handover) return;
      const { payload, printed, fd } = handover;
      const inherited = { stdout: answers(), stderr: errors(), printed };
      replaceDescriptor(fd, memoryFile(JSON.stringify({ argv, payload, inherited, ...next } satisfies Handover)));
      start(ms);
    },
    claim() {
      other?.claim();
      timer?.stop();
      // The time was up: it may be written already, or just now. A flush does nothing twice, and ends the process.
      if (performance.now() >= due) system?.flush();
      for (const one of pending) one.drop();
    },
  };
}
