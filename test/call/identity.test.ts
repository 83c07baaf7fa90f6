import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineHook, createHookEntry } from "../../src/protocol/hook.ts";
import type { Host, HostAnswer, Payload } from "../../src/protocol/host/host.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { deny } from "../../src/protocol/response.ts";
import { hosts } from "../../src/hosts/index.ts";
import { detectHost } from "../../src/call/identify/detect.ts";
import { answerCall } from "../support/answer-call.ts";
import { EXECUTABLE, fixtures, type Fixture, getPayload, ROOT } from "../support/fixtures.ts";

const guard = createHookEntry(
  defineHook({ event: ["PreToolUse", "UserPromptSubmit"], handler: () => deny("no") }),
  "guard",
);

const createEnv = () => ({ XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "identity-")) });
const ask = (argv: readonly string[], payload: object, env = createEnv()): Promise<HostAnswer> =>
  answerCall([guard], {}, argv, { env, read: () => JSON.stringify(payload) });
const getHost = (id: string) => hosts.find((host) => host.id === id) as Host;

/** Omits stderr, leaving only what the host acts on. */
const withoutWarnings = ({ stdout, exit_code }: HostAnswer) => ({ stdout, exit_code });

/** Maximum number of sample values per field, each of a different type. */
const MAX_VALUES = 6;

/** Collects the fields in each host's recorded payloads, with sample values. */
function collectFields(): Map<Host, [key: string, value: unknown][]> {
  const found = new Map<Host, Map<string, [string, unknown]>>();
  for (const { host, payload } of fixtures) {
    const fields = found.get(host) ?? new Map<string, [string, unknown]>();
    found.set(host, fields);
    for (const [key, value] of Object.entries(omitNulls(payload))) {
      const kind = `${key} ${typeof value === "string" ? value.slice(0, 12) : typeof value}`;
      const known = [...fields.keys()].filter((one) => one.startsWith(`${key} `));
      if (known.length < MAX_VALUES && !fields.has(kind)) fields.set(kind, [key, value]);
    }
  }
  return new Map([...found].map(([host, fields]) => [host, [...fields.values()]]));
}

const fields = collectFields();

function* addForeignFields({ host, payload }: Fixture): Generator<Payload> {
  const clean = omitNulls(payload);
  for (const [other, known] of fields)
    for (const [key, value] of other === host ? [] : known)
      if (clean[key] === undefined) yield { ...clean, [key]: value };
}

const flagsOf = ({ host, file, payload }: Fixture): string[] => {
  const name = host.getEventName(payload) || file.split(".")[0] || "";
  return ["--host", host.id, "--on-error", "deny", ...(name in host.capabilities ? ["--event", name] : [])];
};

describe("a recorded payload of the named host", () => {
  for (const host of hosts)
    test(`of ${host.id} is still recognized with any one field of another host`, async () => {
      let count = 0;
      for (const fixture of fixtures.filter((one) => one.host === host))
        for (const payload of addForeignFields(fixture)) {
          count++;
          const found = await detectHost(hosts, payload, { env: {} }, host);
          const shown = [fixture.file, JSON.stringify(payload).slice(-200)];
          expect([...shown, "host" in found && found.host.id]).toEqual([...shown, host.id]);
        }
      expect(count).toBeGreaterThan(400);
    });

  for (const host of hosts)
    test(`of ${host.id} with an identifying field of another host gets the same answer, with one warning per session`, async () => {
      const marks: [string, Payload][] = [
        ["cursor", { cursor_version: "9.9.9" }],
        ["claude", { prompt_id: "1" }],
        ["codex", { turn_id: "1", model: "m" }],
      ];
      for (const fixture of fixtures.filter((one) => one.host === host).slice(0, 12))
        for (const [other, mark] of marks) {
          if (other === host.id || Object.keys(mark).some((key) => fixture.payload[key] !== undefined)) continue;
          const flags = flagsOf(fixture);
          const env = createEnv();
          const plain = await ask(flags, fixture.payload, env);
          const first = await ask(flags, { ...fixture.payload, ...mark }, env);
          const second = await ask(flags, { ...fixture.payload, ...mark }, env);
          expect(withoutWarnings(first)).toEqual(withoutWarnings(plain));
          expect(second).toEqual(plain);
        }
    });
});

