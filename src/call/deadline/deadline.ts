import type { HostAnswer } from "../../protocol/host/host.ts";
import { type FlushActions, openFlushActions, type PendingAction } from "./system-timer.ts";
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

/** A hook's result: its response and log, or its failure. */
export type KnownResult = { response: object; log: readonly string[] } | { failure: string };

/** A call's results while its hooks run. */
export interface CallProgress {
  /** The hooks' results, keyed by hook name. */
  known: readonly (readonly [string, KnownResult])[];
  /** Set when all hooks are done. After that, no other process takes over, even if the answer takes too long. */
  settled?: true;
  /** The reason no hooks can run. */
  problem?: string;
  /** The running hook. */
  runningHook?: RunningHook;
}

/** How long the engine may be busy before another process takes over, in milliseconds. */
export interface BusyLimits {
  /** Limit of the elapsed time, in milliseconds. */
  ms: number;
  /** Limit of the processor time, in milliseconds. On a busy machine, a process has to wait for processor time. */
  busyMs: number;
}

export interface RunningHook extends BusyLimits {
  name: string;
  /** Start of the hook, as Unix time in milliseconds. */
  at: number;
  /** How long the hook ran in earlier processes, in milliseconds. */
  earlierMs?: number | undefined;
  /** Whether only this hook can be blocking the engine. */
  isBlamed: boolean;
}

/** State for the process that takes over a call. A call is taken over if the engine is still busy at the deadline. */
export interface Handover extends CallProgress {
  argv: readonly string[];
  /** The payload's text, or a descriptor of a file that contains it. */
  payload: string | number;
  /** File descriptors of the process that was replaced in place. */
  inherited?: InheritedDescriptors;
  /** The host's working directory for the call, if it still exists. */
  cwd: string | undefined;
  /** Latest end of the call, as Unix time in milliseconds. */
  until: number;
}

/** The part of the state that stays the same while the hooks run. */
type HandoverConstant = Pick<Handover, "argv" | "payload" | "inherited" | "cwd">;

/** The answer to send at the deadline. */
export interface LastAnswer extends HostAnswer {
  /** A line to append to a file after the answer, if system timers are available. */
  record?: { line: string; openFile: () => number | undefined } | undefined;
}

/** Ends a call in time, even if the engine is busy. */
export interface Deadline {
  /**
   * Schedules this process to write this answer and end in `ms` milliseconds, even if the engine is busy. Resolves to
   * whether a new process can take over and run the remaining hooks.
   * @param progress initial state for that process, until more progress is reported.
   */
  arm: (ms: number, answer: LastAnswer, payload: string, progress: CallProgress) => Promise<boolean>;
  /**
   * Reports progress and sets the limits until the next report. If a limit is reached and a new process can take over,
   * that process starts from this state.
   */
  reportProgress: (limits: BusyLimits, progress: CallProgress) => void;
  /**
   * Lets a new process take over at once if possible. In that case, this function doesn't return. Call this function
   * only after the hooks have started.
   */
  handOver: () => void;
  /** Claims the right to answer. Doesn't return if the deadline has already passed. */
  claimAnswer: () => void;
  /**
   * Ends this process in `ms` milliseconds, even if the engine is busy. Calling this function again restarts the timer.
   * Call this function only after the answer has been written.
   */
  limitExit: (ms: number, exit_code: number) => Promise<void>;
}

/** The answer to send at the deadline, and the deadline that writes the answer. */
export interface ArmedDeadline {
  last: HostAnswer;
  /** The deadline; set if another process can take over. */
  deadline?: Deadline;
}

/** Minimum time, in milliseconds, that a process gets for its answer even if the process takes over late. */
const MIN_ANSWER_MS = 100;

/** Returns the current directory, or undefined if it was deleted. */
export function getWorkingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

const { cpuUsage } = process;

/** Returns this process's processor time so far, in milliseconds. Hooks can't change the result. */
function getProcessorTime(): number {
  const { user, system } = cpuUsage.call(process);
  return (user + system) / 1000;
}

const encoder = new TextEncoder();
const encodeLine = (text: string) => encoder.encode(text && `${text}\n`);

/**
 * Creates the deadline for a call that has its own process. Uses system timers, or a watcher thread on systems without
 * usable timers.
 * @param takeover the command that restarts this program, without the handover's descriptor; absent if no takeover is
 * possible.
 * @param until the latest end of the call, as Unix time in milliseconds.
 */
