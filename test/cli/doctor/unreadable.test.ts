import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Home, writeTestFile } from "../../support/homes.ts";
import { createMachine, getConfigPath } from "./machine.ts";

/** Root can read everything, so if tests run as root, commands switch to this user. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function runAsUser(home: Home, ...line: string[]) {
  const { PATH, XDG_STATE_HOME, HOME } = home.machine.env;
  const env = { PATH, XDG_STATE_HOME, HOME, XDG_CONFIG_HOME: join(home.folder, "config") } as Record<string, string>;
  const { status, stdout, stderr } = spawnSync(home.self, line, {
    cwd: home.folder,
    env,
    encoding: "utf8",
    timeout: 60_000,
    ...USER,
  });
  return { status, text: `${stdout}\n${stderr}` };
}

/** Makes that user the owner of a machine's files. */
function handOver(home: Home): void {
  chmodSync(home.folder, 0o755);
  chmodSync(dirname(home.self), 0o755);
  const { uid, gid } = USER;
  if (uid === undefined) return;
  chownSync(home.folder, uid, gid);
  for (const name of ["home", "project", "system", "state"])
    spawnSync("chown", ["-RP", `${uid}:${gid}`, join(home.folder, name)]);
}

/** Ways to make Cursor's file unreadable by its user. */
const FORBIDDEN: Readonly<Record<string, (path: string) => void>> = {
  "an unreadable file": (path) => {
    writeTestFile(path, "{}");
    chmodSync(path, 0);
  },
  "a file in a directory that can't be listed": (path) => {
    writeTestFile(path, "{}");
    chmodSync(dirname(path), 0);
  },
  "a file in a directory that is a link to itself": (path) => symlinkSync(dirname(path), dirname(path)),
};

describe("install, status, doctor and uninstall name the path, and continue with other hosts, for", () => {
  for (const [name, plant] of Object.entries(FORBIDDEN))
    test.skipIf(process.platform === "win32")(name, () => {
      using home = createMachine();
      const path = getConfigPath(home, "cursor");
      mkdirSync(join(home.folder, "state"), { recursive: true });
      plant(path);
      handOver(home);
      const hosts = ["--host", "cursor", "--host", "claude"];
      const run = (command: string, ...more: string[]) => runAsUser(home, command, ...hosts, ...more);
      const installed = run("install", "--yes");
      expect([installed.status, installed.text.includes(path)]).toEqual([1, true]);
      expect(installed.text).toContain("1 file was written");
      for (const command of ["status", "doctor"]) {
        const { status, text } = run(command);
        expect([command, status, text.includes(path)]).toEqual([command, 1, true]);
        expect(text).toContain(join(home.machine.home, ".claude/settings.json"));
      }
      const removed = run("uninstall", "--yes");
      expect(removed.text).toContain("Removed from 1 file");
      chmodSync(home.folder, 0o755);
      if (!name.includes("link")) chmodSync(dirname(path), 0o755);
    });
});

test.skipIf(process.platform === "win32")(
  "status and doctor don't block on a FIFO in place of one of our config files",
  () => {
    using home = createMachine();
    mkdirSync(join(home.folder, "state"), { recursive: true });
    writeTestFile(join(home.folder, ".git/HEAD"), "ref: refs/heads/main\n");
    spawnSync("mkfifo", [join(home.folder, ".bridge-hooks.json")]);
    handOver(home);
    for (const command of ["status", "doctor"]) {
      const { status, text } = runAsUser(home, command, "--host", "claude");
      expect([command, status === null]).toEqual([command, false]);
      if (command === "doctor") expect(text).toContain("not a regular file");
    }
  },
);
