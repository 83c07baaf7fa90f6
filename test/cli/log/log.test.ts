import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { deleteLines } from "../../../src/operate/log/delete-lines.ts";
import { followLog } from "../../../src/operate/log/follow-log.ts";
import { LogLineSchema, parseLogLine } from "../../../src/operate/log/line-schema.ts";
import { countLosses, formatLosses } from "../../../src/operate/log/losses.ts";
import { readLog } from "../../../src/operate/log/read-log.ts";
import { findLine, type LogFilter, parseTime, selectLines } from "../../../src/operate/log/select-lines.ts";
import { checkDecisionLog } from "../../../src/cli/doctor/decision-log.ts";
import { formatLines } from "../../../src/cli/log/text.ts";
import { formatAnchor, parseAnchor, verifyLog } from "../../../src/operate/log/verify-log.ts";
import { ask, deny } from "../../../src/index.ts";
import { appendChainedLine } from "../../../src/call/log/log-chain.ts";
import { formatLine } from "../../../src/call/log/log-call.ts";
import { countLostLines, getLostLinesFile } from "../../../src/call/log/lost-lines.ts";
import { BLOCKING_FILE_SYSTEM } from "../../../src/call/log/log-files.ts";
import type { LogLine } from "../../../src/call/log/log-line.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";
import { createLine } from "../../support/log-lines.ts";
import { waitFor } from "../../support/machine.ts";
import {
  answerAndLog,
  createHome,
  createHook,
  createShellPayload,
  getHomeLog,
  type LogHome,
  readLines,
} from "../../call/log/log-support.ts";

