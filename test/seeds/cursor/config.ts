import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { hasFileChange } from "../../../src/operate/machine/plan.ts";
import { buildMdmFiles } from "../../../src/operate/mdm/mdm.ts";
import { DEFAULT_PROGRAM_PATHS } from "../../../src/operate/mdm/programs.ts";
import { createPackOrder } from "../../support/pack-orders.ts";
import { cursor as host } from "../../../src/hosts/cursor/index.ts";
import { setup, TOOL_NAMES } from "../../../src/hosts/cursor/install.ts";
import type { EventName } from "../../../src/protocol/event.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { EventRequirements } from "../../../src/protocol/host/install.ts";
import { defineHook } from "../../../src/protocol/hook.ts";
import { matchHook } from "../../../src/protocol/match.ts";
import { matchesArguments } from "../../../src/call/ask/match-arguments.ts";
import { createHookEntry, writeTestFile } from "../../support/homes.ts";
import { goesOn } from "./answers.ts";
import { call, createEntry, each, sees } from "./calls.ts";
import { buildPayload, fileFields, mcpFields, shellFields, READ, TAB_READ } from "./fields.ts";
import { accepts, buildConfig, failing, install, installs, judges, reads, refuses } from "./machine.ts";
import { sections } from "./section.ts";
import { CURSOR_MATCHERS, CURSOR_PATHS } from "../differences.ts";

const reference = {
  sessionStart: [{ command: "./session-init.sh" }],
  preToolUse: [{ command: "./hooks/validate-tool.sh", matcher: "Shell|Read|Write" }],
  postToolUse: [{ command: "./hooks/audit-tool.sh" }],
  subagentStart: [{ command: "./hooks/validate-subagent.sh" }],
  stop: [{ command: "./audit.sh", loop_limit: 10 }],
  beforeTabFileRead: [{ command: "./redact-secrets-tab.sh" }],
  afterTabFileEdit: [{ command: "./format-tab.sh" }],
};
/** Expects a manual step after an installation into a project. */
const advises = (words: RegExp) => installs({ scope: "project" }, ({ by_hand }) => expect(by_hand).toMatch(words));
const stopEntry = createHookEntry(["Stop"]);

/** Expects every event to have a known name and an entry. */
const everyEvent = [
  "shown by hosts/decode.test.ts: … has a row for every documented event",
  "shown by hosts/subscriptions.test.ts: on Cursor, all 21 events are subscribed, and calls with two events are answered once",
  "shown by hosts/check.test.ts: findConfigProblems finds none in what install writes",
];
const directories = "shown by hosts/check.test.ts: of cursor runs both ways, in the directory of the file's scope";

