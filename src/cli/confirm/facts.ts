import type { Confirmation } from "../../policy/allow.ts";
import type { Env } from "../../protocol/host/host.ts";

/** Facts about a process, as far as this account can see them. */
export interface ProcessFacts {
  pid: number;
  /** The parent process ID; 0 if the process was started from outside this container. */
  parent: number;
  /** The session leader's process ID; undefined if unknown. */
  session?: number | undefined;
  /** The controlling terminal, such as `pts/3`, `tty1` or `ttys003`. */
  terminal?: string | undefined;
  /** The start time in milliseconds since the epoch. */
  startTime: number;
  /** The process name as the system reports it. Linux truncates it to 15 characters. */
  name: string;
  /**
   * The program file. Absent if this account can't access it, or if its path resolves to a different file in this
   * process.
   */
  executable?: string | undefined;
  /** The program and its arguments. */
  words: readonly string[];
  /** The user ID of the process. */
  account: number;
  /** Whether all of the process's user IDs are root's, which rules out a set-user-ID program. */
  isRoot: boolean;
  /** Whether a debugger is attached. */
  isTraced: boolean;
  /** The process's initial environment; undefined if the system hides the environment. */
  environment: Env | undefined;
  /** The process's control group; `/` if the group reveals nothing about the process. */
  group: string;
}

/** Facts about this process's terminal. */
export interface TerminalFacts {
  /** The ID of this process. */
  pid: number;
  platform: NodeJS.Platform;
  processes: ReadonlyMap<number, ProcessFacts>;
  environment: Env;
  now: number;
  /** Whether user IDs are real, that is, not mapped by a user namespace. */
  hasRealAccounts: boolean;
  isWsl: boolean;
  /** The network addresses of this machine. */
  addresses: readonly string[];
  /** Returns the earliest time at which a terminal could have been created, in milliseconds since the epoch. */
  getTerminalTime: (terminal: string) => number | undefined;
  /** Whether only administrators can replace a program file or any directory in its path. */
  isProtected: (path: string) => boolean;
  /**
   * Returns the remote host of the login session that a process leads, or undefined if the login service doesn't list
   * the session.
   */
  findRemoteHost: (leader: number) => string | undefined;
}

/** The kind of terminal in which a person can confirm, or the reason why nobody can, with advice on what to do. */
export type TerminalVerdict = { confirmed: Confirmation } | { refusal: string };

const MAX_ANCESTORS = 64;

/** Returns a process and its visible ancestors, nearest first. */
export function listProcessChain({ processes }: TerminalFacts, pid: number): ProcessFacts[] {
  const chain: ProcessFacts[] = [];
  for (
    let ancestor = processes.get(pid);
    ancestor && chain.length < MAX_ANCESTORS;
    ancestor = processes.get(ancestor.parent)
  )
    chain.push(ancestor);
  return chain;
}
