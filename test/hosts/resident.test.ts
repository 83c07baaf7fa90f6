import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findModuleProblems, extractEntriesJson, createPluginModule } from "../../src/hosts/setup/plugin-module.ts";
import { scaleMs, slowness } from "../support/machine.ts";

const folder = mkdtempSync(join(tmpdir(), "guard-"));
afterAll(() => {
  const children = join(folder, "children");
  if (existsSync(children))
    for (const pid of readFileSync(children, "utf8").trim().split("\n")) process.kill(Number(pid));
  rmSync(folder, { recursive: true, force: true });
});

/** A resident process that does what its payload says and logs each time it's started. */
const SERVER = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
appendFileSync(${JSON.stringify(join(folder, "starts"))}, process.argv.slice(2).join(" ") + "\\n");
const starts = () => require("node:fs").readFileSync(${JSON.stringify(join(folder, "starts"))}, "utf8").split("\\n").length - 1;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, argv, payload } = JSON.parse(line);
  const say = (answer, exit_code = 0, stderr = "", to = id) => console.log(JSON.stringify({ id: to, exit_code, stderr, answer }));
  switch (payload.do) {
    case "echo": say({ argv, payload }); break;
    case "late": setTimeout(() => say({ late: payload.ms }), payload.ms); break;
    case "warn": say(null, 0, "a warning"); break;
    case "block": Bun.sleepSync(600_000);
    case "silent": say(null, 2, "blocked without a document"); break;
    case "hang": break;
    case "die": process.exit(3);
    case "die once": if (starts() === 1) process.exit(3); else say({ starts: starts() }); break;
    case "rubbish": console.log("rubbish"); break;
    case "number": console.log(JSON.stringify({ id, answer: 5 })); break;
    case "unknown": say({ for: "nobody" }, 0, "", 99); say({ for: "somebody" }, 0, "", "x"); say(null, 0, "a line that was none", null); say({ known: true }); break;
    case "reply": console.log(JSON.stringify({ id, ...payload.reply })); break;
    case "die late": setTimeout(() => process.exit(3), payload.ms); break;
    case "leave a child": {
      const { spawn } = await import("node:child_process");
      const child = spawn("sleep", ["3600"], { stdio: "inherit", detached: true });
      child.unref();
      appendFileSync(${JSON.stringify(join(folder, "children"))}, child.pid + "\\n");
      if (payload.answers) say({ left: true });
      else process.exit(3);
      break;
    }
    case "noise": console.error("NOISE"); say(null); break;
  }
}
`;

/**
 * A client that uses the plugin and prints one JSON document. To test the plugin's own time limits, its clock can run
 * slower than real time, and simultaneous deadlines can expire in reverse order.
 */
const CLIENT = `
const [slowdown, lead] = process.argv.slice(4).map(Number);
const [{ now }, delay] = [performance, setTimeout];
performance.now = () => now.call(performance) / slowdown;
let timers = 0;
const isDeadline = (ms) => ms > 1_000;
globalThis.setTimeout = (done, ms) => delay(done, ms * slowdown - (isDeadline(ms) ? lead * timers++ : 0));
const { bridge, config } = await import(process.argv[2]);
const logged = [];
const { wants, ask, end } = bridge(config, { log: (line) => logged.push(line), denies: ({ deny }) => deny !== undefined });
const calls = JSON.parse(process.argv[3]);
const started = Date.now();
const answers = [];
const fs = await import("node:fs");
for (const call of calls) {
  if (call.cycle) call.cycle = call;
  if (call.odd) call.toJSON = () => { throw undefined; };
  if (call.leave) {
    fs.mkdirSync("gone");
    process.chdir("gone");
    fs.rmdirSync(process.cwd());
  } else if (call.fix) {
    fs.copyFileSync(call.as, call.fix);
  } else if (call.busy) {
    const answer = ask("gate", call);
    await new Promise((done) => setTimeout(() => setImmediate(done), 100));
    // Meanwhile, its thread can't do anything else, as if it were busy computing.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, call.busy);
    answers.push(await answer);
  } else if (call === "end") end();
  else answers.push(Array.isArray(call) ? await Promise.all(call.map((one) => ask(one.event ?? "gate", one))) : await ask(call.event ?? "gate", call));
}
console.log(JSON.stringify({ answers, logged, ms: Date.now() - started, wants: [wants("gate"), wants("other")] }));
`;

const server = join(folder, "server");
const client = join(folder, "client.mjs");

beforeAll(() => {
  writeFileSync(join(folder, "server.js"), SERVER);
  writeFileSync(server, `#!/bin/sh\nexec "${process.execPath}" "${join(folder, "server.js")}" "$@"\n`);
  chmodSync(server, 0o755);
  writeFileSync(client, CLIENT);
});