function writeLog(home: LogHome, lines: readonly (LogLine | string)[], suffix = ""): void {
  const file = getHomeLog(home).replace(".jsonl", `${suffix}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
}

const read = (home: LogHome, since?: number) => {
  const reading = { skipped: 0 };
  return { ids: [...readLog(home.env, reading, since)].map(({ id }) => id), ...reading };
};
const ALL: LogFilter = { denied: false, hosts: [] };
const select = (home: LogHome, filter: Partial<LogFilter>) =>
  [...selectLines(home.env, { ...ALL, ...filter }, { skipped: 0 })].map(({ id }) => id);

/** Runs the executable in a home directory. When run as a hook, stdin is the payload. */
function runIn({ project, env }: LogHome, ...argv: string[]) {
  const { stdout, stderr, exitCode } = Bun.spawnSync([EXECUTABLE, ...argv], {
    cwd: project,
    env: { PATH: `${dirname(EXECUTABLE)}:${process.env.PATH}`, ...env, TZ: "UTC" },
    stdin:
      argv[0] === "--host"
        ? Buffer.from(
            JSON.stringify(createShellPayload("cd x && git push --force origin \u001b[31mmain", { cwd: project })),
          )
        : null,
  });
  return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
}

describe("the schema of log records", () => {
  test("accepts every record that a call writes, and has all of its fields", async () => {
    const home = createHome({ log: { level: "all", chain: true } });
    const entries = [
      createHook("talking", (_, { log }) => log("hello")),
      createHook("asking", () => ask("sure?", { rule: "a/b" })),
      createHook("denying", () => deny("no", { rule: "a/c", subject: "ls" })),
    ];
    await answerAndLog(entries, createShellPayload("ls"), home);
    await answerAndLog([], createShellPayload("ls"), home);
    await answerAndLog([], "{", home);
    const lines = readLines(home);
    expect(lines.length).toBe(3);
    for (const line of lines) expect(LogLineSchema.strict().parse(line)).toEqual(line);
  });
});

test("a denial that a failure caused is marked as one, and a hook's own denial isn't", () => {
  const show = (more: Partial<LogLine>) =>
    formatLines([createLine({ decision: "deny", hook: "guard", ...more })], {
      width: 200,
      paint: (_, text) => text,
    });
  const failure = "config.json is invalid";
  expect(show({ failures: [{ hook: "guard", failure }] })).toContain("deny (failed)");
  expect(show({ hook: undefined, failures: [{ failure }] })).toContain("deny (failed)");
  expect(show({ failures: [{ hook: "other", failure }] })).not.toContain("failed");
  expect(show({})).not.toContain("failed");
});

describe("reading the log", () => {
  test("returns the latest record first, and continues through rotated files", () => {
    const home = createHome();
    writeLog(home, [createLine({ id: "1" }), createLine({ id: "2" })], "-000009");
    writeLog(home, [createLine({ id: "3" })], "-000010");
    writeLog(home, [createLine({ id: "4" }), createLine({ id: "5" })]);
    expect(read(home)).toEqual({ ids: ["5", "4", "3", "2", "1"], skipped: 0 });
    expect(read(createHome())).toEqual({ ids: [], skipped: 0 });
  });
  test("skips and counts records that are truncated, of another version or not ours", () => {
    const home = createHome();
    const whole = JSON.stringify(createLine({ id: "2" }));
    const strange = [
      "",
      "null",
      "[]",
      "x",
      `{"v":2,"id":"9"}`,
      `{"v":1,"id":"9"}`,
      "\0\0\0",
      `${"é".repeat(3_000_000)}`,
    ];
    // A full disk truncated one record, and the next record follows on the same line.
    writeLog(home, [createLine({ id: "1" }), ...strange, `{"v":1,"id":"cu${whole}`, whole.slice(0, 40)]);
    appendFileSync(getHomeLog(home), "\xff\xfe{");
    expect(read(home)).toEqual({ ids: ["2", "1"], skipped: strange.length - 1 + 2 });
  });
  test("returns every record, wherever a block of the file ends", () => {
    const home = createHome();
    const lines = Array.from({ length: 3_000 }, (_, at) =>
      createLine({ id: String(at), reason: "é".repeat((at * 37) % 500) }),
    );
    writeLog(home, lines);
    expect(read(home)).toEqual({ ids: lines.map(({ id }) => id).reverse(), skipped: 0 });
  });
  test("takes less than 60 MB for the latest 1,000 records of a log of 55 MB", () => {
    const home = createHome();
    const line = `${JSON.stringify(createLine({ reason: "x".repeat(1_000) }))}\n`;
    mkdirSync(dirname(getHomeLog(home)), { recursive: true });
    writeFileSync(getHomeLog(home), line.repeat(50_000));
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    let count = 0;
    for (const _ of readLog(home.env, { skipped: 0 })) if (++count === 1_000) break;
    expect([count, process.memoryUsage().rss - before < 60_000_000]).toEqual([1_000, true]);
  });
  test("finds all records after a time although the clock was set back in between", () => {
    const home = createHome();
    const at = (id: string, hour: number) => createLine({ id, time: `2026-11-24T${hour}:00:00.000Z` });
    writeLog(home, [at("1", 10), at("2", 15), at("3", 11), at("4", 16)]);
    expect(read(home, Date.parse("2026-11-24T14:00:00.000Z")).ids).toEqual(["4", "2"]);
  });
});

