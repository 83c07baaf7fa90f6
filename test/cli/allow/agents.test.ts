import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMachine, hasMachine } from "./machine.ts";

const PUSH = "git push --force origin main";
const hasProgram = (name: string) => Bun.which(name) !== null;
const missing = ["python3", "tmux", "expect", "make", "git"].filter((name) => !hasProgram(name));
if (missing.length > 0) console.warn(`skipped in part: ${missing.join(", ")} missing here`);

// The script an agent runs, while the agent's host keeps running. `detached` lets the parent processes exit, as `at`
// and a double fork do.
const AGENT = `
call '${PUSH}' >/dev/null
cp "$(command -v sleep)" "$PROJECT/claude"; "$PROJECT/claude" 600 &
cat > "$PROJECT/allow" <<END
#!/bin/sh
stty cols 400 </dev/tty 2>/dev/null
exec "$BRIDGE" allow --last --reason x
END
chmod +x "$PROJECT/allow"
detached() { ( setsid "$@" >/dev/null 2>&1 & ) ; }
result() { # waits for the end of what runs detached
  for _ in $(seq 150); do [ -e "$HOME/end" ] && break; sleep 0.1; done
  grep -aoh 'bridge-hooks: allow: .*\\|[a-z0-9]*: .* is allowed;' "$HOME/shown" "$HOME/end" 2>/dev/null | tr -d '\\r' | head -1
}
export AGENT_SHOWN="$HOME/shown" AGENT_END="$HOME/end"
`;

/** Runs a command in a pseudo-terminal created with Python, and types the word the command asks for. */
const PTY = `import os, pty, re, sys, time
def run(command):
    pid, fd = pty.fork()
    if pid == 0: os.execvp("sh", ["sh", "-c", "sleep 2.1; " + command])
    shown = b""
    typed = False
    while True:
        try: part = os.read(fd, 4096)
        except OSError: break
        if not part: break
        shown += part
        open(os.environ["AGENT_SHOWN"], "ab").write(part)
        word = re.search(rb"Type (\\w+) to continue:", shown)
        if word and not typed:
            typed = True
            os.write(fd, word.group(1) + b"\\n")
    os.waitpid(pid, 0)
    open(os.environ["AGENT_END"], "w").close()
if "--fork" in sys.argv and os.fork(): sys.exit()
if "--fork" in sys.argv: os.setsid()
if "--fork" in sys.argv and os.fork(): sys.exit()
run(sys.argv[-1])
`;

const EXPECT = `set timeout 15
spawn sh -c "sleep 2.1; $env(PROJECT)/allow"
expect -re {Type (\\w+) to continue:} { send "$expect_out(1,string)\\r" }
expect eof
close [open $env(AGENT_END) w]
`;

/** An agent's attempt: title, required programs, script, and expected refusal. */
type Attempt = [what: string, programs: readonly string[], script: string, reason: string];

