import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { drawTimeline } from "../../../src/operate/report/chart.ts";
import { classifyLine, createCounts, type OutcomeCounts } from "../../../src/operate/log/outcomes.ts";
import { createContentPolicy, formatPage } from "../../../src/operate/report/page.ts";
import type { Report } from "../../../src/operate/report/report.ts";
import { PAGE_STYLE } from "../../../src/operate/report/style.ts";
import { createTally, REMAINING_ROW } from "../../../src/operate/report/tally.ts";
import { countDecision, createTimeline } from "../../../src/operate/report/timeline.ts";
import type { LogLine } from "../../../src/call/log/log-line.ts";
import { INVALID_PROBE, markProbe, PROBE, PROBE_SESSION } from "../../../src/protocol/probe.ts";
import { EXECUTABLE, getPayload } from "../../support/fixtures.ts";
import {
  createHome,
  createShellPayload,
  getHomeLog,
  type LogHome,
  writeUserConfig,
} from "../../call/log/log-support.ts";

const createLine = (more: Partial<LogLine> = {}): LogLine => ({
  v: 1,
  id: "aaaaaaaa",
  time: new Date().toISOString(),
  decision: "none",
  mode: "enforce",
  content: "redacted",
  ms: 1,
  ...more,
});
const count = (more: Partial<OutcomeCounts>) => ({ ...createCounts(), ...more });

/**
 * Hostile text: markup, closing delimiters, ANSI colors, a newline, a bidirectional override and a C1 control
 * character.
 */