describe("a head", () => {
  const overdue = new Date(Date.now() - 60_000).toISOString();
  const head = (id: string, time = overdue) => createLine({ id, time, part: "head" });
  const whole = (id: string, time = overdue) => createLine({ id, time, subject: "ls" });

  test("stands for a missing record, and is counted as lost once the record is overdue", () => {
    const home = createHome();
    writeLog(home, [head("1"), head("2"), whole("1")], "-000001");
    writeLog(home, [head("3"), whole("2"), whole("3"), head("lost"), head("new", new Date().toISOString())]);
    const lines = [...readLog(home.env, { skipped: 0 })];
    expect(lines.map(({ id, part }) => [id, part])).toEqual([
      ["new", "head"],
      ["lost", "head"],
      ["3", undefined],
      ["2", undefined],
      ["1", undefined],
    ]);
    expect(formatLines([lines[1] as LogLine], { width: 200, paint: (_, text) => text })).toContain("[details lost]");
    expect(countLosses(home.env)).toEqual({ details: 1, unwritten: 0 });
    expect(findLine(home.env, "3", { skipped: 0 }).part).toBeUndefined();
    countLostLines(home.env, 2);
    countLostLines(home.env);
    expect(countLosses(home.env)).toEqual({ details: 1, unwritten: 3 });
    expect(countLosses(home.env, Date.now() + 60_000)).toEqual({ details: 0, unwritten: 0 });
  });
  test("is not counted if the counter file was replaced, and the number is then unknown", () => {
    const home = createHome();
    writeLog(home, [whole("1")]);
    mkdirSync(getLostLinesFile(home.env));
    expect(countLosses(home.env)).toEqual({ details: 0, unwritten: "unknown" });
    expect(formatLosses(countLosses(home.env))).toContain("is unknown");
    const { exitCode, stdout } = runIn(home, "log", "verify");
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("is unknown")]);
  });
  test("is counted if a dangling link replaces the log, which every command reports", () => {
    const home = createHome({ log: { chain: true } });
    writeLog(home, []);
    const file = getHomeLog(home);
    rmSync(file);
    symlinkSync(join(home.home, "nowhere"), file);
    countLostLines(home.env, 3);
    for (const argv of [
      ["log"],
      ["log", "verify"],
      ["report", "--out", join(home.home, "x.html")],
      ["export"],
      ["explain", "--last"],
    ]) {
      const { stdout, stderr } = runIn(home, ...argv);
      const page = argv[0] === "report" ? readFileSync(join(home.home, "x.html"), "utf8") : "";
      const shown = stdout + stderr + page;
      expect([argv, shown.includes("ENOENT"), shown.includes("log.chain true")]).toEqual([argv, false, false]);
      for (const text of ["3 lines could not be written", "not a regular file"])
        expect([argv, shown]).toEqual([argv, expect.stringContaining(text)]);
    }
  });
  test("is deleted with its record, as is the count of records that could not be written", async () => {
    const home = createHome();
    writeLog(home, [head("1"), whole("1"), whole("2", new Date().toISOString())]);
    countLostLines(home.env);
    expect(await deleteLines(home.env, Date.now() - 1_000, 0)).toBe(2);
    expect(countLosses(home.env)).toEqual({ details: 0, unwritten: 1 });
    await deleteLines(home.env, Date.now() + 1_000, 0);
    expect(countLosses(home.env)).toEqual({ details: 0, unwritten: 0 });
  });
  test("is reported as a finding of doctor, as is a log that can't be written", async () => {
    const home = createHome();
    writeLog(home, [head("1")]);
    expect((await checkDecisionLog(home.env)).map(({ check }) => check)).toEqual(["log-lines-lost"]);
    const file = getHomeLog(home);
    renameSync(file, `${file}.old`);
    mkdirSync(file);
    expect((await checkDecisionLog(home.env)).map(({ check }) => check)).toEqual(["log-unwritable"]);
    expect(await checkDecisionLog(createHome().env)).toEqual([]);
  });
});

describe("selecting log records", () => {
  const home = createHome();
  writeLog(home, [
    createLine({ id: "aa1", host: "one", hook: "guard", rule: "git/push", session: "s1", project: "/w/a" }),
    createLine({
      id: "aa2",
      host: "two",
      decision: "ask",
      others: [{ hook: "guard", rule: "git/reset" }],
      cwd: "/w/a/x",
    }),
    createLine({ id: "ab3", decision: "none", failures: [{ hook: "slow", failure: "late" }], project: "/w/ab" }),
  ]);
  test("works by decision, host, hook, rule, session and project", () => {
    expect(select(home, { denied: true })).toEqual(["aa1"]);
    expect(select(home, { hosts: ["two"] })).toEqual(["aa2"]);
    expect(select(home, { hook: "guard" })).toEqual(["aa2", "aa1"]);
    expect(select(home, { hook: "slow" })).toEqual(["ab3"]);
    expect(select(home, { rule: "git/*" })).toEqual(["aa2", "aa1"]);
    expect(select(home, { rule: "git/push" })).toEqual(["aa1"]);
    expect(select(home, { session: "s" })).toEqual(["aa1"]);
    expect(select(home, { project: "/w/a" })).toEqual(["aa2", "aa1"]);
  });
  test("finds one record by its ID, by an unambiguous prefix, or as the latest decision", () => {
    const find = (id?: string) => findLine(home.env, id, { skipped: 0 }).id;
    expect([find("aa1"), find("ab"), find()]).toEqual(["aa1", "ab3", "aa2"]);
    expect(() => find("aa")).toThrow("several IDs");
    expect(() => find("zz")).toThrow('the log has no line "zz"');
  });
  test("accepts a time as a duration back from now or as a date, and fails for anything else", () => {
    const now = Date.parse("2026-11-24T12:00:00Z");
    expect(["30m", "24h", "7d", "2026-01-31"].map((text) => new Date(parseTime(text, "", now)).toISOString())).toEqual([
      "2026-11-24T11:30:00.000Z",
      "2026-11-23T12:00:00.000Z",
      "2026-11-17T12:00:00.000Z",
      "2026-01-31T00:00:00.000Z",
    ]);
    for (const text of ["", "7", "d", "1y", "yesterday", "-1h"])
      expect(() => parseTime(text, "--since")).toThrow("--since");
  });
});

