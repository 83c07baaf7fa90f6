import assert from "node:assert/strict";
import type { Claim, ClaimSection } from "../claim.ts";
import { CURSOR_DENIES } from "./decisions.ts";
import { getPayload } from "../../support/fixtures.ts";
import { installEntries, createRecordedCase, runLibrary } from "../host.ts";

const deny = { decision: "deny", reason: "R" } as const;
/** A call before a tool, by host. */
const GATES = { claude: "PreToolUse-Bash", cursor: "preToolUse.Shell", codex: "PreToolUse-Bash" } as const;
const gates = Object.entries(GATES);

const goesOn: Claim = {
  says: "0 on all three: allow, no decision, and ask where the host can ask",
  cases: [
    ...gates.flatMap(([host, recording]) => [
      createRecordedCase(host, recording, { answer: { decision: "allow" }, exit_code: 0 }),
      createRecordedCase(host, recording, { exit_code: 0 }),
    ]),
    createRecordedCase("claude", "PreToolUse-Bash", { answer: { decision: "ask", reason: "R" }, exit_code: 0 }),
    createRecordedCase(
      "cursor",
      "beforeShellExecution",
      { answer: { decision: "ask", reason: "R" }, exit_code: 0 },
      { cursor_version: "2.4.20" },
    ),
  ],
};

const blocks = (host: "claude" | "codex", name: string): Claim => ({
  says: `2 on ${name}: block`,
  cases: [GATES[host], "UserPromptSubmit", "PostToolUse-Bash"].map((recording) =>
    createRecordedCase(host, recording, { answer: deny, exit_code: 2 }),
  ),
});

export const exit: ClaimSection = {
  title: "Exit codes",
  claims: [
    goesOn,
    blocks("claude", "Claude Code"),
    blocks("codex", "Codex"),
    {
      says: "2 on Cursor: block",
      differs: CURSOR_DENIES,
      cases: [GATES.cursor, "beforeShellExecution", "beforeSubmitPrompt"].flatMap((recording) => [
        createRecordedCase("cursor", recording, { answer: deny, exit_code: 0 }),
        createRecordedCase("cursor", recording, { answer: deny, args: ["--cursor-deny", "exit"], exit_code: 2 }),
      ]),
    },
    {
      says: "1: the payload does not parse",
      cases: gates.map(([host]) => ({ host, stdin: "{", stderr: /stdin is not valid JSON/, exit_code: 1 })),
    },
    {
      says: "1: the host is not known",
      cases: [{ stdin: {}, stdout: "", stderr: /stdin matches no known host; name it with --host/, exit_code: 1 }],
    },
    {
      says: "1: a `--host` that names no known host",
      differs:
        "it is a denial (2), since an entry with a misspelt host would otherwise let every call pass [docs docs/reference/exit-codes.md]; the exit code is 1 at events where a denial makes the agent go on, such as Stop",
      cases: [
        createRecordedCase("claude", "PreToolUse-Bash", {
          args: ["--host", "cluade"],
          stdout: "",
          stderr: /unknown host "cluade"/,
          exit_code: 2,
        }),
        createRecordedCase("claude", "Stop", { args: ["--host", "cluade", "--event", "Stop"], exit_code: 1 }),
      ].map(({ host: _, ...one }) => one),
    },
    {
      says: "1: a handler throws",
      // The hook throws on an answer that is not JSON.
      cases: gates.map(([host, recording]) =>
        createRecordedCase(host, recording, {
          env: { SEEDS_ANSWER: "{" },
          stderr: /hook "answer" failed/,
          exit_code: 1,
        }),
      ),
    },
    {
      says: "1: all of that from an installed entry as well",
      differs:
        "`install` writes `--on-error deny`: with that, a failure before a call, a prompt or a permission is a denial; `install --on-error allow` leaves the exit code at 1 [docs docs/operate/failures.md]",
      cases: gates.map(([host, recording]) =>
        createRecordedCase(host, recording, {
          args: ["--on-error", "deny"],
          env: { SEEDS_ANSWER: "{" },
          stderr: /The hook "answer" failed/,
          exit_code: host === "cursor" ? 0 : 2,
        }),
      ),
      async check() {
        const { entries } = await installEntries("codex", "user");
        assert(entries.some(({ command }) => command.includes("--on-error deny --event PreToolUse")));
        assert(
          entries.every(({ native_event, command }) => native_event !== "Stop" || !command.includes("--on-error deny")),
        );
      },
    },
  ],
};

const neutral = getPayload("codex", "PreToolUse-Bash", {
  turn_id: undefined,
  transcript_path: undefined,
  model: undefined,
});

export const resolution: ClaimSection = {
  title: "Host resolution",
  claims: [
    {
      says: "First, the `host` option of `run(hooks, { host })`, over a flag in argv",
      check() {
        const documents = ["claude", "codex"].map((host) =>
          runLibrary({ host }, neutral, { additional_context: "C", ...deny }, ["--host", "copilot"]).stderr.trim(),
        );
        // Codex gets the context of a denial on stderr, Claude Code does not.
        assert.deepEqual(documents, ["R", "R\n\nC"]);
      },
    },
    {
      says: "Second, `--host <id>` in argv, over what stdin looks like",
      cases: [
        createRecordedCase("codex", "SessionStart-startup", { sees: { host: "codex" } }),
        { ...createRecordedCase("codex", "SessionStart-startup", { sees: { host: "claude" } }), host: "claude" },
      ],
    },
    {
      says: "`--host` wins whatever stdin looks like",
      differs:
        "a payload with another host's whole signature is answered in that host's format, with a warning: Cursor runs the hooks it finds in Claude Code's settings [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        {
          ...createRecordedCase("cursor", "beforeShellExecution", {
            sees: { host: "cursor" },
            stderr: /called with --host claude by Cursor; answered as cursor/,
          }),
          host: "claude",
        },
      ],
    },
    {
      says: "`install` writes `--host <id>` into every config",
      async check() {
        const places = [
          ["claude", "user"],
          ["claude", "project"],
          ["claude", "managed"],
          ["cursor", "user"],
          ["cursor", "project"],
          ["cursor", "managed"],
          ["codex", "user"],
          ["codex", "project"],
          ["codex", "managed"],
        ] as const;
        for (const [host, scope] of places) {
          const { entries } = await installEntries(host, scope);
          assert(entries.length > 4, `${host} ${scope}`);
          for (const { command, args = [] } of entries)
            assert.match([command, ...args].join(" "), new RegExp(`--host ${host}\\b`));
        }
      },
    },
    {
      says: "Third, stdin is scored",
      cases: (
        [
          ["claude", "PreToolUse-Bash"],
          ["cursor", "preToolUse.Shell"],
          ["codex", "PreToolUse-Bash"],
        ] as const
      ).map(([host, recording]) => ({ stdin: getPayload(host, recording), sees: { host } })),
    },
    {
      says: "If none resolves, an error on stderr and exit 1",
      cases: [
        {
          stdin: { hook_event_name: "PreToolUse" },
          sees: null,
          stdout: "",
          stderr: /name it with --host <id>/,
          exit_code: 1,
        },
      ],
    },
    {
      says: "There is no silent default: a tie is an error too",
      cases: [
        {
          stdin: { ...getPayload("codex", "PreToolUse-Bash"), cursor_version: "3.2.16" },
          sees: null,
          stdout: "",
          stderr: /matches several hosts|matches no known host/,
          exit_code: 1,
        },
      ],
    },
  ],
};
