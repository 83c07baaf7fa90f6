import { describe, expect, test } from "bun:test";
import { DESKTOP, HOST, INIT, judge, MANAGER, NOW, shell } from "./process-list.ts";

const SSH = (terminal = "-"): Parameters<typeof judge>[0] => [
  [100, 1, "-", "sshd", { root: true }],
  [101, 100, "-", "sshd-session", { root: true }],
  [102, 101, terminal, "sshd-session", { executable: undefined, environment: undefined }],
];
/** Environment of a shell started through ssh. */
const REMOTE = { environment: { SSH_CONNECTION: "192.0.2.9 5 192.0.2.7 22" } };
const SCOPE = "/user.slice/user-1000.slice/session-3.scope";
const tmux = (parent = 1, more: object = {}): Parameters<typeof judge>[0][number] => [
  300,
  parent,
  "-",
  "/usr/bin/tmux",
  { name: "tmux: server", ...more },
];
const client = (parent: number, terminal = "pts/5"): Parameters<typeof judge>[0] => [
  [310, parent, terminal, "/usr/bin/bash", { session: 310, ...REMOTE }],
  [311, 310, terminal, "/usr/bin/tmux attach", { name: "tmux: client", session: 310 }],
];

describe("a confirmation is accepted", () => {
  const cases: [string, string, Parameters<typeof judge>[0], Parameters<typeof judge>[1]?][] = [
    ["over ssh", "ssh", [INIT, ...SSH(), ...shell(102, "pts/1", REMOTE)]],
    [
      "over ssh, identified by another machine's address",
      "ssh",
      [INIT, ...SSH(), ...shell(102, "pts/1", REMOTE)],
      { findRemoteHost: () => "192.0.2.9" },
    ],
    [
      "over ssh, although an agent runs in another session",
      "ssh",
      [INIT, ...DESKTOP, ...HOST, ...SSH(), ...shell(102, "pts/1", REMOTE)],
    ],
    [
      "at a console, after login",
      "login-terminal",
      [INIT, [90, 1, "-", "login", { root: true }], ...shell(90, "tty1")],
    ],
    ["at a console whose init starts the shell", "login-terminal", [INIT, ...shell(1, "tty1")]],
    [
      "in GNOME Terminal, started by the session's services",
      "terminal-emulator",
      [
        INIT,
        MANAGER,
        [80, 50, "-", "/usr/libexec/gnome-terminal-server", { group: "/user.slice/app-t.slice" }],
        ...HOST,
        ...shell(80),
      ],
    ],
    [
      "in an xterm of the desktop, although an agent is older",
      "terminal-emulator",
      [INIT, ...DESKTOP, ...HOST, [80, 63, "tty2", "/usr/bin/xterm", { startTime: NOW - 60_000 }], ...shell(80)],
    ],
    [
      "in a detached emulator that is older than the agent",
      "terminal-emulator",
      [INIT, [80, 1, "-", "/usr/bin/xterm", { startTime: NOW - 7_200_000 }], ...HOST, ...shell(80)],
    ],
    [
      "in a detached emulator with its own scope",
      "terminal-emulator",
      [
        INIT,
        MANAGER,
        ...HOST,
        [80, 50, "-", "/usr/bin/kitty", { startTime: NOW - 60_000, group: "/user.slice/app-b.scope" }],
        ...shell(80),
      ],
    ],
    ["in tmux attached over ssh", "tmux", [INIT, ...SSH(), ...client(102), tmux(), ...shell(300)]],
    [
      "in tmux, in which the agent also runs",
      "tmux",
      [
        INIT,
        ...SSH(),
        ...client(102),
        tmux(1, { group: SCOPE, startTime: NOW - 7_200_000 }),
        [320, 300, "pts/8", "/usr/bin/claude", { group: SCOPE }],
        ...shell(300),
      ],
    ],
    [
      "in screen with a visible program",
      "screen",
      [
        INIT,
        ...SSH(),
        [310, 102, "pts/5", "/usr/bin/bash", { session: 310, ...REMOTE }],
        [311, 310, "pts/5", "/usr/bin/screen -r", { session: 310 }],
        [300, 1, "-", "/usr/bin/screen", {}],
        ...shell(300),
      ],
    ],
    ["in a container, entered from outside", "container", [[1, 0, "-", "/usr/bin/sleep"], ...shell(0)]],
    [
      "in a shell that is the container's first process",
      "container",
      [
        [1, 0, "pts/0", "/usr/bin/bash", { session: 1 }],
        [9, 1, "pts/0", "/usr/bin/bridge-hooks", { session: 1 }],
      ],
    ],
    [
      "at a serial line, after login",
      "login-terminal",
      [INIT, [90, 1, "-", "login", { root: true }], ...shell(90, "ttyS0")],
    ],
    [
      "in an emulator wrapped by Nix",
      "terminal-emulator",
      [INIT, ...DESKTOP, [80, 63, "-", "/usr/store/.kitty-wrapped"], ...shell(80)],
    ],
    [
      "in an emulator, with the first process hidden",
      "terminal-emulator",
      [[80, 1, "-", "/usr/bin/foot"], ...shell(80)],
    ],
    [
      "in an xterm over VNC, although an agent is younger",
      "terminal-emulator",
      [
        INIT,
        ...DESKTOP,
        [79, 1, "-", "/usr/bin/Xvnc :5", { startTime: NOW - 7_200_000 }],
        ...HOST,
        [80, 63, "-", "/usr/bin/xterm", { environment: { DISPLAY: ":5" } }],
        ...shell(80),
      ],
    ],
    [
      "in WSL",
      "wsl",
      [INIT, [7, 1, "-", "SessionLeader", { root: true }], [8, 7, "-", "Relay(9)", { root: true }], ...shell(8)],
      { isWsl: true },
    ],
    [
      "with sudo, which creates its own terminal",
      "ssh",
      [
        INIT,
        ...SSH(),
        [900, 102, "pts/1", "/usr/bin/bash", { session: 900, ...REMOTE }],
        [901, 900, "pts/1", "sudo", { root: true, session: 900, startTime: NOW }],
        [902, 901, "pts/2", "sudo", { root: true, session: 902, startTime: NOW }],
        [903, 902, "pts/2", "/usr/bin/bridge-hooks", { session: 902, root: true, startTime: NOW }],
      ],
    ],
    [
      "through make and git in their own terminal",
      "ssh",
      [
        INIT,
        ...SSH(),
        [900, 102, "pts/1", "/usr/bin/bash", { session: 900, ...REMOTE }],
        [901, 900, "pts/1", "/usr/bin/git commit", { session: 900 }],
        [902, 901, "pts/1", "/usr/bin/sh .git/hooks/pre-commit", { session: 900 }],
        [903, 902, "pts/1", "/usr/bin/make allow", { session: 900 }],
        [904, 903, "pts/1", "/usr/bin/bridge-hooks", { session: 900 }],
      ],
    ],
  ];
  for (const [where, kind, rows, facts] of cases) test(where, () => expect(judge(rows, facts)).toBe(kind));
});

