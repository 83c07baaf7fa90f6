import { expect } from "bun:test";
import { ask, context, deny, defineHook, state } from "bridge-hooks";
import { simulate } from "../../../src/author/testing/index.ts";
import type { ClaimCase, ClaimSection } from "../claim.ts";
import { createShellCase, shells, type HostId } from "./calls.ts";
import { getHost, installEntries, expectRow, judgeAnswer } from "./checks.ts";
import { withOpenClawPlugin, withOpenCodePlugin } from "./plugins.ts";

const crash = (host: HostId, event: string, policy: "allow" | "deny"): ClaimCase => ({
  host,
  args: ["--on-error", policy, "--event", event],
  env: { SEEDS_ANSWER: '{"decision":' },
  stdin: shells[host],
});

export const design: ClaimSection = {
  title: "What follows from them",
  claims: [
    {
      says: "A crash of a hook's own process does not bring the agent down",
      cases: [
        {
          ...crash("claude", "PreToolUse", "allow"),
          stdout: "",
          stderr: /^bridge-hooks: claude PreToolUse: /,
          exit_code: 1,
        },
      ],
    },
    {
      says: "Hooks in separate processes can't keep state between calls",
      differs:
        "each event has its own process [seen 2.1.330, 2026-11-22], but `state(event)` keeps values for the session in a file",
      async check() {
        const hook = defineHook({
          event: "PreToolUse",
          handler(event) {
            const kept = state(event);
            kept.set("calls", Number(kept.get("calls") ?? 0) + 1);
            return context(String(kept.get("calls")));
          },
        });
        const call = () =>
          simulate(hook, { event: "PreToolUse", tool: "Bash", input: { command: "ls" }, session_id: "seeds" });
        expect([(await call()).additional_context, (await call()).additional_context]).toEqual(["1", "2"]);
      },
    },
    {
      says: "In-process hooks tie their authors to TypeScript and to one host's SDK",
      differs:
        "hooks are TypeScript here, on every host, without any host's SDK; scripts in other languages run by `fromCommand` [shipped 1.18.33 and 2026.9.6]",
      async check() {
        const hook = defineHook({ event: "PreToolUse", handler: () => deny("No.") });
        for (const host of Object.keys(shells))
          expect(
            (await simulate(hook, { event: "PreToolUse", tool: "Bash", input: { command: "ls" } }, { host })).decision,
          ).toBe("deny");
      },
    },
    {
      says: "Claude Code lets the action go on when a hook fails; only exit code 2 blocks",
      differs:
        'the entries that `install` writes have `--on-error deny` and `onFailure: "block"`, so a failure is a denial, even if the executable is missing (Claude Code 2.1.295 and later); with `--on-error allow` the action goes on [seen 2.1.330, 2026-11-22]',
      cases: [
        {
          ...crash("claude", "PreToolUse", "deny"),
          stdout: { hookSpecificOutput: expect.objectContaining({ permissionDecision: "deny" }) },
          exit_code: 2,
        },
      ],
      check: async () =>
        expect(await judgeAnswer("claude", "PreToolUse", { exit_code: 1 }, { onFailure: "block" })).toBe("blocked"),
    },
    {
      says: "A security hook has to exit with 2, not with 1",
      cases: [
        createShellCase("claude", deny("No."), expect.anything(), { exit_code: 2 }),
        { ...crash("claude", "PreToolUse", "deny"), exit_code: 2 },
      ],
    },
    {
      says: "A Cursor hook that crashes lets the action through",
      differs:
        "its entries have `failClosed`, which makes a crash, a timeout or a missing executable a denial [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [{ ...crash("cursor", "preToolUse", "deny"), stdout: expect.objectContaining({ permission: "deny" }) }],
      check: async (executable) => {
        const files = await installEntries(executable, { host: "cursor", events: ["preToolUse"] });
        expect(files[".cursor/hooks.json"]).toMatchObject({ hooks: { preToolUse: [{ failClosed: true }] } });
        expect(await judgeAnswer("cursor", "preToolUse", { exit_code: 127 }, { failClosed: true })).toBe("blocked");
      },
    },
    {
      says: "On OpenCode, setting a property is less error-prone than writing JSON",
      differs:
        "the plugin throws, and handles the remaining failures: a process that is missing, dies or gives an invalid answer is a denial with `--on-error deny` " +
        "[seen 1.18.33, 2026-11-22]",
      cases: [
        { ...crash("opencode", "tool.execute.before", "deny"), stdout: { deny: expect.any(String) }, exit_code: 2 },
      ],
      check: () =>
        withOpenCodePlugin("/gone", {}, async ({ call }) => {
          const done = call(
            "tool.execute.before",
            { tool: "bash", sessionID: "ses_1", callID: "c" },
            { args: { command: "ls" } },
          );
          expect(await done.catch(({ message }: Error) => message)).toMatch(/bridge-hooks/);
        }),
    },
    {
      says: "OpenClaw's `before_tool_call` has its own way to fail safely",
      cases: [
        {
          ...crash("openclaw", "before_tool_call", "deny"),
          stdout: { block: true, blockReason: expect.any(String) },
          exit_code: 2,
        },
      ],
      check: () =>
        withOpenClawPlugin("/gone", {}, async ({ call }) =>
          expect(
            await call("policy", { toolName: "exec", runId: "gone", toolCallId: "gone", params: {} }, {}),
          ).toMatchObject({
            block: true,
          }),
        ),
    },
    {
      says: "Claude Code and Cursor ask the user in a dialog",
      differs:
        "Claude Code does; Cursor was seen to run the call without asking, so it gets a denial [seen 2.1.330, 2026-11-22; @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        createShellCase(
          "claude",
          ask("Push?"),
          { hookSpecificOutput: expect.objectContaining({ permissionDecision: "ask" }) },
          { exit_code: 0 },
        ),
        createShellCase("cursor", ask("Push?"), expect.objectContaining({ permission: "deny" })),
      ],
    },
    {
      says: "More events let hooks react to more than tool calls",
      check() {
        const own = (id: string) =>
          Object.values(getHost(id).capabilities).filter((make) => make().event === "Native").length;
        for (const id of Object.keys(shells)) expect(own(id)).toBeGreaterThan(0);
        expect(own("opencode")).toBeGreaterThan(own("cursor"));
      },
    },
    {
      says: "Events are subscribed to by name, without any code",
      async check() {
        for (const id of Object.keys(shells)) {
          const { planSubscriptions } = await getHost(id).setup();
          const names = planSubscriptions([{ event: "Stop" }]).map(({ native_event }) => native_event);
          expect(names.length).toBeGreaterThan(0);
          for (const name of names) expectRow(id, name, "Stop");
        }
      },
    },
  ],
};
