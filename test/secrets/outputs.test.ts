import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getPayload } from "../support/fixtures.ts";
import { EXECUTABLE } from "../support/fixtures.ts";
import { makeAlphanumeric } from "../support/made-up-secrets.ts";
import { createHome, createShellPayload, readHeads, readLines } from "../call/log/log-support.ts";
import { putSecret, SECRET_PLACES } from "./secret-places.ts";

const home = createHome({ log: { level: "all", record: true } });

/** Runs the executable. When run as a hook, stdin is the payload. */
function run(argv: readonly string[], payload?: object) {
  const { stdout, stderr, exitCode } = Bun.spawnSync([EXECUTABLE, ...argv], {
    cwd: home.project,
    env: { PATH: process.env.PATH ?? "", ...home.env, TZ: "UTC" },
    stdin: payload ? Buffer.from(JSON.stringify(payload)) : null,
  });
  return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
}

let count = 0;
const createSecret = () => `s${count++}Q${makeAlphanumeric(14, count)}`;
const secrets: string[] = [];
const takeSecret = () => {
  const secret = createSecret();
  secrets.push(secret);
  return secret;
};

const DENIED = "git push --force origin main";
/** Denied commands, each with a secret inside it or next to it. */
const commands = [
  ...SECRET_PLACES.filter((place) => !place.includes("\n")).map(
    (place) => `${DENIED}; ${putSecret(place, takeSecret())}`,
  ),
  `${DENIED}; xfreerdp /u:a /p:${takeSecret()} /v:h`,
  `${DENIED}; npm config set //r.example/:_authToken=${takeSecret()}`,
  `${DENIED}; sqlplus scott/${takeSecret()}@db`,
  `git push --force https://me:${takeSecret()}@git.example.com/x.git main`,
  `git -c http.extraHeader='Authorization: Basic ${takeSecret()}' push --force origin main`,
];
const callTool = (tool_name: string, tool_input: object) =>
  getPayload("claude", "PreToolUse-Bash", { tool_name, tool_input });
const others = [
  callTool("mcp__db__connect", { password: takeSecret(), args: ["--token", takeSecret()] }),
  callTool("mcp__k8s__apply", {
    env: [{ name: "DB_PASSWORD", value: takeSecret() }],
    yaml: `password: ${takeSecret()}`,
  }),
  callTool("mcp__http__get", {
    url: `https://me:${takeSecret()}@example.com/`,
    headers: { "X-Api-Key": takeSecret() },
  }),
  callTool("WebFetch", { url: `https://example.com/?access_token=${takeSecret()}`, prompt: "read" }),
  callTool("Write", { file_path: "/x/.env", content: `A=1\nDB_PASSWORD=${takeSecret()}\nPORT=80\n` }),
  callTool("Read", { file_path: `/x/token=${takeSecret()}` }),
  callTool("Task", { description: "x", prompt: `log in with the password ${takeSecret()}`, subagent_type: "x" }),
];

/** Calls that are denied because of the file they name, and that have secrets in other fields. */
const guarded = { path: join(home.home, ".config/bridge-hooks/config.json") };
const structured = [
  callTool("mcp__fs__write_file", { ...guarded, env: [{ value: takeSecret(), name: "API_TOKEN" }] }),
  callTool("mcp__fs__write_file", { ...guarded, credentials: ["a", takeSecret()] }),
  callTool("mcp__fs__write_file", { ...guarded, secret: { v: takeSecret(), deep: [{ w: takeSecret() }] } }),
  { ...callTool("mcp__fs__write_file", guarded), session_id: `x?token=${takeSecret()}` },
  callTool("mcp__fs__write_file", { ...guarded, passwords: [takeSecret()] }),
  callTool("mcp__fs__write_file", { ...guarded, headers: [["X-Api-Key", takeSecret()]] }),
  callTool("mcp__fs__write_file", { ...guarded, headers: ["Host", "x", "X-Api-Key", takeSecret()] }),
  callTool("mcp__fs__write_file", { ...guarded, env: { ADMIN_PW: takeSecret(), TOKEN_GITHUB: takeSecret() } }),
];

