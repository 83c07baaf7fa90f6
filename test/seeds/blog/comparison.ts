import { expect } from "bun:test";
import { context, deny, defineHook, modify } from "bridge-hooks";
import { simulate } from "../../../src/author/testing/index.ts";
import type { ClaimSection } from "../claim.ts";
import { createShellCase, shells, type HostId } from "./calls.ts";
import { listAskedCalls, getHost, installEntries, expectRow } from "./checks.ts";
import { withOpenCodePlugin } from "./plugins.ts";

const isProcess = async (id: HostId) => {
  const place = { roots: [], home: "/h", platform: "linux", env: {} } as const;
  return (await getHost(id).setup()).listConfigFiles(place).every(({ syntax }) => typeof syntax === "string");
};

export const comparison: ClaimSection = {
  title: "The architectures compared",
  claims: [
    {
      says: "Claude Code and Cursor start a process for each event; OpenCode and OpenClaw call plugin functions",
      check: async () =>
        expect([
          await isProcess("claude"),
          await isProcess("cursor"),
          await isProcess("opencode"),
          await isProcess("openclaw"),
        ]).toEqual([true, true, false, false]),
    },
    {
      says: 'The blocking signal is exit code 2 or `"block"` on Claude Code, and the value that `before_tool_call` returns on OpenClaw',
      cases: [
        createShellCase("claude", deny("No."), expect.objectContaining({ hookSpecificOutput: expect.anything() }), {
          exit_code: 2,
        }),
        createShellCase("openclaw", deny("No."), { block: true, blockReason: "No." }),
      ],
    },
    {
      says: "Cursor filters only in the script; OpenCode and OpenClaw in the plugin's code",
      differs:
        "`tool` and `matcher` of `defineHook` mean the same on every host, whatever its config supports; on OpenCode and OpenClaw the process runs already, so their entries need no matcher [seen 1.18.33 and 2026.9.6, 2026-11-22]",
      async check() {
        for (const host of Object.keys(shells)) {
          const hook = defineHook({ event: "PreToolUse", matcher: "Bash(git push*)", handler: () => deny("No.") });
          const line = (command: string) =>
            simulate(hook, { event: "PreToolUse", tool: "Bash", input: { command } }, { host });
          expect([(await line("git push")).decision, (await line("git pull")).decision]).toEqual(["deny", undefined]);
        }
      },
    },
    {
      says: "A hook for `Bash(git push*)` needs no filtering in its code",
      check: async () =>
        expect(
          await listAskedCalls(
            (handler) => defineHook({ event: "PreToolUse", matcher: "Bash(git push*)", handler }),
            ["git push", "cd a && sudo git push -f", "git pull"].map((command) => ({
              event: "PreToolUse",
              tool: "Bash",
              input: { command },
            })),
          ),
        ).toEqual([true, true, false]),
    },
    {
      says: "Cursor has only handlers of the type `command`",
      differs:
        "it has `prompt` as well; ours are commands, and `install` does not change others beside them [docs https://cursor.com/docs/hooks.md]",
      async check(executable) {
        const theirs = { type: "prompt", prompt: "Is it safe?" };
        const before = { ".cursor/hooks.json": { version: 1, hooks: { preToolUse: [theirs] } } };
        const files = await installEntries(executable, { host: "cursor", events: ["preToolUse"], before });
        expect(files[".cursor/hooks.json"]).toMatchObject({
          hooks: { preToolUse: [theirs, { command: expect.any(String) }] },
        });
      },
    },
    {
      says: "Cursor can't change inputs",
      differs:
        "`preToolUse` accepts `updated_input` for a shell command and its directory, paths, and MCP arguments [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        createShellCase(
          "cursor",
          modify({ command: "git status -s" }),
          expect.objectContaining({ updated_input: { command: "git status -s", cwd: "/w" } }),
        ),
      ],
    },
    {
      says: "OpenCode can change inputs, through the output object",
      cases: [
        createShellCase("opencode", modify({ command: "ls -a" }), { args: { command: "ls -a", description: "list" } }),
      ],
    },
    {
      says: "The model gets context through `additionalContext` on Claude Code",
      cases: [
        createShellCase("claude", context("It is Monday."), {
          hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "It is Monday." },
        }),
      ],
    },
    {
      says: "The model gets context through `agentMessage` on Cursor",
      differs:
        "it is `additional_context`: for Cursor's own tools an agent message does not reach the model [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [createShellCase("cursor", context("It is Monday."), { additional_context: "It is Monday." })],
    },
    {
      says: "The model gets context through hooks that transform messages on OpenCode",
      differs: "the plugin adds a part to the prompt, or appends it to the call's result [seen 1.18.33, 2026-11-22]",
      check: (executable) =>
        withOpenCodePlugin(executable, context("It is Monday."), async ({ call }) => {
          const [input, output] = [
            { tool: "bash", sessionID: "ses_1", callID: "call_1", args: { command: "ls" } },
            { title: "", output: "a", metadata: {} },
          ];
          await call("tool.execute.after", input, output);
          expect(output.output).toBe("a\n\nIt is Monday.");
        }),
    },
    {
      says: "The model gets context through `event.messages` on OpenClaw",
      differs:
        "it goes in front of the prompt or at the end of the call's result; `messages` are for the user [seen 2026.9.6, 2026-11-22]",
      check: () => expectRow("openclaw", "before_agent_run", "UserPromptSubmit", { additional_context: "native" }),
    },
    {
      says: "OpenClaw has seven HOOK.md events and five hooks for plugins",
      differs:
        "both have more; those without a unified event arrive as `Native` under their own names [shipped 2026.9.6]",
      check: () => expect(Object.keys(getHost("openclaw").capabilities).length).toBeGreaterThan(12),
    },
    {
      says: "Claude Code's and Cursor's hooks are distributed as config files and scripts",
      check: async (executable) => {
        for (const [host, path] of [
          ["claude", ".claude/settings.json"],
          ["cursor", ".cursor/hooks.json"],
        ] as const)
          expect(Object.keys(await installEntries(executable, { host, scope: "project", events: ["Stop"] }))).toContain(
            path,
          );
      },
    },
  ],
};
