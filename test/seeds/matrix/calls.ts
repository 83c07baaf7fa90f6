import assert from "node:assert/strict";
import type { EventName } from "../../../src/protocol/event.ts";
import { getPayload } from "../../support/fixtures.ts";
import { allow, answered, ask, called, calledWith, CURSOR_GATES, deny, recorded } from "../answers.ts";
import { sees, sends, testsIn } from "../answers.ts";
import { createSection } from "../claim.ts";
import { getHost, installEntries, runLibrary } from "../host.ts";
import { CURSOR_DENIES } from "./answers.ts";

const BASH = "PreToolUse-Bash";
const AFTER = "PostToolUse-Bash";
const NAMES = { claude: "Claude Code", cursor: "Cursor", codex: "Codex" } as const;

/** Recordings of each unified event by host. Cursor has several native events for one unified event. */
const RECORDED: readonly [event: EventName, claude: string, cursor: readonly string[], codex: string][] = [
  ["SessionStart", "SessionStart-startup", ["sessionStart"], "SessionStart-startup"],
  ["PreToolUse", BASH, CURSOR_GATES, BASH],
  ["PostToolUse", AFTER, ["postToolUse.Shell", "afterShellExecution", "afterMCPExecution", "afterFileEdit"], AFTER],
  ["UserPromptSubmit", "UserPromptSubmit", ["beforeSubmitPrompt"], "UserPromptSubmit"],
  ["Stop", "Stop", ["stop"], "Stop"],
];
const cells = RECORDED.flatMap(([event, claude, cursor, codex]) =>
  Object.entries({ claude: [claude], cursor, codex: [codex] }).map(([host, recordings]) => {
    const events = recordings.map((name) => `\`${/^\w+/.exec(name)?.[0]}\``).join(", ");
    return [`${event} on ${NAMES[host as keyof typeof NAMES]}: ${events}`, [recorded(host, ...recordings)]] as const;
  }),
);
/** Cursor's own events, with the fields seen by the hook. */
const SPECIFIC: readonly [recording: string, sees: string][] = [
  ["beforeShellExecution", "PreToolUse with tool `Bash`"],
  ["afterShellExecution", "PostToolUse with tool `Bash`"],
  ["beforeMCPExecution", "PreToolUse with tool `MCP`"],
  ["afterMCPExecution", "PostToolUse with tool `MCP`"],
  ["beforeReadFile", "PreToolUse with tool `Read`"],
  ["afterFileEdit", "PostToolUse with tool `Edit`"],
];
const specifics = SPECIFIC.map(
  ([recording, sees]) => [`Cursor's \`${recording}\` arrives as ${sees}`, [recorded("cursor", recording)]] as const,
);

export const events = createSection("Events", {
  "The five unified events exist on all three hosts": () => {
    for (const id of Object.keys(NAMES)) {
      const has = Object.values(getHost(id).capabilities).map((row) => row().event);
      for (const [event] of RECORDED) assert(has.includes(event), `${id} ${event}`);
    }
  },
  ...Object.fromEntries([...cells, ...specifics]),
  "Codex's `apply_patch` is tool `Edit`": [recorded("codex", "PreToolUse-apply_patch", "PostToolUse-apply_patch")],
});

const blocking = (host: string) => [sends(host, [BASH, "UserPromptSubmit", AFTER], deny, undefined, { exit_code: 2 })];
const NOBODYS = "fails if no host matches: exit code 1, or 2 with --on-error deny";
const unknownHost = testsIn("call/unknown-host.test.ts");

export const exit = createSection("Exit codes", {
  "0 on all three: allow, no decision, and ask where the host can ask": [
    [
      ...called("gets the host's neutral answer if no hook decides"),
      ...answered("to cursor 2.4.20 asks the user", "to codex is empty for an allow"),
    ],
    [...sends("claude", BASH, allow, undefined), ...sends("claude", BASH, ask, undefined)],
    sends("cursor", "preToolUse.Shell", allow, undefined),
  ],
  "Exit code 2 blocks on Claude Code": blocking("claude"),
  "Exit code 2 blocks on Codex": blocking("codex"),
  "Exit code 2 blocks on Cursor": [
    CURSOR_DENIES,
    answered(
      "to cursor shows the user the reason of a denial without a message",
      "to cursor exits with code 2 under --cursor-deny exit",
    ),
    sends("cursor", "beforeSubmitPrompt", deny, "", { args: ["--cursor-deny", "exit"], exit_code: 2 }),
  ],
  "An unreadable payload exits with 1": [called("bad JSON")],
  "An unknown host exits with 1": [calledWith(NOBODYS)],
  "An unknown `--host` exits with 1": [
    "differs: An unknown host is a denial (exit code 2) unless the entry has `--on-error allow` or a denial would make the agent continue, as on Stop [docs docs/reference/exit-codes.md]",
    unknownHost("cluade", "for every recorded payload of such an event, and for no other"),
  ],
  "A handler that throws exits with 1": [called("throw")],
  "Failures in an installed entry also exit with 1": [
    "differs: `install` writes `--on-error deny`, so a failure before a call, prompt or permission is a denial. `install --on-error allow` keeps exit code 1 [docs docs/operate/failures.md]",
    called(
      "with --on-error deny, denies and gives its reason: …",
      "is reported, and the call proceeds with --on-error allow: …",
    ),
    async () => {
      const { entries } = await installEntries("codex", "user");
      const denying = entries.filter(({ command }) => command.includes("--on-error deny"));
      const gates = ["PermissionRequest", "PreToolUse", "UserPromptSubmit"];
      assert.deepEqual(denying.map(({ native_event }) => native_event).sort(), gates);
    },
  ],
});

const neutral = getPayload("codex", BASH, { turn_id: undefined, transcript_path: undefined, model: undefined });

export const resolution = createSection("Host resolution", {
  "First, the `host` option of `run(hooks, { host })`, over a flag in argv": () => {
    const answer = { ...deny, additional_context: "C" };
    const run = (host: string) => runLibrary({ host }, neutral, answer, ["--host", "copilot"]).stderr.trim();
    // Codex gets a denial's context on stderr; Claude Code doesn't.
    assert.deepEqual(["claude", "codex"].map(run), ["R", "R\n\nC"]);
  },
  "Second, `--host <id>` in argv, over what stdin looks like": [
    ["codex", "claude"].flatMap((host) =>
      sees("codex", "SessionStart-startup", { host }).map((one) => ({ ...one, host })),
    ),
  ],
  "`--host` takes precedence over stdin": [
    "differs: A payload with another host's signature is answered in that host's format, with a warning, because Cursor runs Claude Code's hooks [seen @cursor/sdk 1.0.32, 2026-11-21]",
    calledWith("answers as Cursor, with a warning"),
  ],
  "`install` writes `--host <id>` into every config": [
    testsIn("cli/install/targets.test.ts")("writes every entry once on a fresh machine, and uninstall removes all"),
  ],
  "Third, stdin is scored": [testsIn("hosts/decode.test.ts")("… … … is recognized")],
  "If none resolves, an error on stderr and exit 1": [calledWith(NOBODYS)],
  "There is no silent default: a tie is an error too": [
    calledWith("fails with the scores if several hosts match equally"),
  ],
});
