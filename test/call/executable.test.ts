import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createHostileDirectory, fillHostileVariables } from "../../src/cli/build/selftest.ts";
import { hosts } from "../../src/hosts/index.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { PROBE } from "../../src/protocol/probe.ts";
import { getPayload, ROOT } from "../support/fixtures.ts";
import { scaleMs } from "../support/machine.ts";
import {
  starterBuild,
  type ExecutableResult,
  callExecutable,
  HOST_CALLS,
  findNativeEvent,
  isLoopLeftOut,
  buildPayload,
} from "./executable-support.ts";

const inTime = (ms: number) => ["--timeout-ms", String(scaleMs(ms))];

for (const [host, { event, denied, neutral, file }] of Object.entries(HOST_CALLS)) {
  const plain = ["--host", host];
  const closed = [...plain, "--on-error", "deny"];
  /** Exit code when the denial is sent as a JSON document. */
  const DENIED = host === "cursor" ? 0 : 2;
  const aDenial = expect.stringContaining(denied("|").split("|")[0] as string);

  describe(`a call by ${host}`, () => {
    const denial = { stdout: denied("probe says no"), stderr: "probe says no\n", code: DENIED };
    test("gets the host's neutral answer if no hook decides", async () =>
      expect(await callExecutable(plain, buildPayload(host, "none"))).toEqual({
        stdout: neutral,
        stderr: "",
        code: 0,
      }));
    test("gets the host's denial if a hook denies", async () =>
      expect(await callExecutable(plain, buildPayload(host, "deny"))).toEqual(denial));
    test("is recognized by its payload without a flag", async () =>
      expect(await callExecutable([], buildPayload(host, "deny"), { env: {} })).toEqual(denial));
    test("of a second entry gets a denial again, and no other answer", async () => {
      const again = [...plain, "--after", "another"];
      expect(await callExecutable(again, buildPayload(host, "deny"))).toEqual(denial);
      for (const way of ["none", "large"])
        expect(await callExecutable(again, buildPayload(host, way))).toEqual({ stdout: neutral, stderr: "", code: 0 });
      // A failure isn't an answer, so an entry that fails closed must report it.
      expect(await callExecutable(again, buildPayload(host, "throw"))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("probe broke"),
      });
    });
    test("of doctor is denied whatever the hooks decide", async () => {
      const { stdout, code } = await callExecutable(
        plain,
        JSON.stringify(getPayload(host, file, HOST_CALLS[host]?.field(PROBE))),
      );
      expect([stdout, code]).toEqual([denied("bridge-hooks doctor asked for this denial."), DENIED]);
    });
    test("may name the host as --host=<id>", async () =>
      expect(await callExecutable([`--host=${host}`], buildPayload(host, "deny"))).toEqual(denial));
    test("gets a non-ASCII reason unchanged", async () => {
      expect(await callExecutable(plain, buildPayload(host, "unicode"))).toEqual({
        stdout: denied("nein – 不 😀"),
        stderr: "nein – 不 😀\n",
        code: DENIED,
      });
    });
    test("has no output of hooks or their child processes on stdout", async () => {
      const { stdout, stderr, code } = await callExecutable(plain, buildPayload(host, "noise"));
      expect([stdout, code]).toEqual([denied("through the noise"), DENIED]);
      expect(stderr).toBe("noise 1\nnoise 2\nnoise 3\nnoise 4\nthrough the noise\n");
    });
    test("gets an answer larger than a pipe completely, or truncated at the host's limit", async () => {
      const { stdout, code } = await callExecutable(plain, buildPayload(host, "large"));
      // Not every host accepts context before a call.
      const { hookSpecificOutput } = JSON.parse(stdout || "{}");
      const length = { claude: 10_000, cursor: undefined, codex: 300_000 }[host];
      expect([code, hookSpecificOutput?.additionalContext.length]).toEqual([0, length]);
    });
  });

  describe(`a faulty call by ${host}`, () => {
    const problems: [name: string, input: string | Uint8Array | undefined, problem: string][] = [
      [
        "bad JSON",
        '{"a":',
        "stdin is not valid JSON (JSON Parse error: Unexpected EOF); a host must send one JSON object",
      ],
      ["empty stdin", "", "stdin is empty; a host must send one JSON object"],
      ["whitespace on stdin", " \r\n", "stdin is empty; a host must send one JSON object"],
      ["a missing stdin", undefined, "stdin is empty; a host must send one JSON object"],
      ["an array", "[1]", "stdin is JSON, but not an object; a host must send one JSON object"],
      ["null", "null", "stdin is JSON, but not an object; a host must send one JSON object"],
      ["a BOM alone", "\ufeff", "stdin is empty; a host must send one JSON object"],
    ];
    for (const [name, input, problem] of problems) {
      test(`is reported and proceeds with --on-error allow: ${name}`, async () => {
        expect(await callExecutable([...plain, "--event", event], input)).toEqual({
          stdout: neutral,
          stderr: `bridge-hooks: ${host} ${event}: ${problem}\n`,
          code: 1,
        });
      });
      test(`with --on-error deny, is denied with its reason: ${name}`, async () => {
        const reason = `bridge-hooks: ${problem}. No hook made a decision, and the failure policy is to deny.`;
        expect(await callExecutable([...closed, "--event", event], input)).toEqual({
          stdout: denied(reason),
          stderr: `${reason}\n`,
          code: DENIED,
        });
      });
    }
    test("is denied with --on-error deny if its JSON is invalid after the event", async () => {
      const broken = buildPayload(host, "none").slice(0, -1);
      const { stdout, code } = await callExecutable(closed, broken);
      expect([code, stdout.includes("deny")]).toEqual([DENIED, true]);
    });
    test("is denied without a flag if a compiled hook fails closed", async () => {
      const bad = buildPayload(host, "none").slice(0, -1);
      expect(await callExecutable(plain, bad, { executable: starterBuild.outfile })).toMatchObject({
        code: DENIED,
        stdout: expect.stringContaining("deny"),
      });
      const end = findNativeEvent(host, "SessionEnd");
      expect(await callExecutable([...plain, "--event", end], "{", { executable: starterBuild.outfile })).toMatchObject(
        { code: 1 },
      );
    });
    test("is denied with --on-error deny if nothing names the event", async () => {
      const { stderr, code } = await callExecutable(closed, "{");
      expect([code, stderr]).toEqual([2, expect.stringContaining("stdin is not valid JSON")]);
    });
    test("is reported and proceeds on an event that can't block", async () => {
      const end = findNativeEvent(host, "SessionEnd");
      const { stdout, stderr, code } = await callExecutable([...closed, "--event", end], "{");
      expect({ stdout, code }).toEqual({ stdout: neutral, code: 0 });
      expect(stderr).toStartWith(`bridge-hooks: ${host} ${end}: stdin is not valid JSON`);
    });
    test("proceeds at Stop, because a fault must not keep the agent working", async () => {
      expect(await callExecutable([...closed, "--event", findNativeEvent(host, "Stop")], "{")).toMatchObject({
        stdout: neutral,
        code: 0,
      });
    });
    test("is denied with --on-error deny if its event lacks a required field", async () => {
      const text = JSON.stringify(getPayload(host, file, HOST_CALLS[host]?.field(1 as never)));
      expect(await callExecutable(closed, text)).toMatchObject({
        stdout: expect.stringContaining("deny"),
        code: DENIED,
      });
    });
    test("is read with a BOM, with CRLF, and with or without a newline at the end", async () => {
      const text = buildPayload(host, "deny");
      for (const variant of [
        `\ufeff${text}`,
        `${text}\n`,
        `${text}\r\n`,
        JSON.stringify(JSON.parse(text), null, 2).replaceAll("\n", "\r\n"),
      ]) {
        expect(await callExecutable(plain, variant)).toMatchObject({ stdout: denied("probe says no"), code: DENIED });
      }
    });
    test("is read if it has 10 MB", async () => {
      const text = JSON.stringify({ ...JSON.parse(buildPayload(host, "deny")), padding: "ä".repeat(5 * 1024 * 1024) });
      expect(await callExecutable(plain, text)).toMatchObject({ stdout: denied("probe says no"), code: DENIED });
    });
    test("fails if a flag lacks its value, and the next flag still applies", async () => {
      const args = [...plain, "--event", "--on-error", "deny"];
      expect(await callExecutable(args, buildPayload(host, "none"))).toMatchObject({
        code: DENIED,
        stdout: aDenial,
        stderr: expect.stringContaining("--event takes the host's event name"),
      });
      expect(await callExecutable([...plain, "--timeout-ms", "9999999999"], buildPayload(host, "none"))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("--timeout-ms takes a whole number of milliseconds"),
      });
    });
    test("is answered from the data received so far if stdin stays open", async () => {
      expect(
        await callExecutable([...plain, ...inTime(600)], buildPayload(host, "deny"), { open: true }),
      ).toMatchObject({
        stdout: denied("probe says no"),
        code: DENIED,
      });
    });
    test("is denied with --on-error deny if stdin stays open and empty", async () => {
      // An odd number, so that the time can't be halved exactly.
      const { stdout, stderr, code } = await callExecutable([...closed, "--event", event, ...inTime(601)], "", {
        open: true,
      });
      expect([code, stdout, stderr]).toEqual([
        DENIED,
        aDenial,
        expect.stringMatching(/stdin stayed open for \d+ ms without any data/),
      ]);
    });
    test("is blocked by its exit code if a hook asks or denies and stdout is closed", async () => {
      if (host === "claude")
        expect(await callExecutable(plain, buildPayload(host, "ask"), { deaf: true })).toMatchObject({
          code: 2,
          stderr: expect.stringContaining("closed stdout"),
        });
      expect(await callExecutable(plain, buildPayload(host, "deny"), { deaf: true })).toMatchObject({ code: 2 });
      expect(await callExecutable(plain, buildPayload(host, "none"), { deaf: true })).toMatchObject({ code: 0 });
    });
    test("is denied with --on-error deny if a flag is unknown", async () => {
      expect(await callExecutable([...closed, "--nope"], buildPayload(host, "none"))).toMatchObject({
        code: DENIED,
        stdout: aDenial,
        stderr: expect.stringContaining('unknown argument "--nope"; see '),
      });
      expect(await callExecutable(["--on-error", "maybe"], buildPayload(host, "none"))).toMatchObject({
        code: DENIED,
        stdout: aDenial,
        stderr: expect.stringContaining('--on-error takes allow or deny, not "maybe"'),
      });
    });
  });

  describe(`a failing hook on ${host}`, () => {
    const ways: [way: string, failure: string][] = [
      ["throw", "probe broke"],
      ["throw-later", "probe broke later"],
      ["reject-later", "probe rejected later"],
      ["rubbish", "it returned a string instead of a response object"],
      [
        "misspelled",
        'it returned an unknown field "permission" (known: decision, modified_input, reason, user_message, additional_context, modified_output, session_env, rule, subject, mode)',
      ],
      ["never", "it took longer than N ms"],
      ["loop", "it took longer than N ms"],
      ["loop-async", "it took longer than N ms"],
      ["exit", "it called process.exit(0); return a response instead"],
    ];
    for (const way of ["stray", "stray-later"]) {
      test(`is the only one reported for its uncaught error, and the next hook decides: ${way}`, async () => {
        const stderr = `second says no\nbridge-hooks: ${host} ${event}: uncaught error: telemetry\n`;
        expect(await callExecutable(plain, buildPayload(host, way))).toEqual({
          stdout: denied("second says no"),
          stderr,
          code: DENIED,
        });
      });
    }
    const steady = (text: string) => text.replace(/\d+ ms/g, "N ms");
    // However busy the machine is, only a hook that hangs, or that waits after its error, should run out of time.
    const getLimit = (way: string) =>
      /never|loop/.test(way) ? inTime(400) : way.endsWith("-later") ? inTime(2000) : [];
    for (const [way, failure] of ways) {
      if (!isLoopLeftOut(host, way, "allowed"))
        test(`is reported, and the call proceeds with --on-error allow: ${way}`, async () => {
          const { stdout, stderr, code } = await callExecutable([...plain, ...getLimit(way)], buildPayload(host, way));
          expect({ stdout, stderr: steady(stderr), code }).toEqual({
            stdout: neutral,
            stderr: `bridge-hooks: ${host} ${event}: hook "probe" failed: ${failure}\n`,
            code: 1,
          });
        });
      if (!isLoopLeftOut(host, way, "denied"))
        test(`with --on-error deny, denies and gives its reason: ${way}`, async () => {
          const { stdout, stderr, code } = await callExecutable([...closed, ...getLimit(way)], buildPayload(host, way));
          const reason = `The hook "probe" failed (${failure}), and its failure policy is to deny.`;
          expect({ stdout: steady(stdout), stderr: steady(stderr), code }).toEqual({
            stdout: denied(reason),
            stderr: `${reason}\nbridge-hooks: ${host} ${event}: hook "probe" failed: ${failure}\n`,
            code: DENIED,
          });
        });
    }
  });
}

