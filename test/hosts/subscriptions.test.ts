import { describe, expect, test } from "bun:test";
import {
  checkEventNames,
  planEntries,
  selectSubscriptions,
  collectEventRequirements,
} from "../../src/operate/machine/desired-entries.ts";
import { EVENTS, isToolCallEvent } from "../../src/protocol/event.ts";
import { matchHook } from "../../src/protocol/match.ts";
import { getCapabilityRow } from "../../src/protocol/host/host.ts";
import type { Subscription, EventRequirements } from "../../src/protocol/host/install.ts";
import { type Tool, TOOLS } from "../../src/protocol/tool.ts";
import { hosts } from "../../src/hosts/index.ts";
import { type Fixture, readFixtures } from "../support/fixtures.ts";
import { createHookEntry } from "../support/homes.ts";

/** Whether a host with these entries would report a recorded payload. */
const told = ({ host, payload }: Fixture, subscriptions: readonly Subscription[]) =>
  subscriptions.some(({ native_event, matcher }) => {
    if (host.getEventName(payload) !== native_event) return false;
    const name = String(payload.tool_name);
    // A list of names requires an exact match. Anything else is a pattern that can match anywhere.
    return (
      matcher === undefined ||
      matcher === "*" ||
      (/^[\w|]+$/.test(matcher) ? matcher.split("|").includes(name) : new RegExp(matcher).test(name))
    );
  });

const decoded = ({ host, payload }: Fixture) => {
  const native_event = host.getEventName(payload);
  return host.decodePayload(payload, native_event, getCapabilityRow(host, native_event)).event;
};

for (const host of hosts) {
  const setup = await host.setup();
  const calls = readFixtures(host).filter((fixture) => decoded(fixture).event === "PreToolUse");

  describe(`entries of ${host.name} for`, () => {
    for (const tool of TOOLS) {
      test(`${tool} receive every recorded call of it`, () => {
        const entry = createHookEntry(["PreToolUse"], { tools: [tool] });
        const subscriptions = setup.planSubscriptions(collectEventRequirements([entry]));
        const general = setup.planSubscriptions([{ event: "PreToolUse" }]).map(({ native_event }) => native_event);
        for (const fixture of calls) {
          const event = decoded(fixture);
          // Skip events without an entry, since another event reports the same calls.
          if (!matchHook(entry, event) || !general.includes(event.native_event)) continue;
          expect([fixture.file, told(fixture, subscriptions)]).toEqual([fixture.file, true]);
        }
      });
    }
    test("one tool are tested with more than 5 recorded calls", () => expect(calls.length).toBeGreaterThan(5));
  });

  test(`entries of ${host.name} for Bash or Write receive calls of every tool, including later ones`, () => {
    for (const tools of [["Bash"], ["Write"], ["Bash", "Read"]] as Tool[][]) {
      const [before] = setup.planSubscriptions([{ event: "PreToolUse", tools }]);
      expect([tools, before?.matcher ?? "*"]).toEqual([tools, "*"]);
    }
  });

  test(`entries of ${host.name} for shells receive every MCP call`, () => {
    const general = setup.planSubscriptions([{ event: "PreToolUse" }]).map(({ native_event }) => native_event);
    const ofServers = calls.filter((fixture) => {
      const event = decoded(fixture);
      return isToolCallEvent(event) && event.tool === "MCP" && general.includes(event.native_event);
    });
    expect(ofServers.length).toBeGreaterThan(0);
    for (const asking of [{ tools: ["Bash"] as Tool[] }, { matcher: "Bash(git push*)" }]) {
      const subscriptions = setup.planSubscriptions(
        collectEventRequirements([createHookEntry(["PreToolUse"], asking)]),
      );
      for (const fixture of ofServers)
        expect([fixture.file, told(fixture, subscriptions)]).toEqual([fixture.file, true]);
    }
  });

  test(`entries of ${host.name} use only events that it has, one entry for each`, () => {
    const all: (readonly EventRequirements[] | "all")[] = [
      "all",
      [{ event: "Native" }],
      [
        { event: "PreToolUse", servers: true },
        { event: "PostToolUse", tools: ["MCP", "Edit"], servers: true },
      ],
    ];
    for (const wanted of all) {
      const found = setup.planSubscriptions(wanted).map(({ native_event }) => native_event);
      expect(found.filter((name) => !Object.hasOwn(host.capabilities, name) || setup.forbiddenEvents[name])).toEqual(
        [],
      );
      expect(new Set(found).size).toBe(found.length);
    }
  });
}

const of = (id: string) => hosts.find((host) => host.id === id) as (typeof hosts)[number];