test("a log row escapes control characters from the model, and stays on one line", () => {
  const bad = "a\u001b[31mb\nc\u202ed\u0007";
  const line = createLine({ id: bad, host: bad, native_event: bad, rule: bad, subject: bad, project: bad });
  const row = formatLines([line], { width: Number.POSITIVE_INFINITY, paint: (_, text) => text });
  expect(/[\u0000-\u0009\u000b-\u001f\u202e]/.test(row.slice(0, -1))).toBe(false);
  expect(row.split("\n").length).toBe(2);
});

test("following the log returns each new record once, across a rotation of the file", async () => {
  const home = createHome();
  writeLog(home, [createLine({ id: "old" })]);
  const seen: string[] = [];
  const done = (async () => {
    for await (const { id } of followLog(home.env, { skipped: 0 })) {
      seen.push(id);
      if (id === "last") break;
    }
  })();
  // The file is already open: an async function runs synchronously until its first await.
  writeLog(home, [createLine({ id: "1", part: "head" }), createLine({ id: "1" })]);
  await waitFor(() => seen.includes("1"), "the line that was written before the file got another name");
  // Don't await here, so that the first of these records can be found only under the file's new name.
  writeLog(home, [createLine({ id: "2" })]);
  const file = getHomeLog(home);
  renameSync(file, file.replace(".jsonl", "-000001.jsonl"));
  writeLog(home, [createLine({ id: "3" }), createLine({ id: "last" })]);
  await done;
  expect(seen).toEqual(["1", "2", "3", "last"]);
});