describe("a confirmation is rejected", () => {
  const cases: [string, string, Parameters<typeof judge>[0], Parameters<typeof judge>[1]?][] = [
    ["without /proc", "/proc is missing", []],
    [
      "in a user namespace that maps accounts",
      "user IDs are mapped",
      [INIT, ...SSH(), ...shell(102, "pts/1", REMOTE)],
      { hasRealAccounts: false },
    ],
    ["without a terminal", "this process has no terminal", [INIT, ...SSH(), [900, 102, "-", "/usr/bin/bridge-hooks"]]],
    ["under a host", "Claude Code runs this terminal", [INIT, ...DESKTOP, ...HOST, [80, 72, "pts/7", "/usr/bin/bash"]]],
    [
      "under a host run by node",
      "Gemini CLI runs this terminal",
      [INIT, ...SSH(), [800, 102, "pts/1", "/usr/bin/node /usr/bin/gemini"], ...shell(800, "pts/2")],
    ],
    [
      "under an agent that is not a host",
      "goose runs this terminal",
      [INIT, ...SSH(), [800, 102, "pts/1", "/usr/bin/goose"], ...shell(800, "pts/2")],
    ],
    [
      "in VS Code",
      "Visual Studio Code runs this terminal",
      [INIT, ...DESKTOP, [80, 63, "-", "/usr/share/code/code"], ...shell(80)],
    ],
    [
      "in VS Code's server on another machine",
      "vscode-server runs this terminal",
      [INIT, ...SSH(), [80, 102, "-", "/home/mia/.vscode-server/bin/1/node"], ...shell(80)],
    ],
    [
      "in Cursor",
      "Cursor runs this terminal",
      [INIT, ...DESKTOP, [80, 63, "-", "/usr/share/cursor/cursor"], ...shell(80)],
    ],
    [
      "in an editor's terminal that is older than its shell",
      "TERM_PROGRAM shows",
      [INIT, ...SSH(), ...shell(102, "pts/1", REMOTE)],
      { environment: { TERM_PROGRAM: "vscode" } },
    ],
    [
      "with a host's variable",
      "CLAUDECODE shows that Claude Code started this",
      [INIT, ...SSH(), ...shell(102, "pts/1", REMOTE)],
      { environment: { CLAUDECODE: "1" } },
    ],
    [
      "with a host's variable in a parent process",
      "bash (process 900) has CODEX_THREAD_ID",
      [INIT, ...SSH(), ...shell(102, "pts/1", { environment: { CODEX_THREAD_ID: "1" } })],
    ],
    [
      "under a debugger",
      "a debugger is attached to bash",
      [INIT, ...SSH(), ...shell(102, "pts/1", { isTraced: true })],
    ],
    ["in script", "script (process 80) opened this terminal", [INIT, [80, 1, "-", "/usr/bin/script"], ...shell(80)]],
    [
      "in script, in a user's terminal",
      "script (process 80) opened this terminal",
      [INIT, ...SSH(), [80, 102, "pts/1", "/usr/bin/script"], ...shell(80, "pts/2")],
    ],
    [
      "in expect and Python, reparented",
      "python3 (process 80) opened this terminal",
      [INIT, [80, 1, "-", "/usr/bin/python3"], ...shell(80)],
    ],
    ["in a terminal whose creator has ended", "systemd (process 1) opened this terminal", [INIT, ...shell(1)]],
    [
      "in a child process of the session's services (systemd-run --user --pty)",
      "systemd (process 50) opened this terminal",
      [INIT, MANAGER, ...shell(50)],
    ],
    [
      "in script started by at's daemon",
      "script (process 81) opened this terminal",
      [INIT, [80, 1, "-", "atd", { root: true }], [81, 80, "-", "/usr/bin/script"], ...shell(81)],
    ],
    [
      "in a terminal created by cron",
      "cron (process 80) opened this terminal",
      [INIT, [80, 1, "-", "cron", { root: true }], ...shell(80)],
    ],
    [
      "detached from the shell of its terminal",
      "was detached from the shell",
      [INIT, ...SSH(), ...shell(102), [950, 1, "pts/1", "/usr/bin/bridge-hooks", { session: 900 }]],
    ],
    [
      "in a terminal whose creator is hidden",
      "the system hides the process that opened this terminal (hidepid)",
      shell(102),
    ],
    [
      "in a terminal that was just opened",
      "was opened less than 2 seconds ago; run the command again manually",
      [INIT, ...SSH(), ...shell(102, "pts/1", REMOTE)],
      { getTerminalTime: () => NOW - 1_000 },
    ],
    [
      "in a shell that was just started",
      "was opened less than 2 seconds ago; run the command again manually",
      [INIT, ...SSH(), ...shell(102, "pts/1", { startTime: NOW - 1_000 })],
    ],
    [
      "through a user's server named sshd",
      "is not the system's ssh server",
      [INIT, [102, 1, "-", "/home/mia/sshd"], ...shell(102, "pts/1", REMOTE)],
    ],
    [
      "over ssh from this machine, by the login service",
      "comes from this machine",
      [INIT, ...SSH(), ...shell(102, "pts/1", REMOTE)],
      { findRemoteHost: (pid) => (pid === 101 ? "::1" : undefined) },
    ],
    [
      "over ssh from this machine, by its variables",
      "comes from this machine",
      [INIT, ...SSH(), ...shell(102, "pts/1", { environment: { SSH_CONNECTION: "192.0.2.7 5 192.0.2.7 22" } })],
    ],
    [
      "in a user's program named xterm",
      "/home/mia/bin/xterm can be replaced by this account",
      [INIT, ...DESKTOP, [80, 63, "-", "/home/mia/bin/xterm"], ...shell(80)],
    ],
    [
      "in a program that only calls itself xterm",
      "xterm (process 80) opened this terminal",
      [INIT, ...DESKTOP, [80, 63, "-", "/usr/bin/python3", { name: "xterm", words: ["xterm"] }], ...shell(80)],
    ],
    [
      "in an xterm with an agent's library",
      "LD_PRELOAD loads code into xterm",
      [INIT, ...DESKTOP, [80, 63, "-", "/usr/bin/xterm", { environment: { LD_PRELOAD: "/tmp/x.so" } }], ...shell(80)],
    ],
    [
      "in an xterm with a user's library directory",
      "LD_LIBRARY_PATH loads code",
      [
        INIT,
        ...DESKTOP,
        [80, 63, "-", "/usr/bin/xterm", { environment: { LD_LIBRARY_PATH: "/usr/lib:/tmp" } }],
        ...shell(80),
      ],
    ],
    [
      "in an xterm that a host started",
      "has CLAUDECODE",
      [INIT, [80, 1, "-", "/usr/bin/xterm", { environment: { CLAUDECODE: "1" } }], ...shell(80)],
    ],
    [
      "in an xterm that a host started with a clean environment",
      "Claude Code may have started xterm",
      [
        INIT,
        ...DESKTOP,
        ...HOST,
        [80, 1, "-", "/usr/bin/xterm", { startTime: NOW - 60_000, group: "/user.slice/app-a.scope" }],
        ...shell(80),
      ],
    ],
    [
      "in an xterm that an editor's agent started and detached",
      "Visual Studio Code may have started xterm",
      [
        INIT,
        ...DESKTOP,
        [79, 63, "-", "/usr/share/code/code", { group: SCOPE }],
        [80, 1, "-", "/usr/bin/xterm", { startTime: NOW - 60_000, group: SCOPE }],
        ...shell(80),
      ],
    ],
    [
      "in an xterm under Xvfb",
      "display server Xvfb",
      [
        INIT,
        ...DESKTOP,
        [79, 1, "-", "/usr/bin/Xvfb :99"],
        [80, 63, "-", "/usr/bin/xterm", { environment: { DISPLAY: ":99.0" } }],
        ...shell(80),
      ],
    ],
    [
      "in an xterm that names the display of Xvfb",
      "display server Xvfb",
      [INIT, ...DESKTOP, [79, 1, "-", "/usr/bin/Xvfb :99"], [80, 63, "-", "/usr/bin/xterm -display :99"], ...shell(80)],
    ],
    [
      "in an xterm over VNC that an agent may have started",
      "display server Xvnc",
      [
        INIT,
        ...DESKTOP,
        ...HOST,
        [79, 1, "-", "/usr/bin/Xvnc :5", { startTime: NOW - 60_000 }],
        [80, 63, "-", "/usr/bin/xterm", { environment: { DISPLAY: ":5" } }],
        ...shell(80),
      ],
    ],
    [
      "in a foot under a headless compositor",
      "display server weston",
      [
        INIT,
        ...DESKTOP,
        [79, 1, "-", "/usr/bin/weston --backend=headless --socket=wl-9"],
        [80, 63, "-", "/usr/bin/foot", { environment: { WAYLAND_DISPLAY: "wl-9" } }],
        ...shell(80),
      ],
    ],
    [
      "in an emulator that cron started",
      "a service (cron.service) started xterm",
      [
        INIT,
        [78, 1, "-", "cron", { root: true }],
        [80, 78, "-", "/usr/bin/xterm", { group: "/system.slice/cron.service" }],
        ...shell(80),
      ],
    ],
    ["at a serial line without a login", "systemd (process 1) opened this terminal", [INIT, ...shell(1, "ttyS0")]],
    ["over ssh of unknown origin", "origin of this ssh connection", [INIT, ...SSH(), ...shell(102)]],
    [
      "in an emulator that systemd-run started",
      "a service (run-u12.service) started foot",
      [INIT, MANAGER, [80, 50, "-", "/usr/bin/foot", { group: "/user.slice/run-u12.service" }], ...shell(80)],
    ],
    [
      "in tmux with a host's variable",
      "has CLAUDECODE",
      [INIT, ...SSH(), ...client(102), tmux(1, { environment: { CLAUDECODE: "1" } }), ...shell(300)],
    ],
    [
      "in tmux that an agent of the same login started",
      "Claude Code may have started tmux",
      [
        INIT,
        ...SSH(),
        ...client(102),
        [320, 310, "pts/5", "/usr/bin/claude", { group: SCOPE }],
        tmux(1, { group: SCOPE, startTime: NOW - 60_000 }),
        ...shell(300),
      ],
    ],
    ["in tmux without a client", "no client of tmux", [INIT, tmux(), ...shell(300)]],
    [
      "in an agent's tmux, while the user has a different one",
      "no client of tmux",
      [INIT, ...SSH(), ...client(102), tmux(1, { words: ["tmux", "-Lagent", "new", "-d"] }), ...shell(300)],
    ],
    [
      "in an agent's tmux, named by TMUX",
      "no client of tmux",
      [INIT, ...SSH(), ...client(102), tmux(1, { environment: { TMUX: "/tmp/agent,1,0" } }), ...shell(300)],
    ],
    [
      "in an agent's tmux, in another directory",
      "no client of tmux",
      [
        INIT,
        ...SSH(),
        ...client(102),
        tmux(1, { words: ["tmux", "-f", "x", "new"], environment: { TMUX_TMPDIR: "/tmp/a" } }),
        ...shell(300),
      ],
    ],
    [
      "in tmux attached by script",
      "no client of tmux",
      [INIT, tmux(), [309, 1, "-", "/usr/bin/script"], ...client(309), ...shell(300)],
    ],
    ["in tmux attached only within tmux", "no client of tmux", [INIT, tmux(), ...client(300), ...shell(300)]],
    [
      "in screen with a hidden program",
      "screen (process 300) is hidden",
      [INIT, [300, 1, "-", "/usr/bin/screen", { executable: undefined, environment: undefined }], ...shell(300)],
    ],
    [
      "with sudo in script",
      "script (process 80) opened this terminal",
      [
        INIT,
        [80, 1, "-", "/usr/bin/script"],
        [900, 80, "pts/1", "/usr/bin/bash", { session: 900, ...REMOTE }],
        [901, 900, "pts/1", "sudo", { root: true, session: 900 }],
        [902, 901, "pts/2", "sudo", { root: true, session: 902 }],
        [903, 902, "pts/2", "/usr/bin/bridge-hooks", { session: 902 }],
      ],
    ],
    [
      "through a user's program named sudo",
      "sudo (process 901) opened this terminal",
      [
        INIT,
        ...SSH(),
        [900, 102, "pts/1", "/usr/bin/bash", { session: 900, ...REMOTE }],
        [901, 900, "pts/1", "/home/mia/sudo", { session: 900 }],
        [902, 901, "pts/2", "/usr/bin/bash", { session: 902 }],
        [903, 902, "pts/2", "/usr/bin/bridge-hooks", { session: 902 }],
      ],
    ],
    [
      "in a container, in tmux without a visible client",
      "no client of tmux",
      [[1, 0, "-", "/usr/bin/sleep"], tmux(), ...shell(300)],
    ],
    [
      "through a WSL relay in another place",
      "Relay(9) (process 8) opened this terminal",
      [INIT, [8, 1, "-", "Relay(9)", { root: true }], ...shell(8)],
    ],
  ];
  for (const [where, reason, rows, facts] of cases)
    test(where, () => {
      const verdict = judge(rows, facts);
      expect(verdict).toStartWith("refused: ");
      expect(verdict).toContain(reason);
      // The message says what to do.
      expect(verdict).toMatch(/[;,:] .*\b(?:run|end|start|attach|a person has to)\b/);
    });
});