export const configuration = sections(
  "# Configuration",
  "Hooks of all levels that match run",
  // Each scope has its own file, and installing into one scope doesn't change the other files.
  installs({ scope: "user" }, async ({ path, text, home }) => {
    const { files } = await install(home, { scope: "project" });
    expect(files.filter(hasFileChange)).toHaveLength(1);
    expect(readFileSync(path, "utf8")).toBe(text);
  }),
  "If answers conflict, the level with the higher priority wins",
  "differs: The strictest answer (deny, ask, allow) wins [seen @cursor/sdk 1.0.32, 2026-11-21], as in one executable",
  "shown by call/core.test.ts: the merged response",
  "The enterprise file on macOS is `/Library/Application Support/Cursor/hooks.json`",
  reads("managed", "/Library/Application Support/Cursor/hooks.json", "darwin"),
  ["The enterprise file on Linux and WSL is `/etc/cursor/hooks.json`", reads("managed", "/etc/cursor/hooks.json")],
  "The enterprise file on Windows is `C:\\ProgramData\\Cursor\\hooks.json`",
  reads("managed", "C:/ProgramData/Cursor/hooks.json", "win32"),
  "Team hooks are set in the web dashboard",
  "missing: Team hooks can't be configured in a file. Install the executable, also in the cloud agents' image, and paste the entries from `bridge-hooks mdm` for each system into the dashboard",
  "A project's file is `<project>/.cursor/hooks.json`, checked in, for trusted workspaces",
  installs({ scope: "project" }, ({ path }) => expect(path).toEndWith("project/.cursor/hooks.json")),
  advises(/only in a trusted workspace/),
  "The user's file is `~/.cursor/hooks.json`",
  installs({ scope: "user" }, ({ path }) => expect(path).toEndWith("home/.cursor/hooks.json")),
  "`hooks` maps an event's name to a list of definitions",
  () => {
    const found = setup.parseEntries(buildConfig({ stop: [{ command: "a" }, { command: "b" }] }), "hooks.json");
    expect(found.map(({ native_event, command }) => `${native_event} ${command}`)).toEqual(["stop a", "stop b"]);
  },
  "An event may have several definitions",
  "shown by operate/machine/edit.test.ts: keep foreign keys, entries and comments, and are restored byte for byte when our entry is removed",
  installs({ before: reference, entries: [stopEntry] }, ({ hooks }) =>
    expect(hooks).toEqual({ ...reference, stop: [...reference.stop, expect.anything()] }),
  ),
  "A command is a line for the shell, an absolute path, or a relative one",
  ...["bun run a.ts --stop", "/opt/guard", ".cursor/hooks/a.sh"].map((command) => accepts({ stop: [{ command }] })),
  ["A project's hooks run from the project root", directories],
  "The user's hooks run from `~/.cursor/`",
  directories,
  // The session's directory isn't the executable's working directory.
  sees("beforeShellExecution", { command: "ls" }, { cwd: "/project" }),
  ["Enterprise hooks run from the folder of the enterprise file", directories],
  "Team hooks run from the managed hooks directory",
  "missing: Team hooks can't be configured in a file. Install the executable, also in the cloud agents' image, and paste the entries from `bridge-hooks mdm` for each system into the dashboard",
  ["The example with a matcher and a `loop_limit` is accepted", accepts(reference)],
  ["There are 18 events of the agent", ...everyEvent],
  ["There are two events of Tab", ...everyEvent],
  "Each of them may have an entry",
  ...everyEvent,
  installs({ events: ["all"] }, ({ entries }) => expect(entries).toHaveLength(21)),
  "`version` is a number with the default 1",
  "differs: Cursor accepts versions 1 and 2 and ignores a file without a version, which `doctor` reports [seen @cursor/sdk 1.0.32, 2026-11-21]",
  refuses({}, /"version": 1 is missing/, {}),
  accepts({}, { version: 2 }),
  ["`command` is required", refuses({ stop: [{ timeout: 5 }] }, /a command is missing/)],
  "`type` is `command` unless given",
  installs({}, ({ entries }) => expect(entries.filter((entry) => "type" in entry)).toEqual([])),
  "`timeout` is in seconds; the default is the platform's",
  refuses({ stop: [{ command: "a", timeout: 0 }] }, /timeout/),
  installs({}, ({ entries }) => expect(new Set(entries.map(({ timeout }) => timeout))).toEqual(new Set([20]))),
  "`loop_limit` limits how often `stop` makes the agent continue",
  "differs: The hook's `maxContinuations` (default 5) also applies. Entries keep your `loop_limit` [docs docs/reference/library.md]",
  accepts({ stop: [{ command: "a", loop_limit: null }] }),
  installs({ entries: [stopEntry] }, async ({ path, text, hooks, home }) => {
    expect(hooks.stop?.[0]).not.toHaveProperty("loop_limit");
    writeTestFile(path, text.replace('"timeout"', '"loop_limit": 3, "timeout"'));
    expect((await install(home)).files.filter(hasFileChange)).toEqual([]);
    expect(readFileSync(path, "utf8")).toContain('"loop_limit": 3');
  }),
  "`loop_limit` is `null` for hooks from Claude Code's configs",
  "differs: The hook's `maxContinuations` (default 5) also applies. Entries keep your `loop_limit` [docs docs/reference/library.md]",
  goesOn("stop", { status: "completed", loop_count: 0 }),
  goesOn("stop", { status: "completed", loop_count: 5 }, {}),
  "`failClosed` blocks if a hook fails; it is off by default",
  ...failing(true, "preToolUse"),
  judges("preToolUse", { permission: 1 }, "blocks", 1, true),
  installs({ entries: [createHookEntry(["PreToolUse", "PostToolUse"])] }, ({ hooks }) => {
    expect(hooks.preToolUse?.[0]).toHaveProperty("failClosed", true);
    expect(hooks.postToolUse?.[0]).not.toHaveProperty("failClosed");
  }),
  "`matcher` is an object",
  "differs: `matcher` is a string, as in the document's own examples [docs https://cursor.com/docs/hooks.md]",
  refuses({ preToolUse: [{ command: "a", matcher: { tool: "Shell" } }] }, /matcher/),
);

