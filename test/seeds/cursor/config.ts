import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { applyInstall, planInstall } from "../../../src/cli/install/install.ts";
import { hasFileChange } from "../../../src/cli/host-config/plan.ts";
import { planUninstall, applyUninstall } from "../../../src/cli/uninstall/uninstall.ts";
import { mergeResponses } from "../../../src/protocol/merge.ts";
import { capabilities } from "../../../src/hosts/cursor/capabilities.ts";
import { hostDoctor } from "../../../src/hosts/cursor/doctor/check.ts";
import { setup } from "../../../src/hosts/cursor/install/setup.ts";
import { createHookEntry, writeTestFile } from "../../support/homes.ts";
import type { ClaimSection } from "../claim.ts";
import { installed } from "./installed.ts";
import {
  createAnswerCase,
  buildConfig,
  expectValidConfig,
  judgeDecision,
  listMessages,
  findConfigPath,
  createSeenCase,
} from "./shared.ts";

const events = [
  ...["sessionStart", "sessionEnd", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStart", "subagentStop"],
  ...[
    "beforeShellExecution",
    "afterShellExecution",
    "beforeMCPExecution",
    "afterMCPExecution",
    "beforeReadFile",
    "afterFileEdit",
  ],
  ...["beforeSubmitPrompt", "preCompact", "stop", "afterAgentResponse", "afterAgentThought"],
];
const reference = {
  sessionStart: [{ command: "./session-init.sh" }],
  preToolUse: [{ command: "./hooks/validate-tool.sh", matcher: "Shell|Read|Write" }],
  postToolUse: [{ command: "./hooks/audit-tool.sh" }],
  subagentStart: [{ command: "./hooks/validate-subagent.sh" }],
  stop: [{ command: "./audit.sh", loop_limit: 10 }],
  beforeTabFileRead: [{ command: "./redact-secrets-tab.sh" }],
  afterTabFileEdit: [{ command: "./format-tab.sh" }],
};

/** The directory in which Cursor starts an entry of the scope. */
function folderOf(scope: "user" | "project" | "managed"): string | undefined {
  const place = { roots: ["/project"], home: "/home/dev", platform: "linux" as const, env: {} };
  const file = setup.listConfigFiles(place).find((one) => one.scope === scope);
  const [entry] = setup.parseEntries(buildConfig({ stop: [{ command: "./audit.sh" }] }), "hooks.json");
  return file && entry && hostDoctor.listLaunches(entry, file, "{}", place)[0]?.cwd;
}

export const configuration: ClaimSection[] = [
  {
    title: "Configuration",
    claims: [
      {
        says: "Hooks of all levels that match run",
        check: () =>
          // Each level has a file of its own, and installing into one leaves the others alone.
          installed({ scope: "user" }, async ({ path, text, home }) => {
            const options = { hosts: ["cursor"], scope: "project", events: [], on_error: "deny" } as const;
            const plan = await planInstall(options, home);
            deepEqual(
              [plan.files.filter(hasFileChange).length, plan.files.some(({ file }) => file.path === path)],
              [1, false],
            );
            applyInstall(plan, options, home);
            equal(readFileSync(path, "utf8"), text);
          }),
      },
      {
        says: "If answers conflict, the level with the higher priority wins",
        differs:
          "Cursor takes the strictest, deny before ask before allow, whatever its level [seen @cursor/sdk 1.0.32, 2026-11-21]; the hooks of one executable are merged in the same way",
        check: () =>
          deepEqual(mergeResponses([{ decision: "allow" }, { decision: "deny", reason: "no" }, { decision: "ask" }]), {
            decision: "deny",
            reason: "no",
          }),
      },
      {
        says: "The enterprise file on macOS is `/Library/Application Support/Cursor/hooks.json`",
        check: () => equal(findConfigPath("managed", "darwin"), "/Library/Application Support/Cursor/hooks.json"),
      },
      {
        says: "The enterprise file on Linux and WSL is `/etc/cursor/hooks.json`",
        check: () => equal(findConfigPath("managed", "linux"), "/etc/cursor/hooks.json"),
      },
      {
        says: "The enterprise file on Windows is `C:\\ProgramData\\Cursor\\hooks.json`",
        check: () => equal(findConfigPath("managed", "win32"), "C:/ProgramData/Cursor/hooks.json"),
      },
      {
        says: "Team hooks are set in the web dashboard",
        missing:
          "no file on a machine reaches them: paste the entries of `bridge-hooks mdm` (cursor/<system>/hooks.json) into the dashboard",
      },
      {
        says: "A project's file is `<project>/.cursor/hooks.json`, checked in, for trusted workspaces",
        check: () =>
          installed({ scope: "project" }, ({ path, by_hand }) => {
            match(path, /project\/\.cursor\/hooks\.json$/);
            match(by_hand.join("\n"), /only in a workspace that you trust/);
          }),
      },
      {
        says: "The user's file is `~/.cursor/hooks.json`",
        check: () => installed({ scope: "user" }, ({ path }) => match(path, /home\/\.cursor\/hooks\.json$/)),
      },
      {
        says: "`hooks` maps an event's name to a list of definitions",
        check: () =>
          deepEqual(
            setup
              .parseEntries(buildConfig({ stop: [{ command: "a" }, { command: "b" }] }), "hooks.json")
              .map(({ native_event, command }) => [native_event, command]),
            [
              ["stop", "a"],
              ["stop", "b"],
            ],
          ),
      },
      {
        says: "An event may have several definitions",
        check() {
          const before = `${JSON.stringify({ version: 1, hooks: reference }, null, 2)}\n`;
          return installed({ before, entries: [createHookEntry(["Stop"])] }, async ({ path, hooks, home }) => {
            deepEqual([hooks.stop?.length, hooks.stop?.[0]], [2, reference.stop[0]]);
            deepEqual({ ...hooks, stop: reference.stop }, reference);
            applyUninstall(await planUninstall({ hosts: ["cursor"], scope: "user", events: [] }, home), home);
            equal(readFileSync(path, "utf8"), before);
          });
        },
      },
      {
        says: "A command is a line for the shell, an absolute path, or a relative one",
        check: () =>
          expectValidConfig(
            buildConfig({
              stop: [{ command: "bun run a.ts --stop" }, { command: "/opt/guard" }, { command: ".cursor/hooks/a.sh" }],
            }),
          ),
      },
      { says: "A project's hooks run from the project root", check: () => equal(folderOf("project"), "/project") },
      {
        says: "The user's hooks run from `~/.cursor/`",
        check: () => equal(folderOf("user"), "/home/dev/.cursor"),
        // The session's directory is not the one that the executable starts in.
        cases: [createSeenCase("beforeShellExecution", { command: "ls" }, { cwd: "/project" })],
      },
      {
        says: "Enterprise hooks run from the folder of the enterprise file",
        check: () => equal(folderOf("managed"), "/etc/cursor"),
      },
      {
        says: "Team hooks run from the managed hooks directory",
        missing:
          "Cursor fetches these itself, and bridge-hooks does not write them; name the executable by its full path, so that the directory does not matter",
      },
      {
        says: "The example with a matcher and a `loop_limit` is accepted",
        check: () => expectValidConfig(buildConfig(reference)),
      },
      {
        says: "There are 18 events of the agent",
        check: () => {
          equal(events.length, 18);
          for (const event of events) ok(Object.hasOwn(capabilities, event), event);
          expectValidConfig(
            buildConfig(Object.fromEntries(events.map((event) => [event, [{ command: "./audit.sh" }]]))),
          );
        },
      },
      {
        says: "There are two events of Tab",
        check: () =>
          expectValidConfig(
            buildConfig({ beforeTabFileRead: [{ command: "./a.sh" }], afterTabFileEdit: [{ command: "./a.sh" }] }),
          ),
      },
      {
        says: "Each of them may have an entry",
        check: () =>
          installed({ events: ["all"] }, ({ hooks, text }) => {
            const missing = [...events, "beforeTabFileRead", "afterTabFileEdit"].filter(
              (event) => hooks[event]?.length !== 1,
            );
            deepEqual(missing, []);
            expectValidConfig(text);
          }),
      },
      {
        says: "`version` is a number, 1 unless given",
        differs: "without it Cursor drops the file; 2 is accepted too [seen @cursor/sdk 1.0.32, 2026-11-21]",
        check() {
          equal(listMessages(buildConfig({}, {})).length, 1);
          expectValidConfig(buildConfig({}, { version: 2 }));
        },
      },
      {
        says: "`command` is required",
        check: () => match(listMessages(buildConfig({ stop: [{ timeout: 5 }] })).join(), /a command is missing/),
      },
      {
        says: "`type` is `command` unless given",
        check: () =>
          installed({}, ({ hooks }) =>
            ok(Object.values(hooks).every((list) => list.every((entry) => !("type" in entry)))),
          ),
      },
      {
        says: "`timeout` is in seconds; the default is the platform's",
        check() {
          equal(listMessages(buildConfig({ stop: [{ command: "a", timeout: 0 }] })).length, 1);
          return installed({}, ({ hooks }) =>
            ok(Object.values(hooks).every((list) => list.every(({ timeout }) => timeout === 20))),
          );
        },
      },
      {
        says: "`loop_limit` limits how often `stop` and `subagentStop` make the agent go on: 5 by default, `null` for no limit",
        differs:
          "our entries leave it to Cursor and keep the one you set; the hook's own `maxContinuations`, 1 by default, takes effect first, with a warning [docs docs/reference/library.md]",
        check() {
          expectValidConfig(buildConfig({ stop: [{ command: "a", loop_limit: null }] }));
          return installed({ entries: [createHookEntry(["Stop"])] }, async ({ path, text, hooks, home }) => {
            equal(hooks.stop?.[0] && "loop_limit" in hooks.stop[0], false);
            writeTestFile(path, text.replace('"timeout"', '"loop_limit": 3, "timeout"'));
            const plan = await planInstall({ hosts: ["cursor"], scope: "user", events: [], on_error: "deny" }, home);
            equal(plan.files.some(hasFileChange), false);
            match(readFileSync(path, "utf8"), /"loop_limit": 3/);
          });
        },
      },
      {
        says: "`loop_limit` is `null` for hooks from Claude Code's configs",
        differs:
          "whatever the host allows, a hook makes the agent go on once in a row unless it sets `maxContinuations` [docs docs/reference/library.md]",
        cases: [
          createAnswerCase(
            "stop",
            { status: "completed", loop_count: 0, conversation_id: "a" },
            { decision: "deny", reason: "more" },
            { followup_message: "more" },
          ),
          createAnswerCase(
            "stop",
            { status: "completed", loop_count: 1, conversation_id: "b" },
            { decision: "deny", reason: "more" },
            {},
          ),
        ],
      },
      {
        says: "`failClosed` blocks if a hook fails; it is off by default",
        check() {
          deepEqual(
            ["", { permission: 1 }]
              .map((stdout) => judgeDecision("preToolUse", stdout, 1, { failClosed: true }))
              .map((found) => "blocks" in found && found.blocks),
            [true, true],
          );
          return installed({ entries: [createHookEntry(["PreToolUse", "PostToolUse"])] }, ({ hooks }) => {
            equal(hooks.preToolUse?.[0]?.failClosed, true);
            equal(hooks.postToolUse?.[0] && "failClosed" in hooks.postToolUse[0], false);
          });
        },
      },
      {
        says: "`matcher` is an object",
        differs: "it is a string, as in the page's own examples [docs https://cursor.com/docs/hooks.md]",
        check: () =>
          equal(listMessages(buildConfig({ preToolUse: [{ command: "a", matcher: { tool: "Shell" } }] })).length, 1),
      },
    ],
  },
];
