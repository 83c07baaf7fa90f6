import assert from "node:assert/strict";
import type { EventName } from "../../../src/protocol/event.ts";
import { createHookEntry, type HookMeta } from "../../../src/protocol/hook.ts";
import { matchHook } from "../../../src/protocol/match.ts";
import { extractHook } from "../../../src/cli/build/hook-module.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { decodeFixture } from "../../support/fixtures.ts";
import type { Claim, ClaimSection } from "../claim.ts";
import { getHost, createRecordedCase } from "../host.ts";

const BY_TOOL = { Bash: "Bash", apply_patch: "apply_patch", mcp: "mcp__tiny__echo" } as const;

/** Whether a hook with this matcher matches a recorded event. */
const wants = (matcher: string, event: EventName, recording: string, change: Payload = {}) =>
  matchHook(
    createHookEntry({ event, matcher, handler: () => undefined }, "hook"),
    decodeFixture("codex", recording, change),
  ) !== false;

const wanted = (matcher: string, event: EventName, recordings: readonly string[], others: readonly string[]) => {
  for (const recording of recordings) assert(wants(matcher, event, recording), `${matcher} at ${recording}`);
  for (const recording of others) assert(!wants(matcher, event, recording), `${matcher} at ${recording}`);
};

const filters = (event: "PreToolUse" | "PostToolUse"): Claim => ({
  says: `${event}: the tool's name, \`Bash\`, \`apply_patch\` and MCP names included`,
  check() {
    const recordings = Object.values(BY_TOOL).map((tool) => `${event}-${tool}`);
    for (const [at, tool] of Object.values(BY_TOOL).entries())
      wanted(
        tool,
        event,
        [recordings[at] as string],
        recordings.filter((_, other) => other !== at),
      );
  },
});

/** A hook with a matcher at an event without tool calls. */
const misplaced = (event: EventName): HookMeta & { handler: () => undefined } => ({
  event,
  matcher: "startup|resume",
  handler: () => undefined,
});

const ignored = (event: "UserPromptSubmit" | "Stop"): Claim => ({
  says: `${event}: a matcher is ignored`,
  differs:
    "`build` refuses it, since a matcher without effect may have been meant as a policy [docs docs/guide/matchers.md]; in a call it is ignored",
  check() {
    assert.throws(() => extractHook({ default: misplaced(event) }, "hook.ts"));
    assert(wants("Nothing", event, event));
  },
});

const mcp = (tool_name: string): Payload => ({ tool_name, tool_input: {} });
const example = (matcher: string, check: () => void): Claim => ({ says: `Example: \`${matcher}\``, check });

export const matchers: ClaimSection = {
  title: "Matchers",
  claims: [
    {
      says: "A matcher is a regular expression; `*`, an empty one or none is every call",
      differs:
        "a hook's `matcher` means the same but has to match the whole name, and `Bash(git push*)` matches arguments [docs docs/guide/matchers.md]. Our entries in Codex's config have none, since a changed entry silently loses its trust [seen 0.169.0, 2026-11-21]",
      check() {
        wanted("", "PreToolUse", ["PreToolUse-Bash", "PreToolUse-apply_patch"], []);
        wanted("*", "PreToolUse", ["PreToolUse-Bash", "PreToolUse-apply_patch"], []);
        wanted("Ba.*", "PreToolUse", ["PreToolUse-Bash"], ["PreToolUse-apply_patch"]);
        wanted("Ba", "PreToolUse", [], ["PreToolUse-Bash"]);
      },
    },
    {
      says: "PermissionRequest: the tool's name, `Bash`, `apply_patch` and MCP names included",
      check() {
        const at = "PermissionRequest-Bash-mode-default";
        wanted("Bash", "PermissionRequest", [at], []);
        wanted("apply_patch|mcp__.*", "PermissionRequest", [], [at]);
        assert(wants("mcp__fs__.*", "PermissionRequest", at, mcp("mcp__fs__read")));
        const patch = {
          tool_name: "apply_patch",
          tool_input: { command: "*** Begin Patch\n*** Delete File: a\n*** End Patch\n" },
        };
        assert(wants("apply_patch", "PermissionRequest", at, patch) && wants("Edit", "PermissionRequest", at, patch));
      },
    },
    filters("PreToolUse"),
    filters("PostToolUse"),
    {
      says: "SessionStart: the source",
      differs:
        "a hook's `matcher` applies only to tool calls, and `build` refuses it here; check `event.source` in the handler [docs docs/guide/matchers.md]",
      check: () => assert.throws(() => extractHook({ default: misplaced("SessionStart") }, "hook.ts")),
      cases: ["startup", "resume", "clear"].map((source) =>
        createRecordedCase("codex", "SessionStart-startup", { sees: { source } }, { source }),
      ),
    },
    ignored("UserPromptSubmit"),
    ignored("Stop"),
    {
      says: "For `apply_patch` a matcher can also say `Edit` or `Write`",
      differs:
        "`Edit` and `apply_patch` match; `Write` does not: a patch is tool `Edit` here, so hooks for new files ask for `Edit|Write` on every host [docs docs/guide/matchers.md]",
      check() {
        for (const event of ["PreToolUse", "PostToolUse"] as const)
          for (const matcher of ["Edit", "apply_patch", "Edit|Write"])
            wanted(matcher, event, [`${event}-apply_patch`], [`${event}-Bash`]);
        wanted("Write", "PreToolUse", [], ["PreToolUse-apply_patch"]);
      },
    },
    example("Bash", () => wanted("Bash", "PreToolUse", ["PreToolUse-Bash"], ["PreToolUse-apply_patch"])),
    example("^apply_patch$", () =>
      wanted("^apply_patch$", "PreToolUse", ["PreToolUse-apply_patch"], ["PreToolUse-Bash"]),
    ),
    example("Edit|Write", () => wanted("Edit|Write", "PreToolUse", ["PreToolUse-apply_patch"], ["PreToolUse-Bash"])),
    example("mcp__filesystem__read_file", () => {
      const named = (tool: string) =>
        wants("mcp__filesystem__read_file", "PreToolUse", "PreToolUse-mcp__tiny__echo", mcp(tool));
      assert.deepEqual(["mcp__filesystem__read_file", "mcp__filesystem__write_file"].map(named), [true, false]);
    }),
    example("mcp__filesystem__.*", () => {
      const named = (tool: string) =>
        wants("mcp__filesystem__.*", "PreToolUse", "PreToolUse-mcp__tiny__echo", mcp(tool));
      assert.deepEqual(["mcp__filesystem__read_file", "mcp__memory__read_file"].map(named), [true, false]);
    }),
    {
      says: "Example: `startup|resume|clear`",
      differs: "a hook can't have it as its matcher; check `event.source` [docs docs/guide/matchers.md]",
      async check() {
        assert.throws(() => extractHook({ default: misplaced("SessionStart") }, "hook.ts"));
        const { findConfigProblems } = await getHost("codex").loadDoctor();
        const config = {
          hooks: { SessionStart: [{ matcher: "startup|resume|clear", hooks: [{ type: "command", command: "x" }] }] },
        };
        assert.deepEqual(findConfigProblems(JSON.stringify(config), "hooks.json"), []);
      },
    },
  ],
};
