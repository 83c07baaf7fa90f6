import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LogLine } from "../../src/call/log/log-line.ts";
import { EXECUTABLE } from "../support/fixtures.ts";
import { waitFor } from "../support/machine.ts";
import { createHome, createShellPayload, getHomeLog, type LogHome, readLines } from "../call/log/log-support.ts";
import { findProgram, LIBRARY_FOLDER } from "./programs.ts";

const program = findProgram("rsyslogd");
const BAD = "rm -rf / # <script>\u001b[31m\n<84>Nov 24 00:00:00 bridge-hooks[1]: forged\u202e";

const run = ({ env, project }: LogHome, argv: readonly string[], stdin: Uint8Array | null = null) =>
  Bun.spawnSync([EXECUTABLE, ...argv], { cwd: project, env: { PATH: process.env.PATH ?? "", ...env }, stdin });

describe.skipIf(!program)(
  program ? "rsyslog" : "rsyslog (skipped: not installed; `npm run programs` downloads it)",
  () => {
    const home = createHome();
    const [socket, received] = [join(home.home, "log.socket"), join(home.home, "received")];
    let daemon: Bun.Subprocess | undefined;
    let port = 0;

    beforeAll(async () => {
      if (!program) return;
      const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
      port = probe.port;
      probe.stop(true);
      const config = join(home.home, "rsyslog.conf");
      // The config from the documentation, but with this test's own file and inputs.
      const page = readFileSync(join(import.meta.dir, "../../docs/operate/logs.md"), "utf8");
      const [shown = ""] = /^# \/etc\/rsyslog\.d\/[^`]*/m.exec(page) ?? [];
      expect(shown).toContain('"/var/log/bridge-hooks.jsonl"');
      writeFileSync(
        config,
        `module(load="imuxsock" SysSock.Use="off")
input(type="imuxsock" Socket="${socket}")
module(load="imtcp")
input(type="imtcp" address="127.0.0.1" port="${port}")
template(name="kind" type="string" string="%syslogfacility-text%.%syslogseverity-text% %programname%\\n")
if $programname == "bridge-hooks" then action(type="omfile" file="${received}.kinds" template="kind")
${shown.replace("/var/log/bridge-hooks.jsonl", received)}`,
      );
      const modules = program.root === "" ? [] : ["-M", join(program.root, LIBRARY_FOLDER, "rsyslog")];
      const argv = [program.path, "-n", ...modules, "-f", config, "-i", join(home.home, "rsyslog.pid")];
      daemon = Bun.spawn(argv, { env: { ...process.env, ...program.env }, stdio: ["ignore", "ignore", "ignore"] });
      await waitFor(() => existsSync(socket), "rsyslog's socket");
    });
    afterAll(async () => {
      daemon?.kill();
      await daemon?.exited;
    });

    async function readReceived(count: number): Promise<string[]> {
      const read = () => (existsSync(received) ? readFileSync(received, "utf8").split("\n").slice(0, -1) : []);
      await waitFor(() => read().length >= count, `${count} lines from rsyslog`);
      return read();
    }

    test("receives each exported record completely, without control characters", async () => {
      for (const command of ["git push --force origin main", BAD]) {
        const payload = createShellPayload(command, { cwd: home.project });
        run(home, ["--host", "claude"], Buffer.from(JSON.stringify(payload)));
      }
      const [first] = readLines(home);
      const long: LogLine = { ...(first as LogLine), id: "long", asked: { command: "x".repeat(40_000) } };
      mkdirSync(dirname(getHomeLog(home)), { recursive: true });
      writeFileSync(getHomeLog(home), `${JSON.stringify(long)}\n`, { flag: "a" });
      for (const [at, to] of [socket, `tcp://127.0.0.1:${port}`].entries()) {
        expect(run(home, ["export", `--syslog=${to}`]).stdout.toString()).toBe("3 lines were shipped\n");
        const lines = (await readReceived(3 * (at + 1))).slice(3 * at);
        expect(lines.map((line) => JSON.parse(line) as LogLine)).toEqual(readLines(home));
        expect(/[\u0000-\u001f\u007f-\u009f\u202e]/.test(lines.join(""))).toBe(false);
      }
      expect(new Set(readFileSync(`${received}.kinds`, "utf8").trim().split("\n"))).toEqual(
        new Set(["authpriv.warning bridge-hooks"]),
      );
    });
    test("makes export fail with a message while it is down", async () => {
      daemon?.kill();
      await daemon?.exited;
      const other = join(home.home, "gone.socket");
      const { exitCode, stderr } = run(home, ["export", `--syslog=${other}`]);
      expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining("no syslog socket at")]);
      const refused = run(home, ["export", `--syslog=tcp://127.0.0.1:${port}`, "--bookmark", "again"]);
      expect([refused.exitCode, refused.stderr.toString()]).toEqual([1, expect.stringContaining("did not take")]);
    });
  },
);
