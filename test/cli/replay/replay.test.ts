import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { ReplayReport } from "../../../src/cli/replay/report.ts";
import { EXECUTABLE, fixtures, getPayload, ROOT } from "../../support/fixtures.ts";
import { createProject, removeTimes, measureWidth } from "../../support/projects.ts";

const GUARD = `import { ask, context, defineHook, deny } from "bridge-hooks";
export default defineHook({
  event: ["PreToolUse", "SessionStart"],
  handler(event) {
    if (event.event === "SessionStart") return context("hello");
    if (event.tool !== "Bash") return undefined;
    const { command } = event.input;
    if (command.startsWith("rm")) return deny("No.");
    if (command.startsWith("push")) return ask("Sure?");
    if (command.startsWith("throw")) throw new Error("broken");
    return undefined;
  },
});
`;

const bash = (command: string) => getPayload("claude", "PreToolUse-Bash", { tool_input: { command } });
const lines = (...documents: (Payload | string)[]) =>
  documents.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("");

const app = createProject({
  "hooks/guard.ts": GUARD,
  "some.jsonl": lines(
    bash("rm -rf /"),
    "",
    getPayload("cursor", "preToolUse.Shell", { tool_input: { command: "push it", cwd: "" } }),
    '{"hook_event_name": ',
    "[1]",
    '{"a":1}',
    bash(`echo ${"long ".repeat(30)}`),
    { id: 1, argv: ["--host", "copilot", "--event", "sessionStart"], payload: getPayload("copilot", "sessionStart") },
  ),
  "one.json": JSON.stringify(bash("throw"), null, 2),
  "folder/deep/two.json": JSON.stringify(bash("rm x")),
  "folder/many.json": lines(bash("ls"), bash("rm y")),
  "folder/expected.tsv": "not of ours",
});
afterAll(app.end);
const run = (...args: string[]) => app.run(["replay", "--hooks", ".", ...args]);

describe("replay", () => {
  test("prints the decision for each line, and names unreadable lines", () => {
    const { code, stdout, stderr } = run("some.jsonl");
    expect(removeTimes(stdout)).toBe(`hooks:   ./hooks (1: guard)

from          host     event, tool          decision       ms about
-------------------------------------------------------------------
some.jsonl:1  claude   PreToolUse Bash      deny #.## rm -rf /
some.jsonl:3  cursor   PreToolUse Bash      deny #.## push it
some.jsonl:4: it is not valid JSON: column 21: value expected
some.jsonl:5: it is not a JSON object
some.jsonl:6: it matches no known host; name the host with --from ID
some.jsonl:7  claude   PreToolUse Bash      none #.## echo long long…
some.jsonl:8  copilot  SessionStart         context #.## new

4 payloads: 2 deny, 2 none; 3 other lines or files could not be read as
payloads; # ms each, # ms at most
`);
    expect([code, stderr]).toEqual([1, ""]);
  });
  test("reads files and directories, with one or many payloads each", () => {
    const { code, stdout } = run("folder", "one.json");
    expect(removeTimes(stdout)).toBe(`hooks:   ./hooks (1: guard)

from        host     event, tool          decision       ms about
-----------------------------------------------------------------
two.json    claude   PreToolUse Bash      deny #.## rm x
many.json:1 claude   PreToolUse Bash      none #.## ls
many.json:2 claude   PreToolUse Bash      deny #.## rm y
one.json    claude   PreToolUse Bash      failed #.## throw
  guard failed: broken (hooks/guard.ts:10:48)

4 payloads: 2 deny, 1 none, 1 failed; a hook failed on 1; # ms each, # ms at most
`);
    expect(code).toBe(1);
  });
  test("--host selects the payloads of the named hosts", () => {
    const hosts = (...args: string[]) => {
      const { rows, totals } = ReplayReport.parse(JSON.parse(run("some.jsonl", "one.json", "--json", ...args).stdout));
      return [rows.flatMap(({ host }) => host ?? []), totals.payloads];
    };
    expect(hosts("--host", "cursor")).toEqual([["cursor"], 1]);
    expect(hosts("--host", "cursor", "--host", "copilot")).toEqual([["cursor", "copilot"], 2]);
  });
  test("reads stdin, and exits with code 0 if every payload is answered", () => {
    const { code, stdout } = app.run(["replay", "--hooks", ".", "-"], { stdin: lines(bash("ls"), bash("rm x")) });
    expect([code, removeTimes(stdout)]).toEqual([
      0,
      expect.stringContaining("stdin:2    claude   PreToolUse Bash      deny #.## rm x\n"),
    ]);
  });
  test("leaves no state behind", () => expect(existsSync(join(app.home, "state"))).toBe(false));
});

