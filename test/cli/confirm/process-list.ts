import { basename } from "node:path";
import type { ProcessFacts, TerminalFacts } from "../../../src/cli/confirm/facts.ts";
import { judgeTerminal } from "../../../src/cli/confirm/judge-terminal.ts";

export const NOW = Date.parse("2026-11-28T12:00:00Z");
const HOUR_MS = 3_600_000;
const MIA = 1000;

/** What differs between a listed process and a process that its user started an hour ago. */
export interface ListedProcess extends Partial<Omit<ProcessFacts, "pid" | "parent">> {
  root?: true;
}
type Row = [pid: number, parent: number, terminal: string, program: string, more?: ListedProcess];

const buildProcess = ([pid, parent, terminal, line, { root, ...more } = {}]: Row): ProcessFacts => {
  const words = line.split(" ");
  const [program = ""] = words;
  return {
    ...{ pid, parent, startTime: NOW - HOUR_MS, name: basename(program).slice(0, 15), words, group: "/" },
    terminal: terminal === "-" ? undefined : terminal,
    // For root's processes, other accounts can read neither the executable nor the environment.
    executable: root ? undefined : program,
    environment: root ? undefined : {},
    ...{ isRoot: root === true, account: root ? 0 : MIA, isTraced: false },
    ...more,
  };
};

/** Returns the verdict on the last process in the list. */
export function judge(rows: readonly Row[], facts: Partial<TerminalFacts> = {}): string {
  const processes = new Map(rows.map((row) => [row[0], buildProcess(row)]));
  const verdict = judgeTerminal({
    ...{ pid: rows.at(-1)?.[0] ?? 0, platform: "linux", processes, environment: {}, now: NOW },
    ...{ hasRealAccounts: true, isWsl: false, addresses: ["192.0.2.7"] },
    getTerminalTime: () => NOW - HOUR_MS,
    isProtected: (path) => path.startsWith("/usr/"),
    findRemoteHost: () => undefined,
    ...facts,
  });
  return "confirmed" in verdict ? verdict.confirmed : `refused: ${verdict.refusal}`;
}

export const INIT: Row = [1, 0, "-", "/usr/lib/systemd/systemd", { root: true }];
export const MANAGER: Row = [50, 1, "-", "/usr/lib/systemd/systemd --user", { group: "/user.slice/init.scope" }];
/** A desktop session. */
export const DESKTOP: Row[] = [
  [60, 1, "-", "/usr/sbin/gdm3", { root: true }],
  [61, 60, "-", "gdm-session-worker", { root: true }],
  [62, 61, "tty2", "/usr/libexec/gdm-wayland-session"],
  [63, 62, "tty2", "/usr/bin/gnome-session"],
];
/** A host running in its own terminal. */
export const HOST: Row[] = [
  [70, 63, "-", "/usr/bin/xterm", { group: "/user.slice/app-a.scope" }],
  [71, 70, "pts/7", "/usr/bin/bash", { group: "/user.slice/app-a.scope" }],
  [72, 71, "pts/7", "/home/mia/.local/bin/claude", { group: "/user.slice/app-a.scope" }],
];
/** A shell in a terminal, and a command it runs. */
export const shell = (parent: number, terminal = "pts/1", more?: ListedProcess): Row[] => [
  [900, parent, terminal, "/usr/bin/bash", { session: 900, ...more }],
  [901, 900, terminal, "/usr/bin/bridge-hooks allow --last", { session: 900, startTime: NOW }],
];