/** Checks whether a hook with this matcher runs. */
const runs = (isRun: boolean, matcher: string, native_event: string, fields: object) => async () => {
  const { event } = await call(buildPayload(native_event, fields), {});
  const hook = defineHook({ event: ["PreToolUse", "PostToolUse"], matcher, handler: () => undefined });
  const fits = event && matchHook(createEntry(hook), event);
  const found = fits === "argument" ? matchesArguments(matcher, event as never) : fits;
  expect([matcher, fields, found]).toEqual([matcher, fields, isRun]);
};
/** Expects that a hook runs only for some shell commands. */
const runsFor = (matcher: string, asked: readonly string[], others: readonly string[]) =>
  [...asked, ...others].map((command, at) =>
    runs(at < asked.length, matcher, "beforeShellExecution", { ...shellFields, command }),
  );
/** Expects the matchers of our entries, by event. */
const subscribes =
  (wanted: readonly EventRequirements[], expected: Readonly<Record<string, string | undefined>>) => (): void => {
    const found = setup.planSubscriptions(wanted).map(({ native_event, matcher }) => [native_event, matcher]);
    for (const entry of Object.entries(expected)) expect(found).toContainEqual(entry);
  };
const withoutMatcher = (native_event: string, event: EventName) =>
  subscribes([{ event }], { [native_event]: undefined });

const named = ["Shell", "Read", "Write", "Grep", "Delete", "Task"];
const ofTools = { tools: ["Bash", "Grep", "Task"] } as const;
const shell = { tool_name: "Shell", tool_input: { command: "ls" } };

export const matchers = sections(
  "# Matchers",
  "The value that a matcher is compared with depends on the event",
  subscribes([{ event: "PreToolUse", tools: ["Read"] }], { preToolUse: "Read" }),
  subscribes([{ event: "PostToolUse", tools: ["Read"] }], { postToolUse: "Read" }),
  withoutMatcher("subagentStart", "SubagentStart"),
  "On `subagentStart`, the matcher is compared with the subagent's type",
  `differs: ${CURSOR_MATCHERS}`,
  withoutMatcher("subagentStart", "SubagentStart"),
  ...each("subagentStart", "subagent_type", "explore shell generalPurpose"),
  sees("subagentStart", { subagent_type: "explore" }, { agent_type: "explore" }),
  "On `beforeShellExecution`, the matcher matches the command's text",
  `differs: ${CURSOR_MATCHERS}`,
  "shown by hosts/subscriptions.test.ts: on Cursor, shell calls and reads have a second event after preToolUse",
  ...runsFor("Bash(curl *)", ["curl x.com", "cd x && sudo curl x.com"], ['echo "no curl here"', "npm ci"]),
  "`curl|wget|nc ` matches network calls",
  `differs: ${CURSOR_MATCHERS}`,
  ...runsFor("Bash(curl *)|Bash(wget *)|Bash(nc *)", ["curl x", "wget x", "nc x 80"], ["ls", "echo curl"]),
  accepts({ beforeShellExecution: [{ command: "./approve-network.sh", matcher: "curl|wget|nc " }] }),
  "At `preToolUse`, `postToolUse` and `postToolUseFailure` it is compared with the tool: `Shell`, `Read`, `Write`, `Grep`, `Delete`, `Task`",
  () => expect(Object.values(TOOL_NAMES).flat()).toEqual(expect.arrayContaining(named)),
  subscribes([{ event: "PostToolUse", ...ofTools }], { postToolUse: "Shell|Grep|Task" }),
  subscribes([{ event: "PostToolUseFailure", ...ofTools }], { postToolUseFailure: "Shell|Grep|Task" }),
  runs(true, "Shell", "preToolUse", shell),
  runs(true, "Bash", "preToolUse", shell),
  "MCP tools are written `MCP:<tool>`",
  subscribes([{ event: "PreToolUse", tools: ["MCP"] }], { preToolUse: "^(MCP:.*|mcp__.*)$" }),
  runs(true, "MCP:search", "preToolUse", { tool_name: "MCP:search", tool_input: {} }),
  runs(true, "mcp__docs__search", "beforeMCPExecution", { ...mcpFields, mcp_server_name: "docs" }),
  "On `subagentStop`, the matcher is compared with the subagent's type",
  `differs: ${CURSOR_MATCHERS}`,
  withoutMatcher("subagentStop", "SubagentStop"),
  "shown by hosts/cursor/decode.test.ts: of a stopped subagent has the agent's type, with or without an ID",
  "At `beforeReadFile` it is compared with the tool, `Read` or `TabRead`",
  runs(true, "TabRead", ...TAB_READ),
  runs(false, "TabRead", ...READ),
  runs(true, "Read", ...READ),
  "At `afterFileEdit` it is compared with the tool, `Write` or `TabWrite`",
  runs(true, "TabWrite", "afterTabFileEdit", fileFields),
  runs(false, "TabWrite", "afterFileEdit", fileFields),
  runs(true, "Write", "afterFileEdit", fileFields),
  "At `beforeSubmitPrompt` it is compared with `UserPromptSubmit`",
  withoutMatcher("beforeSubmitPrompt", "UserPromptSubmit"),
  ["At `stop` it is compared with `Stop`", withoutMatcher("stop", "Stop")],
  ["At `afterAgentResponse` it is compared with `AgentResponse`", withoutMatcher("afterAgentResponse", "Native")],
  ["At `afterAgentThought` it is compared with `AgentThought`", withoutMatcher("afterAgentThought", "Native")],
  "A matcher is a pattern, `|` between alternatives",
  accepts({ preToolUse: [{ command: "a", matcher: "Shell|Read|Write" }] }),
  accepts({ subagentStart: [{ command: "a", matcher: "explore|shell" }] }),
  refuses({ preToolUse: [{ command: "a", matcher: "(" }] }, /not a valid pattern.*ignores the whole file/),
  runs(true, "Read|Write", "preToolUse", { tool_name: "Write", tool_input: fileFields }),
);

