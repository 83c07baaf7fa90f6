import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import verifyBeforeStop from "../../hooks/verify-before-stop.ts";
import { askHook } from "../support/ask-hook.ts";
import { ROOT } from "../support/fixtures.ts";
import { scaleMs, waitFor } from "../support/machine.ts";
import {
  scratch,
  createRepository,
  createSession,
  askAtStop,
  MORE_TIME_ADVICE,
  useTestState,
} from "./verify-support.ts";

useTestState();

describe("a command of verify-before-stop", () => {
  const readPid = async (file: string) =>
    Number(await waitFor(() => existsSync(file) && readFileSync(file, "utf8"), file));
  const lives = (pid: number) => {
    try {
      process.kill(pid, 0);
      // A process that has ended is still listed until its parent has waited for it.
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  };
  const waitUntilGone = (pid: number) => waitFor(() => !lives(pid), `the end of process ${pid}`);
  /** A command with a child process that would keep running after it. */
  const endless = (file: string) => `sleep 60 & echo $! > ${file}.tmp; mv ${file}.tmp ${file}; wait`;

  test("is ended with its child processes when its time is up", async () => {
    const file = join(scratch, "pid-late");
    const found = await askAtStop(createSession(createRepository()), {
      commands: [endless(file)],
      when: "always",
      timeoutMs: scaleMs(400),
    });
    expect(found).toEqual({
      user_message: `verify-before-stop: "${endless(file)}" timed out${MORE_TIME_ADVICE}`,
    });
    await waitUntilGone(await readPid(file));
  });
  test("gets the time left by earlier commands", async () => {
    const timeoutMs = scaleMs(800);
    // A single command could run within the time limit.
    const sleep = `sleep ${(0.6 * timeoutMs) / 1_000}`;
    const commands = [`: first; ${sleep}`, `: second; ${sleep}`];
    const found = await askAtStop(createSession(createRepository()), { commands, when: "always", timeoutMs });
    expect(found?.user_message).toStartWith('verify-before-stop: ": second; sleep');
    expect(found?.user_message).toContain("timed out");
  });
  test("is ended when the hook's time is up", async () => {
    const file = join(scratch, "pid-abort");
    const abort = new AbortController();
    const event = { ...createSession(createRepository()), event: "Stop", continuations: 0 };
    const options = { commands: [endless(file)], when: "always", timeoutMs: scaleMs(60_000) };
    const running = askHook(verifyBeforeStop, event, options, abort.signal);
    const pid = await readPid(file);
    expect(lives(pid)).toBe(true);
    abort.abort();
    expect((await running)?.user_message).toContain("timed out");
    await waitUntilGone(pid);
  });
  const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;
  /** Runs the hook in its own process. */
  const startHost = (name: string, commands: string[]) => {
    const script = join(scratch, `host-${name}.ts`);
    const session = { ...createSession(createRepository()), event: "Stop", continuations: 0 };
    const options = { commands, when: "always", timeoutMs: scaleMs(60_000), attempts: 3 };
    writeFileSync(
      script,
      `import hook from ${JSON.stringify(join(ROOT, "hooks/verify-before-stop.ts"))};
      const context = { options: ${JSON.stringify(options)}, log() {}, signal: new AbortController().signal };
      await hook.handler(${JSON.stringify(session)} as never, context as never);`,
    );
    return Bun.spawn([process.execPath, "--tsconfig-override", join(ROOT, "tsconfig.json"), script], {
      cwd: ROOT,
      stdout: "ignore",
      stderr: "inherit",
    });
  };
  test("is ended when the host ends the process", async () => {
    const endBy = async (name: NodeJS.Signals) => {
      const file = join(scratch, `pid-${name}`);
      const host = startHost(name, [endless(file)]);
      const pid = await readPid(file);
      host.kill(name);
      await host.exited;
      await waitUntilGone(pid);
      return host.signalCode;
    };
    expect(await Promise.all(SIGNALS.map(endBy))).toEqual([...SIGNALS]);
  });
  test("is ended when the host ends the process as the command starts", async () => {
    // Only the command itself can tell this early that it has started.
    const endBy = async (name: NodeJS.Signals) => {
      const file = join(scratch, `pid-early-${name}`);
      const host = startHost(`early-${name}`, [`echo $$ > ${file}; kill -${name.slice(3)} $PPID; sleep 60`]);
      await host.exited;
      await waitUntilGone(await readPid(file));
      return host.signalCode;
    };
    expect(await Promise.all(SIGNALS.map(endBy))).toEqual([...SIGNALS]);
  });
  test("is not waited for after it ends, even if a child process holds its output open", async () => {
    const file = join(scratch, "pid-left");
    const found = await askAtStop(createSession(createRepository()), {
      commands: [`sleep 60 & echo $! > ${file}; echo done; exit 1`],
      when: "always",
    });
    expect(found?.reason).toContain("The end of its output:\ndone");
    const pid = Number(readFileSync(file, "utf8"));
    expect(lives(pid)).toBe(true);
    process.kill(pid);
  });
  test("gets end of file if it reads stdin", async () => {
    expect(
      await askAtStop(createSession(createRepository()), { commands: ["read line; exit 5"], when: "always" }),
    ).toMatchObject({
      decision: "deny",
    });
  });
});
