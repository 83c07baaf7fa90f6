import { expect } from "bun:test";
import { defineHook, deny } from "bridge-hooks";
import { simulate } from "../../../src/author/testing/index.ts";
import { collectCells } from "../../../src/cli/matrix/cells.ts";
import { type EventName, EVENTS } from "../../../src/protocol/event.ts";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import { installTargets } from "../../support/homes.ts";
import { getHost, getSupport } from "../host.ts";
import { besideCursorEntry } from "./cursor.ts";
import { buildPayload, denies, judged, sees, shell } from "./calls.ts";
import { installs, listEvents, row, rows } from "./hosts.ts";
import { answers, anyAnswer, anyScript, called, deniedOnFailure, differs, HOST_IDS } from "./proofs.ts";
import { type HostId, inOpenClaw, inOpenCode, recorded, section, shown } from "./proofs.ts";
import {
  CURSOR_ASK,
  CURSOR_CHANGES,
  CURSOR_CONTEXT,
  CURSOR_FAILURE,
  OPENCLAW_EVENTS,
  OPENCODE_CONTEXT,
  OPENCODE_DENIAL,
  OPENCODE_EVENTS,
} from "../differences.ts";

const CHANGEABLE = { allow: "native", deny: "native", modified_input: "native" } as const;
const PROMPTED = { deny: "native", additional_context: "native" } as const;
const promptOfOpenCode = row("opencode", "chat.message", "UserPromptSubmit", PROMPTED);
const promptOfOpenClaw = [
  row("openclaw", "before_agent_run", "UserPromptSubmit", PROMPTED),
  inOpenClaw("asks once about a prompt, prepends its context, and blocks the run on a denial"),
];
const resultOfOpenClaw = inOpenClaw("appends the context for a call, and for its result or failure, to the result");
/** Whether hooks are declared in JSON, or in code that the host runs. */
const declarations = () => {
  for (const { host, syntax } of installTargets.filter(({ host }) => HOST_IDS.includes(host.id as HostId)))
    expect([host.id, syntax]).toEqual([host.id, host.id.startsWith("open") ? expect.any(Object) : "json"]);
};
const writes = (id: HostId, path: string, hooks: object, scope: "user" | "project" = "user") =>
  installs(id, { [path]: { hooks } }, { scope });
/** Checks that the hosts' different names for one moment become one unified event. */
const named = (moment: string, event: EventName, names: Partial<Record<HostId, string>>) => {
  const ids = HOST_IDS.filter((id) => names[id]);
  const told = ids.map((id) => `${getHost(id).name} \`${names[id]?.replaceAll(" ", "`, `")}\``);
  return { [`${moment}: ${told.join("; ")}`]: ids.map((id) => rows(id, event, names[id] ?? "")) };
};
const prompt = { input: { sessionID: "ses_1" }, output: { message: {}, parts: [{ type: "text", text: "go" }] } };
const promptSeen = { event: "UserPromptSubmit", prompt: "go", session_id: "ses_1" };

export const about = section("What a hook is", {
  "A hook intercepts the agent before a tool runs, after it has run, and when a session ends": () => {
    for (const id of HOST_IDS)
      expect(listEvents(id)).toEqual(expect.arrayContaining(["PreToolUse", "PostToolUse", "SessionEnd"]));
  },
  "Everywhere hooks observe, change or block what the agent does": [
    row("claude", "PreToolUse", "PreToolUse", CHANGEABLE),
    row("cursor", "preToolUse", "PreToolUse", CHANGEABLE),
    row("opencode", "tool.execute.before", "PreToolUse", CHANGEABLE),
    row("openclaw", "before_tool_call", "PreToolUse", CHANGEABLE),
  ],
  "Hosts differ in how hooks are declared: JSON config, or a plugin in code": declarations,
  "Hosts differ in their events: lifecycle only, or system events as well": [
    recorded("claude", "ConfigChange-local_settings"),
    recorded("cursor", "afterAgentResponse"),
    recorded("opencode", "session.status"),
    recorded("openclaw", "gateway-startup"),
  ],
  "Hosts differ in what a hook can control: blocking, inputs, context": () => {
    for (const id of HOST_IDS) {
      const denials = Object.keys(getHost(id).capabilities).map((name) => getSupport(id, name, "deny"));
      expect(new Set(denials).size).toBeGreaterThan(1);
    }
  },
  "A layer over several hosts has to adapt to each one and can't assume a common interface": () =>
    expect(new Set(collectCells().map(({ cell }) => cell.support)).size).toBe(5),
});