/** Builds the files that an administrator deploys. */
const pack = () => buildMdmFiles(createPackOrder([{ events: ["PreToolUse", "Stop"] }]), [host]);
/** Expects that the pack contains a system's file, with its destination. */
const ships = (system: "linux" | "macos" | "windows", path: string) => async () => {
  const {
    deployment: goes,
    os,
    text = "",
  } = (await pack()).find((file) => file.path === `cursor/${system}/hooks.json`) ?? {};
  expect([goes, os]).toEqual([expect.stringContaining(`\`${path}\``), [system]]);
  const { hooks, ...more } = JSON.parse(text) as Payload & { hooks: { stop: [{ command: string }] } };
  accepts(hooks, more)();
  expect(hooks.stop[0].command.replaceAll("'", "")).toStartWith(DEFAULT_PROGRAM_PATHS[system]);
};
const systems = [
  ships("macos", "/Library/Application Support/Cursor/hooks.json"),
  ships("linux", "/etc/cursor/hooks.json"),
  ships("windows", "C:\\ProgramData\\Cursor\\hooks.json"),
] as const;

export const distribution = sections(
  "# Distribution",
  "Hooks are shared by project files, by MDM, or by Cursor's cloud",
  reads("project", "/project/.cursor/hooks.json"),
  reads("user", "/home/dev/.cursor/hooks.json"),
  ...systems,
  ["A project's `hooks.json` is committed with it", advises(/everyone .* needs the executable at .*--bin/)],
  ["It loads by itself, in workspaces that are trusted", advises(/only in a trusted workspace/)],
  "Cloud agents load it when they work on the repository",
  "shown by cli/install/install.test.ts: says in one line what happens if their image lacks the executable",
  "shown by cli/install/install.test.ts: with --bin NAME writes an entry that works wherever a login shell finds the name",
  "MDM places files in each user's home directory",
  installs({ scope: "user" }, ({ path }) => expect(path).toEndWith("/.cursor/hooks.json")),
  "Scripts are in `~/.cursor/hooks/` or beside the config file",
  `differs: ${CURSOR_PATHS}`,
  "shown by operate/mdm/mdm.test.ts: every config in the pack has exactly the planned entries",
  "shown by operate/mdm/mdm.test.ts: applies to the systems on which it is a valid path",
  ["MDM places the system-wide file on macOS", systems[0]],
  ["MDM places the system-wide file on Linux", systems[1]],
  ["MDM places the system-wide file on Windows", systems[2]],
  "Whoever runs the MDM deploys and updates the files",
  async () =>
    expect((await pack()).find(({ path }) => path === "README.md")?.text).toContain(
      "To update the executable, install a newer package",
    ),
  "Cursor's cloud syncs hooks to all members of a team every thirty minutes",
  "missing: Team hooks can't be configured in a file. Install the executable, also in the cloud agents' image, and paste the entries from `bridge-hooks mdm` for each system into the dashboard",
  "Cursor's cloud can target operating systems",
  "missing: Team hooks can't be configured in a file. Install the executable, also in the cloud agents' image, and paste the entries from `bridge-hooks mdm` for each system into the dashboard",
  ...systems,
);
