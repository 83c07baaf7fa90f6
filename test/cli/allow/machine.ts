import { afterAll } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXECUTABLE } from "../../support/fixtures.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-allow-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates separate process and mount namespaces but no user namespace, in which exceptions can't be confirmed. */
const ISOLATED = ["unshare", "--mount", "--pid", "--fork", "--mount-proc"];
const canRun = (command: readonly string[]) => {
  try {
    return Bun.spawnSync([...command], { stdout: "ignore", stderr: "ignore" }).success;
  } catch {
    return false;
  }
};
/** Whether this system supports isolated machines. */
export const hasMachine =
  process.platform === "linux" && canRun([...ISOLATED, "true"]) && canRun(["script", "-qec", "true", "/dev/null"]);
if (!hasMachine) console.warn("skipped: requires root, `unshare` with separate namespaces, and `script` (util-linux)");

const PRELUDE = `
mount --bind "$ETC" /etc && mount -t tmpfs -o mode=755 tmpfs /mnt || exit 90
# A user's terminal is created by a program that only root can replace.
cp "$(command -v script)" /mnt/xterm; cp "$(command -v script)" /mnt/sshd
MAKER=/mnt/xterm
export SSH_CONNECTION="192.0.2.9 5 192.0.2.7 22"
cd "$PROJECT"
call() { # LINE [SESSION [CALL-ID]]
  printf '{"session_id":"%s","tool_use_id":"%s","transcript_path":"/t","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"}}' "\${2:-s}" "\${3:-$(date +%N)}" "$PROJECT" "$1" |
    "$BRIDGE" --host claude --event PreToolUse --on-error deny 2>&1 >"$HOME/answer"
  echo "exit $?"
}
id() { sed -n 's/.*bridge-hooks allow \\([a-z0-9]*\\)[, ].*/\\1/p' "$HOME/answer"; }
# Types into a terminal created by MAKER: ANSWER, or the confirmation word that the command shows. The terminal stays
# open until the command ends.
person() { # ANSWER|confirm COMMAND…
  local answer="$1" shown="$HOME/terminal"; shift
  rm -f "$shown" "$shown.end"; touch "$shown"; chmod 666 "$shown"
  {
    until grep -qas ' to continue:' "$shown" || [ -e "$shown.end" ]; do sleep 0.02; done
    [ "$answer" != confirm ] || answer=$(grep -ao 'Type [a-z]* to continue:' "$shown" | cut -d' ' -f2)
    [ -e "$shown.end" ] || echo "$answer"
    until [ -e "$shown.end" ]; do sleep 0.02; done
  } | { $MAKER -qefc "stty cols \${COLS:-400}; sleep 2.1; $*" "$shown"; touch "$shown.end"; } | tr -d '\\r'
}
`;

let count = 0;

/** Creates a machine with one account, whose home directory appears only in the machine's user database. */
export function createMachine(managed?: object) {
  const root = join(folder, String(++count));
  const [etc, own, home, project] = ["etc", "own", "home", "project"].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [join(etc, "bridge-hooks"), own, home, project]) mkdirSync(path, { recursive: true });
  writeFileSync(join(etc, "passwd"), `mia:x:0:0:Mia:${own}:/bin/sh\ntom:x:4711:4711:Tom:/mnt/tom:/bin/sh\n`);
  writeFileSync(join(etc, "nsswitch.conf"), "passwd: files\n");
  if (managed) writeFileSync(join(etc, "bridge-hooks/config.json"), JSON.stringify(managed));
  return {
    ...{ own, project, place: join(own, ".config/bridge-hooks/exceptions") },
    /** Runs a bash script on the machine and returns its output lines. */
    run(script: string): string[] {
      const file = join(root, "script.sh");
      writeFileSync(file, PRELUDE + script);
      chmodSync(file, 0o755);
      const { stdout, stderr, exitCode } = Bun.spawnSync([...ISOLATED, "bash", file], {
        env: {
          ...{ PATH: process.env.PATH ?? "", HOME: home, ETC: etc, PROJECT: project, BRIDGE: EXECUTABLE },
          ...{ TERM: "dumb", TZ: "UTC" },
        },
      });
      if (exitCode === 90) throw new Error(`no machine: ${stderr.toString()}`);
      return `${stdout.toString()}${stderr.toString()}`.trimEnd().split("\n");
    },
  };
}
