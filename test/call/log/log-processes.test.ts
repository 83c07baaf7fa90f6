import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hashLine } from "../../../src/call/log/log-chain.ts";
import { getLogFile } from "../../../src/call/log/log-path.ts";
import { countLosses } from "../../../src/operate/log/losses.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";
import { omitAllowId } from "../../support/allow-id.ts";
import { scaleMs } from "../../support/machine.ts";
import { createHome, createShellPayload, getHomeLog, type LogHome, readHeads, readLines } from "./log-support.ts";

const isRoot = process.getuid?.() === 0;
const COMMAND = "git push --force origin main";

interface EndedCall {
  stdout: string;
  exit_code: number;
}

/** A call that reaches its deadline isn't logged. With far more processes than CPU cores, that would happen often. */
const PATIENT = ["--timeout-ms", "60000"];

/** Runs a denied call in the built executable, the way a host does. */
async function callHost({ env, project }: LogHome, payload = createShellPayload(COMMAND)): Promise<EndedCall> {
  const argv = [EXECUTABLE, "--host", "claude", "--event", "PreToolUse", "--on-error", "deny", ...PATIENT];
  const child = Bun.spawn(argv, {
    stdin: new TextEncoder().encode(JSON.stringify({ ...payload, cwd: project })),
    stdout: "pipe",
    stderr: "ignore",
    env: { PATH: process.env.PATH ?? "", ...env },
    cwd: project,
    // Kills a call that would wait forever for its log. A killed call has a distinct exit code.
    timeout: scaleMs(100_000),
  });
  const stdout = await new Response(child.stdout).text();
  return { stdout, exit_code: await child.exited };
}

/** Makes calls in several concurrent processes, each of which makes its calls one after another. */
const callInParallel = (home: LogHome, processes: number, calls: number) =>
  Promise.all(
    Array.from({ length: processes }, async (_, at) => {
      for (let call = 0; call < calls; call++)
        await callHost(home, createShellPayload(COMMAND, { session_id: `${at}-${call}` }));
    }),
  );

const isDenied = ({ stdout, exit_code }: EndedCall) => exit_code === 2 && stdout.includes('"deny"');
const [PROCESSES, CALLS] = (process.env.LOG_PROCESSES ?? "20x5").split("x").map(Number) as [number, number];