describe("a hostile directory and environment", () => {
  const dangerous = JSON.stringify(getPayload("claude", "PreToolUse-Bash", { tool_input: { command: "rm -rf /" } }));
  let hostile: string;
  beforeAll(() => {
    hostile = createHostileDirectory();
  });
  afterAll(() => rmSync(hostile, { recursive: true, force: true }));
  const holds = (result: ExecutableResult) =>
    expect(result).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('"permissionDecision":"deny"'),
      stderr: expect.stringContaining('Blocked "rm -rf /": it deletes / and everything in it'),
    });

  test("don't lift a denial: only the directory's files", async () =>
    holds(
      await callExecutable(["--host", "claude"], dangerous, {
        cwd: hostile,
        env: { HOME: hostile },
        executable: starterBuild.outfile,
      }),
    ));
  test("don't lift a denial: each variable, and all together", async () => {
    const variables = fillHostileVariables(hostile);
    for (const env of [...Object.entries(variables).map(([name, value]) => ({ [name]: value })), variables]) {
      holds(
        await callExecutable(["--host", "claude"], dangerous, { cwd: hostile, env, executable: starterBuild.outfile }),
      );
    }
    expect(Object.keys(variables).length).toBe(27);
  });
  test("don't lift a denial if the system's loader prints before the document: the exit code denies", async () => {
    const cases: [host: string, flags: string[], payload: Payload][] = [
      [
        "gemini",
        ["--gemini-deny", "json"],
        getPayload("gemini", "BeforeTool-run_shell_command", HOST_CALLS.gemini?.field("probe:deny")),
      ],
      [
        "cursor",
        ["--cursor-deny", "json"],
        getPayload("cursor", "beforeShellExecution", HOST_CALLS.cursor?.field("probe:deny")),
      ],
      ["copilot", [], getPayload("copilot", "PascalCase-PreToolUse", { tool_input: { command: "probe:deny" } })],
    ];
    for (const [host, flags, given] of cases) {
      const run = (env: Record<string, string>) =>
        callExecutable(["--host", host, ...flags], JSON.stringify(given), { env });
      expect([host, (await run({})).code]).toEqual([host, 0]);
      const { code, stdout } = await run({ LD_SHOW_AUXV: "" });
      expect([host, code, stdout.startsWith("AT_")]).toEqual([host, 2, process.platform === "linux"]);
    }
  });
  test("don't pass a flag to the runtime: bridge-hooks rejects it", async () => {
    for (const flag of ["--preload=./foreign.js", "--inspect-wait", "--bun", "--eval=1"]) {
      expect(
        await callExecutable(["--host", "claude", "--on-error", "deny", flag], dangerous, {
          cwd: hostile,
          executable: starterBuild.outfile,
        }),
      ).toMatchObject({ code: 2 });
    }
  });
});

