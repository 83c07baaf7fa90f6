import { expect } from "bun:test";
import { deny, defineHook, modify } from "bridge-hooks";
import { simulate } from "../../../../src/author/testing/index.ts";
import type { ClaimSection } from "../../claim.ts";
import { opencodeCall, opencodeShell } from "../calls.ts";
import { getHost } from "../checks.ts";
import { withOpenCodePlugin } from "../plugins.ts";

export const inProcess: ClaimSection = {
  title: "OpenCode: what its own process allows",
  claims: [
    {
      says: "A hook can hold SDK objects: the session, its messages",
      missing:
        "a hook gets data, as from a host that starts a command; everything that OpenCode sent is in `event._native`",
      cases: [{ host: "opencode", stdin: opencodeShell, sees: { _native: opencodeShell } }],
    },
    {
      says: "A hook can wait for a database or the network",
      async check() {
        const hook = defineHook({
          event: "PreToolUse",
          async handler() {
            await Bun.sleep(5);
            return deny("Looked up.");
          },
        });
        const { decision } = await simulate(
          hook,
          { event: "PreToolUse", tool: "Bash", input: { command: "ls" } },
          { host: "opencode" },
        );
        expect(decision).toBe("deny");
      },
    },
    {
      says: "A hook changes data in place instead of printing a result",
      differs:
        "a hook returns `modified_input`, as on every host, and the plugin changes the arguments in place [seen 1.18.33, 2026-11-21]",
      check: (executable) =>
        withOpenCodePlugin(executable, modify({ command: "ls -a" }), async ({ call }) => {
          const args = { command: "ls", description: "list" };
          await call("tool.execute.before", opencodeCall, { args });
          expect(args).toEqual({ command: "ls -a", description: "list" });
        }),
    },
    {
      says: "One module can subscribe to several unrelated events",
      async check() {
        const seen: string[] = [];
        const hook = defineHook({ event: ["PreToolUse", "Stop"], handler: ({ event }) => void seen.push(event) });
        await simulate(hook, { event: "PreToolUse", tool: "Bash", input: { command: "ls" } }, { host: "opencode" });
        await simulate(hook, { event: "Stop" }, { host: "opencode" });
        expect(seen).toEqual(["PreToolUse", "Stop"]);
      },
    },
    {
      says: "A module's variables last from call to call",
      check: (executable) =>
        withOpenCodePlugin(executable, {}, async ({ call, event, starts }) => {
          await call("tool.execute.before", opencodeCall, { args: { command: "ls" } });
          await call("tool.execute.before", { ...opencodeCall, callID: "call_2" }, { args: { command: "ls" } });
          expect([starts(), event()?.tool_use_id]).toEqual([1, "call_2"]);
        }),
    },
    {
      says: "Plugins can share state through modules",
      missing:
        "hooks are isolated from other plugins; those of one executable may import the same module, and `state(event)` lasts for a session",
    },
    {
      says: "A plugin has no way to ask the user",
      async check() {
        const { ask } = (
          getHost("opencode").capabilities["tool.execute.before"] as () => { ask: { support: string } }
        )();
        expect(ask.support).toBe("downgrade");
      },
      cases: [
        {
          host: "opencode",
          stdin: opencodeShell,
          answer: { decision: "ask", reason: "Push?" },
          stdout: expect.objectContaining({ deny: expect.stringContaining("Push?") }),
          stderr: /OpenCode does not let plugins ask the user/,
          exit_code: 2,
        },
      ],
    },
  ],
};
