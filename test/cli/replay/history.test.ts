import { afterAll, describe, expect, test } from "bun:test";
import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { HistoryReport } from "../../../src/cli/replay/history/report.ts";
import { parseSince } from "../../../src/cli/replay/history/since.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { EXECUTABLE as executable } from "../../support/fixtures.ts";
import { makeAlphanumeric } from "../../support/made-up-secrets.ts";
import { createProject } from "../../support/projects.ts";

const GUARD = `import { ask, defineHook, deny } from "bridge-hooks";
export default defineHook({
  event: ["PreToolUse", "UserPromptSubmit"],
  pure: true,
  handler(event) {
    if (event.event === "UserPromptSubmit")
      return event.prompt.includes("secret") ? deny("No.", { rule: "prompts/secret" }) : undefined;
    if (event.tool !== "Bash") return undefined;
    const { command } = event.input;
    if (command.startsWith("rm")) return deny("No.", { rule: "files/remove", subject: command });
    if (command.startsWith("push")) return ask("Sure?");
    if (command.startsWith("throw")) throw new Error("broken");
    return undefined;
  },
});
`;
/** A hook that writes a file when it's run. */
const TRACE = `import { writeFileSync } from "node:fs";
import { defineHook, deny } from "bridge-hooks";
export default defineHook({
  event: "PreToolUse",
  tool: "Write",
  handler() {
    writeFileSync(process.env.TRACE ?? "trace", "asked");
    return deny("No.");
  },
});
`;

const NOW = Date.now();
const stamp = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString();
let ids = 0;
const common = (session: string, minutesAgo: number) => ({
  uuid: `id-${++ids}`,
  isSidechain: false,
  cwd: "/nowhere",
  sessionId: session,
  version: "2.1.330",
  timestamp: stamp(minutesAgo),
});
const call = (session: string, name: string, input: object, minutesAgo = 1) => ({
  ...common(session, minutesAgo),
  type: "assistant",
  message: { role: "assistant", content: [{ type: "tool_use", id: `toolu_${++ids}`, name, input }] },
});
const bash = (session: string, command: string, minutesAgo = 1) => call(session, "Bash", { command }, minutesAgo);
const say = (session: string, content: string) => ({
  ...common(session, 1),
  type: "user",
  message: { role: "user", content },
});
const lines = (...records: (object | string)[]) =>
  records.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("");

const repeated = bash("one", "rm -rf build");
const PROJECTS = ".claude/projects/-nowhere";
const app = createProject({
  "hooks/guard.ts": GUARD,
  "hooks/trace.ts": TRACE,
  "other/hooks/guard.ts": GUARD.replace('startsWith("rm")', 'startsWith("ls")'),
  [`home/${PROJECTS}/one.jsonl`]: lines(
    say("one", "do it"),
    say("one", "the secret is 1234"),
    repeated,
    bash("one", "rm -rf build"),
    bash("one", `rm ghp_${makeAlphanumeric(36)}`),
    bash("one", "push it"),
    bash("one", "ls"),
    call("one", "Write", { file_path: "x", content: "y" }),
  ),
  [`home/${PROJECTS}/two.jsonl`]: lines(
    repeated,
    bash("two", "rm other"),
    bash("two", "rm old", 60 * 24 * 40),
    '{"type":"assistant","message":{"content":[{"type":"tool_u',
    "[1]",
    `{"type":"assistant","\u0000":"\ud800"}`,
    { type: "future-record", content: "?" },
  ),
});
afterAll(app.end);
const home = join(app.at, "home");
const env = { HOME: home, USERPROFILE: home, TRACE: join(app.at, "trace") };
const run = (...args: string[]) => app.run(["replay", "--history", "--hooks", ".", ...args], { env });
const report = (...args: string[]) => HistoryReport.parse(JSON.parse(run("--json", ...args).stdout));

