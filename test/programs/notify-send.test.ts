import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LogLine } from "../../src/call/log/log-line.ts";
import { DESKTOP_PROGRAMS, showDenials } from "../../src/operate/notify/desktop.ts";
import { waitFor } from "../support/machine.ts";
import { createHome } from "../call/log/log-support.ts";
import { serveNotifications } from "./notification-service.ts";
import { findProgram } from "./programs.ts";

const program = findProgram("notify-send");
const bus = Bun.which("dbus-daemon");
const isHere = program !== undefined && bus !== null;

describe.skipIf(!isHere)(
  isHere ? "notify-send" : "notify-send (skipped: not installed; `npm run programs` downloads it)",
  () => {
    const home = createHome();
    const socketPath = join(home.home, "bus");
    let daemon: Bun.Subprocess | undefined;
    let service: Awaited<ReturnType<typeof serveNotifications>> | undefined;

    beforeAll(async () => {
      if (!isHere) return;
      mkdirSync(join(home.env.XDG_STATE_HOME, "bridge-hooks"), { recursive: true });
      daemon = Bun.spawn([bus, "--session", "--nofork", `--address=unix:path=${socketPath}`], {
        stdio: ["ignore", "ignore", "ignore"],
      });
      await waitFor(() => existsSync(socketPath), "the bus");
      service = await serveNotifications(socketPath);
    });
    afterAll(async () => {
      service?.stop();
      daemon?.kill();
      await daemon?.exited;
    });

    test("passes the denial to a desktop as plain text", async () => {
      const line: LogLine = {
        ...{
          v: 1,
          id: "a",
          time: new Date().toISOString(),
          decision: "deny",
          mode: "enforce",
          content: "redacted",
          ms: 1,
        },
        subject: '--help "$(id)" <img src="http://127.0.0.1:9/x">\n\u202e \\033[31m \\n',
        rule: "git/reset-hard",
      };
      const { path, env } = program as NonNullable<typeof program>;
      const variables = { ...home.env, ...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${socketPath}` };
      const linux = DESKTOP_PROGRAMS.linux as NonNullable<typeof DESKTOP_PROGRAMS.linux>;
      await showDenials([line], variables, { ...linux, path });
      expect(service?.shown).toEqual([
        {
          application: "bridge-hooks",
          title: "bridge-hooks denied 1 call",
          text: 'deny: --help "$(id)" &lt;img src="http://127.0.0.1:9/x"&gt;⏎\\u202e \\033[31m \\n (git/reset-hard)',
        },
      ]);
    });
    test("reports why it could not show anything", async () => {
      const { path, env } = program as NonNullable<typeof program>;
      const other = createHome();
      mkdirSync(join(other.env.XDG_STATE_HOME, "bridge-hooks"), { recursive: true });
      const variables = { ...other.env, ...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home.home, "no-bus")}` };
      const linux = DESKTOP_PROGRAMS.linux as NonNullable<typeof DESKTOP_PROGRAMS.linux>;
      const line = { v: 1, id: "a", time: "", decision: "deny", mode: "enforce", content: "redacted", ms: 1 } as const;
      await expect(showDenials([line], variables, { ...linux, path })).rejects.toThrow(/failed: Could not connect/);
    });
  },
);
