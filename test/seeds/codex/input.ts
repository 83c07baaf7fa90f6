import assert from "node:assert/strict";
import { hosts } from "../../../src/hosts/index.ts";
import { omitNulls } from "../../../src/protocol/object.ts";
import { detectHost } from "../../../src/run/detect.ts";
import { getPayload } from "../../support/fixtures.ts";
import { BLOCK, addition, blocks, context, deny, message, permission, sees, sends, sendsSilently } from "../answers.ts";
import type { Claim, ClaimSection } from "../claim.ts";
import { allOf, native, PERMISSION, takes, TURN } from "./calls.ts";

const MODES = ["default", "acceptEdits", "dontAsk", "bypassPermissions"];
const everywhere = ["SessionStart-startup", ...TURN, "SessionEnd-other"];

const common = (says: string, field: string, value = "V"): Claim => ({
  says,
  cases: sees("codex", everywhere, { [field]: value }, { [field]: value }),
});

export const input: ClaimSection = {
  title: "Common input",
  claims: [
    common("`session_id`: the session", "session_id"),
    {
      says: "`transcript_path`: the transcript, or null",
      cases: sees("codex", "PreToolUse-Bash", { transcript_path: "/t" }, { transcript_path: "/t" }),
      // The host is detected without it, too.
      async check() {
        for (const recording of everywhere) {
          const payload = omitNulls(getPayload("codex", recording, { transcript_path: null }));
          assert.equal((await detectHost(hosts, payload, { env: {} })).host?.id, "codex", recording);
        }
      },
    },
    common("`cwd`: the session's folder", "cwd", "/w"),
    {
      says: "`hook_event_name`: the event",
      cases: everywhere.flatMap((recording) => {
        const [name] = recording.split("-");
        return sees("codex", recording, { event: name, native_event: name });
      }),
    },
    common("`model`: the model", "model"),
    {
      says: "`turn_id` comes with the events of a turn, as Codex's own extension",
      cases: native(TURN, { turn_id: "T" }),
    },
    {
      says: "`permission_mode` at six events: default, acceptEdits, plan, dontAsk or bypassPermissions",
      cases: [
        ...sees("codex", everywhere.slice(0, -1), { permission_mode: "plan" }, { permission_mode: "plan" }),
        ...MODES.flatMap((mode) =>
          sees("codex", "PreToolUse-Bash", { permission_mode: mode }, { permission_mode: mode }),
        ),
      ],
    },
    {
      says: "The format of a transcript is not stable: nothing here reads one, and a missing file is not an error",
      cases: sends("codex", "Stop", {}, "", { stderr: "" }, { transcript_path: "/nowhere/t", session_id: "none" }),
    },
    {
      says: "Future releases may add fields: they are in `_native`",
      cases: sends(
        "codex",
        "PreToolUse-Bash",
        {},
        "",
        { sees: { tool: "Bash", _native: { new_field: [1] } }, stderr: "" },
        { new_field: [1] },
      ),
    },
  ],
};

const GATES = ["PreToolUse-Bash", PERMISSION];
const UNSUPPORTED = [{ continue: false }, { stopReason: "R" }, { suppressOutput: true }];

export const output: ClaimSection = {
  title: "Common output",
  claims: [
    {
      says: "Exit code 0 without output is a success: nothing is printed when no hook has an opinion",
      cases: sends("codex", everywhere, {}, "", { stderr: "" }, { session_id: "silent" }),
      check: allOf(takes("PreToolUse", "passed", ""), takes("PermissionRequest", "passed", "")),
    },
    {
      says: "PreToolUse and PermissionRequest take `systemMessage`",
      cases: sendsSilently("codex", GATES, message, { systemMessage: "M" }),
    },
    {
      says: "There `continue`, `stopReason` and `suppressOutput` are not supported: none is sent, and `doctor` counts them as a failed hook",
      cases: blocks("codex", "PreToolUse-Bash", permission("deny", { systemMessage: "M" }), {
        answer: { ...deny, ...message },
        stderr: /^R\n\nM\n?$/,
      }),
      check: allOf(takes("PreToolUse", "broken", ...UNSUPPORTED), takes("PermissionRequest", "broken", ...UNSUPPORTED)),
    },
    {
      says: "PostToolUse takes `systemMessage`, `continue: false` and `stopReason`",
      cases: sendsSilently("codex", "PostToolUse-Bash", message, { systemMessage: "M" }),
      check: allOf(
        takes("PostToolUse", "passed", { systemMessage: "M" }),
        takes("PostToolUse", "denied", { continue: false, stopReason: "R" }),
      ),
    },
    {
      says: "There `suppressOutput` is parsed and does nothing: it is never sent",
      cases: blocks("codex", "PostToolUse-Bash", addition("PostToolUse", { ...BLOCK, systemMessage: "M" }), {
        answer: { ...deny, ...message, ...context },
        stderr: /^R\n\nM\n\nC\n?$/,
      }),
      check: takes("PostToolUse", "passed", { suppressOutput: true }),
    },
  ],
};