export function createDeadline(
  argv: readonly string[],
  takeover?: readonly string[],
  until = Number.POSITIVE_INFINITY,
): Deadline {
  let openedDeadline: Deadline | undefined;
  const openDeadline = async (): Promise<Deadline> => {
    const system = openFlushActions();
    return system
      ? createTimerDeadline(system, until, takeover && createHandoverFile(argv, takeover))
      : (await import("./watcher-deadline.ts")).createWatchedDeadline(argv, takeover);
  };
  return {
    arm: async (...armArguments) => (openedDeadline ??= await openDeadline()).arm(...armArguments),
    reportProgress: (limits, progress) => openedDeadline?.reportProgress(limits, progress),
    handOver: () => openedDeadline?.handOver(),
    claimAnswer: () => openedDeadline?.claimAnswer(),
    limitExit: async (ms, exit_code) => (openedDeadline ??= await openDeadline()).limitExit(ms, exit_code),
  };
}

/** The in-memory file that a new process continues from. */
interface HandoverFile {
  /** Returns whether the file was created. */
  exists: () => boolean;
  /** Creates the file. `printed` is the descriptor of the hooks' output; `record` is the log's descriptor. */
  create: (payload: string, printed: number, record: number | undefined) => void;
  /**
   * Writes the call's state to the file.
   * @param end the latest end of the call, in `performance.now()` time.
   */
  write: (progress: CallProgress, end: number) => void;
  /** Returns whether the new process would run hooks. */
  canRunHooks: () => boolean;
  /** Returns the command that starts the new process. */
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
      const handover: Handover = { ...constant, until: Date.now() + end - performance.now(), ...progress };
      const stateFile = createMemoryFile(JSON.stringify(handover));
      if (fd === undefined) fd = stateFile;
      else replaceDescriptor(fd, stateFile);
    },
    canRunHooks: () => isAsking,
    getCommand: () => [...takeover, String(fd)],
  };
}

/** Creates the timers for both limits. The timer for elapsed time never fires after the end of the call. */
function createTimers({ timer, processorTimer }: FlushActions) {
  /** Firing times of the timers, in `performance.now()` time and in processor time. */
  let dueTime = Number.POSITIVE_INFINITY;
  let busyDue = Number.POSITIVE_INFINITY;
  return {
    start({ ms, busyMs }: BusyLimits, end: number): void {
      const now = performance.now();
      dueTime = Math.min(now + ms, end);
      timer.start(Math.max(dueTime - now, 1));
      busyDue = getProcessorTime() + busyMs;
      processorTimer.start(busyMs);
    },
    stop(): void {
      timer.stop();
      processorTimer.stop();
    },
    areDue: (): boolean => performance.now() >= dueTime || getProcessorTime() >= busyDue,
  };
}

/** Reserves a descriptor for the answer's log record. Once the log is open, the descriptor refers to the log file. */
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
    // No descriptor is free. Continue without the log record, because the answer is more important.
    return undefined;
  }
}

/**
 * Creates a deadline with system timers.
 * @param handover absent if no new process can take over.
 */
function createTimerDeadline(system: FlushActions, until: number, handover: HandoverFile | undefined): Deadline {
  let pendingActions: PendingAction[] = [];
  const timers = createTimers(system);
  /** Latest end of the call, in `performance.now()` time. */
  let end = Number.POSITIVE_INFINITY;
  return {
    async arm(ms, answer, payload, progress) {
      const outputDescriptor = captureOutput();
      if (pendingActions.length > 0) timers.stop();
      for (const action of pendingActions) action.drop();
      end = performance.now() + Math.min(ms, Math.max(until - Date.now(), MIN_ANSWER_MS));
      const record = reserveRecord(answer);
      pendingActions = [
        system.exitProcess(getExitCode(answer)),
        ...(record ? [system.writeText(record.fd, encodeLine(record.line))] : []),
        system.writeText(getAnswerDescriptor(), encodeLine(answer.stdout)),
        system.writeText(getMessageDescriptor(), encodeLine(answer.stderr)),
      ];
      if (handover && outputDescriptor !== undefined) {
        handover.create(payload, outputDescriptor, record?.fd);
        handover.write(progress, end);
        // The last registered action runs first. Once this action has started the new process, no other action runs.
        pendingActions.push(system.replaceProcess(handover.getCommand()));
      }
      timers.start({ ms, busyMs: BUSY_MS }, end);
      // Open the file only now that the timers run, because the disk may hang.
      record?.open();
      return handover?.exists() === true;
    },
    reportProgress(limits, progress) {
      if (!handover?.exists()) return;
      handover.write(progress, end);
      timers.start(limits, end);
    },
    handOver() {
      if (handover?.exists() && handover.canRunHooks()) system.flush();
    },
    claimAnswer() {
      timers.stop();
      // The deadline has passed, so the answer may already have been written. Flushing again repeats nothing and ends
      // the process.
      if (timers.areDue()) system.flush();
      for (const action of pendingActions) action.drop();
      pendingActions = [];
    },
    async limitExit(ms, exit_code) {
      if (pendingActions.length === 0) pendingActions = [system.exitProcess(exit_code)];
      system.timer.start(ms);
    },
  };
}
