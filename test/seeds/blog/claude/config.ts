import { expect } from "bun:test";
import { fromCommand } from "bridge-hooks";
import format from "../../../../hooks/format-after-edit.ts";
import { simulate } from "../../../../src/author/testing/index.ts";
import type { ClaimSection } from "../../claim.ts";
import { buildClaudePayload } from "../calls.ts";
import { getHost, installEntries } from "../checks.ts";

const USER = ".claude/settings.json";
const entry = (event: string, matcher?: string) => ({
  hooks: {
    [event]: [
      {
        ...(matcher && { matcher }),
        hooks: [{ type: "command", command: expect.stringMatching(new RegExp(`--host claude .*--event ${event}$`)) }],
      },
    ],
  },
});

export const config: ClaimSection = {
  title: "Claude Code: configuration",
  claims: [
    {
      says: "Hooks are declared in `~/.claude/settings.json` for all projects",
      check: async (executable) =>
        expect(await installEntries(executable, { host: "claude", events: ["PreToolUse"] })).toMatchObject({
          [USER]: entry("PreToolUse", "*"),
        }),
    },
    {
      says: "Hooks of one project are declared in its `.claude/settings.json`",
      check: async (executable) =>
        expect(await installEntries(executable, { host: "claude", scope: "project", events: ["Stop"] })).toMatchObject({
          [USER]: entry("Stop"),
        }),
    },
    {
      says: 'The form is `hooks` → event → groups with a `matcher` → `hooks` of `type: "command"` with a `command`',
      async check(executable) {
        const files = await installEntries(executable, { host: "claude", events: ["PreToolUse"] });
        const setup = await getHost("claude").setup();
        const [found] = setup.parseEntries(JSON.stringify(files[USER]), USER);
        expect(found).toMatchObject({ native_event: "PreToolUse", matcher: "*", handler: { type: "command" } });
        expect(found?.path).toEqual(["hooks", "PreToolUse", 0, "hooks", 0]);
      },
    },
    {
      says: "A group's matcher lists its tools, as in `Edit|Write` at PostToolUse",
      async check() {
        const { planSubscriptions } = await getHost("claude").setup();
        const wanted = { event: "PostToolUse", tools: ["Edit", "Write"] } as const;
        expect(planSubscriptions([wanted])).toEqual([
          { native_event: "PostToolUse", matcher: "Edit|MultiEdit|NotebookEdit|Write" },
        ]);
      },
    },
    {
      says: "A group's matcher is `Bash` at PreToolUse",
      differs:
        "the PreToolUse entry matches every tool (`*`), since a shell or a writing tool may have another name, such as PowerShell or an MCP tool; the hook itself runs for shells only [seen 2.1.330, 2026-11-22]",
      async check() {
        const { planSubscriptions } = await getHost("claude").setup();
        const wanted = { event: "PreToolUse", tools: ["Bash"] } as const;
        expect(planSubscriptions([wanted])).toEqual([{ native_event: "PreToolUse", matcher: "*" }]);
      },
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("PreToolUse", { tool_name: "PowerShell", tool_input: { command: "ls" } }),
          sees: { tool: "Bash" },
        },
      ],
    },
    {
      says: "A formatter can run after each edit (`npx prettier --write`)",
      check() {
        expect([format.event, format.tool]).toEqual(["PostToolUse", ["Edit", "Write"]]);
      },
    },
  ],
};

const script = fromCommand("./guard.sh", { host: "claude" });
const [promptHandler, agentHandler] = [
  { type: "prompt", prompt: "Deny edits of auth code." },
  { type: "agent", prompt: "Check the edit." },
];
/** Foreign handlers of these types next to ours, in a group of their own. */
const beside = (handler: object) => ({
  async check(executable: string) {
    const theirs = { matcher: "Edit", hooks: [handler, { type: "command", command: "true" }] };
    const before = { [USER]: { hooks: { PreToolUse: [theirs] } } };
    const files = await installEntries(executable, { host: "claude", events: ["PreToolUse"], before });
    expect(files[USER]).toMatchObject({
      hooks: { PreToolUse: [theirs, { matcher: "*", hooks: [{ type: "command" }] }] },
    });
  },
});

export const handlers: ClaimSection = {
  title: "Claude Code: handler types",
  claims: [
    {
      says: "A `command` handler runs a program",
      check: async (executable) =>
        expect(await installEntries(executable, { host: "claude", events: ["Stop"] })).toMatchObject({
          [USER]: entry("Stop"),
        }),
    },
    {
      says: "A `prompt` handler has a Claude model judge the payload",
      missing:
        "hooks here are code, the same for every host; such handlers may run beside ours, and `install` does not change them",
      ...beside(promptHandler),
    },
    {
      says: "An `agent` handler starts a subagent with tools to check the action",
      missing:
        "as for `prompt`: keep it in Claude Code's settings beside our entry, or run your own check in an async handler",
      ...beside(agentHandler),
    },
    {
      says: "A hook may be written in any language",
      async check() {
        for (const host of ["claude", "openclaw"])
          expect(
            await simulate(script, { event: "PreToolUse", tool: "Bash", input: { command: "ls" } }, { host }),
          ).toMatchObject({
            decision: "deny",
            reason: "Not with me.",
          });
      },
    },
  ],
};