describe("replay --history", () => {
  test("counts by rule which calls would have been stopped, and names unreadable records", () => {
    const { stdout, stderr, code } = run("--host", "claude");
    expect(stdout.replace(/since \d{4}-\d\d-\d\d/, "since DAY").replace(/^policy: .*$/m, "policy:  P")).toBe(`policy:  P
asked:   ./hooks (1: guard)

Claude Code  2 sessions, 7 calls, 2 prompts
  3 lines could not be read as records
  records of unknown kinds, so calls may be missing: future-record (1)

7 calls and 2 prompts in 2 sessions since DAY: 5 would be denied, 1 would
ask the user. 1 of the allowed calls would also reach hooks that weren't run
because they aren't pure: trace (1).

  calls  sessions  decision  rule            most often
-------------------------------------------------------
      4         2  deny      files/remove    rm -rf build
      1         1  ask       guard           push it
      1         1  deny      prompts/secret  a prompt of 18 characters

--show files/remove lists what it stops.
`);
    expect([stderr, code]).toEqual(["", 0]);
  });
  test("--show lists a rule's calls, with secrets replaced by their kind", () => {
    const { stdout } = run("--show", "files/remove");
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\dZ .*?(\w+\.jsonl:\d+)$/gm, "WHEN $1"))
      .toBe(`files/remove (guard): deny, 4 calls in 2 sessions, claude (4)
      2  rm -rf build
         WHEN one.jsonl:4
      1  rm [github-token]
         WHEN one.jsonl:5
      1  rm other
         WHEN two.jsonl:2
`);
    expect(run("--show", "nothing/here")).toMatchObject({
      code: 0,
      stdout:
        "Nothing would have been stopped by nothing/here; rules with matches: files/remove, guard, prompts/secret\n",
    });
  });
  test("--json reports hosts, totals and rules", () => {
    const { hooks, hosts: found, not_read, totals, rules } = report();
    expect(hooks).toMatchObject({ asked: ["guard"], unasked: { trace: 1 } });
    expect(found[0]).toMatchObject({
      host: "claude",
      files: 2,
      sessions: 2,
      calls: 7,
      prompts: 2,
      repeated: 1,
      unread: 3,
      unknown_records: { "future-record": 1 },
      releases: { "2.1.330": 9 },
      problems: [],
    });
    expect(not_read).toEqual(hosts.filter(({ loadHistory }) => !loadHistory).map(({ id }) => id));
    expect(totals).toMatchObject({ denied: 5, asked: 1, failed: 0, invalid: 0, unknown: 1 });
    expect(rules.map(({ rule, calls }) => [rule, calls])).toEqual([
      ["files/remove", 4],
      [undefined, 1],
      ["prompts/secret", 1],
    ]);
  });
  test("includes older calls only with --since", () => {
    expect(report("--since", "90d").rules[0]?.calls).toBe(5);
    expect(report("--since", "all").since).toBeNull();
    expect(run("--since", "soon")).toMatchObject({ code: 1, stderr: expect.stringContaining("not a time") });
  });
  test("runs only pure hooks, and leaves no file behind", () => {
    const before = readdirSync(home, { recursive: true, encoding: "utf8" }).sort();
    run();
    expect(existsSync(env.TRACE)).toBe(false);
    expect(existsSync(join(app.home, "state"))).toBe(false);
    expect(readdirSync(home, { recursive: true, encoding: "utf8" }).sort()).toEqual(before);
  });
  test("reports that no records exist", () => {
    const empty = { HOME: join(app.at, "other"), USERPROFILE: join(app.at, "other") };
    const { code, stdout } = app.run(["replay", "--history", "--hooks", "."], { env: empty });
    expect(code).toBe(0);
    expect(stdout).toContain("no records from Claude Code, Codex");
    expect(stdout.replaceAll("\n", " ")).toContain(
      "the decision log may contain past calls; to replay them: bridge-hooks replay; to list them: bridge-hooks log",
    );
    expect(stdout).toContain("none would be stopped");
  });
});

