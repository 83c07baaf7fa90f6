import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createHookEntry } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { matchHook } from "../../../src/protocol/match.ts";
import type { WantedEvent } from "../../../src/protocol/host/install.ts";
import { findCapabilityRow } from "../../../src/hosts/doctor-helpers.ts";
import { capabilities, createUnknownEventRow } from "../../../src/hosts/cursor/capabilities.ts";
import { decodePayload } from "../../../src/hosts/cursor/call/decode.ts";
import { setup, TOOL_NAMES } from "../../../src/hosts/cursor/install/setup.ts";
import { defineHook } from "../../../src/index.ts";
import { matchesArguments } from "../../../src/run/arguments.ts";
import type { ClaimSection } from "../claim.ts";
import {
  buildConfig,
  fileFields,
  expectValidConfig,
  mcpFields,
  listMessages,
  createSeenCase,
  buildPayload,
  shellFields,
} from "./shared.ts";

/** Whether a hook with this matcher runs. */
function isAsked(matcher: string, native_event: string, fields: Payload): boolean {
  const { event } = decodePayload(
    buildPayload(native_event, fields),
    native_event,
    findCapabilityRow(capabilities, createUnknownEventRow, native_event),
  );
  const hook = defineHook({ event: ["PreToolUse", "PostToolUse"], matcher, handler: () => undefined });
  const fits = matchHook(createHookEntry(hook, "hook"), event);
  return fits === "argument" ? matchesArguments(matcher, event) : fits === true;
}

/** The matchers of our entries, by event. */
const entriesFor = (...wanted: WantedEvent[]): Record<string, string | undefined> =>
  Object.fromEntries(setup.planSubscriptions(wanted).map(({ native_event, matcher }) => [native_event, matcher]));

const withoutMatcher = (says: string, native_event: string, wanted: WantedEvent["event"]) => ({
  says,
  check() {
    const found = entriesFor({ event: wanted });
    deepEqual([native_event in found, found[native_event]], [true, undefined]);
  },
});

