import type { Confirmation } from "../../policy/allow.ts";
import type { Env } from "../../protocol/host/host.ts";

/** A process, as far as the system shows it to this account. */
export interface ProcessFacts {
  pid: number;
  /** 0: it was started from outside of this container. */
  parent: number;
  /** Its session's leader; undefined where the system does not tell. */
  session?: number | undefined;
  /** Its controlling terminal: `pts/3`, `tty1`, `ttys003`. */
  terminal?: string | undefined;
  /** When it startTime, in milliseconds. */
  startTime: number;
  /** As the system shows it; Linux cuts it to 15 characters. */
  name: string;
  /** Its program file, if this account may see it, and it is the file that this path leads to. */
  executable?: string | undefined;
  /** Its arguments, the program first. */
  words: readonly string[];
  /** The account that it runs as. */
  account: number;
  /** All of its user ids are root's, so that no set-user-ID bit made it so. */
  isRoot: boolean;
  /** A debugger is attached. */
  isTraced: boolean;
  /** The variables that it started with; undefined where the system hides them. */
  environment: Env | undefined;
  /** Its control group; `/` where groups tell nothing. */
  group: string;
}

/** What is known of this process's terminal. */
export interface TerminalFacts {
  /** The process that asks. */
  pid: number;
  platform: NodeJS.Platform;
  processes: ReadonlyMap<number, ProcessFacts>;
  environment: Env;
  now: number;
  /** Account numbers are those of the machine: no user namespace maps them. */
  hasRealAccounts: boolean;
  isWsl: boolean;
  /** The addresses of this machine. */
  addresses: readonly string[];
  /** When a terminal was made, at the earliest, in milliseconds. */
  getTerminalTime: (terminal: string) => number | undefined;
  /** Whether only administrators can replace a program file or change a folder. */
  isProtected: (path: string) => boolean;
  /** Where the login session that a process leads comes from, if the login service says so. */
  findRemoteHost: (leader: number) => string | undefined;
}

/** Where a person can confirm, or why nobody can here and what to do. */
export type TerminalVerdict = { confirmed: Confirmation } | { refusal: string };

const MAX_ANCESTORS = 64;

/** A process and those above it, the nearest first, up to the first one that can't be seen. */
export function listChain({ processes }: TerminalFacts, pid: number): ProcessFacts[] {
  const chain: ProcessFacts[] = [];
  for (let next = processes.get(pid); next && chain.length < MAX_ANCESTORS; next = processes.get(next.parent))
    chain.push(next);
  return chain;
}