describe("verifying the log's chain", () => {
  async function createChain(count: number): Promise<LogHome> {
    const home = createHome();
    const target = { file: getHomeLog(home), files: BLOCKING_FILE_SYSTEM, retainDays: 30 };
    for (let at = 0; at < count; at++)
      await appendChainedLine(target, (link) => formatLine(createLine({ id: `line${at}`, ...link })));
    return home;
  }
  const change = (home: LogHome, by: (lines: string[]) => string[]) => {
    const lines = readFileSync(getHomeLog(home), "utf8").trim().split("\n");
    writeFileSync(
      getHomeLog(home),
      by(lines)
        .map((line) => `${line}\n`)
        .join(""),
    );
  };
  const messages = (home: LogHome, anchor?: string) =>
    verifyLog(home.env, anchor === undefined ? undefined : parseAnchor(anchor)).findings.map(
      ({ line, message }) => `${line}: ${message}`,
    );

  test("reports records that were changed, removed or inserted, but not a missing start or end", async () => {
    const cases: [by: (lines: string[]) => string[], found: string[]][] = [
      [(lines) => lines, []],
      [
        (lines) => lines.with(1, (lines[1] as string).replace("deny", "none")),
        ["3: the previous line (2) was changed"],
      ],
      [(lines) => lines.toSpliced(1, 2), ["2: lines 2 to 3 are missing before this line"]],
      [
        (lines) => lines.toSpliced(2, 0, lines[0] as string),
        ["3: the chain restarts: line 1 follows line 2", "4: line 2 is missing before this line"],
      ],
      // Removing the oldest records is permitted.
      [(lines) => lines.slice(2), []],
      [(lines) => [...lines, JSON.stringify(createLine())], []],
      // Changes that can be detected only with an anchor.
      [(lines) => lines.slice(0, 3), []],
    ];
    for (const [by, found] of cases) {
      const home = await createChain(5);
      change(home, by);
      expect(await messages(home)).toEqual(found);
    }
  });
  test("does not link heads, and counts the records that the chain lacks", async () => {
    const home = await createChain(2);
    const head = createLine({ part: "head", id: "line1" });
    change(home, (lines) => [JSON.stringify(head), ...lines, JSON.stringify({ ...head, id: "lost" })]);
    const { chained, outside, findings, losses } = verifyLog(home.env);
    expect({ chained, outside, findings, losses }).toEqual({
      ...{ chained: 2, outside: 0, findings: [] },
      losses: { details: 1, unwritten: 0 },
    });
  });
  test("reports a record that contradicts its head", async () => {
    const at = (change: Partial<LogLine>, head: Partial<LogLine> = {}) => {
      const home = createHome();
      const told = { id: "one", host: "claude", rule: "git/push-force", hook: "guard" };
      writeLog(home, [createLine({ ...told, ...head, part: "head" }), createLine({ ...told, ...change })]);
      return messages(home);
    };
    expect(at({})).toEqual([]);
    expect(at({ decision: "none" })).toEqual(["2: the line contradicts its head: decision is none instead of deny"]);
    expect(at({ rule: "git/other" })).toEqual([
      "2: the line contradicts its head: rule is git/other instead of git/push-force",
    ]);
    // Names chosen by hooks are omitted from a record's head and redacted in the complete record.
    expect(at({ rule: "[github-token]" })).toEqual([]);
    expect(at({ rule: "what I read" }, { rule: undefined })).toEqual([]);
    expect(at({ decision: "ask", wanted: "deny" }, { decision: "ask", wanted: "deny" })).toEqual([]);
  });
  test("reports, given an anchor, that the end was removed or the log was rewritten", async () => {
    const home = await createChain(4);
    const { last, chained, outside } = verifyLog(home.env);
    const anchor = formatAnchor(last ?? { seq: 0, hash: "" });
    expect([chained, outside, last?.seq, await messages(home, anchor)]).toEqual([4, 0, 4, []]);
    change(home, (lines) => lines.slice(0, 3));
    expect(await messages(home, anchor)).toEqual([expect.stringContaining("the log was truncated or replaced")]);
    expect(await messages(await createChain(5), anchor)).toEqual([]);
    const other = createHome();
    const target = { file: getHomeLog(other), files: BLOCKING_FILE_SYSTEM, retainDays: 30 };
    for (let at = 0; at < 5; at++)
      await appendChainedLine(target, (link) => formatLine(createLine({ ms: 2, ...link })));
    expect(await messages(other, anchor)).toEqual([expect.stringContaining("differs from the anchor")]);
    expect(() => parseAnchor("x")).toThrow("--against");
  });
});

test("deleting log records removes those before a time from all files, and keeps lines that are not ours", async () => {
  const home = createHome();
  const at = (id: string, day: number) => createLine({ id, time: `2026-11-${day}T00:00:00.000Z` });
  writeLog(home, [at("1", 10), at("2", 11)], "-000001");
  writeLog(home, [at("3", 12), "odd", at("4", 14)]);
  expect(await deleteLines(home.env, Date.parse("2026-11-13"), 0)).toBe(3);
  expect(read(home)).toEqual({ ids: ["4"], skipped: 1 });
  expect(await deleteLines(createHome().env, Date.now(), 0)).toBe(0);
});

test("deleting log records keeps a line that is too long to be read", async () => {
  const home = createHome();
  const at = (id: string, day: number) => createLine({ id, time: `2026-11-${day}T00:00:00.000Z` });
  const long = "x".repeat(65 * 2 ** 20);
  writeLog(home, [at("1", 10), long, at("2", 14)]);
  expect(await deleteLines(home.env, Date.parse("2026-11-13"), 0)).toBe(1);
  const folder = dirname(getHomeLog(home));
  const [file = ""] = readdirSync(folder).filter((name) => name.startsWith("decisions-"));
  const [first, second = ""] = readFileSync(join(folder, file), "utf8").split("\n");
  expect([first === long, JSON.parse(second)]).toEqual([true, at("2", 14)]);
});

