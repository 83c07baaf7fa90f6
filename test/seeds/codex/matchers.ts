import assert from "node:assert/strict";
import { createHookEntry } from "../../../src/protocol/hook.ts";
import { matchHook } from "../../../src/protocol/match.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { decodeFixture } from "../../support/fixtures.ts";
import { testsIn } from "../answers.ts";
import { createSection, type Proof } from "../claim.ts";
import { arrives, atEachTool, patched, PERMISSION } from "./calls.ts";
import { findFlaws, withHandler } from "./setup.ts";

/** Whether a hook with this matcher matches a recorded event. */
const isWanted = (matcher: string, recording: string, change: Payload = {}) => {
  const event = decodeFixture("codex", recording, change);
  return matchHook(createHookEntry({ event: event.event, matcher, handler: () => undefined }, "hook"), event) !== false;
};
/** Checks that the matcher matches these recorded events and no other events. */
const fits =
  (matcher: string, recordings: readonly string[], others: readonly string[] = []) =>
  () => {
    for (const one of recordings) assert(isWanted(matcher, one), `${matcher} at ${one}`);
    for (const one of others) assert(!isWanted(matcher, one), `${matcher} at ${one}`);
  };

const [BASH, PATCH, MCP] = atEachTool("PreToolUse") as [string, string, string];
const EDITS = [PATCH, "PostToolUse-apply_patch"];
const SHELLS = [BASH, "PostToolUse-Bash"];

/** Checks that each tool's name matches only calls of that tool. */
const filters = (event: string) => {
  const all = atEachTool(event);
  return all.map((one) =>
    fits(
      one.slice(event.length + 1),
      [one],
      all.filter((other) => other !== one),
    ),
  );
};
/** Checks a matcher that matches one tool of an MCP server, and not another tool. */
const fitsServer = (matcher: string, tool: string, other: string) => () =>
  assert.deepEqual(
    [tool, other].map((tool_name) => isWanted(matcher, MCP, { tool_name, tool_input: {} })),
    [true, false],
  );

const refused = testsIn("cli/build/build.test.ts")("a matcher that matches no call");
const matched = testsIn("call/core.test.ts");
const ignored = (event: string): Proof[] => [
  "differs: `build` rejects a matcher that has no effect. Check the event's fields, such as `event.source`, in the handler [docs docs/guide/matchers.md]",
  [...refused, ...matched("matches every event that is not a tool call")],
  fits("Nothing", [event]),
];

export const matchers = createSection("Matchers", {
  "A matcher is a regular expression": [
    "differs: A hook's `matcher` must match the entire name, and `Bash(git push*)` matches arguments [docs docs/guide/matchers.md]. Entries have no matcher, because Codex silently stops trusting a changed entry [seen 0.169.0, 2026-11-21]",
    matched("a matcher"),
    testsIn("hosts/subscriptions.test.ts")("an entry for Codex keeps the exact text that Codex trusts"),
  ],
  "PermissionRequest: the tool's name, `Bash`, `apply_patch` and MCP names included": [
    fits("Bash", [PERMISSION]),
    fits("apply_patch|mcp__.*", [], [PERMISSION]),
    () => assert(isWanted("mcp__fs__.*", PERMISSION, { tool_name: "mcp__fs__read", tool_input: {} })),
    () => assert(isWanted("apply_patch", PERMISSION, patched) && isWanted("Edit", PERMISSION, patched)),
  ],
  "PreToolUse: the tool's name, `Bash`, `apply_patch` and MCP names included": filters("PreToolUse"),
  "PostToolUse: the tool's name, `Bash`, `apply_patch` and MCP names included": filters("PostToolUse"),
  "On SessionStart, a matcher is compared with the source": [
    "differs: `build` rejects a matcher that has no effect. Check the event's fields, such as `event.source`, in the handler [docs docs/guide/matchers.md]",
    refused,
    ...["startup", "resume", "clear"].map((source) => arrives("SessionStart-startup", "source", source)),
  ],
  "UserPromptSubmit ignores a matcher": ignored("UserPromptSubmit"),
  "Stop ignores a matcher": ignored("Stop"),
  "A matcher for `apply_patch` can also use `Edit` or `Write`": [
    "differs: `Edit` and `apply_patch` match every patch; `Write` matches a patch that adds a file [docs docs/guide/matchers.md]",
    ...["Edit", "apply_patch", "Edit|Write"].map((matcher) => fits(matcher, EDITS, SHELLS)),
    fits("Write", [PATCH], SHELLS),
  ],
  "Example: `Bash`": fits("Bash", [BASH], [PATCH]),
  "Example: `^apply_patch$`": fits("^apply_patch$", [PATCH], [BASH]),
  "Example: `Edit|Write`": fits("Edit|Write", [PATCH], [BASH]),
  "Example: `mcp__filesystem__read_file`": [
    fitsServer("mcp__filesystem__read_file", "mcp__filesystem__read_file", "mcp__filesystem__write_file"),
  ],
  "Example: `mcp__filesystem__.*`": [
    fitsServer("mcp__filesystem__.*", "mcp__filesystem__read_file", "mcp__memory__read_file"),
  ],
  "`startup|resume|clear` is an example of a matcher": [
    "differs: `build` rejects a matcher that has no effect. Check the event's fields, such as `event.source`, in the handler [docs docs/guide/matchers.md]",
    refused,
    // In Codex's own config, this isn't an error.
    async () => assert.deepEqual(await findFlaws(withHandler({}, "SessionStart", "startup|resume|clear")), []),
  ],
});
