import assert from "node:assert/strict";
import type { EventName } from "../../../src/protocol/event.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { getPayload } from "../../support/fixtures.ts";
import type { ClaimCase, Claim, ClaimSection } from "../claim.ts";
import { getHost, createRecordedCase } from "../host.ts";

const NAMES: Readonly<Record<string, string>> = { claude: "Claude Code", cursor: "Cursor", codex: "Codex" };

/** Recordings of each unified event by host, and of Cursor's native events. */
const RECORDED: Readonly<Partial<Record<EventName, Readonly<Record<string, readonly string[]>>>>> = {
  SessionStart: { claude: ["SessionStart-startup"], cursor: ["sessionStart"], codex: ["SessionStart-startup"] },
  PreToolUse: {
    claude: ["PreToolUse-Bash"],
    cursor: ["preToolUse.Shell", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"],
    codex: ["PreToolUse-Bash"],
  },
  PostToolUse: {
    claude: ["PostToolUse-Bash"],
    cursor: ["postToolUse.Shell", "afterShellExecution", "afterMCPExecution", "afterFileEdit"],
    codex: ["PostToolUse-Bash"],
  },
  UserPromptSubmit: { claude: ["UserPromptSubmit"], cursor: ["beforeSubmitPrompt"], codex: ["UserPromptSubmit"] },
  Stop: { claude: ["Stop"], cursor: ["stop"], codex: ["Stop"] },
};
const unified = Object.keys(RECORDED) as EventName[];

const arrives = (host: string, recording: string, sees: Payload): ClaimCase =>
  createRecordedCase(host, recording, {
    sees: { host, native_event: getPayload(host, recording).hook_event_name, ...sees },
  });

const cells: Claim[] = unified.flatMap((event) =>
  Object.entries(RECORDED[event] ?? {}).map(([host, recordings]) => ({
    says: `${event} on ${NAMES[host]}: ${recordings.map((name) => `\`${getPayload(host, name).hook_event_name}\``).join(", ")}`,
    cases: recordings.map((name) => arrives(host, name, { event })),
  })),
);

/** Cursor's own events, with what the hook sees. */
const SPECIFIC: readonly [recording: string, sees: Payload][] = [
  ["beforeShellExecution", { event: "PreToolUse", tool: "Bash", input: { command: "echo HI" } }],
  [
    "afterShellExecution",
    { event: "PostToolUse", tool: "Bash", input: { command: "echo HI" }, output: { stdout: "HI\n" } },
  ],
  [
    "beforeMCPExecution",
    { event: "PreToolUse", tool: "MCP", input: { server: "fake", tool: "echo", arguments: { text: "hi" } } },
  ],
  [
    "afterMCPExecution",
    { event: "PostToolUse", tool: "MCP", input: { server: "fake", tool: "echo" }, output: { is_error: false } },
  ],
  [
    "beforeReadFile",
    { event: "PreToolUse", tool: "Read", input: { file_path: "/home/dev/app/a.txt", content: "one\ntwo\n" } },
  ],
  ["afterFileEdit", { event: "PostToolUse", tool: "Edit", input: { files: [{ file_path: "/home/dev/app/a.txt" }] } }],
];

export const events: ClaimSection = {
  title: "Events",
  claims: [
    {
      says: "The five unified events exist on all three hosts",
      check() {
        for (const id of Object.keys(NAMES)) {
          const rows = Object.values(getHost(id).capabilities).map((row) => row().event);
          for (const event of unified)
            assert(
              [rows.includes(event), getHost(id).absentEvents.includes(event)].join() === "true,false",
              `${id} ${event}`,
            );
        }
      },
    },
    ...cells,
    ...SPECIFIC.map(([recording, sees]): Claim => ({
      says: `Cursor's \`${recording}\` arrives as ${sees.event} with tool \`${sees.tool}\``,
      cases: [arrives("cursor", recording, sees)],
    })),
    {
      says: "Codex's `apply_patch` is tool `Edit`",
      cases: [
        arrives("codex", "PreToolUse-apply_patch", {
          event: "PreToolUse",
          tool: "Edit",
          tool_name: "apply_patch",
          input: {
            files: [
              { file_path: "new.txt", operation: "add" },
              { file_path: "a.txt", operation: "update" },
            ],
          },
        }),
        arrives("codex", "PostToolUse-apply_patch", { event: "PostToolUse", tool: "Edit" }),
      ],
    },
  ],
};