const PLUGIN = "export { bridge, config };\n";

let plugins = 0;

/** Returns the answers to calls that are made one after another, except that calls in an array are concurrent. */
function run(
  calls: unknown[],
  { command = server, timeout = 5, runtime = process.execPath, args = [] as string[], slowdown = 1, lead_ms = 0 } = {},
) {
  const module = createPluginModule("x", PLUGIN);
  const entry = (policy: string[]) => [{ command, args: ["--host", "x", ...policy, ...args, "--event", "e"], timeout }];
  const json = JSON.stringify({ hooks: { gate: entry(["--on-error", "deny"]), after: entry([]) } });
  const file = join(folder, `plugin-${++plugins}.mjs`);
  writeFileSync(file, module.write(json));
  rmSync(join(folder, "starts"), { force: true });
  const argv = [client, file, JSON.stringify(calls), String(slowdown), String(lead_ms)];
  const { stdout, stderr, status } = spawnSync(runtime, argv, {
    encoding: "utf8",
    // Kills a client that is hanging.
    timeout: scaleMs(60_000),
    cwd: folder,
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const starts = existsSync(join(folder, "starts"))
    ? readFileSync(join(folder, "starts"), "utf8").split("\n").length - 1
    : 0;
  return { ...JSON.parse(stdout), starts };
}

/**
 * A client whose clock is slowed down as much as this machine, so that a process can start within one second of its
 * time.
 */
const SCALED = { timeout: 1, slowdown: slowness };

const failure = (text: string) => expect.stringContaining(text);

for (const [name, runtime] of [
  ["bun", process.execPath],
  ["node", Bun.which("node") ?? "node"],
] as const) {
  describe(`the resident process's client, with ${name}`, () => {
    test("uses one process for all calls, and ends by itself", () => {
      const { answers, starts, wants } = run(
        [
          { do: "echo", n: 1 },
          [
            { do: "late", ms: 200 },
            { do: "echo", n: 2 },
          ],
          { do: "warn" },
        ],
        { runtime },
      );
      const argv = ["--host", "x", "--on-error", "deny", "--event", "e"];
      expect(answers).toEqual([
        { document: { argv, payload: { do: "echo", n: 1 } }, said: "" },
        [
          { document: { late: 200 }, said: "" },
          { document: { argv, payload: { do: "echo", n: 2 } }, said: "" },
        ],
        { document: null, said: "a warning" },
      ]);
      expect(starts).toBe(1);
      expect(wants).toEqual([true, false]);
    });

    test("does not send an event without an entry", () => {
      const { answers, starts } = run([{ event: "other", do: "die" }], { runtime });
      expect(answers).toEqual([{ document: null, said: "" }]);
      expect(starts).toBe(0);
    });

    test("repeats a call in a second process if the first one dies, and starts another process for the next call", () => {
      const { answers, starts } = run([{ do: "die once" }, { do: "warn" }], { runtime });
      expect(answers).toEqual([
        { document: { starts: 2 }, said: "" },
        { document: null, said: "a warning" },
      ]);
      expect(starts).toBe(3);
    });

    test("applies the failure policy if both processes of a call die, and starts another process for the next call", () => {
      const { answers, starts } = run([{ do: "die" }, { event: "after", do: "die" }, { do: "warn" }], { runtime });
      expect(answers).toEqual([
        { failure: failure("it ended with exit code 3"), policy: "deny" },
        { failure: failure("it ended with exit code 3"), policy: "allow" },
        { document: null, said: "a warning" },
      ]);
      expect(starts).toBe(5);
    });

    test("restarts the process for a call after its plugin ended it", () => {
      const { answers, starts } = run([{ do: "warn" }, "end", { do: "warn" }], { runtime });
      expect(answers.length).toBe(2);
      expect(answers[1]).toEqual({ document: null, said: "a warning" });
      expect(starts).toBe(2);
    });

    test("applies the failure policy if the executable is missing", () => {
      const { answers } = run([{ do: "echo" }, { event: "after", do: "echo" }], {
        runtime,
        command: join(folder, "missing"),
      });
      expect(answers).toEqual([
        { failure: failure("it can't be started"), policy: "deny" },
        { failure: failure("it can't be started"), policy: "allow" },
      ]);
    });

    test("ends a call that hangs at its deadline, and still answers concurrent calls", () => {
      const { answers, ms, starts } = run([[{ do: "hang" }, { do: "late", ms: 300 }]], { runtime, ...SCALED });
      expect(answers).toEqual([
        [
          { failure: failure("did not answer within"), policy: "deny" },
          { document: { late: 300 }, said: "" },
        ],
      ]);
      expect(ms).toBeLessThan(scaleMs(3_000));
      expect(starts).toBe(1);
    });

    // The plugin reserves 300 ms for the calls queued behind a blocked one. Within this time, two processes must start,
    // as measured by the client's slowed-down clock. Node rounds times, so simultaneous calls can expire in any order.
    test("answers calls queued after a call that blocks its process, in new processes", () => {
      const { answers, starts } = run([[{ do: "block" }, { do: "warn" }, { do: "late", ms: 20 }]], {
        runtime,
        ...SCALED,
        slowdown: 2 * slowness,
        timeout: 2,
        lead_ms: 5,
      });
      expect(answers).toEqual([
        [
          { failure: failure("did not answer within"), policy: "deny" },
          { document: null, said: "a warning" },
          { document: { late: 20 }, said: "" },
        ],
      ]);
      expect(starts).toBe(3);
    });

    test("starts an executable that was incomplete at the previous call once it is complete", () => {
      const half = join(folder, "half");
      rmSync(half, { force: true });
      writeFileSync(half, "\x7fELF no program");
      chmodSync(half, 0o755);
      const { answers } = run([{ do: "warn" }, { fix: half, as: server }, { do: "warn" }], { runtime, command: half });
      expect(answers).toEqual([
        { failure: expect.stringContaining("half: it "), policy: "deny" },
        { document: null, said: "a warning" },
      ]);
    });

    test("fails only the call whose payload can't be serialized as JSON, and does not wait", () => {
      const { answers, ms } = run([{ do: "warn", cycle: true }, { do: "warn" }], { runtime });
      expect(answers).toEqual([
        { failure: expect.any(String), policy: "deny" },
        { document: null, said: "a warning" },
      ]);
      expect(ms).toBeLessThan(scaleMs(3_000));
    });

    test("gets an answer if the host's working directory was removed", () => {
      expect(run([{ leave: true }, { do: "warn" }], { runtime }).answers).toEqual([
        { document: null, said: "a warning" },
      ]);
    });

    test("starts another process for the call after a hanging call", () => {
      const { answers, starts } = run([[{ do: "hang" }], { do: "warn" }], { runtime, ...SCALED });
      expect(answers).toEqual([
        [{ failure: failure("did not answer within"), policy: "deny" }],
        { document: null, said: "a warning" },
      ]);
      expect(starts).toBe(2);
    });

    test("fails a call if the answer is not JSON, has another shape, or denies without a document", () => {
      const { answers } = run([{ do: "rubbish" }, { do: "number" }, { event: "after", do: "silent" }], { runtime });
      expect(answers).toEqual([
        { failure: failure("invalid JSON"), policy: "deny" },
        { failure: failure("it gave an invalid answer (exit code undefined)"), policy: "deny" },
        { failure: "blocked without a document", policy: "deny" },
      ]);
    });

    const GIVEN: [reply: object, meaning: object][] = [
      [
        { exit_code: 0, answer: null, stderr: "s" },
        { document: null, said: "s" },
      ],
      [
        { exit_code: 0, answer: { a: 1 }, stderr: "" },
        { document: { a: 1 }, said: "" },
      ],
      [
        { exit_code: 1, answer: null, stderr: "it failed" },
        { document: null, said: "it failed" },
      ],
      [
        { exit_code: 2, answer: { deny: "no" }, stderr: "no" },
        { document: { deny: "no" }, said: "no" },
      ],
      [
        { exit_code: 2, answer: {}, stderr: "no" },
        { failure: "no", policy: "deny" },
      ],
      [
        { exit_code: 2, answer: { args: {} }, stderr: "" },
        { failure: failure("without a reason"), policy: "deny" },
      ],
      [
        { exit_code: 2, answer: null, stderr: "" },
        { failure: failure("without a reason"), policy: "deny" },
      ],
    ];
    const INVALID: object[] = [
      {},
      ...[3, -1, 137, 0.5, "0", null, true].map((exit_code) => ({ exit_code, answer: null, stderr: "" })),
      ...[0, 1, 2].flatMap((exit_code) => [[], "x", 5, true].map((answer) => ({ exit_code, answer, stderr: "" }))),
      { exit_code: 0, stderr: "" },
      { exit_code: 0, answer: null },
      { exit_code: 0, answer: null, stderr: 5 },
      { exit_code: 1, answer: {}, stderr: "" },
    ];
    test("accepts only answers that the executable can give, and applies the failure policy to all others", () => {
      const { answers } = run(
        GIVEN.map(([reply]) => ({ do: "reply", reply })),
        { runtime },
      );
      expect(answers).toEqual(GIVEN.map(([, meaning]) => meaning));
      const ask = (event: string) => INVALID.map((reply) => ({ do: "reply", reply, event }));
      const told = run([...ask("gate"), ...ask("after")], { runtime }).answers;
      const failed = (policy: string) => INVALID.map(() => ({ failure: failure("invalid answer"), policy }));
      expect(told).toEqual([...failed("deny"), ...failed("allow")]);
    });

    test("has one time limit for a call and its second process: the call's own, plus half a second", () => {
      const limited = { runtime, timeout: 20, args: ["--timeout-ms", "700"] };
      const late = run([{ do: "hang" }], limited);
      expect(late.answers).toEqual([{ failure: failure("did not answer within 900 ms"), policy: "deny" }]);
      expect(late.ms).toBeLessThan(scaleMs(1_900));
      // The second process gets the time left by the first.
      const again = run([[{ do: "die late", ms: 600 }, { do: "hang" }]], limited);
      expect(again.answers[0]).toEqual([
        { failure: expect.stringMatching(/exit code 3|did not answer within/), policy: "deny" },
        { failure: failure("did not answer within"), policy: "deny" },
      ]);
      expect(again.ms).toBeLessThan(scaleMs(2_200));
      const { answers, ms } = run([{ event: "after", do: "hang" }], { runtime, timeout: 20 });
      expect(answers).toEqual([{ failure: failure("did not answer within 4200 ms"), policy: "allow" }]);
      expect(ms).toBeGreaterThan(4_000);
      expect(ms).toBeLessThan(scaleMs(5_500));
    });

    test("parses flags as the executable does", () => {
      const failing = (args: string[]) => run([{ event: "after", do: "die" }], { runtime, args }).answers[0].policy;
      expect(failing(["--on-error=deny"])).toBe("deny");
      expect(failing(["--on-error", "deny", "--on-error", "allow"])).toBe("allow");
      expect(failing(["--on-error=allow", "--on-error", "deny"])).toBe("deny");
      expect(failing(["--on-error", "block"])).toBe("deny");
      const late = run([{ do: "hang" }], { runtime, args: ["--timeout-ms=100"] });
      expect(late.answers).toEqual([{ failure: failure("did not answer within 450 ms"), policy: "deny" }]);
      const [answer] = run([{ do: "late", ms: 50 }], { runtime, timeout: 1e9, args: ["--timeout-ms", "1e12"] }).answers;
      expect(answer).toEqual({ document: { late: 50 }, said: "" });
    });

    test("accepts an answer that arrived while the host was busy past the deadline", () => {
      const { answers } = run([{ do: "warn" }, { do: "late", ms: 300, busy: scaleMs(2_000) }], { runtime, ...SCALED });
      expect(answers[1]).toEqual({ document: { late: 300 }, said: "" });
    });

    test("does not wait for a child process that holds the pipes open", () => {
      const calls = [{ do: "leave a child" }, { do: "leave a child", answers: true }, "end", { do: "warn" }];
      const { answers, starts } = run(calls, { runtime });
      expect(answers).toEqual([
        { failure: failure("exit code 3"), policy: "deny" },
        { document: { left: true }, said: "" },
        { document: null, said: "a warning" },
      ]);
      expect(starts).toBe(4);
    });

    test("fails a call if its payload throws `undefined` during serialization", () => {
      expect(run([{ do: "warn", odd: true }], { runtime }).answers).toEqual([
        { failure: failure("it failed"), policy: "deny" },
      ]);
    });

    test("ignores an answer with an unknown ID, and logs a message without an ID", () => {
      const { answers, logged } = run([{ do: "unknown" }], { runtime });
      expect(answers).toEqual([{ document: { known: true }, said: "" }]);
      expect(logged).toEqual(["a line that was none"]);
    });

    test("logs what the process writes to stderr", () => {
      expect(run([{ do: "noise" }, { do: "late", ms: 100 }], { runtime }).logged).toEqual(["NOISE"]);
    });
  });
}

describe("a plugin's file", () => {
  const { write } = createPluginModule("x", PLUGIN);

  test("returns the entries that were written to it, and has no problems", () => {
    expect(extractEntriesJson(write('{"hooks": {}}'))).toBe('{"hooks": {}}');
    expect(findModuleProblems(write("{}"))).toEqual([]);
  });

  test("has a problem if another program wrote it, or if its entries are not JSON", () => {
    expect(findModuleProblems("export const x = 1;\n")).toEqual([
      { offset: 0, message: expect.stringContaining("did not write this file") },
    ]);
    expect(findModuleProblems(write("{oops"))).toEqual([
      { offset: write("").indexOf(";\n// The end"), message: expect.stringContaining("no longer valid JSON") },
    ]);
  });
});
