import assert from "node:assert/strict";
import type { EventName } from "../../../src/protocol/event.ts";
import { createHookEntry } from "../../../src/protocol/hook.ts";
import { matchHook } from "../../../src/protocol/match.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { decodeFixture } from "../../support/fixtures.ts";
import { sees, testsIn } from "../answers.ts";
import type { Claim, ClaimSection } from "../claim.ts";
import { atEachTool, patched, PERMISSION } from "./calls.ts";
import { findFlaws, withHandler } from "./config.ts";

/** Whether a hook with this matcher matches a recorded event. */
const isWanted = (matcher: string, recording: string, change: Payload = {}) => {
  const event = decodeFixture("codex", recording, change);
  return matchHook(createHookEntry({ event: event.event, matcher, handler: () => undefined }, "hook"), event) !== false;
};

/** The matcher fits these recorded events, and not the others. */
const assertWanted = (matcher: string, recordings: readonly string[], others: readonly string[] = []) => {
  for (const one of recordings) assert(isWanted(matcher, one), `${matcher} at ${one}`);
  for (const one of others) assert(!isWanted(matcher, one), `${matcher} at ${one}`);
};

const [BASH, PATCH, MCP] = atEachTool("PreToolUse") as [string, string, string];

const filters = (event: EventName): Claim => ({
  says: `${event}: the tool's name, \`Bash\`, \`apply_patch\` and MCP names included`,
  check() {
    for (const one of atEachTool(event))
      assertWanted(
        one.slice(event.length + 1),
        [one],
        atEachTool(event).filter((other) => other !== one),
      );
  },
});

const refused = testsIn("cli/build/build.test.ts")("a matcher of no call");
const matched = testsIn("run/core.test.ts");

const ignored = (event: string): Claim => ({
  says: `${event}: a matcher is ignored`,
  differs:
    "`build` refuses it, since a matcher without effect may have been meant as a policy [docs docs/guide/matchers.md]; in a call it is ignored",
  shownBy: [...refused, ...matched("a matcher is for calls; other events pass")],
  check: () => assertWanted("Nothing", [event]),
});

const example = (matcher: string, check: () => void): Claim => ({ says: `Example: \`${matcher}\``, check });
/** An example that fits a tool of an MCP server, and not another. */
const ofServer = (matcher: string, fits: string, other: string) =>
  example(matcher, () =>
    assert.deepEqual(
      [fits, other].map((tool_name) => isWanted(matcher, MCP, { tool_name, tool_input: {} })),
      [true, false],
    ),
  );

export const matchers: ClaimSection = {
  title: "Matchers",
  claims: [
    {
      says: "A matcher is a regular expression; `*`, an empty one or none is every call",
      differs:
        "a hook's `matcher` means the same but has to match the whole name, and `Bash(git push*)` matches arguments [docs docs/guide/matchers.md]. Our entries in Codex's config have none, since a changed entry silently loses its trust [seen 0.169.0, 2026-11-21]",
      shownBy: [
        ...matched("matchers"),
        ["hosts/subscriptions.test.ts", "Codex trusts a command by its letters: these must not change"],
      ],
    },
    {
      says: "PermissionRequest: the tool's name, `Bash`, `apply_patch` and MCP names included",
      check() {
        assertWanted("Bash", [PERMISSION]);
        assertWanted("apply_patch|mcp__.*", [], [PERMISSION]);
        assert(isWanted("mcp__fs__.*", PERMISSION, { tool_name: "mcp__fs__read", tool_input: {} }));
        for (const matcher of ["apply_patch", "Edit"]) assert(isWanted(matcher, PERMISSION, patched));
      },
    },
    filters("PreToolUse"),
    filters("PostToolUse"),
    {
      says: "SessionStart: the source",
      differs:
        "a hook's `matcher` applies only to tool calls, and `build` refuses it here; check `event.source` in the handler [docs docs/guide/matchers.md]",
      shownBy: refused,
      cases: ["startup", "resume", "clear"].flatMap((source) =>
        sees("codex", "SessionStart-startup", { source }, { source }),
      ),
    },
    ignored("UserPromptSubmit"),
    ignored("Stop"),
    {
      says: "For `apply_patch` a matcher can also say `Edit` or `Write`",
      differs:
        "`Edit` and `apply_patch` match; `Write` does not: a patch is tool `Edit` here, so hooks for new files ask for `Edit|Write` on every host [docs docs/guide/matchers.md]",
      check() {
        for (const matcher of ["Edit", "apply_patch", "Edit|Write"])
          assertWanted(matcher, [PATCH, "PostToolUse-apply_patch"], [BASH, "PostToolUse-Bash"]);
        assertWanted("Write", [], [PATCH]);
      },
    },
    example("Bash", () => assertWanted("Bash", [BASH], [PATCH])),
    example("^apply_patch$", () => assertWanted("^apply_patch$", [PATCH], [BASH])),
    example("Edit|Write", () => assertWanted("Edit|Write", [PATCH], [BASH])),
    ofServer("mcp__filesystem__read_file", "mcp__filesystem__read_file", "mcp__filesystem__write_file"),
    ofServer("mcp__filesystem__.*", "mcp__filesystem__read_file", "mcp__memory__read_file"),
    {
      says: "Example: `startup|resume|clear`",
      differs: "a hook can't have it as its matcher; check `event.source` [docs docs/guide/matchers.md]",
      shownBy: refused,
      // In Codex's own config it is none.
      check: async () => assert.deepEqual(await findFlaws(withHandler({}, "SessionStart", "startup|resume|clear")), []),
    },
  ],
};
