import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deny } from "../../src/index.ts";
import type { AnyEvent, EventName } from "../../src/protocol/event.ts";
import { createHookEntry, type HookDescriptor } from "../../src/protocol/hook.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { matchHook } from "../../src/protocol/match.ts";
import { answerCall } from "../support/answer-call.ts";
import { decodeFixture, EXECUTABLE, getPayload } from "../support/fixtures.ts";
import { scaleCases, seed } from "../support/fuzz.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-servers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
/** Creates a home directory and a project, each with an optional mcp.json. */
function machine(home?: unknown, project?: unknown) {
  const root = join(folder, String(++count));
  for (const [name, servers] of [
    ["home", home],
    ["project", project],
  ] as const) {
    mkdirSync(join(root, name, ".cursor"), { recursive: true });
    if (servers === undefined) continue;
    const text = typeof servers === "string" ? servers : JSON.stringify({ mcpServers: servers });
    writeFileSync(join(root, name, ".cursor/mcp.json"), text);
  }
  return { home: join(root, "home"), project: join(root, "project") };
}

/** Builds a call as documented, without a server name. */
const documented = (project: string, more: Payload): Payload => {
  const {
    mcp_server_name: _,
    command: __,
    ...rest
  } = getPayload("cursor", "beforeMCPExecution", { workspace_roots: [project] });
  return { ...rest, tool_name: "search", tool_input: "{}", ...more };
};

const guard = (matcher: string, event: EventName = "PreToolUse", seen: AnyEvent[] = []): HookDescriptor =>
  createHookEntry({ event, matcher, handler: (one: AnyEvent) => (seen.push(one), deny("no")) } as never, "guard");

/** Returns the answer to a call on the given machine. */
async function ask(entries: readonly HookDescriptor[], { home }: { home: string }, payload: Payload) {
  const was = process.env.HOME;
  process.env.HOME = home;
  try {
    return await answerCall(entries, {}, ["--host", "cursor"], {
      env: { HOME: home },
      read: () => JSON.stringify(payload),
    });
  } finally {
    process.env.HOME = was;
  }
}

const MEMORY = { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] };
const LINE = "npx -y @modelcontextprotocol/server-memory";
const REMOTE = { url: "https://mcp.example.com/v1" };