/** Returns the secrets that occur in a text. */
const findShown = (text: string) => secrets.filter((secret) => text.includes(secret));

const FILES = join(home.env.XDG_STATE_HOME, "bridge-hooks");

describe("a secret whose context identifies it", () => {
  test("never reaches stderr, the log, or recorded payloads", () => {
    expect(secrets.length).toBeGreaterThan(80);
    for (const command of commands) {
      const { stderr } = run(
        ["--host", "claude", "--event", "PreToolUse"],
        createShellPayload(command, { cwd: home.project }),
      );
      expect([command, findShown(stderr)]).toEqual([command, []]);
    }
    for (const payload of [...others, ...structured]) {
      const { stderr } = run(["--host", "claude", "--event", "PreToolUse"], { ...payload, cwd: home.project });
      expect([payload, findShown(stderr)]).toEqual([payload, []]);
    }
    expect(readLines(home).filter(({ decision }) => decision === "deny").length).toBeGreaterThanOrEqual(
      commands.length + structured.length,
    );
    expect(readHeads(home).length).toBe(readLines(home).length);
    for (const name of readdirSync(FILES).filter((one) => one.endsWith(".jsonl")))
      expect([name, findShown(readFileSync(join(FILES, name), "utf8"))]).toEqual([name, []]);
    for (const name of readdirSync(join(FILES, "denied"))) {
      const text = readFileSync(join(FILES, "denied", name), "utf8");
      expect([name, findShown(text)]).toEqual([name, []]);
    }
  });
  test("never reaches the output of log, report, export and explain", () => {
    const page = join(home.home, "report.html");
    const last =
      readLines(home)
        .filter(({ decision }) => decision === "deny")
        .at(-1)?.id ?? "";
    const outputs = [
      ...[
        ["log", "--since", "1h"],
        ["log", "--json", "--since", "1h"],
        ["log", "verify"],
      ],
      ...[
        ["report", "--out", page],
        ["report", "--json"],
      ],
      ...[["export"], ["export", "--format", "ocsf"], ["export", "--format", "otlp"]],
      ...[
        ["explain", last],
        ["explain", last, "--json"],
      ],
      ...commands.slice(0, 20).map((command) => ["explain", "--command", command]),
    ].map((argv) => ({ argv, ...run(argv) }));
    for (const { argv, stdout, stderr } of outputs)
      expect([argv[0], findShown(stdout + stderr)]).toEqual([argv[0], []]);
    expect(findShown(readFileSync(page, "utf8"))).toEqual([]);
  });
  test("never reaches the output of replay, for payloads and for the hosts' records", () => {
    const file = join(home.home, "payloads.jsonl");
    const payloads = commands.map((command) => createShellPayload(command, { cwd: home.project }));
    writeFileSync(file, [...payloads, ...others].map((one) => `${JSON.stringify(one)}\n`).join(""));
    const records = join(home.home, ".claude/projects/-nowhere/one.jsonl");
    mkdirSync(dirname(records), { recursive: true });
    const record = (command: string, at: number) => ({
      ...{ uuid: `id-${at}`, isSidechain: false, cwd: "/nowhere", sessionId: "one", version: "2.1.330" },
      ...{ timestamp: new Date().toISOString(), type: "assistant" },
      message: {
        role: "assistant",
        content: [{ type: "tool_use", id: `toolu_${at}`, name: "Bash", input: { command } }],
      },
    });
    writeFileSync(records, commands.map((command, at) => `${JSON.stringify(record(command, at))}\n`).join(""));
    for (const argv of [
      ["replay", file, "--from", "claude"],
      ["replay", file, "--from", "claude", "--json"],
      ["replay", "--history", "--show", "git/push-force"],
      ["replay", "--history", "--json", "--show", "git/push-force"],
    ]) {
      const { stdout, stderr } = run(argv);
      expect(stdout.length).toBeGreaterThan(200);
      expect([argv, findShown(stdout + stderr)]).toEqual([argv, []]);
    }
  });
});