const ATTEMPTS: Attempt[] = [
  [
    "script reparented to init, with setsid",
    [],
    `MAKER=script; person confirm "$PROJECT/allow" | tail -1`,
    "script (process N) opened this terminal",
  ],
  [
    "script that calls itself sshd",
    [],
    `cp "$(command -v script)" "$PROJECT/sshd"; MAKER="$PROJECT/sshd"; person confirm "$PROJECT/allow" | tail -1`,
    "sshd (process N) is not the system's ssh server",
  ],
  [
    "script that calls itself xterm",
    [],
    `cp "$(command -v script)" "$PROJECT/xterm"; MAKER="$PROJECT/xterm"; person confirm "$PROJECT/allow" | tail -1`,
    "PROJECT/xterm can be replaced by this account",
  ],
  [
    "Python's pty below the host",
    ["python3"],
    `mkdir "$PROJECT/b"; cp /bin/bash "$PROJECT/b/claude"
     "$PROJECT/b/claude" -c 'python3 "$PROJECT/type.py" "$PROJECT/allow"; true'; result`,
    "Claude Code runs this terminal",
  ],
  [
    "Python's pty, forked twice and without variables",
    ["python3"],
    `env -i PATH="$PATH" HOME="$HOME" AGENT_SHOWN="$HOME/shown" AGENT_END="$HOME/end" python3 "$PROJECT/type.py" --fork "$PROJECT/allow"; result`,
    "PYTHON (process N) opened this terminal",
  ],
  ["expect", ["expect"], `detached expect "$PROJECT/type.exp"; result`, "expect (process N) opened this terminal"],
  [
    "a Makefile in its own terminal",
    ["python3", "make"],
    `printf 'go:\\n\\t@$(PROJECT)/allow\\n' > Makefile; detached python3 "$PROJECT/type.py" 'make go'; result`,
    "PYTHON (process N) opened this terminal",
  ],
  [
    "a git hook in its own terminal",
    ["python3", "git"],
    `git init -q . && cp allow .git/hooks/pre-commit
     detached python3 "$PROJECT/type.py" 'git -c user.name=x -c user.email=x commit --allow-empty -m x'; result`,
    "PYTHON (process N) opened this terminal",
  ],
  [
    "tmux that the agent starts, with the word typed by send-keys",
    ["tmux"],
    `T="tmux -L agent"; export TMUX_TMPDIR="$HOME" TERM=xterm
     env -i PATH="$PATH" HOME="$HOME" TMUX_TMPDIR="$HOME" TERM=xterm $T new-session -d -x 200 -y 50 "sleep 2.1; $PROJECT/allow >$HOME/shown 2>&1; touch $HOME/end; sleep 9"
     result; $T kill-server`,
    "Claude Code may have started tmux",
  ],
  [
    "an emulator that the agent starts, detached and without variables",
    [],
    `echo 'x' > "$HOME/in"; person() { env -i HOME="$HOME" PATH="$PATH" setsid -f "$MAKER" -qefc "sleep 2.1; $*; touch $HOME/end" "$HOME/shown" < "$HOME/in" >/dev/null; }
     person "$PROJECT/allow"; result`,
    "Claude Code may have started xterm",
  ],
  [
    "a host's variable in a user's terminal",
    [],
    `export CLAUDECODE=1; person confirm "$PROJECT/allow" | tail -1`,
    "CLAUDECODE shows that Claude Code started this",
  ],
  [
    "a host's variable set only in the emulator",
    [],
    `export CLAUDECODE=1; person confirm "env -u CLAUDECODE $PROJECT/allow" | tail -1`,
    "has CLAUDECODE set, so Claude Code started this terminal",
  ],
  [
    "a user namespace, in which the agent is root",
    [],
    `person confirm "unshare --map-root-user $PROJECT/allow" | tail -1`,
    "user IDs are mapped by a user namespace",
  ],
  [
    "its own PID namespace",
    [],
    `MAKER="unshare --pid --fork --mount-proc script"; person() { $MAKER -qefc "sleep 2.1; $*" /dev/null </dev/null; }; person "$PROJECT/allow" | tail -1`,
    "script (process N) opened this terminal",
  ],
  [
    "a terminal that was just opened",
    [],
    `echo | "$MAKER" -qefc "$PROJECT/allow" /dev/null | tail -1`,
    "was opened less than 2 seconds ago",
  ],
  [
    "ssh from the machine itself",
    [],
    `MAKER=/mnt/sshd; export SSH_CONNECTION='127.0.0.1 5 127.0.0.1 22'; person confirm "$PROJECT/allow" | tail -1`,
    "this ssh connection comes from this machine",
  ],
];

function runAttempt(script: string) {
  const machine = createMachine();
  writeFileSync(join(machine.project, "type.py"), PTY);
  writeFileSync(join(machine.project, "type.exp"), EXPECT);
  const lines = machine.run(AGENT + script);
  const hide = (line: string) =>
    line
      .replaceAll(machine.project, "PROJECT")
      .replace(/\bpython[\d.]*\b/, "PYTHON")
      .replace(/process \d+/, "process N");
  return { lines: lines.map(hide), place: machine.place };
}

describe.skipIf(!hasMachine)("an agent can't confirm", () => {
  for (const [what, programs, script, reason] of ATTEMPTS)
    test.skipIf(!programs.every(hasProgram))(`with ${what}`, () => {
      const { lines, place } = runAttempt(script);
      expect(lines.at(-1)).toStartWith("bridge-hooks: allow: ");
      expect(lines.at(-1)).toContain(reason);
      expect(existsSync(place)).toBe(false);
    });
});