describe("a recorded payload with a complete signature", () => {
  const claude = getHost("claude");
  for (const { host, file, payload } of fixtures.filter((one) => ["cursor", "copilot", "grok"].includes(one.host.id)))
    test(`of ${host.id} is recognized with --host claude, with any one field of Claude Code: ${file}`, async () => {
      for (const [key, value] of fields.get(claude) ?? []) {
        if (payload[key] !== undefined) continue;
        const found = await detectHost(hosts, omitNulls({ ...payload, [key]: value }), { env: {} }, claude);
        // These fields occur in both Claude Code's and Codex's payloads.
        if (key === "prompt_id" || key === "permission_mode" || key === "transcript_path" || key === "turn_id")
          continue;
        expect([key, "host" in found && found.host.id]).toEqual([key, host.id]);
      }
    });
  test("of Cursor is recognized even with the fields of Claude Code that don't identify it", async () => {
    const marks = { cursor_version: "9", conversation_id: "c", generation_id: "g", workspace_roots: ["/w"] };
    const plain = fixtures.filter(({ host, payload }) => host === claude && payload.prompt_id === undefined);
    for (const { file, payload } of plain) {
      const found = await detectHost(hosts, omitNulls({ ...payload, ...marks }), { env: {} }, claude);
      expect([file, "host" in found && found.host.id]).toEqual([file, "cursor"]);
    }
    expect(plain.length).toBeGreaterThan(10);
  });
  test("of the named host is recognized even with another host's complete signature", async () => {
    const payload = getPayload("cursor", "preToolUse.Shell", { prompt_id: "1", turn_id: "1", model: "m" });
    expect(withoutWarnings(await ask(["--host", "cursor"], payload))).toEqual(
      withoutWarnings(await ask(["--host", "cursor"], getPayload("cursor", "preToolUse.Shell"))),
    );
  });
});

/** JSON objects that no host sends. Even a denial exits with code 0 for Cline, which ignores exit codes. */
const RUBBISH: readonly Payload[] = [
  {},
  { hello: 1 },
  { command: "ls", cwd: "/w", sandbox: false },
  { hook_event_name: "", session_id: "s" },
  { hook_event_name: 7, session_id: "s" },
];

describe("an unrecognizable payload", () => {
  for (const host of hosts)
    test(`is a failure with --host ${host.id}`, async () => {
      for (const payload of RUBBISH) {
        const denied = await ask(["--host", host.id, "--on-error", "deny"], payload);
        expect([JSON.stringify(payload), denied.exit_code]).toEqual([
          JSON.stringify(payload),
          host.id === "cline" ? 0 : 2,
        ]);
        const passed = await ask(["--host", host.id], payload);
        expect(passed).toEqual({
          stdout: host.neutralOutput,
          stderr: expect.stringContaining("doesn't name the"),
          exit_code: host.failureExitCode ?? 1,
        });
      }
    });
  test("is a failure without --host", async () => {
    for (const payload of RUBBISH) {
      expect((await ask(["--on-error", "deny"], payload)).exit_code).toBe(2);
      expect((await ask([], payload)).exit_code).toBe(1);
    }
  });
  test("is a failure for the executable, whose quick path checks most calls", () => {
    for (const host of hosts.map(({ id }) => ["--host", id]).concat([[]]))
      for (const payload of RUBBISH) {
        const { exitCode } = Bun.spawnSync([EXECUTABLE, ...host, "--on-error", "deny"], {
          stdin: new TextEncoder().encode(JSON.stringify(payload)),
        });
        const code = host[1] === "cline" ? 0 : 2;
        expect([host[1], JSON.stringify(payload), exitCode]).toEqual([host[1], JSON.stringify(payload), code]);
      }
  });
});

describe("the table in docs/hosts/detection.md", () => {
  const call = getPayload("claude", "PreToolUse-Bash");
  const cursor = getPayload("cursor", "preToolUse.Shell");
  const denies = (host: string) => ({
    ...withoutWarnings({
      stdout: expect.stringContaining('"no') as never,
      stderr: "",
      exit_code: host === "cursor" ? 0 : 2,
    }),
  });
  /** Number of the table row, flags, payload, expected answer and stderr. */
  const CASES: readonly [row: number, flags: string[], payload: Payload, answer: object, stderr: string][] = [
    [1, ["--host", "claude"], call, denies("claude"), ""],
    [2, ["--host", "claude"], { ...call, cursor_version: "9" }, denies("claude"), "typical of Cursor"],
    [2, ["--host", "cursor"], { ...cursor, prompt_id: "1" }, denies("cursor"), "typical of Claude Code"],
    [3, ["--host", "claude"], cursor, denies("cursor"), "the answer is for cursor"],
    [4, ["--host", "gemini"], call, denies("claude"), "the answer is for claude"],
    [5, ["--host", "claude"], { cwd: "/w" }, { stdout: "", exit_code: 1 }, "doesn't name the Claude Code event"],
    [6, [], cursor, denies("cursor"), ""],
    [7, [], { cwd: "/w" }, { stdout: "", exit_code: 1 }, "matches no known host"],
    [8, ["--host", "x"], call, { stdout: "", exit_code: 2 }, 'unknown host "x"'],
    [9, ["--host", "x", "--on-error", "allow"], call, { stdout: "", exit_code: 1 }, 'unknown host "x"'],
    [9, ["--host", "x"], getPayload("claude", "Stop"), { stdout: "", exit_code: 1 }, 'unknown host "x"'],
  ];
  const rows = readFileSync(join(ROOT, "docs/hosts/detection.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);
  test("has a case for each row", () =>
    expect([...new Set(CASES.map(([row]) => row))]).toEqual(rows.map((_, at) => at + 1)));
  for (const [row, flags, payload, answer, stderr] of CASES)
    test(`holds with ${flags.join(" ") || "no flags"}: ${rows[row - 1]}`, async () => {
      expect(await ask(flags, payload)).toMatchObject({ ...answer, stderr: expect.stringContaining(stderr) });
    });
});