/** A stand-in for another executable. It denies inputs that contain certain words. */
const OTHER = `#!/bin/sh
[ "$1" = --version ] && echo 0.0.0 && exit
input=$(cat)
case "$*" in *claude*PreToolUse*) ;; *) echo "not called as a host calls: $*"; exit 7;; esac
case "$input" in
  *hang*) sleep 60 ;;
  *"rm -rf"*)
    echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No."}}'
    echo "No." >&2
    exit 2 ;;
  *ls*) echo "Never." >&2; exit 2 ;;
esac
`;

describe.skipIf(process.platform === "win32")("replay --against", () => {
  app.put("other.sh", OTHER);
  chmodSync(join(app.at, "other.sh"), 0o755);
  app.put("same.jsonl", lines(bash("rm -rf /"), bash("echo hi")));
  app.put("changed.jsonl", lines(bash("rm -rf /"), bash("ls"), bash("rm x"), bash("echo hi"), "{"));
  test("reports that nothing changes if all answers are equal", () => {
    expect(run("same.jsonl", "--against", "./other.sh")).toEqual({
      code: 0,
      stdout: `hooks:   ./hooks (1: guard)
${wrapped("against: ", join(app.at, "other.sh"))}

2 payloads: 1 deny, 1 none
Nothing changes.
`,
      stderr: "",
    });
  });
  test("shows only payloads whose answers differ, with the differences", () => {
    const { code, stdout } = run("changed.jsonl", "--against", "./other.sh");
    expect(stdout.slice(stdout.indexOf("\n\n"))).toBe(`

changed.jsonl:2  claude PreToolUse Bash  ls
  decision  deny → none
  stderr  - Never.
          + (nothing)
  exit      2 → 0

changed.jsonl:3  claude PreToolUse Bash  rm x
  decision  none → deny
  stdout  - (nothing)
          + {"hookSpecificOutput":{"hookEventName":"PreToolUse",
            "permissionDecision":"deny","permissionDecisionReason":"No."}}
  stderr  - (nothing)
          + No.
  exit      0 → 2

changed.jsonl:5: it is not valid JSON: column 2: close brace expected
4 payloads: 2 deny, 2 none; 1 other line or file could not be read as a payload
2 payloads would be answered differently: 1 deny → none, 1 none → deny.
`);
    expect(code).toBe(1);
  });
  test("--json names what changed in each answer", () => {
    const { stdout } = run("changed.jsonl", "--against", "./other.sh", "--json");
    const report = z.strictObject(ReplayReport.shape).parse(JSON.parse(stdout));
    expect(report.rows.map(({ line, changed, error }) => [line, changed ?? error])).toEqual([
      [2, ["decision", "stderr", "exit_code"]],
      [3, ["decision", "stdout", "stderr", "exit_code"]],
      [5, "it is not valid JSON: column 2: close brace expected"],
    ]);
    expect(report.totals).toMatchObject({
      payloads: 4,
      unread: 1,
      failed: 0,
      changed: 2,
      changes: { "deny → none": 1, "none → deny": 1 },
    });
  });
  app.put("alone/guard.ts", GUARD);
  app.put("hang.jsonl", lines(bash("hang"), bash("echo hi")));
  // The 10 s pass while the other tests run.
  const hanging = Bun.spawn([EXECUTABLE, "replay", "--hooks", "alone", "hang.jsonl", "--against", "./other.sh"], {
    cwd: app.at,
    env: app.env,
    stdout: "pipe",
    stderr: "ignore",
  });
  test("waits at most 10 s for an executable that hangs", async () => {
    const [code, stdout] = [await hanging.exited, await new Response(hanging.stdout).text()];
    expect([code, stdout]).toEqual([1, expect.stringContaining("  before    the command did not end within 10 s\n")]);
  });
  test("replays each session's payloads in order, with its own state", () => {
    const session = (id: string, command: string) => ({ ...bash(command), session_id: id });
    app.put(
      "hooks/second.ts",
      `import { defineHook, deny, state } from "bridge-hooks";
export default defineHook({ event: "PreToolUse", handler: (event) => {
  const count = Number(state(event).get("count") ?? 0) + 1;
  state(event).set("count", count);
  return deny(String(count));
} });
`,
    );
    // A session's first call is the slowest, so if calls weren't made in order, later ones would overtake it.
    app.put(
      "counts.sh",
      `#!/bin/sh
[ "$1" = --version ] && echo 0.0.0 && exit
case "$(cat)" in *'"session_id":"one"'*) file="$XDG_STATE_HOME/one";; *) file="$XDG_STATE_HOME/two";; esac
mkdir -p "$XDG_STATE_HOME"
count=1; [ -f "$file" ] && count=$(($(cat "$file") + 1)) || sleep 0.3
echo $count > "$file"
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"'$count'"}}'
echo $count >&2
exit 2
`,
    );
    chmodSync(join(app.at, "counts.sh"), 0o755);
    app.put("sessions.jsonl", lines(...["one", "one", "two", "one", "two", "one"].map((id) => session(id, "echo hi"))));
    const { code, stdout } = run("sessions.jsonl", "--hooks", "hooks", "--against", "./counts.sh");
    rmSync(join(app.at, "hooks/second.ts"));
    expect([code, stdout.slice(stdout.indexOf("\n\n"))]).toEqual([0, "\n\n6 payloads: 6 deny\nNothing changes.\n"]);
  });
  test("compares variables appended to a file, and leaves the session's own file unchanged", () => {
    app.put(
      "start/hooks/vars.ts",
      'import { defineHook } from "bridge-hooks";\nexport default defineHook({ event: "SessionStart", handler: () => ({ session_env: { A: "1" } }) });\n',
    );
    app.put(
      "vars.sh",
      `#!/bin/sh\n[ "$1" = --version ] && echo 0.0.0 && exit\ncat > /dev/null\necho "export A='$VALUE'" >> "$CLAUDE_ENV_FILE"\n`,
    );
    chmodSync(join(app.at, "vars.sh"), 0o755);
    app.put("own-file", "export Z=kept\n");
    app.put("start.jsonl", lines(getPayload("claude", "SessionStart")));
    const changes = (VALUE: string) => {
      const env = { VALUE, CLAUDE_ENV_FILE: join(app.at, "own-file") };
      const { stdout } = app.run(["replay", "--hooks", "start", "start.jsonl", "--against", "./vars.sh"], { env });
      return stdout.slice(stdout.indexOf("\n\n") + 2);
    };
    expect(changes("1")).toBe("1 payload: 1 none\nNothing changes.\n");
    expect(changes("2")).toStartWith(`start.jsonl:1  claude SessionStart  startup
  append  - export A='2'
          + export A='1'
`);
    expect(readFileSync(join(app.at, "own-file"), "utf8")).toBe("export Z=kept\n");
  });
  test("counts changes by kind, including changed wording", () => {
    app.put("words.sh", OTHER.replace('echo "No." >&2', 'echo "Other words." >&2'));
    chmodSync(join(app.at, "words.sh"), 0o755);
    const { stdout } = run("changed.jsonl", "--against", "./words.sh");
    expect(stdout).toEndWith(
      "\n3 payloads would be answered differently: 1 other words, 1 deny → none, 1 none →\ndeny.\n",
    );
  });
  test.each(["/bin/true", "/bin/sh"])("rejects %s, which is not a bridge-hooks executable", (other) => {
    const stderr = `bridge-hooks: --against ${other}: not a bridge-hooks executable\n`;
    expect(run("same.jsonl", "--against", other)).toEqual({ code: 1, stdout: "", stderr });
  });
  test("rejects an executable that does not exist", () => {
    expect(run("same.jsonl", "--against", "./nothing")).toEqual({
      code: 1,
      stdout: "",
      stderr: "bridge-hooks: --against ./nothing: not executable; pass a bridge-hooks executable\n",
    });
  });
});

