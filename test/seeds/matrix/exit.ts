import assert from "node:assert/strict";
import { getPayload } from "../../support/fixtures.ts";
import { allow, answered, ask, called, calledWith, deny, sees, sends, testsIn } from "../answers.ts";
import type { Claim, ClaimSection } from "../claim.ts";
import { installEntries, runLibrary } from "../host.ts";
import { CURSOR_DENIES } from "./decisions.ts";

const BASH = "PreToolUse-Bash";
const unknownHost = testsIn("run/unknown-host.test.ts");

const blocking = (host: "claude" | "codex", name: string): Claim => ({
  says: `2 on ${name}: block`,
  cases: sends(host, [BASH, "UserPromptSubmit", "PostToolUse-Bash"], deny, undefined, { exit_code: 2 }),
});

export const exit: ClaimSection = {
  title: "Exit codes",
  claims: [
    {
      says: "0 on all three: allow, no decision, and ask where the host can ask",
      shownBy: [...called("nothing to say"), ...answered("cursor 2.4.20: ask", "codex: allow prints nothing")],
      cases: [
        ...sends("claude", BASH, allow, undefined),
        ...sends("claude", BASH, ask, undefined),
        ...sends("cursor", "preToolUse.Shell", allow, undefined),
      ],
    },
    blocking("claude", "Claude Code"),
    blocking("codex", "Codex"),
    {
      says: "2 on Cursor: block",
      differs: CURSOR_DENIES,
      shownBy: answered("cursor: a denial carries its reason to the user too", "cursor: cursorDeny exit"),
      cases: sends("cursor", "beforeSubmitPrompt", deny, undefined, { args: ["--cursor-deny", "exit"], exit_code: 2 }),
    },
    { says: "1: the payload does not parse", shownBy: called("bad JSON") },
    { says: "1: the host is not known", shownBy: calledWith("nobody's: exit 1, or 2 where failures are to deny") },
    {
      says: "1: a `--host` that names no known host",
      differs:
        "it is a denial (2), since an entry with a misspelt host would otherwise let every call pass [docs docs/reference/exit-codes.md]; the exit code is 1 at events where a denial makes the agent go on, such as Stop",
      shownBy: unknownHost("cluade", "every recorded payload of such an event, and none of another"),
    },
    { says: "1: a handler throws", shownBy: called("throw") },
    {
      says: "1: all of that from an installed entry as well",
      differs:
        "`install` writes `--on-error deny`: with that, a failure before a call, a prompt or a permission is a denial; `install --on-error allow` leaves the exit code at 1 [docs docs/operate/failures.md]",
      shownBy: called("…, denied", "…, allowed"),
      async check() {
        const { entries } = await installEntries("codex", "user");
        const denying = entries.filter(({ command }) => command.includes("--on-error deny"));
        const gates = ["PermissionRequest", "PreToolUse", "UserPromptSubmit"];
        assert.deepEqual(denying.map(({ native_event }) => native_event).sort(), gates);
      },
    },
  ],
};

const neutral = getPayload("codex", BASH, { turn_id: undefined, transcript_path: undefined, model: undefined });

export const resolution: ClaimSection = {
  title: "Host resolution",
  claims: [
    {
      says: "First, the `host` option of `run(hooks, { host })`, over a flag in argv",
      check() {
        const answer = { ...deny, additional_context: "C" };
        const run = (host: string) => runLibrary({ host }, neutral, answer, ["--host", "copilot"]).stderr.trim();
        // Codex gets the context of a denial on stderr, Claude Code does not.
        assert.deepEqual(["claude", "codex"].map(run), ["R", "R\n\nC"]);
      },
    },
    {
      says: "Second, `--host <id>` in argv, over what stdin looks like",
      cases: ["codex", "claude"].flatMap((host) =>
        sees("codex", "SessionStart-startup", { host }).map((one) => ({ ...one, host })),
      ),
    },
    {
      says: "`--host` wins whatever stdin looks like",
      differs:
        "a payload with another host's whole signature is answered in that host's format, with a warning: Cursor runs the hooks it finds in Claude Code's settings [seen @cursor/sdk 1.0.32, 2026-11-21]",
      shownBy: calledWith("answers as Cursor, and says so"),
    },
    {
      says: "`install` writes `--host <id>` into every config",
      shownBy: [["cli/install/targets.test.ts", "a fresh machine"]],
    },
    { says: "Third, stdin is scored", shownBy: [["hosts/decode.test.ts", "… … … is recognised"]] },
    {
      says: "If none resolves, an error on stderr and exit 1",
      shownBy: calledWith("nobody's: exit 1, or 2 where failures are to deny"),
    },
    { says: "There is no silent default: a tie is an error too", shownBy: calledWith("two hosts' alike") },
  ],
};