const BAD = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>--></style>&lt;\u001b[31m\n\u202e\u009b31m`;
const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

test("each log record has one outcome", () => {
  const cases: [Partial<LogLine>, string][] = [
    [{ decision: "deny" }, "denied"],
    [{ decision: "deny", wanted: "ask" }, "denied"],
    [{ decision: "ask" }, "asked"],
    [{ wanted: "deny", mode: "observe" }, "withheld"],
    [{ would_change: ["command"], mode: "warn" }, "withheld"],
    [{ wanted: "deny", mode: "warn", action: "warn" }, "warned"],
    [{ wanted: "deny" }, "failed"],
    [{ wanted: "deny", exceptions: ["e1"] }, "excepted"],
    [{ decision: "allow", wanted: "deny" }, "failed"],
    [{ changed: ["command"], decision: "allow" }, "rewritten"],
    [{ failures: [{ failure: "x" }] }, "failed"],
    [{ decision: "allow" }, "passed"],
    [{ messages: [{ hook: "a", text: "b" }] }, "passed"],
  ];
  expect(cases.map(([line]) => classifyLine(createLine(line)))).toEqual(cases.map(([, outcome]) => outcome) as never);
});

describe("the timeline", () => {
  const DAY = 86_400_000;
  const noon = new Date(2026, 10, 24, 12).getTime();
  test("divides a period into hours, days or weeks, without gaps", () => {
    const shape = (days: number) => {
      const { unit, points } = createTimeline(noon - days * DAY, noon);
      return [unit, points.length];
    };
    expect([1, 7, 90, 365].map(shape)).toEqual([
      ["hour", 24],
      ["day", 8],
      ["day", 91],
      ["week", 53],
    ]);
  });
  test("counts each record in its period, and none outside the range", () => {
    const timeline = createTimeline(noon - 2.5 * DAY, noon);
    const { points } = timeline;
    for (const [at, outcome] of [
      [Date.parse(points[1]?.start ?? ""), "denied"],
      [Date.parse(points[2]?.start ?? "") - 1, "denied"],
      [noon, "asked"],
      [noon - 9 * DAY, "denied"],
    ] as const)
      countDecision(timeline, at, outcome);
    expect(points.map(({ counts }) => counts)).toEqual([
      count({}),
      count({ denied: 2 }),
      ...points.slice(3).map(() => count({})),
      count({ asked: 1 }),
    ]);
  });
  test("is drawn to scale, with the parts of a bar stacked", () => {
    const timeline = createTimeline(noon - 2.5 * DAY, noon);
    for (let at = 0; at < 4; at++) countDecision(timeline, noon, at < 3 ? "denied" : "asked");
    for (const size of ["wide", "narrow"] as const) {
      const svg = drawTimeline(timeline, size);
      const [denied, asked] = ["denied", "asked"].map((name) => {
        const [, y, height] =
          new RegExp(`<rect class="${name}"[^>]* y="([\\d.]+)"[^>]* height="([\\d.]+)"`).exec(svg) ?? [];
        return { y: Number(y), height: Number(height) };
      }) as [{ y: number; height: number }, { y: number; height: number }];
      expect(denied.height / asked.height).toBeCloseTo(3, 1);
      expect(asked.y + asked.height).toBeCloseTo(denied.y, 1);
    }
  });
});

test("the tally keeps 2,000 names, and counts all others together", () => {
  const tally = createTally();
  for (let at = 0; at < 3_000; at++)
    tally.add(createLine({ decision: "deny", project: `/p${at}`, subject: `rm ${at}`, rule: "a/b", host: "one" }));
  const { project, rule, host, hook } = tally.breakdown;
  expect([project.length, project[0]]).toEqual([2_001, { name: REMAINING_ROW, counts: count({ denied: 1_000 }) }]);
  expect([rule, host, hook]).toEqual([
    [{ name: "a/b", counts: count({ denied: 3_000 }) }],
    [{ name: "one", counts: count({ denied: 3_000 }) }],
    [],
  ]);
  expect(tally.stopped.length).toBe(2_000);
});

/** Returns a page's elements, attributes and text. */
async function readPage(html: string): Promise<{ tags: Set<string>; attributes: Set<string>; text: string }> {
  const [tags, attributes] = [new Set<string>(), new Set<string>()];
  let text = "";
  await new HTMLRewriter()
    .on("*", {
      element({ tagName, attributes: all }) {
        tags.add(tagName);
        for (const [name = ""] of all) attributes.add(name);
      },
    })
    .onDocument({ text: (chunk) => void (text += chunk.text) })
    .transform(new Response(html))
    .text();
  return { tags, attributes, text };
}

describe("the report page", () => {
  const timeline = createTimeline(Date.now() - 86_400_000, Date.now());
  countDecision(timeline, Date.now(), "denied");
  const row = { name: BAD, counts: count({ denied: 2 }) };
  const report: Report = {
    version: BAD,
    policy: { name: BAD, version: BAD, hash: BAD, mode: { mode: "observe", file: BAD, others: {} } },
    since: timeline.points[0]?.start ?? "",
    until: new Date().toISOString(),
    lost: { details: 3, unwritten: 1 },
    skipped: 2,
    counts: count({ denied: 1, withheld: 1 }),
    withheld: [{ what: "would be denied (observe)", count: 1 }],
    deniedByFailure: 1,
    timeline,
    by: { host: [row], hook: [row], rule: [row], project: [row] },
    candidates: [
      {
        why: "withheld",
        would: "would be denied (observe)",
        hook: BAD,
        rule: BAD,
        subject: BAD,
        count: 1,
        id: BAD,
        time: new Date().toISOString(),
      },
    ],
    changes: [{ time: new Date().toISOString(), command: "allow", exception: BAD, reason: BAD, until: BAD }],
    coverage: [
      {
        machine: BAD,
        summary: BAD,
        policies: [BAD],
        hosts: [
          {
            ...{ host: BAD, state: "drift", version: BAD, calls: 1 },
            installed: [{ scope: BAD, file: BAD, events: 1, drift: [BAD], others: [BAD] }],
            unreadable: [{ file: BAD, message: BAD }],
            faults: [BAD],
          },
        ],
      },
    ],
  };
  const html = formatPage(report);

  test("escapes text from a model, which adds no element, attribute or control character", async () => {
    const { tags, attributes } = await readPage(html);
    const expected = "html head meta title style body main h1 h2 p b br code details div figcaption figure footer line";
    const more = "rect section span summary svg table tbody td text th thead tr ul li";
    expect([...tags].sort()).toEqual(`${expected} ${more}`.split(" ").sort());
    expect([...attributes].filter((name) => /^(on|style$|href$|src$|srcdoc$|action$)/.test(name))).toEqual([]);
    expect(HARMFUL.exec(html)?.[0]).toBeUndefined();
    expect(html).toContain("3 lines have lost the details of the call");
    expect(html.split("&lt;script&gt;alert(1)&lt;/script&gt;").length).toBeGreaterThan(12);
  });
  test("loads nothing and runs no script: its content security policy allows only its style", () => {
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(html) ?? [];
    const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
    expect(createContentPolicy(PAGE_STYLE)).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
    expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="${createContentPolicy(PAGE_STYLE)}">`);
    expect(html).not.toMatch(/<script|https?:|url\(|@import/i);
  });
});

