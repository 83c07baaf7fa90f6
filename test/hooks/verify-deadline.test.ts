import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import verifyBeforeStop from "../../hooks/verify-before-stop.ts";
import { askHook } from "../support/ask-hook.ts";
import {
  scratch,
  createRepository,
  createSession,
  askAtStop,
  MORE_TIME_ADVICE,
  useTestState,
} from "./verify-support.ts";
import { scaleMs, waitFor } from "../support/machine.ts";

useTestState();

describe("what does not end", () => {
  const pidOf = async (file: string) => {
    await waitFor(() => existsSync(file), "the command's process id");
    return Number(readFileSync(file, "utf8"));
  };
  const lives = (pid: number) => {
    try {
      process.kill(pid, 0);
      // What has ended and that nobody asked about yet is still listed.
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  };
  const isGone = async (pid: number) => {
    await waitFor(() => !lives(pid), "the end of the command's child");
    return true;
  };
  /** A command with a child that would run on by itself. */
  const endless = (file: string) => `sleep 60 & echo $! > ${file}.tmp; mv ${file}.tmp ${file}; wait`;

  test("is ended with all that it started when its time is up", async () => {
    const file = join(scratch, "pid-late");
    const started = performance.now();
    const found = await askAtStop(createSession(createRepository()), {
      commands: [endless(file)],
      when: "always",
      timeoutMs: 400,
    });
    expect(performance.now() - started).toBeWithin(300, scaleMs(5_000));
    expect(found).toEqual({
      user_message: `verify-before-stop: "${endless(file)}" had not ended when its time was up${MORE_TIME_ADVICE}`,
    });
    expect(await isGone(await pidOf(file))).toBe(true);
  });
  test("has what the commands before it left of the time", async () => {
    const started = performance.now();
    const found = await askAtStop(createSession(createRepository()), {
      commands: ["sleep 0.3", "sleep 0.3", "sleep 60"],
      when: "always",
      timeoutMs: scaleMs(800),
    });
    expect(performance.now() - started).toBeWithin(700, scaleMs(6_000));
    expect(found?.user_message).toStartWith('verify-before-stop: "sleep 60" had not ended');
  });
  test("is ended when the hook's time is up", async () => {
    const file = join(scratch, "pid-abort");
    const abort = new AbortController();
    const event = { ...createSession(createRepository()), event: "Stop", continuations: 0 };
    const running = askHook(verifyBeforeStop, event, { commands: [endless(file)], when: "always" }, abort.signal);
    const pid = await pidOf(file);
    expect(lives(pid)).toBe(true);
    abort.abort();
    expect((await running)?.user_message).toContain("had not ended when its time was up");
    expect(await isGone(pid)).toBe(true);
  });
  test("is ended when the host ends the process", async () => {
    const file = join(scratch, "pid-signal");
    const script = join(scratch, "host.ts");
    const session = { ...createSession(createRepository()), event: "Stop", continuations: 0 };
    writeFileSync(
      script,
      `import hook from ${JSON.stringify(join(import.meta.dir, "../../hooks/verify-before-stop.ts"))};
      const options = ${JSON.stringify({ commands: [endless(file)], when: "always", timeoutMs: 30_000, attempts: 3 })};
      await hook.handler(${JSON.stringify(session)} as never, { options, log() {}, signal: new AbortController().signal } as never);`,
    );
    for (const name of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
      rmSync(file, { force: true });
      const child = Bun.spawn(
        [process.execPath, "--tsconfig-override", join(import.meta.dir, "../../tsconfig.json"), script],
        {
          cwd: join(import.meta.dir, "../.."),
          stdout: "ignore",
          stderr: "inherit",
        },
      );
      const pid = await pidOf(file);
      child.kill(name);
      await child.exited;
      expect([child.signalCode as string, await isGone(pid)]).toEqual([name, true]);
    }
  });
  test("and holds its output is not waited for, once the command itself has ended", async () => {
    const started = performance.now();
    const file = join(scratch, "pid-left");
    const found = await askAtStop(createSession(createRepository()), {
      commands: [`sleep 60 & echo $! > ${file}; echo done; exit 1`],
      when: "always",
    });
    expect(performance.now() - started).toBeLessThan(scaleMs(10_000));
    expect(found?.reason).toContain("The end of what it printed:\ndone");
    process.kill(Number(readFileSync(file, "utf8")));
  });
  test("as it waits for somebody to type", async () => {
    expect(
      await askAtStop(createSession(createRepository()), { commands: ["read line; exit 5"], when: "always" }),
    ).toMatchObject({
      decision: "deny",
    });
  });
});
