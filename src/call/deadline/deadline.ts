import type { HostAnswer } from "../../protocol/host/host.ts";
import { type FlushActions, openFlushActions, type PendingAction } from "./alarm.ts";
import { BUSY_MS } from "../ask/share-time.ts";
import {
  getAnswerDescriptor,
  captureOutput,
  getMessageDescriptor,
  getExitCode,
  createMemoryFile,
  type InheritedDescriptors,
  replaceDescriptor,
  reserveRecordDescriptor,
} from "../process/io.ts";

/** The result of a hook: its response and log, or its failure. */
export type KnownResult = { response: object; log: readonly string[] } | { failure: string };

/** The results of a call while its hooks run. */
export interface CallProgress {
  /** Results by hook name. */
  known: readonly (readonly [string, KnownResult])[];
  /** All hooks are done: if the answer still takes too long, no further process takes over. */
  settled?: true;
  /** Why no hooks can run. */
  problem?: string;
  /** The hook that is running. */
  asked?: AskedHook;
}

/** How long the engine may be busy until another process takes over, in milliseconds. */
export interface BusyLimits {
  /** On the clock. */
  ms: number;
  /** In time of the processor: on a busy machine, a process has to wait for that. */
  busyMs: number;
}

/** A hook that is running. */
export interface AskedHook extends BusyLimits {
  name: string;
  /** Since when, in milliseconds since the epoch. */
  at: number;
  /** How long an earlier process has asked it, in milliseconds. */
  before?: number | undefined;
  /** No other hook can be what keeps the engine busy. */
  isBlamed: boolean;
}

/**
 * The state passed to the process that takes over a call because the engine of the previous one was still busy at the
 * deadline.
 */
export interface Handover extends CallProgress {
  argv: readonly string[];
  /** The payload's text, or a file descriptor with it. */
  payload: string | number;
  /**
   * If the process was replaced in place: its descriptors.
   */
  inherited?: InheritedDescriptors;
  /** The working directory in which the host called, if it still exists. */
  cwd: string | undefined;
  /** When the call has to end, in milliseconds since the epoch. */
  until: number;
}

/** What stays the same while the hooks run. */
type HandoverConstant = Pick<Handover, "argv" | "payload" | "inherited" | "cwd">;

/** The answer of a call whose time is up. */
export interface LastAnswer extends HostAnswer {
  /** A line of a file, appended behind the answer where system timers are available. */
  record?: { line: string; openFile: () => number | undefined } | undefined;
}

/** Ends a call in time, whatever the engine is busy with. */
export interface Deadline {
  /**
   * Schedules the end of this process with this answer in `ms` milliseconds, whatever its engine is busy with. Resolves
   * to whether a new process can take over instead and run the remaining hooks.
   * @param progress what that process goes on from, until more is reported.
   */
  arm: (ms: number, answer: LastAnswer, payload: string, progress: CallProgress) => Promise<boolean>;
  /**
   * If a new process can take over, it starts with this progress at either limit, unless the next call comes first.
   */
  reportProgress: (limits: BusyLimits, progress: CallProgress) => void;
  /**
   * After the hooks were started: lets a new process take over at once, if one can; in that case it does not return.
   */
  handOver: () => void;
  /** Takes the right to answer. Does not return if the time was already up. */
  claimAnswer: () => void;
  /**
   * After the answer was written: ends this process in `ms` milliseconds, whatever it is busy with. Another call starts
   * the time anew.
   */
  limitExit: (ms: number, exit_code: number) => Promise<void>;
}

/** The answer at the deadline, and the deadline that gives it. */
export interface ArmedDeadline {
  last: HostAnswer;
  /** Set if another process can take over. */
  deadline?: Deadline;
}

/** A process that takes over late still has this long to answer. */
const MIN_ANSWER_MS = 100;

/** The current directory; undefined if it was deleted. */
export function getWorkingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

const { cpuUsage } = process;

/** Time of the processor that this process has used, in milliseconds. Hooks can't change it. */
function getProcessorTime(): number {
  const { user, system } = cpuUsage.call(process);
  return (user + system) / 1000;
}

const encoder = new TextEncoder();
const encodeLine = (text: string) => encoder.encode(text && `${text}\n`);

/**
 * The deadline of a call that has this process to itself: by system timers, or else by a watcher thread.
 * @param takeover the command that starts this program again, without the handover's descriptor; absent where that is
 * not possible.
 * @param until the latest time at which the call has to end, in milliseconds since the epoch.
 */
export function createDeadline(
  argv: readonly string[],
  takeover?: readonly string[],
  until = Number.POSITIVE_INFINITY,
): Deadline {
  let opened: Deadline | undefined;
  const open = async (): Promise<Deadline> => {
    const system = openFlushActions();
    return system
      ? createTimerDeadline(system, until, takeover && createHandoverFile(argv, takeover))
      : (await import("./watch.ts")).createWatchedDeadline(argv, takeover);
  };
  return {
    arm: async (...given) => (opened ??= await open()).arm(...given),
    reportProgress: (limits, progress) => opened?.reportProgress(limits, progress),
    handOver: () => opened?.handOver(),
    claimAnswer: () => opened?.claimAnswer(),
    limitExit: async (ms, exit_code) => (opened ??= await open()).limitExit(ms, exit_code),
  };
}

