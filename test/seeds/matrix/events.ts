import assert from "node:assert/strict";
import type { EventName } from "../../../src/protocol/event.ts";
import { recorded } from "../answers.ts";
import type { Claim, ClaimSection } from "../claim.ts";
import { getHost } from "../host.ts";
import { CURSOR_GATES } from "./decisions.ts";

const NAMES = { claude: "Claude Code", cursor: "Cursor", codex: "Codex" } as const;

/** Recordings of each unified event by host; of Cursor's native events, several. */
const RECORDED: readonly [event: EventName, claude: string, cursor: readonly string[], codex: string][] = [
  ["SessionStart", "SessionStart-startup", ["sessionStart"], "SessionStart-startup"],
  ["PreToolUse", "PreToolUse-Bash", CURSOR_GATES, "PreToolUse-Bash"],
  [
    "PostToolUse",
    "PostToolUse-Bash",
    ["postToolUse.Shell", "afterShellExecution", "afterMCPExecution", "afterFileEdit"],
    "PostToolUse-Bash",
  ],
  ["UserPromptSubmit", "UserPromptSubmit", ["beforeSubmitPrompt"], "UserPromptSubmit"],
  ["Stop", "Stop", ["stop"], "Stop"],
];

const cells = RECORDED.flatMap(([event, claude, cursor, codex]) =>
  Object.entries({ claude: [claude], cursor, codex: [codex] }).map(([host, recordings]): Claim => {
    const events = recordings.map((name) => `\`${/^\w+/.exec(name)?.[0]}\``).join(", ");
    return {
      says: `${event} on ${NAMES[host as keyof typeof NAMES]}: ${events}`,
      shownBy: recorded(host, ...recordings),
    };
  }),
);

/** Cursor's own events, with what the hook sees. */
const SPECIFIC: readonly [recording: string, event: EventName, tool: string][] = [
  ["beforeShellExecution", "PreToolUse", "Bash"],
  ["afterShellExecution", "PostToolUse", "Bash"],
  ["beforeMCPExecution", "PreToolUse", "MCP"],
  ["afterMCPExecution", "PostToolUse", "MCP"],
  ["beforeReadFile", "PreToolUse", "Read"],
  ["afterFileEdit", "PostToolUse", "Edit"],
];

export const events: ClaimSection = {
  title: "Events",
  claims: [
    {
      says: "The five unified events exist on all three hosts",
      check() {
        for (const id of Object.keys(NAMES)) {
          const has = Object.values(getHost(id).capabilities).map((row) => row().event);
          for (const [event] of RECORDED) assert(has.includes(event), `${id} ${event}`);
        }
      },
    },
    ...cells,
    ...SPECIFIC.map(([recording, event, tool]): Claim => ({
      says: `Cursor's \`${recording}\` arrives as ${event} with tool \`${tool}\``,
      shownBy: recorded("cursor", recording),
    })),
    {
      says: "Codex's `apply_patch` is tool `Edit`",
      shownBy: recorded("codex", "PreToolUse-apply_patch", "PostToolUse-apply_patch"),
    },
  ],
};
