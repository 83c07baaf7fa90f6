import { beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "smol-toml";
import { hosts } from "../../src/hosts/index.ts";
import { pickCell } from "../../src/protocol/capability.ts";
import type { Host, Payload } from "../../src/protocol/host/host.ts";
import type { ConfigEntry, ConfigFile, Launch, MachineContext } from "../../src/protocol/host/install.ts";
import { quoteCommand } from "../../src/protocol/host/quote.ts";
import { readFixtures } from "../support/fixtures.ts";
import {
  getCheck,
  getSetup,
  createFolder,
  writeTestFile,
  PROGRAM,
  answerWithResponse,
  validConfigs,
  buildInstalledDocument,
} from "./check-support.ts";

const events = hosts.flatMap((host) => Object.keys(host.capabilities).map((native_event) => ({ host, native_event })));
const POLICIES = ["deny", "allow"] as const;
let denials = 0;

for (const { host, native_event } of events) {
  const { judgeAnswer } = getCheck(host.id);
  test(`judgeAnswer on ${host.id} ${native_event} distinguishes a denial from other answers`, async () => {
    for (const on_error of POLICIES) {
      for (const more of [{}, { user_message: "M", additional_context: "C" }]) {
        const { row, answer, handler } = await answerWithResponse(
          host,
          native_event,
          { decision: "deny", reason: "R", ...more },
          on_error,
        );
        if (pickCell(row.deny, undefined).support !== "native") continue;
        expect(judgeAnswer(native_event, answer, handler)).toEqual({ kind: "denied" });
        denials++;
      }
      for (const response of [{}, { decision: "allow" as const }, { user_message: "M", additional_context: "C" }]) {
        const { answer, handler } = await answerWithResponse(host, native_event, response, on_error);
        expect([response, judgeAnswer(native_event, answer, handler)]).toEqual([response, { kind: "passed" }]);
      }
      const { handler } = await answerWithResponse(host, native_event, {}, on_error);
      expect(judgeAnswer(native_event, { stdout: host.neutralOutput, stderr: "", exit_code: 0 }, handler)).toEqual({
        kind: "passed",
      });
    }
  });
}

test("judgeAnswer is tested with every native denial in the table", () => {
  const native = events.filter(({ host, native_event }) => {
    const row = (host.capabilities[native_event] as Host["createUnknownEventRow"])();
    return pickCell(row.deny, undefined).support === "native";
  });
  expect(native.length).toBeGreaterThan(20);
  expect(denials).toBe(native.length * 4);
});

test("an unknown key invalidates the answer for every event of codex that reads one", () => {
  const { capabilities } = hosts.find(({ id }) => id === "codex") as Host;
  const reading = Object.entries(capabilities).filter(([, make]) => make().shape !== "none");
  expect(reading.length).toBeGreaterThan(8);
  for (const [native_event] of reading) {
    const found = getCheck("codex").judgeAnswer(
      native_event,
      { stdout: '{"systemMessage":"M","zz":1}', stderr: "", exit_code: 0 },
      {},
    );
    expect([native_event, found]).toEqual([
      native_event,
      expect.objectContaining({ kind: "broken", blocks: false, problem: expect.stringContaining("zz") }),
    ]);
  }
});

describe("a probe payload", () => {
  for (const host of hosts) {
    const { getProbePayload } = getCheck(host.id);
    test(`exists for every recorded event of ${host.id}`, () => {
      const recorded = new Set(readFixtures(host).map(({ payload }) => host.getEventName(payload)));
      const rows = Object.keys(host.capabilities).length;
      expect(recorded.size).toBeGreaterThan(Math.min(10, rows - 1));
      for (const native_event of recorded) {
        const payload = getProbePayload(native_event) as Payload;
        expect([native_event, payload && host.getEventName(payload)]).toEqual([native_event, native_event]);
        const row = (host.capabilities[native_event] ?? host.createUnknownEventRow)();
        const { event } = host.decodePayload(payload, native_event, row);
        const call = event.event === "PreToolUse" && "tool" in event && event.tool === "Bash";
        if (call) expect(event).toMatchObject({ input: { command: "true" } });
      }
      expect(getProbePayload("NoSuchEvent")).toBeUndefined();
      expect(getProbePayload("toString")).toBeUndefined();
    });

    test(`of ${host.id} carries the given subject`, () => {
      const wanted = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];
      const about = Object.entries(host.capabilities).filter(
        ([name, make]) => wanted.includes(make().event) && getProbePayload(name),
      );
      const gates = Object.values(host.capabilities).filter((make) => wanted.includes(make().event));
      expect(about.length).toBeGreaterThanOrEqual(Math.min(2, gates.length));
      for (const [native_event, make] of about) {
        const { event } = host.decodePayload(
          getProbePayload(native_event, "a 'subject'") as Payload,
          native_event,
          make(),
        );
        const said = "input" in event ? JSON.stringify(event.input) : "prompt" in event ? event.prompt : "";
        expect([native_event, said.includes("a 'subject'")]).toEqual([native_event, true]);
      }
    });
  }
});