describe("an MCP call that does not name its server", () => {
  type Case = [
    name: string,
    matcher: string,
    home: unknown,
    project: unknown,
    payload: Payload,
    asked: boolean,
    said: string,
  ];
  const CASES: Case[] = [
    [
      "of a server identified by its command and arguments",
      "mcp__memory__.*",
      { memory: MEMORY },
      undefined,
      { command: LINE },
      true,
      "",
    ],
    [
      "of a server identified by its command only",
      "mcp__memory__.*",
      { memory: MEMORY },
      undefined,
      { command: "npx" },
      true,
      "",
    ],
    [
      "of a server that the project configures",
      "mcp__memory__.*",
      undefined,
      { memory: MEMORY },
      { command: LINE },
      true,
      "",
    ],
    [
      "of a server that user and project configure with the same name",
      "mcp__memory__.*",
      { memory: MEMORY },
      { memory: MEMORY },
      { command: LINE },
      true,
      "",
    ],
    [
      "of a server identified by its URL",
      "mcp__remote__.*",
      { remote: REMOTE },
      undefined,
      { url: "https://mcp.example.com/v1/" },
      true,
      "",
    ],
    [
      "of a server in an mcp.json with comments",
      "mcp__a__.*",
      `{ /* mine */ "mcpServers": { "a": { "command": "x" } } }`,
      undefined,
      { command: "x" },
      true,
      "",
    ],
    ["of a known server", "mcp__other__.*", { memory: MEMORY }, undefined, { command: LINE }, false, ""],
    [
      "of a known server's other tool",
      "mcp__memory__read_graph",
      { memory: MEMORY },
      undefined,
      { command: LINE },
      false,
      "",
    ],
    [
      "of one of two servers with the same command",
      "mcp__memory__.*",
      { memory: MEMORY, b: MEMORY },
      undefined,
      { command: LINE },
      true,
      '"memory" and "b"',
    ],
    [
      "of a server that the project configures with another name",
      "mcp__memory__.*",
      { memory: MEMORY },
      { harmless: MEMORY },
      { command: LINE },
      true,
      '"harmless"',
    ],
    [
      "of a server that the project configures with another name, as one word",
      "mcp__memory__.*",
      { memory: MEMORY },
      { harmless: { command: LINE } },
      { command: LINE },
      true,
      '"harmless"',
    ],
    [
      "of one of two servers with the same program",
      "mcp__memory__.*",
      { memory: MEMORY, b: { command: "npx" } },
      undefined,
      { command: "npx" },
      true,
      '"b"',
    ],
    [
      "of a server whose arguments contain Cursor variables",
      "mcp__memory__.*",
      { memory: { command: "npx", args: ["-y", "@${env:SCOPE}/server-memory"] } },
      { harmless: MEMORY },
      { command: LINE },
      true,
      '"harmless" and "memory"',
    ],
    [
      "of a server whose URL is a Cursor variable",
      "mcp__memory__.*",
      { memory: { url: "${env:MEMORY}" } },
      { harmless: REMOTE },
      { url: REMOTE.url },
      true,
      '"harmless" and "memory"',
    ],
    [
      "of a server whose whole command is a Cursor variable",
      "mcp__memory__.*",
      undefined,
      { harmless: { command: "${x}" } },
      { command: LINE },
      true,
      "no mcp.json",
    ],
    ["on a machine without mcp.json", "mcp__memory__.*", undefined, undefined, { command: LINE }, true, "no mcp.json"],
    [
      "of a server with another command than the configured one",
      "mcp__memory__.*",
      { memory: MEMORY },
      undefined,
      { command: "uvx server-memory" },
      true,
      "no mcp.json",
    ],
    [
      "with an unparsable mcp.json",
      "mcp__other__.*",
      { memory: MEMORY },
      "{",
      { command: LINE },
      true,
      "can't be read",
    ],
    [
      "with an oversized mcp.json",
      "mcp__other__.*",
      { memory: MEMORY },
      `{}${" ".repeat(1_100_000)}`,
      { command: LINE },
      true,
      "can't be read",
    ],
    [
      "with an mcp.json whose servers are a list",
      "mcp__other__.*",
      [MEMORY],
      undefined,
      { command: LINE },
      true,
      "no mcp.json",
    ],
    [
      "and has neither command nor address",
      "mcp__memory__.*",
      { memory: MEMORY },
      undefined,
      {},
      true,
      'neither "command" nor "url"',
    ],
    [
      "of an unknown server's other tool",
      "mcp__memory__read_graph",
      undefined,
      undefined,
      { command: LINE },
      false,
      "",
    ],
    ["next to unparsable files", "mcp__.*", "{", "{", { command: LINE }, true, ""],
    ["next to unparsable files", "MCP", "{", "{", { command: LINE }, true, ""],
    ["next to unparsable files", "Bash|Read", "{", "{", { command: LINE }, false, ""],
    [
      "in the tool's name but in a field",
      "mcp__memory__.*",
      "{",
      "{",
      { command: LINE, mcp_server_name: "other" },
      false,
      "",
    ],
  ];
  for (const [name, matcher, home, project, payload, asked, said] of CASES)
    test(`${name} ${asked ? "reaches" : "does not reach"} a hook for ${matcher}`, async () => {
      const place = machine(home, project);
      const { stdout, stderr, exit_code } = await ask([guard(matcher)], place, documented(place.project, payload));
      expect([exit_code, JSON.parse(stdout).permission]).toEqual([0, asked ? "deny" : undefined]);
      const lines = stderr.split("\n").filter((line) => line.startsWith("bridge-hooks:"));
      expect(lines.length).toBe(said === "" ? 0 : 1);
      expect(lines[0] ?? "").toContain(said);
    });

  test("is not approved by a hook for one server if it may belong to another server", async () => {
    const approving = createHookEntry(
      { event: "PreToolUse", matcher: "mcp__memory__.*", handler: () => ({ decision: "allow" }) } as never,
      "guard",
    );
    const [known, unknown] = [machine({ memory: MEMORY }), machine()];
    expect(await ask([approving], known, documented(known.project, { command: LINE }))).toMatchObject({
      stdout: '{"permission":"allow"}',
      stderr: "",
    });
    const { stdout, stderr, exit_code } = await ask(
      [approving],
      unknown,
      documented(unknown.project, { command: LINE }),
    );
    expect([stdout, exit_code]).toEqual(["{}", 0]);
    expect(stderr).toContain(
      'decision "allow" from the hook "guard" was dropped: can\'t tell which MCP server provides this tool; to approve the call, use a matcher',
    );
  });

  test("names its server in the event if the server is found", async () => {
    const seen: AnyEvent[] = [];
    const place = machine({ memory: MEMORY });
    await ask([guard("mcp__memory__.*", "PreToolUse", seen)], place, documented(place.project, { command: LINE }));
    expect(seen).toMatchObject([{ tool: "MCP", input: { server: "memory", tool: "search", arguments: {} } }]);
  });

  test("is reported on one line, whatever the servers' names are", async () => {
    const place = machine({ memory: MEMORY, ["a\nbridge-hooks: all is well"]: MEMORY, ["x".repeat(500)]: MEMORY });
    const { stderr } = await ask([guard("mcp__memory__.*")], place, documented(place.project, { command: LINE }));
    const lines = stderr.split("\n").filter((line) => line !== "no");
    expect(lines.length).toBe(1);
    expect(lines[0]?.length).toBeLessThan(600);
  });

  test("reaches the hook with a message before and after it runs if the server can't be determined", async () => {
    const place = machine({ memory: MEMORY });
    const base = { hook_event_name: "afterMCPExecution", result_json: "{}" };
    for (const [payload, event] of [
      [documented(place.project, base), "PostToolUse"],
      [getPayload("cursor", "preToolUse.MCP_echo"), "PreToolUse"],
    ] as const) {
      const seen: AnyEvent[] = [];
      const { stderr } = await ask([guard("mcp__memory__.*", event, seen)], place, payload);
      expect([seen.length, stderr]).toEqual([1, expect.stringContaining('neither "command" nor "url"')]);
    }
  });

  test("is answered by the built executable with {}", () => {
    const place = machine(undefined, undefined);
    const { stdout } = Bun.spawnSync([EXECUTABLE, "--host", "cursor", "--on-error", "deny"], {
      stdin: Buffer.from(JSON.stringify(documented(place.project, { command: LINE }))),
      env: { HOME: place.home, PATH: "/usr/bin:/bin" },
    });
    expect(stdout.toString()).toBe("{}\n");
  });
});

