import type { HostAnswer } from "../../protocol/host/host.ts";
import { type FlushActions, openFlushActions, type PendingAction } from "./system-timer.ts";
import { DEFAULT_PROCESSOR_MS } from "../ask/share-time.ts";
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

/** The results so far while a call's hooks run. */
export interface CallProgress {
  /** The hooks' results, keyed by hook name. */
  known: readonly (readonly [string, KnownResult])[];
  /** Set once all hooks are done. From then on, no other process takes over, even if the answer takes too long. */
  settled?: true;
  /** The reason hooks can't run, if any. */
  problem?: string;
  runningHook?: RunningHook;
}

/** How long the engine may be busy before another process takes over, in milliseconds. */
export interface BusyLimits {
  /** Elapsed time limit, in milliseconds. */
  ms: number;
  /** Processor time limit, in milliseconds. Time spent waiting for a busy processor doesn't count. */
  busyMs: number;
}

export interface RunningHook extends BusyLimits {
  name: string;
  /** Time at which the hook started, as Unix time in milliseconds. */
  at: number;
  /** How long the hook ran in earlier processes, in milliseconds. */
  earlierMs?: number | undefined;
  /** Whether this hook is the only one that could be blocking the engine. */
  isBlamed: boolean;
}

/** State for the process that takes over a call because the engine is still busy at the deadline. */
export interface HandoverState extends CallProgress {
  argv: readonly string[];
  /** The payload's text, or the descriptor of a file that contains it. */
  payload: string | number;
  /** File descriptors passed on by a process that was replaced in place. */
  inherited?: InheritedDescriptors;
  /** The working directory that the host set for the call, if it still exists. */
  cwd: string | undefined;
  /** Time by which the call must end, as Unix time in milliseconds. */
  until: number;
}

/** The part of the state that stays the same while the hooks run. */
type HandoverConstant = Pick<HandoverState, "argv" | "payload" | "inherited" | "cwd">;

/** The answer to send at the deadline. */
export interface LastAnswer extends HostAnswer {
  /** A line to append to a file after the answer. Requires system timers. */
  record?: { line: string; openFile: () => number | undefined } | undefined;
}

/** Ends a call on time, even if the engine is busy. */
export interface Deadline {
  /**
   * Schedules this process to write the answer and end in `ms` milliseconds, even if the engine is busy. Resolves to
   * whether a new process can take over and run the remaining hooks.
   * @param progress initial state for the new process, until more progress is reported
   */
  arm: (ms: number, answer: LastAnswer, payload: string, progress: CallProgress) => Promise<boolean>;
  /**
   * Reports progress and sets the limits that apply until the next report. If a limit is reached and a new process can
   * take over, it starts from this state.
   */
  reportProgress: (limits: BusyLimits, progress: CallProgress) => void;
  /**
   * Lets a new process take over right away. Returns only if that isn't possible. Call this function only after the
   * hooks have started.
   */
  handOver: () => void;
  /** Claims the right to answer. Doesn't return if the deadline has already passed. */
  claimAnswer: () => void;
  /**
   * Ends this process in `ms` milliseconds, even if the engine is busy. Calling this function again restarts the timer.
   * Call it only after the answer has been written.
   */
  limitExit: (ms: number, exit_code: number) => Promise<void>;
}

/** The answer to send at the deadline, and the deadline that writes the answer. */
export interface ArmedDeadline {
  last: HostAnswer;
  /** The deadline, if another process can take over. */
  deadline?: Deadline;
}

/** Minimum time for a process to answer, in milliseconds, even if it takes over late. */
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

/** Returns the processor time this process has used, in milliseconds. Hooks can't affect the result. */
function getProcessorTime(): number {
  const { user, system } = cpuUsage.call(process);
  return (user + system) / 1000;
}

const encoder = new TextEncoder();
const encodeLine = (text: string) => encoder.encode(text && `${text}\n`);

/**
 * Creates the deadline for a call that has its own process. Uses system timers, or a watcher thread on systems without
 * usable timers.
 * @param takeover the command that restarts this program, without the handover's descriptor; absent if no process can
 * take over
 * @param until the time by which the call must end, as Unix time in milliseconds
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

/** An in-memory file from which a new process continues the call. */
interface HandoverFile {
  /** Returns whether the file was created. */
  exists: () => boolean;
  /** Creates the file. `printed` is the descriptor for the hooks' output, `record` the one for the log. */
  create: (payload: string, printed: number, record: number | undefined) => void;
  /**
   * Writes the call's state to the file.
   * @param end the time by which the call must end, in `performance.now()` time
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
      const handover: HandoverState = { ...constant, until: Date.now() + end - performance.now(), ...progress };
      const stateFile = createMemoryFile(JSON.stringify(handover));
      if (fd === undefined) fd = stateFile;
      else replaceDescriptor(fd, stateFile);
    },
    canRunHooks: () => isAsking,
    getCommand: () => [...takeover, String(fd)],
  };
}

/** Creates the timers for both limits. The timer for elapsed time fires no later than the end of the call. */
function createTimers({ timer, processorTimer }: FlushActions) {
  /** When the timers fire, in `performance.now()` time and in processor time. */
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

/** Reserves a descriptor for the answer's log record. Opening the log makes this descriptor refer to the log file. */
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
    // There is no free descriptor. Skip the log record, since the answer matters more.
    return undefined;
  }
}

/**
 * Creates a deadline with system timers.
 * @param handover absent if no process can take over
 */
function createTimerDeadline(system: FlushActions, until: number, handover: HandoverFile | undefined): Deadline {
  let pendingActions: PendingAction[] = [];
  const timers = createTimers(system);
  /** Time by which the call must end, in `performance.now()` time. */
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
        // The action registered last runs first. Once it has started the new process, no other action runs.
        pendingActions.push(system.replaceProcess(handover.getCommand()));
      }
      timers.start({ ms, busyMs: DEFAULT_PROCESSOR_MS }, end);
      // Wait to open the file until the timers run, since the disk may hang.
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
      // The deadline has passed, so the answer may already be out. Flushing again doesn't repeat it, but does end the
      // process.
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
