import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Payload } from "../src/protocol/host/host.ts";
import { getCapabilityRow } from "../src/protocol/host/host.ts";
import { hosts } from "../src/hosts/index.ts";
import { omitNulls } from "../src/protocol/object.ts";
import { EXECUTABLE, getPayload, ROOT } from "../test/support/fixtures.ts";

/** Recorded payloads. Some are modified to make calls that should be denied. */
const DEMO_CASES: readonly [host: string, file: string, change?: Payload][] = [
  ["claude", "SessionStart-startup", { cwd: ROOT }],
  ["claude", "PreToolUse-Bash"],
  ["claude", "PreToolUse-Bash", { tool_input: { command: "cd /tmp && sudo rm -rf /" } }],
  ["claude", "PreToolUse-Read", { tool_input: { file_path: "/home/dev/app/.env" } }],
  ["claude", "Stop"],
  ["cursor", "preToolUse.Shell"],
  ["cursor", "beforeShellExecution", { command: "git push --force origin main" }],
  ["cursor", "beforeReadFile", { file_path: "/home/dev/.ssh/id_ed25519" }],
  ["cursor", "beforeMCPExecution"],
  ["cursor", "stop.2"],
  ["codex", "SessionStart-startup", { cwd: ROOT }],
  ["codex", "PreToolUse-Bash"],
  ["codex", "PreToolUse-Bash", { tool_input: { command: "mkfs.ext4 /dev/sda1" } }],
  ["codex", "PreToolUse-apply_patch"],
  [
    "codex",
    "PreToolUse-apply_patch",
    {
      tool_input: {
        command:
          "*** Begin Patch\n*** Add File: ok.txt\n+hello\n*** Update File: config/.env\n@@\n-A=1\n+A=2\n*** End Patch\n",
      },
    },
  ],
  ["gemini", "BeforeTool-run_shell_command", { tool_input: { command: "cd /tmp && sudo rm -rf /" } }],
  [
    "opencode",
    "tool.execute.before.bash",
    { output: { args: { command: "cd /tmp && sudo rm -rf /", description: "d" } } },
  ],
  ["copilot", "preToolUse", { toolArgs: { command: "git push --force origin main" } }],
];

function describeEvent(id: string, payload: Payload, hint: string): [native: string, unified: string] {
  const host = hosts.find((known) => known.id === id);
  if (!host) throw new Error(`no host ${id}`);
  const name = host.getEventName(payload, hint);
  const { event } = host.decodePayload(omitNulls(payload), name, getCapabilityRow(host, name));
  return [name, "tool" in event ? `${event.event} ${event.tool}` : event.event];
}

/** Wraps text to at most three lines that fit into 80 columns after `indent`. */
function wrapText(text: string, indent: string): string {
  const width = 80 - indent.length;
  const lines = text.match(new RegExp(`.{1,${width}}`, "gu")) ?? [];
  const shortened = lines
    .slice(0, 3)
    .map((part, at) => (at === 2 && lines.length > 3 ? `${part.slice(0, width - 1)}…` : part));
  return shortened.join(`\n${indent}`);
}

const formatLine = (...[host, event, meaning, decision, code, ms]: string[]) =>
  [
    host?.padEnd(8),
    event?.padEnd(21),
    meaning?.padEnd(20),
    decision?.padEnd(8),
    code?.padStart(4),
    ms?.padStart(6),
  ].join(" ");

if (!existsSync(EXECUTABLE)) {
  console.error(`${EXECUTABLE} does not exist; run npm run build`);
  process.exit(1);
}
console.log(
  `\n${formatLine("host", "host event", "unified event, tool", "decision", "exit", "ms")}\n${"-".repeat(72)}`,
);
for (const [host, file, change] of DEMO_CASES) {
  const payload = getPayload(host, file, change);
  const startedAt = performance.now();
  // Pass the event's name, as installed entries do: not every host includes it in the payload.
  const [hint = ""] = file.split(/[-.]/);
  const { stdout, stderr, status } = spawnSync(EXECUTABLE, ["--host", host, "--event", hint], {
    input: JSON.stringify(payload),
    encoding: "utf8",
  });
  const ms = (performance.now() - startedAt).toFixed(1);
  const decision =
    status === 2 || /"deny"/.test(stdout)
      ? "deny"
      : status !== 0
        ? "failed"
        : stdout.includes("additionalContext")
          ? "context"
          : "none";
  console.log(formatLine(host, ...describeEvent(host, payload, hint), decision, String(status), ms));
  for (const [channel, text] of [
    ["stdout", stdout],
    ["stderr", stderr],
  ] as const) {
    if (text.trim() !== "" && text.trim() !== "{}")
      console.log(`        ${channel} ${wrapText(text.trim().replaceAll("\n", "⏎"), " ".repeat(15))}`);
  }
}
console.log(
  "\nNothing on stdout (on Cursor: {}) and exit code 0 mean: go on. Times are whole processes, start included.",
);
