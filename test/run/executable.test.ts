import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
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
  /** Of a denial that the document carries. */
  const DENIED = host === "cursor" ? 0 : 2;
  const aDenial = expect.stringContaining(denied("|").split("|")[0] as string);

  describe(`${host}: decisions`, () => {
    const denial = { stdout: denied("probe says no"), stderr: "probe says no\n", code: DENIED };
    test("nothing to say", async () =>
      expect(await callExecutable(plain, buildPayload(host, "none"))).toEqual({
        stdout: neutral,
        stderr: "",
        code: 0,
      }));
    test("a denial", async () => expect(await callExecutable(plain, buildPayload(host, "deny"))).toEqual(denial));
    test("without a flag", async () =>
      expect(await callExecutable([], buildPayload(host, "deny"), { env: {} })).toEqual(denial));
    test("asked a second time: a denial is told again, and nothing else", async () => {
      const again = [...plain, "--after", "another"];
      expect(await callExecutable(again, buildPayload(host, "deny"))).toEqual(denial);
      for (const way of ["none", "large"])
        expect(await callExecutable(again, buildPayload(host, way))).toEqual({ stdout: neutral, stderr: "", code: 0 });
      // A failure is no opinion: an entry that fails closed is to see it.
      expect(await callExecutable(again, buildPayload(host, "throw"))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("probe broke"),
      });
    });
    test("doctor's call is denied whatever the hooks say", async () => {
      const { stdout, code } = await callExecutable(
        plain,
        JSON.stringify(getPayload(host, file, HOST_CALLS[host]?.field(PROBE))),
      );
      expect([stdout, code]).toEqual([denied("bridge-hooks doctor asked for this denial."), DENIED]);
    });
    test("--host=<id>", async () =>
      expect(await callExecutable([`--host=${host}`], buildPayload(host, "deny"))).toEqual(denial));
    test("text that is not ASCII", async () => {
      expect(await callExecutable(plain, buildPayload(host, "unicode"))).toEqual({
        stdout: denied("nein – 不 😀"),
        stderr: "nein – 不 😀\n",
        code: DENIED,
      });
    });
    test("nothing that a hook or its children print reaches stdout", async () => {
      const { stdout, stderr, code } = await callExecutable(plain, buildPayload(host, "noise"));
      expect([stdout, code]).toEqual([denied("through the noise"), DENIED]);
      expect(stderr).toBe("noise 1\nnoise 2\nnoise 3\nnoise 4\nthrough the noise\n");
    });
    test("an answer larger than a pipe, or cut at the host's limit", async () => {
      const { stdout, code } = await callExecutable(plain, buildPayload(host, "large"));
      // Before a call not every host takes a context.
      const { hookSpecificOutput } = JSON.parse(stdout || "{}");
      const length = { claude: 10_000, cursor: undefined, codex: 300_000 }[host];
      expect([code, hookSpecificOutput?.additionalContext.length]).toEqual([0, length]);
    });
  });

  describe(`${host}: bad input`, () => {
    const problems: [name: string, input: string | Uint8Array | undefined, problem: string][] = [
      [
        "bad JSON",
        '{"a":',
        "stdin is not valid JSON (JSON Parse error: Unexpected EOF); a host sends one JSON object there",
      ],
      ["empty stdin", "", "stdin is empty; a host sends one JSON object there"],
      ["blank stdin", " \r\n", "stdin is empty; a host sends one JSON object there"],
      ["no stdin at all", undefined, "stdin is empty; a host sends one JSON object there"],
      ["an array", "[1]", "stdin is JSON, but not an object; a host sends one JSON object there"],
      ["null", "null", "stdin is JSON, but not an object; a host sends one JSON object there"],
      ["a BOM alone", "\ufeff", "stdin is empty; a host sends one JSON object there"],
    ];
    for (const [name, input, problem] of problems) {
      test(`${name}, allowed`, async () => {
        expect(await callExecutable([...plain, "--event", event], input)).toEqual({
          stdout: neutral,
          stderr: `bridge-hooks: ${host} ${event}: ${problem}\n`,
          code: 1,
        });
      });
      test(`${name}, denied`, async () => {
        const reason = `bridge-hooks: ${problem}. Nothing was decided, and the failure policy is to deny.`;
        expect(await callExecutable([...closed, "--event", event], input)).toEqual({
          stdout: denied(reason),
          stderr: `${reason}\n`,
          code: DENIED,
        });
      });
    }
    test("broken JSON still tells its event", async () => {
      const broken = buildPayload(host, "none").slice(0, -1);
      const { stdout, code } = await callExecutable(closed, broken);
      expect([code, stdout.includes("deny")]).toEqual([DENIED, true]);
    });
    test("a guard's own policy counts when the call fails before it runs", async () => {
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
    test("without any event, denied all the same", async () => {
      const { stderr, code } = await callExecutable(closed, "{");
      expect([code, stderr]).toEqual([2, expect.stringContaining("stdin is not valid JSON")]);
    });
    test("at an event that can't block, told and let go", async () => {
      const end = findNativeEvent(host, "SessionEnd");
      const { stdout, stderr, code } = await callExecutable([...closed, "--event", end], "{");
      expect({ stdout, code }).toEqual({ stdout: neutral, code: 0 });
      expect(stderr).toStartWith(`bridge-hooks: ${host} ${end}: stdin is not valid JSON`);
    });
    test("at Stop, told and let go: a fault must not make the agent go on", async () => {
      expect(await callExecutable([...closed, "--event", findNativeEvent(host, "Stop")], "{")).toMatchObject({
        stdout: neutral,
        code: 0,
      });
    });
    test("a known event that lacks what it needs", async () => {
      const text = JSON.stringify(getPayload(host, file, HOST_CALLS[host]?.field(1 as never)));
      expect(await callExecutable(closed, text)).toMatchObject({
        stdout: expect.stringContaining("deny"),
        code: DENIED,
      });
    });
    test("BOM, CRLF, a trailing newline or none", async () => {
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
    test("10 MB", async () => {
      const text = JSON.stringify({ ...JSON.parse(buildPayload(host, "deny")), padding: "ä".repeat(5 * 1024 * 1024) });
      expect(await callExecutable(plain, text)).toMatchObject({ stdout: denied("probe says no"), code: DENIED });
    });
    test("a value that got lost does not swallow the flag behind it", async () => {
      const args = [...plain, "--event", "--on-error", "deny"];
      expect(await callExecutable(args, buildPayload(host, "none"))).toMatchObject({
        code: DENIED,
        stdout: aDenial,
        stderr: expect.stringContaining("--event takes the host's event name"),
      });
      expect(await callExecutable([...plain, "--timeout-ms", "9999999999"], buildPayload(host, "none"))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("--timeout-ms takes milliseconds"),
      });
    });
    test("stdin that stays open: what has come counts", async () => {
      expect(
        await callExecutable([...plain, ...inTime(600)], buildPayload(host, "deny"), { open: true }),
      ).toMatchObject({
        stdout: denied("probe says no"),
        code: DENIED,
      });
    });
    test("stdin that stays open without a word", async () => {
      // An odd time has no whole half.
      const args = [...closed, "--event", event, ...inTime(601)];
      const { stdout, stderr, code } = await callExecutable(args, "", { open: true });
      expect([code, stdout, stderr]).toEqual([
        DENIED,
        aDenial,
        expect.stringMatching(/stdin stayed open for \d+ ms without any data/),
      ]);
    });
    test("stdout that the host has closed: a question blocks, since nobody can hear it", async () => {
      if (host === "claude")
        expect(await callExecutable(plain, buildPayload(host, "ask"), { deaf: true })).toMatchObject({
          code: 2,
          stderr: expect.stringContaining("closed stdout"),
        });
      expect(await callExecutable(plain, buildPayload(host, "deny"), { deaf: true })).toMatchObject({ code: 2 });
      expect(await callExecutable(plain, buildPayload(host, "none"), { deaf: true })).toMatchObject({ code: 0 });
    });
    test("a flag nobody knows", async () => {
      expect(await callExecutable([...closed, "--nope"], buildPayload(host, "none"))).toMatchObject({
        code: DENIED,
        stdout: aDenial,
        stderr: expect.stringContaining('unknown argument "--nope"; see bridge-hooks --help'),
      });
      expect(await callExecutable(["--on-error", "maybe"], buildPayload(host, "none"))).toMatchObject({
        code: DENIED,
        stdout: aDenial,
        stderr: expect.stringContaining('--on-error takes allow or deny, not "maybe"'),
      });
    });
  });

  describe(`${host}: hooks that fail`, () => {
    const ways: [way: string, failure: string][] = [
      ["throw", "probe broke"],
      ["throw-later", "probe broke later"],
      ["reject-later", "probe rejected later"],
      ["rubbish", "it returned a string instead of a response object"],
      [
        "misspelt",
        'it returned an unknown field "permission" (known: decision, modified_input, reason, user_message, additional_context, modified_output, session_env, rule, subject)',
      ],
      ["never", "it took longer than N ms"],
      ["loop", "it took longer than N ms"],
      ["loop-async", "it took longer than N ms"],
      ["exit", "it called process.exit(0); return a response instead"],
    ];
    for (const way of ["stray", "stray-later"]) {
      test(`${way}: an error that nobody caught is told, and is not the next hook's`, async () => {
        const stderr = `second says no\nbridge-hooks: ${host} ${event}: no hook caught an error: telemetry\n`;
        expect(await callExecutable(plain, buildPayload(host, way))).toEqual({
          stdout: denied("second says no"),
          stderr,
          code: DENIED,
        });
      });
    }
    const steady = (text: string) => text.replace(/\d+ ms/g, "N ms");
    for (const [way, failure] of ways) {
      // A hook that never ends may be ended early.
      const limit = failure.includes("longer") ? ["--timeout-ms", "400"] : inTime(400);
      test.skipIf(isLoopLeftOut(host, way, "allowed"))(`${way}, allowed`, async () => {
        const { stdout, stderr, code } = await callExecutable([...plain, ...limit], buildPayload(host, way));
        expect({ stdout, stderr: steady(stderr), code }).toEqual({
          stdout: neutral,
          stderr: `bridge-hooks: ${host} ${event}: hook "probe" failed: ${failure}\n`,
          code: 1,
        });
      });
      test.skipIf(isLoopLeftOut(host, way, "denied"))(`${way}, denied`, async () => {
        const { stdout, stderr, code } = await callExecutable([...closed, ...limit], buildPayload(host, way));
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
      stderr: expect.stringContaining('Blocked "rm -rf /": it deletes / with everything in it'),
    });

  test("the directory alone", async () =>
    holds(
      await callExecutable(["--host", "claude"], dangerous, {
        cwd: hostile,
        env: { HOME: hostile },
        executable: starterBuild.outfile,
      }),
    ));
  test("each variable, and all together", async () => {
    const variables = fillHostileVariables(hostile);
    for (const env of [...Object.entries(variables).map(([name, value]) => ({ [name]: value })), variables]) {
      holds(
        await callExecutable(["--host", "claude"], dangerous, { cwd: hostile, env, executable: starterBuild.outfile }),
      );
    }
    expect(Object.keys(variables).length).toBe(27);
  });
  test("what the system's loader prints before the document: the exit code denies beside it", async () => {
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
  test("what the runtime would take for its own flags is ours to refuse", async () => {
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

describe("typed by a person", () => {
  const run = (args: string[]) => callExecutable(args, "", { executable: starterBuild.outfile });
  test("--help, --version, matrix", async () => {
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
  test("a command that does not exist", async () => {
    expect(await run(["instal"])).toEqual({
      stdout: "",
      code: 1,
      stderr: 'bridge-hooks: unknown command "instal"; did you mean install? see bridge-hooks --help\n',
    });
    expect((await run(["claude"])).stderr).toBe(
      'bridge-hooks: unknown command "claude"; did you mean --host claude? see bridge-hooks --help\n',
    );
  });
});

describe("what the executable loads", () => {
  const cold = [
    "node_modules/clipanion",
    "node_modules/zod",
    "node_modules/typanion",
    "node_modules/d3-",
    "node_modules/@opentelemetry",
    "/setup.ts",
    "/evidence.json",
    "/native-payloads.ts",
    "/samples.ts",
    "src/cli/",
    "src/run/double.ts",
    "src/run/stop.ts",
  ];

  /** The modules that a chunk of the starter executable loads before it runs. */
  function loadedWith(start: string): string[] {
    const { outputs } = starterBuild.metafile;
    const reached = new Set<string>();
    const follow = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") follow(next);
    };
    follow(start);
    return [...reached].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
  }

  test("modules that a call loads together are in one chunk", () => {
    const inChunk = (...modules: string[]) =>
      Object.values(starterBuild.metafile.outputs).filter(({ inputs }) => modules.every((one) => one in inputs)).length;
    expect(inChunk("src/run/call.ts", "src/run/io.ts", "src/run/dispatch.ts", "src/protocol/match.ts")).toBe(1);
    expect(inChunk("src/shell/index.ts", "src/shell/walk.ts", "src/shell/programs/git.ts")).toBe(1);
  });
  test("no chunk only passes on what another one has: to load one takes as long as two of its functions", () => {
    const { outputs } = starterBuild.metafile;
    const passing = Object.values(outputs).filter(({ entryPoint, inputs }) => {
      const sizes = Object.values(inputs) as { bytesInOutput: number }[];
      return entryPoint === undefined && sizes.length > 0 && sizes.every(({ bytesInOutput }) => bytesInOutput === 0);
    });
    const ours = passing.flatMap(({ inputs }) => Object.keys(inputs)).filter((one) => !one.includes("node_modules/"));
    expect(ours).toEqual([]);
    const call = Object.values(outputs).find(
      ({ inputs }) => "src/run/call.ts" in inputs && "src/run/hooks.ts" in inputs,
    );
    expect(call?.imports.filter(({ kind }) => kind === "import-statement")).toEqual([]);
  });
  test("nothing cold on the way to an answer", () => {
    const { outputs } = starterBuild.metafile;
    const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint?.endsWith("src/main.ts")) as string;
    const inputs = loadedWith(entry);
    expect(inputs.filter((input) => cold.some((part) => input.includes(part)))).toEqual([]);
    expect(inputs.filter((input) => input.startsWith("hooks/"))).toEqual([]);
    expect(inputs.some((input) => input.endsWith("src/run/quick/answer.ts"))).toBe(true);
    // Most calls need nothing else: neither a host nor a module of the runtime that takes time to load.
    expect(
      inputs.filter((input) => /^src\/(?:hosts|shell|author)\/|node_modules\/|run\/(?:run|io|call)\.ts$/.test(input)),
    ).toEqual([]);
    // Each further module takes as long as a tenth of the call.
    const modules = outputs[entry]?.imports.filter(({ kind }) => kind === "import-statement");
    expect(modules).toEqual([]);
    const everything = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
    for (const part of [
      "node_modules/clipanion",
      "/setup.ts",
      "/evidence.json",
      "src/cli/build/sources.zst",
      "hooks/block-destructive.ts",
    ])
      expect(everything.some((input) => input.includes(part))).toBe(true);
  });
  test("nothing that writes the log, before there is a line", () => {
    const { outputs } = starterBuild.metafile;
    const [chunk = ""] =
      Object.entries(outputs).find(([, { inputs }]) =>
        Object.keys(inputs).some((one) => one.endsWith("src/run/call.ts")),
      ) ?? [];
    const ours = loadedWith(chunk).filter((input) => input.includes("src/run/log/"));
    expect(ours.map((input) => input.replace(/^.*src/, "src")).sort()).toEqual([
      "src/run/log/concluded-call.ts",
      "src/run/log/log-sources.ts",
    ]);
  });
  test("no module of the runtime on the long way: node:fs takes longer than all other steps of a small hook's call", () => {
    const { outputs } = starterBuild.metafile;
    const chunk = Object.keys(outputs).find((path) =>
      Object.keys(outputs[path]?.inputs ?? {}).some((one) => one.endsWith("src/run/call.ts")),
    ) as string;
    const own = loadedWith(chunk)
      .map((input) => input.replace(/^.*\bsrc\//, "src/"))
      .filter((input) => /^src\/.*\.ts$/.test(input));
    expect(own).toContain("src/run/io.ts");
    const heavy = own.filter((input) =>
      /^import (?!type)[^;]* from "(?:node|bun):/m.test(readFileSync(join(ROOT, input), "utf8")),
    );
    expect(heavy).toEqual([]);
  });
  test("no examples of rules for a call that a hook with rules judges", () => {
    const chunks = Object.entries(starterBuild.metafile.outputs).filter(([, { inputs }]) =>
      Object.keys(inputs).some((input) => /hooks\/(block-destructive|_destructive\/(glance|verdict))\.ts$/.test(input)),
    );
    expect(chunks.length).toBeGreaterThan(1);
    for (const [path] of chunks) {
      const inputs = loadedWith(path);
      expect([
        path,
        inputs.filter((input) => /_destructive\/(rules|containers|git|cloud|system)\.ts$/.test(input)),
      ]).toEqual([path, []]);
    }
  });
  test("a call that looks for the host's own entry loads no editor and no check", () => {
    const chunks = Object.entries(starterBuild.metafile.outputs).filter(([, { inputs }]) =>
      Object.keys(inputs).some((input) => /hosts\/\w+\/install\/setup\.ts$/.test(input)),
    );
    expect(chunks.length).toBeGreaterThan(0);
    for (const [path] of chunks) {
      const heavy = loadedWith(path).filter((input) =>
        /src\/cli\/|\/(check|examine|flaws|pack|samples|trust|verdict)\.ts$|node_modules\/(?!valibot)/.test(input),
      );
      expect([path, heavy]).toEqual([path, []]);
    }
  });
});