export const matchers: ClaimSection[] = [
  {
    title: "Matchers",
    claims: [
      {
        says: "The value that a matcher is compared with depends on the event",
        check() {
          const found = entriesFor(
            { event: "PreToolUse", tools: ["Read"] },
            { event: "PostToolUse", tools: ["Read"] },
            { event: "SubagentStart" },
          );
          deepEqual(found.preToolUse, "Read");
          deepEqual(found.postToolUse, "Read");
          equal(found.subagentStart, undefined);
        },
      },
      {
        says: "At `subagentStart` it is compared with the subagent's type",
        differs: "our entry has no matcher: check `event.agent_type` in the handler [docs docs/guide/matchers.md]",
        check: () => deepEqual(entriesFor({ event: "SubagentStart" }), { subagentStart: undefined }),
        cases: ["explore", "shell", "generalPurpose"].map((subagent_type) =>
          createSeenCase("subagentStart", { subagent_id: "abc-123", subagent_type }, { agent_type: subagent_type }),
        ),
      },
      {
        says: "At `beforeShellExecution` it is compared with the text of the command",
        differs:
          "our entry has no matcher: a hook's `Bash(curl *)` is compared with each simple command of the line, not with the text [docs docs/guide/matchers.md]",
        check() {
          const found = entriesFor({ event: "PreToolUse", tools: ["Bash"] });
          deepEqual(["beforeShellExecution" in found, found.beforeShellExecution], [true, undefined]);
          const asked = (command: string) =>
            isAsked("Bash(curl *)", "beforeShellExecution", { ...shellFields, command });
          deepEqual(["curl x.com", "cd x && sudo curl x.com", 'echo "no curl here"', "npm ci"].map(asked), [
            true,
            true,
            false,
            false,
          ]);
        },
      },
      {
        says: "`curl|wget|nc ` matches network calls",
        differs:
          "a hook says `Bash(curl *)|Bash(wget *)|Bash(nc *)`, which does not match `echo curl` [docs docs/guide/matchers.md]",
        check() {
          const asked = (command: string) =>
            isAsked("Bash(curl *)|Bash(wget *)|Bash(nc *)", "beforeShellExecution", { ...shellFields, command });
          deepEqual(["curl x", "wget x", "nc x 80", "ls", "echo curl"].map(asked), [true, true, true, false, false]);
          expectValidConfig(
            buildConfig({ beforeShellExecution: [{ command: "./approve-network.sh", matcher: "curl|wget|nc " }] }),
          );
        },
      },
      {
        says: "At `preToolUse`, `postToolUse` and `postToolUseFailure` it is compared with the tool: `Shell`, `Read`, `Write`, `Grep`, `Delete`, `Task`",
        check() {
          const all = Object.values(TOOL_NAMES).flat();
          deepEqual(
            ["Shell", "Read", "Write", "Grep", "Delete", "Task"].filter((name) => !all.includes(name)),
            [],
          );
          const events = ["PostToolUse", "PostToolUseFailure"] as const;
          for (const event of events) {
            const [found] = setup.planSubscriptions([{ event, tools: ["Bash", "Grep", "Task"] }]);
            equal(found?.matcher, "Shell|Grep|Task");
          }
          ok(isAsked("Shell", "preToolUse", { tool_name: "Shell", tool_input: { command: "ls" } }));
          ok(isAsked("Bash", "preToolUse", { tool_name: "Shell", tool_input: { command: "ls" } }));
        },
      },
      {
        says: "MCP tools are written `MCP:<tool>`",
        check() {
          const { preToolUse = "" } = entriesFor({ event: "PreToolUse", tools: ["MCP"] });
          match("MCP:search", new RegExp(preToolUse));
          equal(new RegExp(preToolUse).test("Shell"), false);
          ok(isAsked("MCP:search", "preToolUse", { tool_name: "MCP:search", tool_input: {} }));
          ok(isAsked("mcp__docs__search", "beforeMCPExecution", { ...mcpFields, mcp_server_name: "docs" }));
        },
      },
      {
        says: "At `subagentStop` it is compared with the subagent's type",
        differs: "our entry has no matcher: check `event.agent_type` in the handler [docs docs/guide/matchers.md]",
        check: () => deepEqual(entriesFor({ event: "SubagentStop" }), { subagentStop: undefined }),
        cases: [
          createSeenCase(
            "subagentStop",
            { subagent_id: "abc-123", subagent_type: "explore" },
            { agent_type: "explore" },
          ),
        ],
      },
      {
        says: "At `beforeReadFile` it is compared with the tool, `Read` or `TabRead`",
        check() {
          ok(isAsked("TabRead", "beforeTabFileRead", fileFields));
          ok(!isAsked("TabRead", "beforeReadFile", fileFields));
          ok(isAsked("Read", "beforeReadFile", fileFields));
        },
      },
      {
        says: "At `afterFileEdit` it is compared with the tool, `Write` or `TabWrite`",
        check() {
          ok(isAsked("TabWrite", "afterTabFileEdit", fileFields));
          ok(!isAsked("TabWrite", "afterFileEdit", fileFields));
          ok(isAsked("Write", "afterFileEdit", fileFields));
        },
      },
      withoutMatcher(
        "At `beforeSubmitPrompt` it is compared with `UserPromptSubmit`",
        "beforeSubmitPrompt",
        "UserPromptSubmit",
      ),
      withoutMatcher("At `stop` it is compared with `Stop`", "stop", "Stop"),
      withoutMatcher("At `afterAgentResponse` it is compared with `AgentResponse`", "afterAgentResponse", "Native"),
      withoutMatcher("At `afterAgentThought` it is compared with `AgentThought`", "afterAgentThought", "Native"),
      {
        says: "A matcher is a pattern, `|` between alternatives",
        check() {
          expectValidConfig(
            buildConfig({
              preToolUse: [{ command: "a", matcher: "Shell|Read|Write" }],
              subagentStart: [{ command: "a", matcher: "explore|shell" }],
            }),
          );
          match(
            listMessages(buildConfig({ preToolUse: [{ command: "a", matcher: "(" }] })).join(),
            /not a valid pattern.*drops the whole file/,
          );
          ok(isAsked("Read|Write", "preToolUse", { tool_name: "Write", tool_input: fileFields }));
        },
      },
    ],
  },
];