describe("the executable, run by a user,", () => {
  const run = (args: string[]) => callExecutable(args, "", { executable: starterBuild.outfile });
  test("prints --help, --version and matrix", async () => {
    const overview = await run(["--help"]);
    expect(overview).toEqual({ code: 0, stdout: expect.stringContaining("\n  matrix  "), stderr: "" });
    const help = await run(["help", "host-call"]);
    expect([help.code, help.stderr]).toEqual([0, ""]);
    for (const flag of [
      "--host",
      "--event",
      "--on-error",
      "--timeout-ms",
      "--max-continuations",
      "--cursor-ask-fallback",
      "--cursor-deny",
      "--codex-ask-fallback",
    ]) {
      expect(help.stdout).toContain(flag);
    }
    const { version } = await Bun.file(join(ROOT, "package.json")).json();
    expect(await run(["--version"])).toEqual({
      stdout: expect.stringMatching(new RegExp(`^${version}\npolicy: bridge-hooks ${version}, hash [0-9a-f]{12}\n$`)),
      stderr: "",
      code: 0,
    });
    expect(JSON.parse((await run(["matrix", "--json"])).stdout)).toHaveLength(hosts.length);
    expect((await run(["matrix"])).stdout).not.toContain("\u001b");
  });
  test("suggests a command for an unknown one", async () => {
    expect(await run(["instal"])).toEqual({
      stdout: "",
      code: 1,
      stderr: expect.stringMatching(
        /^bridge-hooks: unknown command "instal"; did you mean install\? see \S*bridge-hooks --help\n$/,
      ),
    });
    expect((await run(["claude"])).stderr).toMatch(
      /^bridge-hooks: unknown command "claude"; did you mean --host claude\? see \S*bridge-hooks --help\n$/,
    );
  });
});