describe("replay --history --against", () => {
  test("shows which decisions differ from those of another hooks directory", () => {
    const { code, stdout } = run("--against", "other");
    expect(code).toBe(1);
    expect(stdout).toMatch(/5 would be decided\sdifferently/);
    expect(stdout).toMatch(/^ +4 +2 +none → deny +files\/remove +rm -rf build$/m);
    expect(stdout).toMatch(/^ +1 +1 +deny → none +files\/remove +ls$/m);
  });
  test("shows which decisions differ from those of another executable", () => {
    const { totals, rules } = report("--against", executable);
    expect(totals).toMatchObject({ not_compared: 0 });
    expect(rules.find(({ rule }) => rule === "files/remove")?.change).toBe("none → deny");
    expect(existsSync(env.TRACE)).toBe(false);
  });
  test("reports that nothing changes for the same executable", () => {
    const { exitCode, stdout } = Bun.spawnSync([executable, "replay", "--history", "--against", executable], {
      env: { ...app.env, ...env },
      cwd: app.at,
    });
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringMatching(/Nothing\s+changes/)]);
  });
});

test("replay --history counts an overlong line as unread, and reads the rest of the file", () => {
  const path = join(home, PROJECTS, "huge.jsonl");
  app.put(`home/${PROJECTS}/huge.jsonl`, lines(bash("huge", "rm huge")));
  const file = openSync(path, "r+");
  ftruncateSync(file, 2 ** 28);
  closeSync(file);
  expect(statSync(path).size).toBe(2 ** 28);
  const { code, stdout } = app.run(["replay", "--history", "--hooks", ".", "--json"], { env });
  rmSync(path);
  const { hosts: found, rules } = HistoryReport.parse(JSON.parse(stdout));
  expect([code, found[0]?.unread, rules[0]?.calls]).toEqual([0, 4, 5]);
});

test("replay rejects contradictory options, unknown hosts and files that are not programs", () => {
  const cases: [string[], string][] = [
    [["replay", "--history", "some.jsonl"], "--history reads the hosts' own records"],
    [["replay", "--since", "1d", "x"], "--since applies to --history and the log"],
    [["replay", "--show", "a", "x"], "--show applies to --history and the log"],
    [["replay", "--history", "--host", "nobody"], 'unknown host "nobody"'],
    [["replay", "--history", "--hooks", ".", "--against", "nowhere"], "not executable"],
  ];
  for (const [args, said] of cases)
    expect(app.run(args, { env })).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
});

test("--since accepts hours, days, weeks, a date or all, and rejects other values", () => {
  const now = Date.parse("2026-11-24T00:00:00Z");
  expect(parseSince("30d", now)).toBe(Date.parse("2026-10-25T00:00:00Z"));
  expect(parseSince("2w", now)).toBe(Date.parse("2026-11-10T00:00:00Z"));
  expect(parseSince("36h", now)).toBe(Date.parse("2026-11-22T12:00:00Z"));
  expect(parseSince("2026-01-31", now)).toBe(Date.parse("2026-01-31T00:00:00Z"));
  expect(parseSince("all", now)).toBe(0);
  for (const text of ["", "d", "-1d", "1y", "yesterday", "2026-13-01"]) expect(() => parseSince(text, now)).toThrow();
});

test("replay --history --schema prints the JSON Schema of the report", () => {
  const { code, stdout } = app.run(["replay", "--history", "--schema"]);
  expect(code).toBe(0);
  expect(Object.keys((JSON.parse(stdout) as { properties: object }).properties)).toContain("not_read");
});

test("the guarding starter hooks are declared pure, and those that run programs are not", () => {
  const text = (name: string) => readFileSync(join(import.meta.dir, "../../../hooks", `${name}.ts`), "utf8");
  for (const name of ["block-destructive", "protect-hooks", "protect-secrets", "redact-output"])
    expect([name, /^ {2}pure: true,$/m.test(text(name))]).toEqual([name, true]);
  for (const name of ["format-after-edit", "verify-before-stop", "session-context"])
    expect([name, text(name).includes("pure:")]).toEqual([name, false]);
});