describe("bridge-hooks report", () => {
  const run = ({ env, project }: LogHome, ...argv: string[]) => {
    const isCall = argv[0] === "--host";
    const { stdout, stderr, exitCode } = Bun.spawnSync([EXECUTABLE, ...argv.slice(0, isCall ? 2 : undefined)], {
      cwd: project,
      env: { PATH: process.env.PATH ?? "", ...env },
      stdin: isCall ? Buffer.from(JSON.stringify(createShellPayload(argv[2] ?? "", { cwd: project }))) : null,
    });
    return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
  };
  const read = (home: LogHome): Report => JSON.parse(run(home, "report", "--json").stdout) as Report;

  test("counts decisions, and lists denied calls that would be allowed now and calls that a mode allowed", () => {
    const home = createHome();
    for (const command of ["git push --force origin main", "rm -rf /", "git push --force origin main"])
      run(home, "--host", "claude", command);
    writeUserConfig(home.home, { mode: "observe" });
    run(home, "--host", "claude", "git reset --hard HEAD~3");
    appendFileSync(getHomeLog(home), '{"v":1,"id":"cut');
    expect(read(home).candidates.map(({ why, subject }) => `${why}: ${subject}`)).toEqual([
      "withheld: git reset --hard HEAD~3",
    ]);
    writeUserConfig(home.home, {
      exceptions: [{ rule: "git/push-force", match: "git push --force origin main", reason: "ours" }],
    });
    const { counts, by, candidates, coverage, skipped, timeline } = read(home);
    expect(counts).toEqual(count({ denied: 3, withheld: 1 }));
    expect(timeline.points.at(-1)?.counts).toEqual(counts);
    expect(by.rule).toEqual([
      { name: "git/push-force", counts: count({ denied: 2 }) },
      { name: "filesystem/rm-recursive", counts: count({ denied: 1 }) },
      { name: "git/reset-hard", counts: count({ withheld: 1 }) },
    ]);
    expect(by.project).toEqual([{ name: home.project, counts }]);
    expect(candidates.map(({ why, rule, count: times }) => [why, rule, times])).toEqual([
      ["allowed", "git/push-force", 2],
      ["withheld", "git/reset-hard", 1],
    ]);
    const [machine] = coverage;
    expect([coverage.length, machine?.machine, machine?.policies.length]).toEqual([1, hostname(), 2]);
    expect(machine?.hosts.find(({ host }) => host === "claude")).toMatchObject({
      state: "no entries",
      calls: 4,
      installed: [],
      lastDenial: expect.stringMatching(/^\d{4}-/),
    });
    expect(skipped).toBe(1);
  });
  test("writes a page that only its owner can read, and overwrites only an earlier report", () => {
    const home = createHome();
    const projectFiles = readdirSync(home.project);
    run(home, "--host", "claude", "rm -rf / # <script>");
    const file = join(dirname(getHomeLog(home)), "report.html");
    for (let at = 0; at < 2; at++)
      expect(run(home, "report")).toEqual({
        stdout: expect.stringMatching(
          /^coverage  \S+: .*no entries: .*claude \(1 call in the log\)[^]*\n\n\S+\nto write the page elsewhere: --out FILE\n$/,
        ),
        stderr: "",
        exitCode: 0,
      });
    expect(readFileSync(file, "utf8")).toContain("filesystem/rm-recursive");
    expect(readdirSync(home.project)).toEqual(projectFiles);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(join(home.project, "mine.html"), "<!doctype html>");
    expect(run(home, "report", "--out", "mine.html")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is not a bridge-hooks report"),
    });
    expect(readFileSync(join(home.project, "mine.html"), "utf8")).toBe("<!doctype html>");
    expect(run(home, "report", "--since", "x").exitCode).toBe(1);
    expect(run(home, "uninstall", "--purge", "--yes").stdout).toContain("report.html\n");
    expect(existsSync(file)).toBe(false);
  });
  test("tells denials that a failure caused from the hooks' own denials", () => {
    const home = createHome();
    run(home, "--host", "claude", "rm -rf /");
    writeUserConfig(home.home, { hooks: { "block-destructive": { decision: "maybe" } } });
    for (const command of ["ls", "pwd"]) run(home, "--host", "claude", command);
    const { counts, deniedByFailure } = read(home);
    expect([counts, deniedByFailure]).toEqual([count({ denied: 3 }), 2]);
    expect(run(home, "report").stdout).toContain("3 denied: 2 because a hook or the call failed");
    const page = readFileSync(join(dirname(getHomeLog(home)), "report.html"), "utf8");
    expect(page).toContain('<span class="part">2 because a hook or the call failed</span>');
  });
  test("counts calls that an exception allowed, and lists the exception itself separately", () => {
    const home = createHome();
    const call = createLine({ wanted: "deny", exceptions: ["e1"], rule: "a/b", subject: "x", host: "claude" });
    const change = createLine({ change: { command: "allow", exception: "e1", reason: "ours" } });
    mkdirSync(dirname(getHomeLog(home)), { recursive: true });
    writeFileSync(getHomeLog(home), [call, change].map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { counts, candidates, changes } = read(home);
    expect(counts).toEqual(count({ excepted: 1 }));
    expect(candidates.map(({ why, subject }) => [why, subject])).toEqual([["excepted", "x"]]);
    expect(changes.map(({ command, exception, reason }) => [command, exception, reason])).toEqual([
      ["allow", "e1", "ours"],
    ]);
  });
  test("names what modes and a rule's own action allowed, in JSON, text and page", () => {
    const home = createHome({ mode: "observe" });
    run(home, "--host", "claude", "git reset --hard");
    writeUserConfig(home.home, { mode: "warn" });
    run(home, "--host", "claude", "git reset --hard");
    writeUserConfig(home.home, { rules: { "git/push-force": { action: "warn" } } });
    run(home, "--host", "claude", "git push --force origin main");
    // A denied call doesn't count as a warning as well.
    run(home, "--host", "claude", "git push --force origin main && rm -rf /");
    const { counts, withheld, candidates, by } = read(home);
    expect(counts).toEqual(count({ denied: 1, warned: 1, withheld: 2 }));
    expect(withheld).toEqual([
      { what: "would be denied (warn)", count: 1 },
      { what: "would be denied (observe)", count: 1 },
    ]);
    expect(candidates.map(({ why, would }) => [why, would])).toEqual([
      ["withheld", "would be denied (warn)"],
      ["withheld", "would be denied (observe)"],
    ]);
    expect(by.rule.find(({ name }) => name === "git/push-force")?.counts).toEqual(count({ warned: 1 }));
    const { stdout } = run(home, "report");
    expect(stdout).toContain("2 withheld by a mode: 1 would be denied (warn), 1 would be denied (observe)");
    expect(stdout).toContain("mode enforce");
    const page = readFileSync(join(dirname(getHomeLog(home)), "report.html"), "utf8");
    const [, withheldCalls = "", falseAlarms = ""] = page.split(
      /<h2>(?:Allowed only because of a mode|Possible false alarms)<\/h2>/,
    );
    expect(withheldCalls.match(/<code>git reset --hard<\/code>/g)).toHaveLength(2);
    expect(falseAlarms.split("<h2>")[0]).toContain("<p>None.</p>");
    expect(page).toContain('<span class="part">1 would be denied (observe)</span>');
    expect(page).toMatch(/<h1>[^\n]*<\/h1>\n<p class="lead">Coverage of <b>/);
  });
  test("lists first which hosts have active entries, which drifted, and which call without entries", () => {
    const home = createHome();
    for (const folder of [".claude", ".codex", ".gemini", ".cursor"])
      mkdirSync(join(home.home, folder), { recursive: true });
    for (const host of ["claude", "codex", "gemini"]) run(home, "install", "--host", host, "--yes");
    run(home, "--host", "claude", "rm -rf /");
    const cursor = getPayload("cursor", "beforeShellExecution", { cwd: home.project, command: "rm -rf /" });
    Bun.spawnSync([EXECUTABLE, "--host", "cursor"], {
      cwd: home.project,
      env: { PATH: process.env.PATH ?? "", ...home.env },
      stdin: Buffer.from(JSON.stringify(cursor)),
    });
    const settings = join(home.home, ".claude/settings.json");
    writeFileSync(settings, readFileSync(settings, "utf8").replace('"PreToolUse"', '"PostToolUseFailure"'));
    const report = read(home);
    expect(Object.keys(report)[0]).toBe("coverage");
    const states = report.coverage[0]?.hosts.filter(({ host }) =>
      ["claude", "codex", "gemini", "cursor"].includes(host),
    );
    expect(states?.map(({ host, state, calls }) => [host, state, calls]).sort()).toEqual([
      ["claude", "drift", 1],
      // Codex doesn't run hooks until its user has reviewed them.
      ["codex", "faulty", 0],
      ["cursor", "no entries", 1],
      ["gemini", "in force", 0],
    ]);
    const [first] = run(home, "report").stdout.split("\n");
    expect(first).toMatch(/^coverage  \S+: entries in force: gemini; entries that the host ignores: codex; /);
    expect(first).toMatch(/; outdated entries: claude; no entries: .*cursor \(1 call in the log\)/);
  });
  test("does not report entries as active if the host's own settings disable them", () => {
    const home = createHome();
    mkdirSync(join(home.home, ".claude"), { recursive: true });
    run(home, "install", "--host", "claude", "--yes");
    const settings = join(home.home, ".claude/settings.json");
    const document = JSON.parse(readFileSync(settings, "utf8")) as object;
    expect(read(home).coverage[0]?.summary).toContain("entries in force: claude");
    writeFileSync(settings, JSON.stringify({ ...document, disableAllHooks: true }));
    const [machine] = read(home).coverage;
    expect(machine?.summary).toContain("entries that the host ignores: claude");
    expect(machine?.hosts.find(({ host }) => host === "claude")?.faults).toEqual([
      expect.stringContaining("disableAllHooks"),
    ]);
  });
  test("merges the logs of several machines, and reports that their entries are unknown", () => {
    const home = createHome();
    const [first, second] = ["anna", "ben"].map((name) => join(home.home, name, "decisions.jsonl"));
    for (const [file = "", lines] of [
      [first, [createLine({ decision: "deny", host: "claude", rule: "a/b", subject: "x" })]],
      [second, [createLine({ id: "b", decision: "deny", host: "codex", rule: "a/b", subject: "x" }), createLine()]],
    ] as const) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    }
    const argv = ["report", "--json", "--log", `anna=${first}`, "--log", dirname(second ?? "")];
    const { coverage, counts, by } = JSON.parse(run(home, ...argv).stdout) as Report;
    expect(counts).toEqual(count({ denied: 2, passed: 1 }));
    expect(by.rule).toEqual([{ name: "a/b", counts: count({ denied: 2 }) }]);
    expect(coverage.map(({ machine, summary }) => `${machine}: ${summary}`)).toEqual([
      "anna: known only from the log: claude",
      "ben: known only from the log: codex",
    ]);
    const missing = run(home, "report", "--log", join(home.home, "nowhere"));
    expect([missing.exitCode, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/no such file: .*nowhere; pass a decision log file/),
    ]);
  });
  test("counts no call made by doctor or a smoke test", () => {
    const home = createHome();
    mkdirSync(join(home.home, ".claude"), { recursive: true });
    writeUserConfig(home.home, { log: { level: "all" } });
    run(home, "install", "--host", "claude", "--yes");
    run(home, "doctor", "--host", "claude");
    // An entry for a host that this executable doesn't know.
    for (const stdin of [INVALID_PROBE, JSON.stringify(markProbe(createShellPayload("ls")))])
      Bun.spawnSync([EXECUTABLE, "--host", "nobody"], {
        cwd: home.project,
        env: { PATH: process.env.PATH ?? "", ...home.env },
        stdin: Buffer.from(stdin),
      });
    expect(existsSync(getHomeLog(home))).toBe(false);
    // Written by an older executable.
    const old = [
      createLine({ decision: "deny", host: "claude", session: PROBE_SESSION }),
      createLine({ decision: "deny", host: "claude", asked: { command: PROBE } }),
      createLine({ decision: "deny", host: "claude", asked: { command: "rm -rf /" } }),
    ];
    mkdirSync(dirname(getHomeLog(home)), { recursive: true });
    writeFileSync(getHomeLog(home), old.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { counts, coverage } = read(home);
    expect(counts).toEqual(count({ denied: 1 }));
    expect(coverage[0]?.hosts.find(({ host }) => host === "claude")?.calls).toBe(1);
  });
  test("writes a page for an empty log", () => {
    const home = createHome();
    expect(run(home, "report", "--out", "r.html").exitCode).toBe(0);
    expect(readFileSync(join(home.project, "r.html"), "utf8")).toContain("The log has no lines in this period.");
    expect(existsSync(getHomeLog(home))).toBe(false);
  });
});