test("findConfigProblems finds none in files that the host accepts", () => {
  for (const { id } of hosts)
    expect([
      id,
      getCheck(id).findConfigProblems(validConfigs[id] ?? buildInstalledDocument(id, "{}"), "/x/hooks.json"),
    ]).toEqual([id, []]);
  expect(getCheck("codex").findConfigProblems('[hooks.state."a:b"]\nenabled = true\n', "/x/config.toml")).toEqual([]);
  expect(
    getCheck("copilot").findConfigProblems('\ufeff{/* c */ "hooks": {"stop": [],}}', "/home/x/.copilot/settings.json"),
  ).toEqual([]);
});

test("findConfigProblems finds none in what install writes", () => {
  let checked = 0;
  for (const { id } of hosts) {
    const { planSubscriptions, buildHandler, layout, listSettings } = getSetup(id);
    const more = listSettings({ scope: "user", program: PROGRAM }).map(({ path, value }) => [path[0], value]);
    const entries = planSubscriptions("all").map(({ native_event, matcher }) => {
      const entry = buildHandler({
        native_event,
        program: PROGRAM,
        on_error: "deny",
        scope: "user",
        platform: "linux",
      });
      return [native_event, [layout === "groups" ? { matcher, hooks: [entry] } : { ...entry, matcher }]] as const;
    });
    checked += entries.length;
    const hooks = layout === "flat" ? entries.flatMap(([, list]) => list) : Object.fromEntries(entries);
    const document = JSON.parse(JSON.stringify({ ...Object.fromEntries(more), hooks })) as Payload;
    // Hosts that keep all hooks in a single list use TOML.
    const text = layout === "flat" ? stringify(document) : JSON.stringify(document);
    expect([id, getCheck(id).findConfigProblems(buildInstalledDocument(id, text), "/x/hooks.json")]).toEqual([id, []]);
  }
  expect(checked).toBeGreaterThan(50);
});

