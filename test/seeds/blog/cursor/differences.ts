import { expect } from "bun:test";
import { deny } from "bridge-hooks";
import type { ClaimSection } from "../../claim.ts";
import { buildCursorDenial, cursorShell } from "../calls.ts";
import { getHost, expectRow, judgeAnswer } from "../checks.ts";

const json = (document: object) => ({ stdout: JSON.stringify(document) });

export const differences: ClaimSection = {
  title: "Cursor: differences from Claude Code",
  claims: [
    {
      says: "The config has no matchers",
      differs:
        "an entry may have one, and `install` writes it if hooks ask for certain tools [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22]",
      async check() {
        const { planSubscriptions } = await getHost("cursor").setup();
        const wanted = { event: "PostToolUse", tools: ["Write"] } as const;
        expect(planSubscriptions([wanted])).toContainEqual({ native_event: "postToolUse", matcher: "Write" });
      },
    },
    {
      says: 'A hook blocks with `"permission": "deny"` in its JSON',
      check: async () => {
        expect(await judgeAnswer("cursor", "preToolUse", json({ permission: "deny" }))).toBe("denied");
        expect(await judgeAnswer("cursor", "preToolUse", json({}))).toBe("passed");
      },
    },
    {
      says: "Exit codes have no effect",
      differs:
        "exit code 2 blocks whatever the document says, but Cursor then shows the raw document, so a denial has exit code 0 unless the entry has `--cursor-deny exit`; other exit codes block entries with `failClosed`, which ours have [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        { host: "cursor", stdin: cursorShell, answer: deny("No."), stdout: buildCursorDenial("No."), exit_code: 0 },
        {
          host: "cursor",
          args: ["--cursor-deny", "exit"],
          stdin: cursorShell,
          answer: deny("No."),
          stdout: buildCursorDenial("No."),
          exit_code: 2,
        },
      ],
      check: async () => {
        expect(await judgeAnswer("cursor", "preToolUse", { exit_code: 2 })).toBe("denied");
        expect(await judgeAnswer("cursor", "preToolUse", { exit_code: 1 })).toBe("let pass");
        expect(await judgeAnswer("cursor", "preToolUse", { exit_code: 1 }, { failClosed: true })).toBe("blocked");
      },
    },
    {
      says: "Malformed JSON silently lets a command through",
      differs:
        "before a call Cursor blocks if it can't read the answer; if a hook crashes it goes on, unless the entry has `failClosed`, which ours have [seen @cursor/sdk 1.0.32, 2026-11-21]",
      check: async () =>
        expect(await judgeAnswer("cursor", "beforeShellExecution", { stdout: '{"permission": "de' })).toBe("blocked"),
      cases: [
        {
          host: "cursor",
          args: ["--on-error", "deny", "--event", "beforeShellExecution"],
          stdin: '{"command": ',
          stdout: expect.objectContaining({ permission: "deny" }),
        },
      ],
    },
    {
      says: "Claude Code has one stream for the model, while Cursor has two messages",
      differs:
        "on Claude Code the user is shown a `user_message` as `systemMessage`, beside the reason [seen 2.1.330, 2026-11-22]",
      check: () => expectRow("claude", "PreToolUse", "PreToolUse", { user_message: "native", reason: "native" }),
    },
    {
      says: "Cursor's CLI fires only `beforeShellExecution` and `afterShellExecution`",
      differs:
        "the runtime of its SDK fires them all; the CLI was not run, and for a front end that has only these two `install` subscribes shell calls to " +
        "`beforeShellExecution` as well [unverified]",
      async check() {
        const { planSubscriptions } = await getHost("cursor").setup();
        const wanted = { event: "PreToolUse", tools: ["Bash"] } as const;
        expect(planSubscriptions([wanted]).map(({ native_event }) => native_event)).toEqual([
          "preToolUse",
          "beforeShellExecution",
        ]);
      },
    },
  ],
};