const wrapped = (label: string, path: string) =>
  `${label}${path.match(new RegExp(`.{1,${80 - label.length}}`, "g"))?.join(`\n${" ".repeat(label.length)}`)}`;

describe("replay", () => {
  test("--json prints one document that matches its schema", () => {
    const { code, stdout } = run("some.jsonl", "one.json", "--json");
    const report = z.strictObject(ReplayReport.shape).parse(JSON.parse(stdout));
    expect(code).toBe(1);
    expect(report.hooks).toEqual({ from: "./hooks", names: ["guard"] });
    expect(report.rows.map(({ file, line, host, error }) => [file, line, host ?? error?.slice(0, 12)])).toEqual([
      ["some.jsonl", 1, "claude"],
      ["some.jsonl", 3, "cursor"],
      ["some.jsonl", 4, "it is not va"],
      ["some.jsonl", 5, "it is not a "],
      ["some.jsonl", 6, "it matches n"],
      ["some.jsonl", 7, "claude"],
      ["some.jsonl", 8, "copilot"],
      ["one.json", undefined, "claude"],
    ]);
    expect({ ...report.rows[0], ms: 0 }).toEqual({
      file: "some.jsonl",
      line: 1,
      host: "claude",
      native_event: "PreToolUse",
      event: "PreToolUse",
      tool: "Bash",
      subject: "rm -rf /",
      answer: {
        decision: "deny",
        response: { decision: "deny", reason: "No." },
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No."}}\n',
        stderr: "No.\n",
        exit_code: 2,
      },
      failures: [],
      ms: 0,
    });
    expect(report.rows.at(-1)?.failures).toEqual([{ hook: "guard", failure: "broken", at: "hooks/guard.ts:10:48" }]);
    expect(report.totals).toMatchObject({
      payloads: 5,
      unread: 3,
      failed: 1,
      decisions: { deny: 2, ask: 0, allow: 0, none: 2, failed: 1 },
    });
  });
  test("--schema prints the JSON Schema of the report", () =>
    expect(JSON.parse(run("--schema", "x").stdout)).toEqual(z.toJSONSchema(ReplayReport)));
});