export const mapping = section("One moment, four names", {
  ...named("Before a tool runs", "PreToolUse", {
    claude: "PreToolUse",
    cursor: "beforeShellExecution beforeMCPExecution",
    opencode: "tool.execute.before",
    openclaw: "before_tool_call",
  }),
  ...named("After it has run", "PostToolUse", {
    claude: "PostToolUse",
    cursor: "afterShellExecution afterMCPExecution",
    opencode: "tool.execute.after",
  }),
  "OpenClaw calls `tool_result_persist` after a tool has run": differs(
    "The running turn doesn't see such changes. A result middleware passes a hook's `modified_output` and `additional_context` to the model [seen 2026.9.6, 2026-11-22]",
  ).by(row("openclaw", "tool_result", "PostToolUse", PROMPTED), resultOfOpenClaw),
  ...named("The agent stops", "Stop", { claude: "Stop", cursor: "stop", opencode: "session.idle" }),
  "OpenClaw fires `command:stop` when the agent stops": differs(OPENCLAW_EVENTS).by(
    row("openclaw", "before_agent_finalize", "Stop", { deny: "emulated" }),
    denies("openclaw", "before_agent_finalize", {}, { event: "Stop" }, { action: "revise", reason: "No." }),
    sees("openclaw", buildPayload("openclaw", "command:stop"), { event: "Native", native_event: "command:stop" }),
  ),
  ...named("The user sends a prompt", "UserPromptSubmit", { claude: "UserPromptSubmit", cursor: "beforeSubmitPrompt" }),
  "OpenCode fires message events when the user sends a prompt": differs(OPENCODE_EVENTS).by(
    promptOfOpenCode,
    inOpenCode("shows the user the reason of a denied prompt, after a different message"),
    sees("opencode", buildPayload("opencode", "chat.message", prompt), promptSeen),
  ),
  "OpenClaw has no event for a user's prompt": differs(OPENCLAW_EVENTS).by(promptOfOpenClaw),
  "A file has changed: Claude Code PostToolUse of `Edit` and `Write`; Cursor `afterFileEdit`": [
    recorded("claude", "PostToolUse-Edit", "PostToolUse-Write"),
    recorded("cursor", "afterFileEdit"),
  ],
  "OpenClaw has no event for a changed file": differs(
    "An edit arrives as PostToolUse, as on the other hosts [seen 2026.9.6, 2026-11-22]",
  ).by(recorded("openclaw", "tool_result-write", "tool_result-edit")),
  ...named("A session begins", "SessionStart", { claude: "SessionStart", opencode: "session.created" }),
  ...named("A session ends", "SessionEnd", { claude: "SessionEnd", opencode: "session.deleted" }),
  "Cursor has no events for the start and end of a session": differs(
    "Cursor has 21 events, including `preToolUse`, `postToolUse`, `sessionStart` and `sessionEnd` [shipped @cursor/sdk 1.0.32]",
  ).by(recorded("cursor", "sessionStart", "sessionEnd")),
  "OpenClaw fires `command:new` and `command:reset` when a session begins or ends": differs(OPENCLAW_EVENTS).by(
    recorded("openclaw", "session_start", "session_end-new", "command-new", "command-reset"),
  ),
  ...named("A gateway starts, on one host only", "Native", { openclaw: "gateway:startup" }),
  ...named("An agent is bootstrapped, on one host only", "Native", { openclaw: "agent:bootstrap" }),
  "Only OpenCode and OpenClaw have an event for building the prompt": differs(
    "Other hosts also have events for context [seen 2026.9.6 and 1.18.33, 2026-11-22]",
  ).by(row("claude", "UserPromptSubmit", "UserPromptSubmit", PROMPTED), promptOfOpenCode, promptOfOpenClaw),
  "The same moment has a different name on each host": () =>
    expect(EVENTS).toEqual(expect.arrayContaining(HOST_IDS.flatMap(listEvents))),
});