/** The file in memory from which a new process goes on. */
interface HandoverFile {
  /** Whether there is one. */
  exists: () => boolean;
  /** Creates it. `printed` is the descriptor of what hooks have printed, `record` that of the log. */
  create: (payload: string, printed: number, record: number | undefined) => void;
  /** @param end when the call has to end, in `performance.now()` time. */
  write: (progress: CallProgress, end: number) => void;
  /** Whether the new process would ask hooks. */
  isAsking: () => boolean;
  /** The command that starts the new process. */
  getCommand: () => readonly string[];
}

function createHandoverFile(argv: readonly string[], takeover: readonly string[]): HandoverFile {
  let constant: HandoverConstant | undefined;
  let fd: number | undefined;
  let isAsking = false;
  return {
    exists: () => constant !== undefined,
    create(payload, printed, record) {
      const inherited = { stdout: getAnswerDescriptor(), stderr: getMessageDescriptor(), printed };
      constant ??= { argv, payload: createMemoryFile(payload), inherited, cwd: getWorkingFolder() };
      if (record !== undefined) constant = { ...constant, inherited: { ...inherited, record } };
    },
    write(progress, end) {
      if (!constant) return;
      isAsking = progress.problem === undefined;
      const next: Handover = { ...constant, until: Date.now() + end - performance.now(), ...progress };
      const written = createMemoryFile(JSON.stringify(next));
      if (fd === undefined) fd = written;
      else replaceDescriptor(fd, written);
    },
    isAsking: () => isAsking,
    getCommand: () => [...takeover, String(fd)],
  };
}

/** The timers for both limits; the call's end is one on the clock. */
function createTimers({ timer, processorTimer }: FlushActions) {
  /** When the timers fire, in `performance.now()` time and in time of the processor. */
  let due = Number.POSITIVE_INFINITY;
  let busyDue = Number.POSITIVE_INFINITY;
  return {
    start({ ms, busyMs }: BusyLimits, end: number): void {
      const now = performance.now();
      due = Math.min(now + ms, end);
      timer.start(Math.max(due - now, 1));
      busyDue = getProcessorTime() + busyMs;
      processorTimer.start(busyMs);
    },
    stop(): void {
      timer.stop();
      processorTimer.stop();
    },
    areDue: (): boolean => performance.now() >= due || getProcessorTime() >= busyDue,
  };
}

/** A descriptor for the record of an answer, which leads to a file once that is open. */
function reserveRecord({ record }: LastAnswer): { fd: number; line: string; open: () => void } | undefined {
  if (!record) return undefined;
  try {
    const fd = reserveRecordDescriptor();
    return {
      fd,
      line: record.line,
      open() {
        const file = record.openFile();
        if (file !== undefined) replaceDescriptor(fd, file);
      },
    };
  } catch {
    // No descriptor is left: the answer is more important.
    return undefined;
  }
}

/** @param handover absent where no new process can take over. */
function createTimerDeadline(system: FlushActions, until: number, handover: HandoverFile | undefined): Deadline {
  let pending: PendingAction[] = [];
  const timers = createTimers(system);
  /** When the call has to end, in `performance.now()` time. */
  let end = Number.POSITIVE_INFINITY;
  return {
    async arm(ms, answer, payload, progress) {
      const printed = captureOutput();
      if (pending.length > 0) timers.stop();
      for (const one of pending) one.drop();
      end = performance.now() + Math.min(ms, Math.max(until - Date.now(), MIN_ANSWER_MS));
      const record = reserveRecord(answer);
      pending = [
        system.exitProcess(getExitCode(answer)),
        ...(record ? [system.writeText(record.fd, encodeLine(record.line))] : []),
        system.writeText(getAnswerDescriptor(), encodeLine(answer.stdout)),
        system.writeText(getMessageDescriptor(), encodeLine(answer.stderr)),
      ];
      if (handover && printed !== undefined) {
        handover.create(payload, printed, record?.fd);
        handover.write(progress, end);
        // Registered last, so it runs first: the new process replaces everything below it.
        pending.push(system.replaceProcess(handover.getCommand()));
      }
      timers.start({ ms, busyMs: BUSY_MS }, end);
      // Not before: a disk may hang.
      record?.open();
      return handover?.exists() === true;
    },
    reportProgress(limits, progress) {
      if (!handover?.exists()) return;
      handover.write(progress, end);
      timers.start(limits, end);
    },
    handOver() {
      if (handover?.exists() && handover.isAsking()) system.flush();
    },
    claimAnswer() {
      timers.stop();
      // The time is up: the answer may be written already, or is being written. Flushing again repeats nothing, and
      // ends the process.
      if (timers.areDue()) system.flush();
      for (const one of pending) one.drop();
      pending = [];
    },
    async limitExit(ms, exit_code) {
      if (pending.length === 0) pending = [system.exitProcess(exit_code)];
      system.timer.start(ms);
    },
  };
}