describe("replay fails for", () => {
  const CASES: [args: string[], code: number, said: string][] = [
    [["hooks"], 1, "bridge-hooks: no .json or .jsonl file in hooks\n"],
    [
      ["nowhere"],
      1,
      "bridge-hooks: no such file or directory: nowhere; pass recorded payloads, or a directory with such files\n",
    ],
    [
      ["one.json/x", "y"],
      1,
      "bridge-hooks: no such file or directory: one.json/x, y; pass recorded payloads, or a directory with such files\n",
    ],
    [["one.json", "--host", "clade"], 1, 'bridge-hooks: unknown host "clade"; did you mean claude?\n'],
  ];
  for (const [args, code, said] of CASES)
    test(args.join(" ") || "no arguments", () => expect(run(...args)).toEqual({ code, stdout: "", stderr: said }));
  test("files without any payload", () => {
    const { code, stdout } = run("hooks/guard.ts", "nowhere.json");
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("\n0 payloads: no answers; 2 lines or files could not be read"),
    ]);
  });
  test("a missing file, but answers the payloads of the others", () => {
    const { code, stdout } = run("nowhere.json", "folder/deep/two.json");
    expect([code, removeTimes(stdout)]).toEqual([
      1,
      expect.stringContaining("\nnowhere.json: can't be read (no such file)\n"),
    ]);
    expect(stdout).toContain("\n1 payload: 1 deny; 1 other line or file could not be read as a payload;");
  });
});