export const comparison = section("The architectures compared", {
  "Claude Code and Cursor start a process for each event; OpenCode and OpenClaw call plugin functions": declarations,
  'The blocking signal is exit code 2 or `"block"` on Claude Code, and the value that `before_tool_call` returns on OpenClaw':
    called("gets the host's denial if a hook denies"),
  "Cursor filters only in the script; OpenCode and OpenClaw in the plugin's code": differs(
    "`tool` and `matcher` in `defineHook` work the same on every host [seen 1.18.33 and 2026.9.6, 2026-11-22]",
  ).by(async () => {
    const hook = defineHook({ event: "PreToolUse", matcher: "Bash(git push*)", handler: () => deny("No.") });
    const decide = async (line: string, host: string) => (await simulate(hook, shell(line), { host })).decision;
    for (const id of HOST_IDS)
      expect([await decide("git push", id), await decide("git pull", id)]).toEqual(["deny", undefined]);
  }),
  "A hook for `Bash(git push*)` needs no filtering in its code": shown(
    "author/simulate.test.ts",
    "applies the hook's matcher, including arguments",
  ),
  "Cursor has only handlers of the type `command`": differs(
    "Cursor also has `prompt` handlers, which `install` keeps [docs https://cursor.com/docs/hooks.md]",
  ).by(besideCursorEntry("preToolUse", { type: "prompt", prompt: "Is it safe?" })),
  "Cursor can't change inputs": differs(CURSOR_CHANGES).by(answers),
  "OpenCode can change inputs, through the output object": [
    answers,
    inOpenCode("rewrites the arguments in place, and removes arguments that the rewrite lacks"),
  ],
  "The model gets context through `additionalContext` on Claude Code": answers,
  "The model gets context through `agentMessage` on Cursor": differs(CURSOR_CONTEXT).by(
    shown("call/core.test.ts", "at the host's limit is not truncated"),
  ),
  "The model gets context through hooks that transform messages on OpenCode": differs(OPENCODE_CONTEXT).by(
    inOpenCode(
      "appends contexts to the result, the gate's first",
      "appends the contexts of the session start and of the prompt as the last part of the prompt",
    ),
  ),
  "The model gets context through `event.messages` on OpenClaw": differs(
    "Context is added before the prompt or after the call's result; `messages` are for the user [seen 2026.9.6, 2026-11-22]",
  ).by(promptOfOpenClaw, resultOfOpenClaw),
  "OpenClaw has seven HOOK.md events and five hooks for plugins": differs(OPENCLAW_EVENTS).by(() =>
    expect(listEvents("openclaw").length).toBeGreaterThan(12),
  ),
  "Claude Code's and Cursor's hooks are distributed as config files and scripts": [
    writes("claude", ".claude/settings.json", { Stop: [{}] }, "project"),
    writes("cursor", ".cursor/hooks.json", { stop: [{}] }, "project"),
  ],
});

export const design = section("What follows from them", {
  "A crash of a hook's own process does not bring the agent down": called(
    "a failing hook on …",
    "is reported, and the call proceeds with --on-error allow: …",
  ),
  "Hooks in separate processes can't keep state between calls": differs(
    "`state(event)` stores values for the session in a file [seen 2.1.330, 2026-11-22]",
  ).by(
    shown("author/simulate-events.test.ts", "lasts for a session and is not written to disk"),
    shown("author/state.test.ts", "loses nothing when eight processes write concurrently"),
  ),
  "In-process hooks tie their authors to TypeScript and to one host's SDK": differs(
    "Hooks don't use any host's SDK, and `fromCommand` runs scripts in other languages [shipped 1.18.33 and 2026.9.6]",
  ).by(anyScript, shown("author/simulate-events.test.ts", "returns a denial in every host's own format")),
  "Claude Code continues when a hook fails; only exit code 2 blocks": differs(
    'A failure is a denial, because `install` writes `--on-error deny` and, for a missing executable (2.1.295 and later), `onFailure: "block"` [seen 2.1.330, 2026-11-22]',
  ).by(
    deniedOnFailure,
    judged("claude", "PreToolUse", "blocked", { exit_code: 1 }, { onFailure: "block" }),
    writes("claude", ".claude/settings.json", { PreToolUse: [{ hooks: [{ onFailure: "block" }] }] }),
  ),
  "A security hook has to exit with 2, not with 1": [
    called("gets the host's denial if a hook denies"),
    deniedOnFailure,
  ],
  "A crashed Cursor hook allows the action": differs(CURSOR_FAILURE).by(
    deniedOnFailure,
    judged("cursor", "preToolUse", "blocked", { exit_code: 127 }, { failClosed: true }),
    writes("cursor", ".cursor/hooks.json", { preToolUse: [{ failClosed: true }] }),
  ),
  "On OpenCode, setting a property is less error-prone than writing JSON": differs(OPENCODE_DENIAL).by(
    deniedOnFailure,
    inOpenCode("with --on-error deny blocks calls and prompts if the executable …"),
  ),
  "OpenClaw's `before_tool_call` has its own way to fail safely": [
    deniedOnFailure,
    inOpenClaw("with --on-error deny blocks calls and prompts, and suggests doctor, if the executable …"),
  ],
  "Claude Code and Cursor ask the user in a dialog": differs(CURSOR_ASK).by(anyAnswer, answers),
  "More events let hooks react to more than tool calls": () => {
    const own = HOST_IDS.map((id) => listEvents(id).filter((event) => event === "Native").length);
    expect(Math.min(...own)).toBeGreaterThan(0);
    expect(own[2]).toBeGreaterThan(own[1] ?? 0);
  },
  "Events are subscribed to by name, without any code": async () => {
    for (const id of HOST_IDS) {
      const names = (await getHost(id).setup()).planSubscriptions([{ event: "Stop" }]).map((one) => one.native_event);
      expect(names.map((name) => getCapabilityRow(getHost(id), name).event)).toEqual(["Stop"]);
    }
  },
});