describe("for a call without its server's name, the matcher", () => {
  const call = {
    ...decodeFixture("cursor", "preToolUse.MCP_echo"),
    tool_name: "MCP:search_nodes",
    input: { tool: "search_nodes", arguments: {} },
  };
  const CASES: [matcher: string, fits: boolean | "server"][] = [
    ["mcp__memory__search_nodes", "server"],
    ["mcp__memory__search_.*", "server"],
    ["mcp__memory__[rs]\\w+", "server"],
    ["mcp__mem.*", "server"],
    ["mcp__.*nodes", true],
    ["mcp__.+__search_nodes", true],
    ["mcp__[a-m]+__search_nodes", "server"],
    ["mcp__memory_{2}search_nodes", "server"],
    [".*memory__search_nodes", "server"],
    ["mcp__memory__search", false],
    ["mcp__memory__nodes", false],
    ["mcp__memory__.*_graph", false],
    ["mcp__memory__search_node", false],
    ["mcp__memory", false],
    ["MyTool.*", false],
    ["MCP:read.*", false],
    ["MCP:search.*", true],
  ];
  for (const [matcher, fits] of CASES)
    test(`${matcher} ${fits === true ? "matches" : fits ? "may match" : "does not match"}`, () =>
      expect(matchHook(guard(matcher), call as AnyEvent)).toBe(fits));

  const joined = (host: string, file: string, tool: string) =>
    ({ ...decodeFixture(host, file), tool_name: `mcp_${tool}`, input: { tool, arguments: {} } }) as unknown as AnyEvent;
  test("matches a name that joins its server and tool", () => {
    const event = joined("gemini", "BeforeTool-mcp_tiny_echo", "tiny_server_get_it");
    const fits = ["mcp__tiny__.*", "mcp__tiny_server__get_it", "mcp__other__.*", "mcp__server__.*"].map((one) =>
      matchHook(guard(one), event),
    );
    expect(fits).toEqual([true, true, false, false]);
  });

  test("matches or may match if it matches with some server's name", () => {
    const PIECES = [
      "mcp__",
      "mcp",
      "memory",
      "__",
      "_",
      "search",
      "s",
      ".",
      "*",
      "+",
      "?",
      "\\w",
      "[a-z]",
      "[^x]",
      "{2}",
      "-",
      "$",
      "^",
      "a_b",
    ];
    let state = seed;
    const any = <T>(list: readonly T[]) => list[(state = (state * 48_271) % 2_147_483_647) % list.length] as T;
    const named = (server: string, tool: string) =>
      ({ ...call, tool_name: `MCP:${tool}`, input: { server, tool, arguments: {} } }) as AnyEvent;
    const unnamed = (tool: string) =>
      ({ ...call, tool_name: `MCP:${tool}`, input: { tool, arguments: {} } }) as AnyEvent;
    let fitting = 0;
    let passed = 0;
    const rounds = scaleCases(30_000);
    for (let round = 0; round < rounds; round++) {
      const start = any(["mcp__", "mcp__", "", "m"]);
      const matcher = start + Array.from({ length: 1 + (round % 6) }, () => any(PIECES)).join("");
      const [server, tool] = [
        any(["memory", "a_b", "my-own", "a__b", "s"]),
        any(["search", "s", "a_b", "x__s", "read-it"]),
      ];
      try {
        if (matchHook(guard(matcher), named(server, tool)) !== true) passed++;
        else {
          fitting++;
          expect([matcher, server, tool, Boolean(matchHook(guard(matcher), unnamed(tool)))]).toEqual([
            matcher,
            server,
            tool,
            true,
          ]);
        }
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
    expect(fitting).toBeGreaterThan(rounds / 200);
    expect(passed).toBeGreaterThan(rounds / 10);
  });
});