describe("bridge-hooks", () => {
  const home = createHome();
  const run = (...argv: string[]) => runIn(home, ...argv);
  test("explain shows the rule, the words, the settings, the hosts and the command that allows the call", () => {
    run("--host", "claude");
    const { id } = readLines(home)[0] as LogLine;
    const shown = run("explain", id.slice(0, 6));
    expect([shown.exitCode, shown.stdout]).toEqual([0, run("explain", "--last").stdout]);
    for (const text of [
      "claude",
      "PreToolUse Bash: deny",
      "block-destructive",
      "git/push-force",
      "\\u001b[31m",
      "every host: deny",
      'bridge-hooks config set exceptions.+ \'{"rule":"git/push-force"',
    ])
      expect(shown.stdout).toContain(text);
    expect(shown.stdout).not.toContain("\u001b");
    // The reason and the ways to allow the call come before the details.
    expect(shown.stdout).toMatch(/^.*\n  reason [^]*\n  options  [^]*\n  matched /);
    expect(shown.stdout).not.toContain("(default)");
  });
  test("explain and allow list name the config exception that allows a call, and how to remove it", () => {
    const line = "git push --force origin main";
    const at = createHome();
    const exception = (match: string) => JSON.stringify({ rule: "git/push-force", match, reason: "mine" });
    runIn(at, "config", "set", "exceptions.+", exception("git push --force origin other"));
    expect(runIn(at, "config", "set", "exceptions.+", exception(line)).stdout).toContain("config unset exceptions.1");
    const { stdout } = runIn(at, "explain", "--command", line);
    expect(stdout).toStartWith("today: none; git/push-force would deny without the exception below\n");
    expect(stdout).toContain("exceptions.1 in ");
    expect(stdout).toContain("config unset exceptions.1");
    expect(stdout).not.toContain("exceptions.0");
    const listed = runIn(at, "allow", "list").stdout;
    for (const text of [
      "No exceptions created with allow; 2 in config files:",
      "unset exceptions.0",
      "unset exceptions.1",
    ])
      expect(listed).toContain(text);
    runIn(at, "config", "unset", "exceptions.1");
    expect(runIn(at, "explain", "--command", line).stdout).toStartWith("today: deny\n");
  });
  test("an empty log is distinguished from a log with only allowed calls", () => {
    const empty = createHome();
    expect(runIn(empty, "log").stdout).toBe("the log is empty\n");
    expect(runIn(empty, "log", "--denied").stdout).toBe("no matching lines\n");
    expect(runIn(empty, "explain", "--last").stderr).toContain("the log is empty");
    writeLog(empty, [createLine({ decision: "none", wanted: undefined })]);
    expect(runIn(empty, "explain", "--last").stderr).toContain("none of the logged calls has a decision");
  });
  test("explain --command judges a command without a log", () => {
    const { stdout, exitCode } = run("explain", "--command", "rm -rf /");
    expect([exitCode, stdout.split("\n")[0]]).toEqual([0, "today: deny"]);
    expect(stdout).toContain("           rm -rf /\n           ^^^^^^^^\n");
    expect(run("explain", "--command", "ls").stdout).toStartWith("today: none; no rule or hook stops the call\n");
    expect(run("explain", "--last", "--command", "ls").stderr).toContain("pass only one of ID");
    const ways: [args: string[], hint: string][] = [
      [["explain", "git/push-force"], "to show a rule: bridge-hooks rules git/push-force\n"],
      [["rules", "git/push-forc"], "did you mean git/push-force?\n"],
    ];
    for (const [args, hint] of ways) {
      const refused = run(...args);
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining(hint)]);
    }
  });
  test("log prints the selected records as a table or as JSON, and verifies and deletes them", () => {
    const { stdout } = run("log", "--since", "1h", "--denied", "--rule", "git/*");
    expect(stdout).toMatch(
      /^[0-9a-z]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}claude {2}PreToolUse Bash {2}deny {2}git\/push-force {2}git push --force .*\n$/,
    );
    expect(parseLogLine(run("log", "--json").stdout.trim())).toEqual(readLines(home)[0] as LogLine);
    expect(JSON.parse(run("log", "--schema").stdout).properties.v.const).toBe(1);
    expect(run("log", "verify")).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("log.chain true") });
    expect(run("log", "delete", "--before", "2001-01-01").stdout).toBe("0 lines were deleted\n");
  });
});
