import { expect, test } from "bun:test";
import {
  isProtected,
  nameTerminal,
  parseEnvironment,
  parseGroup,
  readLinuxFacts,
} from "../../../src/cli/confirm/read-linux.ts";
import { judgeTerminal } from "../../../src/cli/confirm/judge-terminal.ts";
import { parsePs } from "../../../src/cli/confirm/read-macos.ts";
import { createWord } from "../../../src/cli/confirm/word.ts";

test("a terminal is named by its device number", () => {
  const named = [0, 0x8803, 0x888 << 4, 0x0401, 0x0440, 0x0501, 0xcc40, 0xe500, 0xbc01].map(nameTerminal);
  expect(named).toEqual([undefined, "pts/3", "pts/128", "tty1", "ttyS0", "console", "ttyAMA0", "hvc0", "device 188:1"]);
  // The high bits of the minor number are stored above the major number.
  expect(nameTerminal(0x108805)).toBe("pts/261");
});

test("environment variables and control groups are parsed", () => {
  expect(parseEnvironment("A=1\0B=x=y\0C=\n\0D\0")).toEqual({ A: "1", B: "x=y", C: "\n", D: "D" });
  expect(parseGroup("0::/user.slice/a.scope\n")).toBe("/user.slice/a.scope");
  expect(parseGroup("3:cpu:/x\n1:name=systemd:/b\n0::/\n")).toBe("/b");
  expect([parseGroup("0::/\n"), parseGroup("")]).toEqual(["/", "/"]);
});

test.skipIf(process.platform !== "linux")("a file is protected only if nobody but root can replace it", () => {
  expect([isProtected("/bin/sh"), isProtected("/tmp"), isProtected("/nowhere"), isProtected("")]).toEqual([
    ...[true, false, false, false],
  ]);
});

test.skipIf(process.platform !== "linux")("this process and its parent are read from /proc", () => {
  const { processes } = readLinuxFacts(process.pid, {});
  const own = processes.get(process.pid);
  expect(own).toMatchObject({ parent: process.ppid, account: process.geteuid?.(), isTraced: false });
  expect(own?.environment?.PATH).toBe(process.env.PATH as string);
  expect(Math.abs((own?.startTime ?? 0) - (Date.now() - process.uptime() * 1_000))).toBeLessThan(5_000);
});

// Output of `ps` on macOS, modeled on its documentation.
const LISTING = `    1     0     0     0 ??       Sat Nov 28 08:00:01 2026 /sbin/launchd
  600     1   501   501 ??       Sat Nov 28 09:00:02 2026 /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal
  601   600     0     0 ttys000  Sat Nov 28 09:00:03 2026 login
  602   601   501   501 ttys000  Sat Nov 28 09:00:03 2026 -zsh
  603   602   501   501 ttys000  Sat Nov 28 11:00:00 2026 /usr/local/bin/bridge-hooks
  700     1   501   501 ??       Sat Nov 28 09:00:02 2026 /Users/mia/Library/Application Support/iTerm2/iTermServer-3.5.0
  701   700     0     0 ttys001  Sat Nov 28 09:00:03 2026 login
  702   701   501   501 ttys001  Sat Nov 28 09:00:03 2026 -zsh
  800   602   501   501 ttys000  Sat Nov 28 10:00:03 2026 node
  801   800   501   501 ttys002  Sat Nov 28 10:00:03 2026 /bin/zsh
  900     1   501   501 ??       Sat Nov 28 10:00:03 2026 /usr/bin/script
  901   900   501   501 ttys003  Sat Nov 28 10:00:03 2026 /bin/sh
`;
const COMMANDS = "  800 node /opt/homebrew/bin/claude --resume\n  602 -zsh\n";

test("the output of ps on macOS is judged as on Linux", () => {
  const processes = parsePs(LISTING, COMMANDS);
  expect(processes.size).toBe(12);
  expect(processes.get(602)).toMatchObject({
    parent: 601,
    terminal: "ttys000",
    name: "zsh",
    account: 501,
    isRoot: false,
  });
  const judge = (pid: number) =>
    judgeTerminal({
      ...{ pid, platform: "darwin", processes, environment: {}, now: Date.parse("2026-11-28T12:00:00") },
      ...{ hasRealAccounts: true, isWsl: false, addresses: [], findRemoteHost: () => undefined },
      getTerminalTime: () => 0,
      isProtected: (path) => path.startsWith("/System/") || path.startsWith("/usr/"),
    });
  expect(judge(603)).toEqual({ confirmed: "terminal-emulator" });
  expect(judge(702)).toEqual({
    refusal: expect.stringContaining("iTermServer-3.5.0 (process 700) opened this terminal"),
  });
  expect(judge(801)).toEqual({ refusal: expect.stringContaining("Claude Code runs this terminal") });
  expect(judge(901)).toEqual({ refusal: expect.stringContaining("script (process 900) opened this terminal") });
});

test("confirmation words are readable, and differ", () => {
  const words = Array.from({ length: 200 }, createWord);
  expect(words.every((word) => /^(?:[bdfgklmnprstvz][aeiou]){3}$/.test(word))).toBe(true);
  expect(new Set(words).size).toBeGreaterThan(190);
});