describe("each call is decided once:", () => {
  test("on Cursor, shell calls and reads have a second event after preToolUse", async () => {
    const { planSubscriptions } = await of("cursor").setup();
    const shell = { native_event: "beforeShellExecution", after: "preToolUse" };
    expect(planSubscriptions([{ event: "PreToolUse", tools: ["Bash"] }])).toEqual([
      { native_event: "preToolUse" },
      shell,
    ]);
    expect(planSubscriptions([{ event: "PreToolUse", tools: ["Grep"] }])).toEqual([
      { native_event: "preToolUse", matcher: "Grep" },
    ]);
    expect(planSubscriptions([{ event: "PreToolUse" }])).toEqual([
      { native_event: "preToolUse" },
      shell,
      { native_event: "beforeReadFile", after: "preToolUse" },
      { native_event: "beforeTabFileRead" },
    ]);
  });
  test("on Cursor, calls of an MCP server named by a hook are left to beforeMCPExecution", async () => {
    const setup = await of("cursor").setup();
    const wanted = collectEventRequirements([
      createHookEntry(["PreToolUse"], { matcher: "mcp__memory__.*" }),
      createHookEntry(["PreToolUse"], { tools: ["Bash"] }),
    ]);
    expect(setup.planSubscriptions(wanted)).toEqual([
      { native_event: "preToolUse", matcher: "^(?!MCP:)" },
      { native_event: "beforeShellExecution", after: "preToolUse" },
      { native_event: "beforeMCPExecution" },
    ]);
    expect(setup.planSubscriptions([{ event: "PreToolUse", servers: true }])[0]).toEqual({
      native_event: "preToolUse",
      matcher: "^(?!MCP:)",
    });
    expect(
      setup.planSubscriptions(
        collectEventRequirements([createHookEntry(["PreToolUse"], { matcher: "mcp__memory__.*" })]),
      ),
    ).toEqual([{ native_event: "beforeMCPExecution" }]);
  });
  test("on Cursor, MCP calls stay at preToolUse if a matcher covers any server", async () => {
    const setup = await of("cursor").setup();
    const subscribed = (matcher: string) =>
      setup.planSubscriptions(collectEventRequirements([createHookEntry(["PreToolUse"], { matcher })]));
    expect(subscribed("mcp__.*")).toEqual([{ native_event: "preToolUse", matcher: "^(MCP:.*|mcp__.*)$" }]);
    for (const matcher of ["mcp__mem.*", ".*memory.*", "Web.*|mcp__a__b"])
      expect(subscribed(matcher).map(({ native_event }) => native_event)).toContain("beforeMCPExecution");
    for (const matcher of ["Web.*", "MCP", "*"])
      expect(subscribed(matcher).map(({ native_event }) => native_event)).not.toContain("beforeMCPExecution");
  });
  test("on Cursor, all 21 events are subscribed, and calls with two events are answered once", async () => {
    const cursor = of("cursor");
    const setup = await cursor.setup();
    const all = setup.planSubscriptions("all");
    expect(all.map(({ native_event }) => native_event).sort()).toEqual(Object.keys(cursor.capabilities).sort());
    expect(all.length).toBe(21);
    expect(
      Object.fromEntries(all.flatMap(({ native_event, after }) => (after ? [[native_event, after]] : []))),
    ).toEqual({
      beforeShellExecution: "preToolUse",
      beforeMCPExecution: "preToolUse",
      beforeReadFile: "preToolUse",
      afterShellExecution: "postToolUse",
      afterMCPExecution: "postToolUse",
      afterFileEdit: "postToolUse",
    });
    const served = setup.planSubscriptions("all", true);
    expect(served.find(({ native_event }) => native_event === "beforeMCPExecution")?.after).toBeUndefined();
    expect(served.find(({ native_event }) => native_event === "preToolUse")?.matcher).toBe("^(?!MCP:)");
    expect(served.length).toBe(21);
  });
  test("on every host, an event without a unified name gets its own entry if it is installed by name", async () => {
    let count = 0;
    for (const host of hosts) {
      const setup = await host.setup();
      for (const event of Object.keys(host.capabilities).filter((name) => !setup.forbiddenEvents[name])) {
        if ((EVENTS as readonly string[]).includes(event)) continue;
        expect(selectSubscriptions(host, setup, [], [event])).toEqual([{ native_event: event }]);
        count++;
      }
    }
    expect(count).toBeGreaterThan(40);
    const cursor = of("cursor");
    const setup = await cursor.setup();
    const both = selectSubscriptions(cursor, setup, [], ["beforeShellExecution", "preToolUse"]);
    expect(both).toEqual([
      { native_event: "beforeShellExecution", after: "preToolUse" },
      { native_event: "preToolUse" },
    ]);
    const served = [createHookEntry(["PreToolUse"], { matcher: "mcp__memory__.*" })];
    expect(selectSubscriptions(cursor, setup, served, ["PreToolUse"])).toContainEqual({
      native_event: "beforeMCPExecution",
    });
    expect(selectSubscriptions(cursor, setup, served, ["preToolUse"])).toEqual([{ native_event: "preToolUse" }]);
  });
});