describe("replay of all recordings", () => {
  const all = fixtures.length;
  const recordings = hosts.map(({ id }) => join(ROOT, "test/hosts", id, "recordings"));
  test("reads every one, and prints at most 80 columns", () => {
    const { code, stdout, stderr } = run(...recordings);
    expect(measureWidth(stdout)).toBeLessThanOrEqual(80);
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).toMatch(new RegExp(`\\n${all} payloads: `));
    const rows = ReplayReport.parse(JSON.parse(run(...recordings, "--json").stdout)).rows;
    const wrong = rows.filter(({ file, error }) => error !== undefined && file.includes("/recordings/"));
    expect(wrong.map(({ file, error }) => `${file}: ${error}`)).toEqual([]);
    expect(rows.filter(({ file }) => file.includes("/recordings/")).length).toBe(all);
    expect(all).toBeGreaterThan(350);
  });
  test("detects the expected host, event and tool", () => {
    const rows = ReplayReport.parse(JSON.parse(run(...recordings, "--json").stdout)).rows;
    let compared = 0;
    for (const { host, version, file } of fixtures) {
      const at = join(ROOT, "test/hosts", host.id, "recordings", version);
      const row = rows.find((one) => one.file === join(at, `${file}.json`));
      const line = readFileSync(join(at, "expected.tsv"), "utf8")
        .split("\n")
        .find((text) => text.startsWith(`${file}\t`));
      const [, event, tool] = line?.split("\t") ?? [];
      expect([file, row?.host, row?.event, row?.tool ?? "-"]).toEqual([file, host.id, event as "Stop", tool as string]);
      compared++;
    }
    expect(compared).toBe(all);
  });
});

test("replay uses no more memory for a large file than for a small one", () => {
  const peak = (count: number) => {
    app.put("large.jsonl", lines(...Array.from({ length: count }, (_, at) => bash(`echo ${at}`))));
    const child = Bun.spawnSync([EXECUTABLE, "replay", "--hooks", ".", "large.jsonl"], {
      cwd: app.at,
      env: app.env,
      stdout: "ignore",
    });
    expect(child.exitCode).toBe(0);
    return child.resourceUsage.maxRSS;
  };
  const [small, large] = [peak(1_000), peak(30_000)];
  expect(large / small).toBeLessThan(1.5);
});

describe("a replay whose output is not read to the end", () => {
  app.put("long.jsonl", lines(...Array.from({ length: 20_000 }, (_, at) => bash(`echo ${at}`))));
  const folders = join(app.home, "tmp");
  mkdirSync(folders);
  const env = { ...app.env, TMPDIR: folders, TMP: folders };
  const begun = async (
    end: (
      child: Bun.Subprocess<"ignore", "pipe", "pipe">,
      reader: { read: () => Promise<{ done: boolean }>; cancel: () => Promise<void> },
    ) => unknown,
  ) => {
    const child = Bun.spawn([EXECUTABLE, "replay", "--hooks", ".", "long.jsonl"], {
      cwd: app.at,
      env,
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = child.stdout.getReader();
    await reader.read();
    await end(child, reader);
    return [await child.exited, await new Response(child.stderr).text(), readdirSync(folders)];
  };
  test("exits with code 1 and no message if its reader closes the pipe", async () =>
    expect(await begun((_, reader) => reader.cancel())).toEqual([1, "", []]));
  test.skipIf(process.platform === "win32")("leaves no temporary files if it is interrupted", async () =>
    expect(
      await begun(async (child, reader) => {
        child.kill("SIGINT");
        while (!(await reader.read()).done);
      }),
    ).toEqual([130, "", []]),
  );
});