describe.skipIf(process.platform === "win32")("a launch", () => {
  const base = createFolder();
  const program = join(base, "it's a folder", "print it.sh");
  const home = join(base, "home");
  const root = join(base, "pro ject");
  const place: MachineContext = {
    roots: [root],
    home,
    platform: "linux",
    env: { PATH: process.env.PATH, HOME: home, OURS: "doctor" },
  };
  const payload = JSON.stringify({ hook_event_name: "x", cursor_version: "1.0.0", text: "it's $HOME `x` \\n" });
  const VARIABLES = ["OURS", "CLAUDECODE", "CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "CURSOR_VERSION"];

  beforeAll(() => {
    const lines = [
      "#!/bin/sh",
      "pwd",
      'for word; do echo "[$word]"; done',
      ...VARIABLES.map((name) => `echo "${name}=$${name}"`),
    ];
    writeTestFile(program, `${[...lines, "printf '<'; cat; printf '>'"].join("\n")}\n`);
    chmodSync(program, 0o755);
    for (const path of [join(home, ".cursor"), join(home, ".codex"), join(root, ".cursor"), join(base, "etc")])
      mkdirSync(path, { recursive: true });
  });

  const command = quoteCommand([program, "--host", "a b", "it's"], "sh");
  const entry: ConfigEntry = { native_event: "x", command, handler: {}, path: [] };
  const file = (scope: ConfigFile["scope"], path: string): ConfigFile => ({ scope, path, syntax: "json" });

  const started = (id: string, of: ConfigEntry, from: ConfigFile) =>
    getCheck(id)
      .listLaunches(of, from, payload, place)
      .map(({ way, argv: [program = "", ...args], cwd, env, stdin }) => {
        const { stdout, stderr, status } = spawnSync(program, args, { cwd, env, input: stdin, encoding: "utf8" });
        expect([stderr, status]).toEqual(["", 0]);
        return [way, ...stdout.split("\n")];
      });
  const said = (cwd: string, end: string, variables: Record<string, string>) => [
    cwd,
    "[--host]",
    "[a b]",
    "[it's]",
    ...VARIABLES.map((name) => `${name}=${{ OURS: "doctor", ...variables }[name] ?? ""}`),
    ...`<${payload}${end}>`.split("\n"),
  ];

  test("of claude runs sh in the project, with a line feed after the payload", () => {
    const expected = [undefined, ...said(root, "\n", { CLAUDECODE: "1", CLAUDE_PROJECT_DIR: root })];
    expect(started("claude", entry, file("user", join(home, ".claude/settings.json")))).toEqual([expected]);
    const direct = { ...entry, command: program, args: ["--host", "a b", "it's"] };
    expect(started("claude", direct, file("project", join(root, ".claude/settings.json")))).toEqual([expected]);
  });

  test("of codex runs the user's shell in the project, without a line feed", () => {
    expect(started("codex", entry, file("user", join(home, ".codex/hooks.json")))).toEqual([
      [undefined, ...said(root, "", {})],
    ]);
  });

  test("of copilot runs without a profile in the project", () => {
    const variables = { CLAUDE_PROJECT_DIR: root };
    expect(started("copilot", entry, file("user", join(home, ".copilot/hooks/bridge-hooks.json")))).toEqual([
      [undefined, ...said(root, "", variables)],
    ]);
  });

  test("of cursor runs both ways, in the directory of the file's scope", () => {
    const variables = { CLAUDE_PROJECT_DIR: root, CURSOR_PROJECT_DIR: root, CURSOR_VERSION: "1.0.0" };
    const both = (cwd: string) => [
      ["stdin", ...said(cwd, "", variables)],
      ["here-document", ...said(cwd, "\n", variables)],
    ];
    expect(started("cursor", entry, file("user", join(home, ".cursor/hooks.json")))).toEqual(
      both(join(home, ".cursor")),
    );
    expect(started("cursor", entry, file("project", join(root, ".cursor/hooks.json")))).toEqual(both(root));
    expect(started("cursor", entry, file("managed", join(base, "etc/hooks.json")))).toEqual(both(join(base, "etc")));
  });

  test("of gemini runs bash in the project, with the entry's own variables", () => {
    const own = { ...entry, handler: { env: { OURS: "entry" } } };
    const expected = [undefined, ...said(root, "", { CLAUDE_PROJECT_DIR: root, OURS: "entry" })];
    expect(started("gemini", own, file("user", join(home, ".gemini/settings.json")))).toEqual([expected]);
  });

  test("of cursor gets no payload if a comment after the command hides the here-document", () => {
    const [direct, here] = getCheck("cursor").listLaunches(
      { ...entry, command: `${command} # ours` },
      file("user", join(home, ".cursor/hooks.json")),
      payload,
      place,
    );
    const run = ({ argv, ...options }: Launch) =>
      spawnSync(argv[0] as string, argv.slice(1), { ...options, input: options.stdin, encoding: "utf8" });
    expect(run(direct as Launch).stdout).toEndWith(`<${payload}>`);
    expect(run(here as Launch)).toMatchObject({ stdout: expect.stringMatching(/<>$/), status: 127 });
  });

  test("sends a payload unchanged, even if it is not valid JSON", () => {
    for (const { id } of hosts)
      for (const { argv, stdin } of getCheck(id).listLaunches(
        entry,
        file("user", join(home, "hooks.json")),
        "{",
        place,
      ))
        expect([id, `${argv.at(-1)}${stdin}`]).toEqual([id, expect.stringContaining("{")]);
  });

  test("on Windows keeps the whole command, on every host", () => {
    for (const { id } of hosts)
      for (const { argv } of getCheck(id).listLaunches(entry, file("user", "C:/x/hooks.json"), payload, {
        ...place,
        platform: "win32",
      }))
        // A host with one file per event runs that file, which contains the command.
        expect([id, argv.join(" ")]).toEqual([
          id,
          expect.stringContaining(id === "cline" ? "& 'C:/x/hooks.json'" : command),
        ]);
  });
});
