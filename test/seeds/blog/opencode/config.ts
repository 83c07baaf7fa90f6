import { expect } from "bun:test";
import { deny } from "bridge-hooks";
import secrets from "../../../../hooks/protect-secrets.ts";
import { simulate } from "../../../../src/author/testing/index.ts";
import type { ClaimSection } from "../../claim.ts";
import { buildOpenCodePayload, opencodeCall, opencodeShell } from "../calls.ts";
import { installEntries } from "../checks.ts";
import { withOpenCodePlugin } from "../plugins.ts";

const USER = ".config/opencode/plugins/bridge-hooks.js";
const module = async (executable: string) =>
  (await installEntries(executable, { host: "opencode", events: ["PreToolUse"] }))[USER];

export const config: ClaimSection = {
  title: "OpenCode: configuration",
  claims: [
    {
      says: "Hooks are methods of a plugin in TypeScript or JavaScript, in OpenCode's own process",
      check: (executable) =>
        withOpenCodePlugin(executable, {}, async ({ names }) => expect(names).toContain("tool.execute.before")),
    },
    {
      says: "Hooks run in that process",
      differs:
        "only the plugin that `install` writes does: it asks one process of the executable, which answers all calls, so the same hooks apply as elsewhere, and a hook that hangs or crashes does not take OpenCode down [seen 1.18.33, 2026-11-22]",
      check: async (executable) =>
        expect(await module(executable)).toMatch(/"command": "\/.*"args": \[\s*"--host",\s*"opencode"/s),
    },
    {
      says: "A plugin's types come from the package `@anthropic-ai/opencode-plugin`",
      differs: "it is `@opencode-ai/plugin`; ours is plain JavaScript and needs no package [shipped 1.18.33]",
      check: async (executable) => expect(await module(executable)).not.toMatch(/from "|require\(|import\("(?!node:)/),
    },
    {
      says: "A plugin is a default export, an object of handlers",
      differs: "it is an exported function that gives the handlers [seen 1.18.33, 2026-11-22]",
      check: async (executable) => expect(await module(executable)).toMatch(/^export const BridgeHooks = async \(/m),
    },
    {
      says: "`tool.execute.before` gets the call as `input.call.name` and `input.call.input`",
      differs:
        "it gets `input.tool` and `output.args`; a hook gets `event.tool` and `event.input`, as everywhere [seen 1.18.33, 2026-11-22]",
      cases: [
        {
          host: "opencode",
          stdin: opencodeShell,
          sees: {
            event: "PreToolUse",
            tool: "Bash",
            tool_name: "bash",
            session_id: "ses_1",
            input: { command: "ls", description: "list" },
          },
        },
      ],
    },
    {
      says: "To block, the handler sets `output.abort` to a reason",
      differs:
        "OpenCode ignores it: the handler has to throw, and the model reads the error's message [seen 1.18.33, 2026-11-21]",
      check: (executable) =>
        withOpenCodePlugin(executable, deny("Not here."), async ({ call }) => {
          const output: Record<string, unknown> = { args: { command: "ls" } };
          expect(await call("tool.execute.before", opencodeCall, output).catch((error: Error) => error.message)).toBe(
            "Not here.",
          );
          expect(output).toEqual({ args: { command: "ls" } });
        }),
    },
    {
      says: "A hook can keep the agent from reading `.env` files",
      async check() {
        const read = (file_path: string) => ({ event: "PreToolUse", tool: "Read", input: { file_path } }) as const;
        const files = { ".env": "A=1", "a.ts": "1" };
        expect((await simulate(secrets, read(".env"), { host: "opencode", files })).decision).toBe("deny");
        expect((await simulate(secrets, read("a.ts"), { host: "opencode", files })).decision).toBeUndefined();
      },
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("tool.execute.before", {
            input: { ...opencodeCall, tool: "read" },
            output: { args: { filePath: "/w/.env" } },
          }),
          sees: { tool: "Read", input: { file_path: "/w/.env" } },
          answer: deny("It holds secrets."),
          stdout: { deny: "It holds secrets." },
          exit_code: 2,
        },
      ],
    },
    {
      says: "`tool.execute.after` sees a call's result",
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("tool.execute.after", {
            input: { ...opencodeCall, args: { command: "ls" } },
            output: { title: "ls", output: "a\n", metadata: { exit: 0 } },
          }),
          sees: { event: "PostToolUse", tool: "Bash", output: { text: "a\n", exit_code: 0 } },
        },
      ],
    },
    {
      says: "A project's plugins are in `.opencode/plugin/`",
      differs: "`install` writes into `.opencode/plugins/`; OpenCode loads both [seen 1.18.33, 2026-11-22]",
      check: async (executable) =>
        expect(
          Object.keys(await installEntries(executable, { host: "opencode", scope: "project", events: ["Stop"] })),
        ).toContain(".opencode/plugins/bridge-hooks.js"),
    },
    {
      says: "The user's plugins are in `~/.config/opencode/plugin/`",
      differs: "`install` writes into `~/.config/opencode/plugins/`; OpenCode loads both [seen 1.18.33, 2026-11-22]",
      check: async (executable) => expect(await module(executable)).toBeString(),
    },
    {
      says: "Other plugins are listed in `opencode.json`, under `plugin`",
      async check(executable) {
        const files = await installEntries(executable, { host: "opencode", scope: "managed", events: ["Stop"] });
        expect(files["etc/opencode/opencode.json"]).toEqual({
          plugin: ["file:///etc/opencode/plugins/bridge-hooks.js"],
        });
      },
    },
    {
      says: "Plugins are distributed as npm packages",
      missing:
        "there is no package: the plugin is a file that `install` writes, `status` checks, and `mdm` packs for a fleet",
    },
  ],
};