describe("events of a host that runs plugins", () => {
  /**
   * Events as named in hosts' documentation and shipped types. Those that stream or repeat aren't included in "all".
   */
  const NAMED: Readonly<Record<string, { all: string; by_name: string }>> = {
    opencode: {
      all:
        "file.edited file.watcher.updated session.updated session.status session.diff message.removed message.part.removed permission.replied " +
        "permission.updated lsp.updated command.executed todo.updated vcs.branch.updated server.connected installation.updated pty.created " +
        "tui.toast.show question.asked mcp.tools.changed experimental.chat.system.transform experimental.session.compacting chat.params " +
        "chat.headers shell.env permission.ask experimental.text.complete",
      by_name:
        "message.updated message.part.delta lsp.client.diagnostics experimental.chat.messages.transform tool.definition session.next.text.delta",
    },
    openclaw: {
      all:
        "command:new command:reset command:stop agent:bootstrap gateway:startup gateway:pre-restart message:received message:sent " +
        "session:auto-reset session:compact:before session:patch tool_result_persist before_message_write before_model_resolve " +
        "before_prompt_build before_agent_start before_install llm_input message_sending gateway_start cron_changed resolve_exec_env",
      by_name: "command session agent gateway message",
    },
  };
  for (const [id, { all, by_name }] of Object.entries(NAMED)) {
    test(`of ${id} can each be installed by name`, async () => {
      const host = of(id);
      const names = `${all} ${by_name}`.split(" ");
      expect(() => checkEventNames(names)).not.toThrow();
      expect(selectSubscriptions(host, await host.setup(), [], names)).toEqual(
        names.map((native_event) => ({ native_event })),
      );
    });
    test(`of ${id} that stream or repeat are excluded from "all" and Native`, async () => {
      const setup = await of(id).setup();
      for (const wanted of ["all", [{ event: "Native" }, { event: "PreCompact" }]] as const) {
        const found = setup.planSubscriptions(wanted).map(({ native_event }) => native_event);
        for (const name of all.split(" ")) expect(found).toContain(name);
        for (const name of by_name.split(" ")) expect(found).not.toContain(name);
      }
    });
  }
});

test("a matcher for Gemini CLI matches only complete tool names", async () => {
  const { planSubscriptions } = await of("gemini").setup();
  const matcherFor = (tools: Tool[]) =>
    planSubscriptions([{ event: "PreToolUse", tools }]).map(({ matcher }) => matcher);
  expect(matcherFor(["Edit"])).toEqual(["^(replace)$"]);
  expect(matcherFor(["Read", "Grep"])).toEqual(["^(read_file|read_many_files|grep_search|search_file_content)$"]);
  expect(matcherFor(["Bash", "MCP"])).toEqual([undefined]);
});

test("an entry for Codex keeps the exact text that Codex trusts", async () => {
  const codex = of("codex");
  const setup = await codex.setup();
  const order = {
    program: "/opt/bridge-hooks/bridge-hooks",
    on_error: "deny",
    scope: "user",
    platform: "linux",
  } as const;
  const wantedEvents = collectEventRequirements([
    createHookEntry(["PreToolUse"], { tools: ["Bash"] }),
    createHookEntry(["SessionStart"]),
  ]);
  expect(
    planEntries(codex, setup, setup.planSubscriptions(wantedEvents), { ...order, wantedEvents }).map((one) => ({
      ...one,
      handler: one.handler(),
    })),
  ).toEqual([
    {
      native_event: "SessionStart",
      handler: {
        type: "command",
        command: "/opt/bridge-hooks/bridge-hooks --host codex --timeout-ms 18000 --event SessionStart",
        timeout: 20,
      },
    },
    {
      native_event: "PreToolUse",
      handler: {
        type: "command",
        command: "/opt/bridge-hooks/bridge-hooks --host codex --on-error deny --timeout-ms 18000 --event PreToolUse",
        timeout: 20,
      },
    },
  ]);
});

test("more than 50 recorded payloads are tool calls", () => expect(calls()).toBeGreaterThan(50));
const calls = () => hosts.flatMap(readFixtures).filter((fixture) => isToolCallEvent(decoded(fixture))).length;