describe("text from a model or a repository adds no control characters or lines to", () => {
  const home = createHome();
  const project = join(home.home, "we\u001b[31mird\nRED x\u202e");
  const settings = join(project, ".claude/settings.json");
  mkdirSync(dirname(settings), { recursive: true });
  const command = `"${EXECUTABLE}" --host claude --on-error deny`;
  writeFileSync(
    settings,
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Ba\u001b[31msh\n", hooks: [{ type: "command", command }] }] } }),
  );
  const payload = createShellPayload(`rm -rf / ${BAD}`, { cwd: project, session_id: BAD });
  const spawn = (argv: readonly string[], stdin: Uint8Array | null = null) => {
    const ended = Bun.spawnSync([EXECUTABLE, ...argv], {
      cwd: project,
      env: { PATH: process.env.PATH ?? "", ...home.env },
      stdin,
    });
    return `${ended.stdout.toString()}${ended.stderr.toString()}`;
  };
  spawn(["--host", "claude"], Buffer.from(JSON.stringify(payload)));
  const commands = ["log", "log --json", "explain --last", "explain --last --json", "status", "status --json"];
  for (const argv of [...commands, "doctor --host claude", "doctor --host claude --json", "report --json"])
    test(`bridge-hooks ${argv}`, () => {
      const shown = spawn(argv.split(" "));
      expect(shown.length).toBeGreaterThan(20);
      expect(HARMFUL.exec(shown)?.[0]).toBeUndefined();
      expect(/^RED x/m.test(shown)).toBe(false);
      if (argv.endsWith("--json")) expect(() => JSON.parse(shown)).not.toThrow();
    });
});