describe.skipIf(!hasMachine)("the log shows where a user confirmed:", () => {
  const cases: Attempt[] = [
    ["a terminal emulator", [], `kill %1; wait; person confirm "$PROJECT/allow" | tail -1`, "terminal-emulator"],
    ["ssh", [], `MAKER=/mnt/sshd; person confirm "$PROJECT/allow" | tail -1`, "ssh"],
    [
      "a git hook in a terminal emulator",
      ["git"],
      `kill %1; wait; git init -q . && cp allow .git/hooks/pre-commit
       person confirm git -c user.name=x -c user.email=x commit --allow-empty -m x | grep "is allowed"`,
      "terminal-emulator",
    ],
    [
      "tmux attached by a user",
      ["tmux"],
      `kill %1; wait; export TMUX_TMPDIR="$HOME" TERM=xterm
       person confirm tmux -L person new-session "'sleep 2.1; $PROJECT/allow >$HOME/shown'" >/dev/null; cat "$HOME/shown"`,
      "tmux",
    ],
    [
      "tmux attached by a user, into which an agent types",
      ["tmux"],
      `kill %1; wait; export TMUX_TMPDIR="$HOME" TERM=xterm
       MAKER=/mnt/xterm; T="tmux -L person"
       { until $T has-session 2>/dev/null; do sleep 0.1; done; "$PROJECT/claude" 600 &
         until $T capture-pane -p | grep -q 'to continue:'; do sleep 0.1; done
         $T send-keys "$($T capture-pane -p | sed -n 's/.*Type \\([a-z]*\\) to continue:.*/\\1/p')" Enter; } &
       sleep 60 | "$MAKER" -qefc "$T new-session 'sleep 2.1; $PROJECT/allow >$HOME/shown; touch $HOME/end'" /dev/null >/dev/null & result`,
      "tmux",
    ],
  ];
  for (const [what, programs, script, kind] of cases)
    test.skipIf(!programs.every(hasProgram))(what, () => {
      const { lines, place } = runAttempt(script);
      expect(lines.join("\n")).toMatch(/ is allowed;| allow revoke /);
      const [file = ""] = readdirSync(place);
      expect(JSON.parse(readFileSync(join(place, file), "utf8"))).toMatchObject({ confirmed: kind });
    });
});

describe.skipIf(!hasMachine || !hasProgram("setpriv"))("a non-root account", () => {
  const run = (maker: string, command: string, start = "") =>
    createMachine().run(`
      mkdir -m 1777 /mnt/work; mkdir /mnt/tom; chown 4711 /mnt/tom; cp "$BRIDGE" /mnt/bridge-hooks; export HOME=/mnt/work
      TOM="setpriv --reuid 4711 --regid 4711 --clear-groups env HOME=/mnt/tom"; cp /mnt/sshd /mnt/cron; cd /mnt/tom
      ALLOW="/mnt/bridge-hooks allow --rule git/push-force --reason x"
      ${start}
      MAKER="${maker}"; person confirm "${command}" | tail -1
      grep -o '"confirmed": .*' /mnt/tom/.config/bridge-hooks/exceptions/*.json 2>/dev/null`);
  const asTom = "exec $TOM sh -c 'sleep 2.1; $ALLOW; true'";
  const allowed = expect.stringContaining(" allow revoke ");

  test("confirms in its own terminal emulator, even if /proc hides other accounts", () => {
    const recorded = [allowed, '"confirmed": "terminal-emulator",'];
    expect(run("$TOM /mnt/xterm", "$ALLOW")).toEqual(recorded);
    expect(run("$TOM /mnt/xterm", "$ALLOW", "mount -o remount,hidepid=2 /proc")).toEqual(recorded);
  });
  test("confirms through root's ssh server, if the server is visible and reports the origin of the login", () => {
    expect(run("/mnt/sshd", asTom)).toEqual([allowed, '"confirmed": "ssh",']);
    expect(run("/mnt/sshd", asTom, "unset SSH_CONNECTION")).toEqual([
      expect.stringContaining("the origin of this ssh connection is unknown"),
    ]);
    expect(run("/mnt/sshd", asTom, "mount -o remount,hidepid=2 /proc")).toEqual([
      expect.stringContaining("the system hides the process that opened this terminal"),
    ]);
  });
  test("is rejected through another service of root's", () => {
    expect(run("/mnt/cron", asTom)).toEqual([expect.stringContaining(") opened this terminal, but isn't a login")]);
  });
});