describe("concurrent processes", () => {
  test("write every record completely", async () => {
    const home = createHome();
    await callInParallel(home, PROCESSES, CALLS);
    const lines = readLines(home);
    expect(lines.length).toBe(PROCESSES * CALLS);
    expect(new Set(lines.map(({ session }) => session)).size).toBe(PROCESSES * CALLS);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(PROCESSES * CALLS);
  });
  test("write every record while one of them rotates the file", async () => {
    const home = createHome();
    const file = getHomeLog(home);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ pad: "x".repeat(4 * 1024 * 1024) })}\n`);
    await callInParallel(home, 10, 2);
    expect(readLines(home).length).toBe(21);
    expect(
      readdirSync(dirname(file))
        .filter((name) => name.startsWith("decisions"))
        .sort(),
    ).toEqual(["decisions-000001.jsonl", "decisions.jsonl"]);
  });
  test("write one chain", async () => {
    const home = createHome({ log: { chain: true } });
    await callInParallel(home, 10, 3);
    const isWhole = (line: string) => !line.includes('"part":"head"');
    const lines = readFileSync(getHomeLog(home), "utf8").trim().split("\n").filter(isWhole);
    const links = lines.map((line) => JSON.parse(line) as { seq: number; prev: string });
    expect(links.map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    expect(links.map(({ prev }) => prev)).toEqual(["", ...lines.slice(0, -1).map(hashLine)]);
  });
});

/** Kills a call as soon as the host has read the answer. */
async function killAfterAnswer({ env, project }: LogHome, session: string): Promise<void> {
  const payload = { ...createShellPayload(COMMAND, { session_id: session }), cwd: project };
  const argv = [EXECUTABLE, "--host", "claude", "--event", "PreToolUse", ...PATIENT];
  const child = Bun.spawn(argv, {
    stdin: new TextEncoder().encode(JSON.stringify(payload)),
    stdout: "pipe",
    stderr: "ignore",
    env: { PATH: process.env.PATH ?? "", ...env },
    cwd: project,
  });
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGKILL");
  await child.exited;
}

describe("a call that is killed right after its answer", () => {
  test("has logged its head, and readers count the lost details", async () => {
    for (const log of [undefined, { chain: true }]) {
      const home = createHome(log && { log });
      await Promise.all(Array.from({ length: 20 }, (_, at) => killAfterAnswer(home, `s${at}`)));
      const heads = readHeads(home);
      expect(heads.length).toBe(20);
      expect(heads[0]).toMatchObject({
        ...{ v: 1, part: "head", host: "claude", event: "PreToolUse", decision: "deny", mode: "enforce" },
        rule: "git/push-force",
        time: expect.any(String),
      });
      const lost = heads.length - readLines(home).length;
      expect(countLosses(home.env, 0, Date.now() + 60_000)).toEqual({ details: lost, unwritten: 0 });
    }
  });
});

describe("a call that reaches its deadline", () => {
  test("leaves its prepared head in the log", () => {
    const { env, project } = createHome();
    const root = join(import.meta.dir, "../../../src/call");
    const text = `const { createDeadline } = await import("${root}/deadline/deadline.ts");
      const { prepareHead } = await import("${root}/log/log-head.ts");
      const call = { native_event: "PreToolUse", outcomes: [], response: {}, decision: "deny", losses: [], ms: 0, lacksLogConfig: true };
      const record = await prepareHead(call, 200, process.env);
      await createDeadline([]).arm(200, { stdout: "", stderr: "", exit_code: 7, record }, "{}", { known: [], problem: "x" });
      for (;;);`;
    const argv = [process.execPath, "-e", text];
    const { exitCode } = Bun.spawnSync(argv, {
      env: { ...process.env, ...env },
      cwd: project,
      timeout: scaleMs(60_000),
    });
    expect(exitCode).toBe(7);
    const lines = readFileSync(getLogFile(env), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ part: "head", decision: "deny", ms: 200 }),
    ]);
  });
});

describe("a call", () => {
  test("answers and ends as usual if the log can't be written", async () => {
    const expected = await callHost(createHome());
    const odd: [what: string, damage: (file: string) => void][] = [
      ["a pipe", (file) => Bun.spawnSync(["mkfifo", file])],
      ["a full disk", (file) => Bun.spawnSync(["ln", "-s", "/dev/full", file])],
      ["a folder", (file) => mkdirSync(file)],
      [
        "a state directory that is a file",
        (file) => (rmSync(dirname(file), { recursive: true }), writeFileSync(dirname(file), "")),
      ],
      ["a read-only directory", (file) => chmodSync(dirname(file), 0o500)],
    ];
    for (const [what, damage] of odd)
      for (const chain of [false, true]) {
        const home = createHome({ log: { chain } });
        mkdirSync(dirname(getHomeLog(home)), { recursive: true });
        damage(getHomeLog(home));
        const { stdout, exit_code } = await callHost(home);
        // Lost records can't be counted if the state directory isn't writable.
        const isFolder = what !== "a state directory that is a file" && (what !== "a read-only directory" || isRoot);
        const isWritten = what === "a read-only directory" && isRoot;
        expect([what, countLosses(home.env).unwritten]).toEqual([what, isFolder && !isWritten ? 1 : 0]);
        expect([what, omitAllowId(stdout), exit_code]).toEqual([
          what,
          omitAllowId(expected.stdout),
          expected.exit_code,
        ]);
      }
  });
  test("answers and logs outside the chain if another process holds the log's lock", async () => {
    const home = createHome({ log: { chain: true } });
    const lock = getHomeLog(home).replace(".jsonl", ".lock");
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, "");
    const call = await callHost(home);
    expect([isDenied(call), existsSync(lock)]).toEqual([true, true]);
    // The record was written but isn't part of a chain.
    expect(readLines(home).map(({ seq }) => seq)).toEqual([undefined]);
  });
});

describe("a call that matches no hook", () => {
  test("is logged only at the level `all`", async () => {
    const quiet = [createShellPayload("ls"), { hook_event_name: "SessionEnd", session_id: "s", reason: "other" }];
    const cases: readonly [object | undefined, number][] = [
      [{ level: "all" }, 2],
      [{}, 0],
      [undefined, 0],
    ];
    for (const [log, most] of cases) {
      const home = createHome(log && { log });
      for (const payload of quiet) await callHost(home, payload);
      expect([log, existsSync(getHomeLog(home)) ? readLines(home).map(({ event }) => event) : []]).toEqual([
        log,
        ["PreToolUse", "SessionEnd"].slice(0, most),
      ]);
    }
  });
});

describe("bridge-hooks serve", () => {
  test("logs each call, and ends even if its log stalls", async () => {
    for (const isStalled of [false, true]) {
      const home = createHome();
      const file = getHomeLog(home);
      mkdirSync(dirname(file), { recursive: true });
      if (isStalled) Bun.spawnSync(["mkfifo", file]);
      const requests = Array.from({ length: 20 }, (_, id) =>
        JSON.stringify({
          id,
          argv: ["--event", "PreToolUse"],
          payload: { ...createShellPayload(COMMAND), cwd: home.project },
        }),
      );
      const child = Bun.spawn([EXECUTABLE, "serve", "--host", "claude"], {
        stdin: new TextEncoder().encode(`${requests.join("\n")}\n`),
        stdout: "pipe",
        stderr: "ignore",
        env: { PATH: process.env.PATH ?? "", ...home.env },
        cwd: home.project,
      });
      const answers = (await new Response(child.stdout).text()).trim().split("\n");
      expect([isStalled, answers.length, await child.exited]).toEqual([isStalled, 20, 0]);
      if (!isStalled) expect(readLines(home).length).toBe(20);
    }
  });
});

describe("the built executable", () => {
  test("names its policy in a call's log record", async () => {
    const home = createHome({ hooks: {} });
    await callHost(home);
    const { stdout } = Bun.spawnSync([EXECUTABLE, "--version"], {
      env: { PATH: process.env.PATH ?? "", ...home.env },
      cwd: home.project,
    });
    const { name, version, hash } = readLines(home)[0]?.policy ?? {};
    expect(stdout.toString()).toContain(`policy: ${name} ${version}, hash ${hash}\n`);
  });
});

describe("the time limit after an answer", () => {
  const run = join(import.meta.dir, "../../../src/call");
  const ways: readonly [string, string][] = [
    ["system timers", `(await import("${run}/deadline/deadline.ts")).createDeadline([])`],
    ["a watcher", `(await import("${run}/deadline/watcher-deadline.ts")).createWatchedDeadline([])`],
  ];
  for (const [what, create] of ways)
    test(`ends a blocked process through ${what}`, () => {
      const text = `const deadline = ${create}; await deadline.limitExit(3_600_000, 7); await deadline.limitExit(100, 7); for (;;);`;
      const { exitCode } = Bun.spawnSync([process.execPath, "-e", text], { timeout: scaleMs(60_000) });
      expect(exitCode).toBe(7);
    });
});
