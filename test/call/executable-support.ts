import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hosts } from "../../src/hosts/index.ts";
import type { EventName } from "../../src/protocol/event.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { omitAllowId } from "../support/allow-id.ts";
import { buildShared } from "../support/executables.ts";
import { getPayload } from "../support/fixtures.ts";
import { pickRepresentatives } from "../support/fuzz.ts";
import { scaleMs } from "../support/machine.ts";

export const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-test-"));
export const probeBuild = await buildShared("test/support/probe-hooks");
export const starterBuild = await buildShared("hooks");
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export interface ExecutableResult {
  stdout: string;
  stderr: string;
  code: number | null;
}

export interface ExecutableOptions {
  env?: Record<string, string>;
  cwd?: string;
  executable?: string;
  /** Whether to leave stdin open after writing. */
  open?: boolean;
  /** Whether to close stdout immediately. */
  deaf?: boolean;
}

export function callExecutable(
  args: string[],
  input: string | Uint8Array | undefined,
  options: ExecutableOptions = {},
): Promise<ExecutableResult> {
  const { env = {}, cwd = folder, executable = probeBuild.outfile, open, deaf } = options;
  return new Promise((resolve) => {
    const child = spawn(executable, args, {
      cwd,
      env: { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state"), ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      // Kills a process that is hanging.
      timeout: scaleMs(15_000),
    });
    const result: ExecutableResult = { stdout: "", stderr: "", code: null };
    child.stdout?.on("data", (chunk) => (result.stdout += chunk));
    child.stderr?.on("data", (chunk) => (result.stderr += chunk));
    if (deaf) child.stdout?.destroy();
    child.stdin?.on("error", () => {});
    if (open) child.stdin?.write(input);
    else child.stdin?.end(input);
    child.on("close", (code) => {
      child.stdin?.destroy();
      resolve({ ...result, stdout: omitAllowId(result.stdout), code });
    });
  });
}

export const HOST_CALLS: Record<
  string,
  {
    event: string;
    file: string;
    field: (command: string) => Payload;
    denied: (reason: string) => string;
    neutral: string;
  }
> = {
  claude: {
    event: "PreToolUse",
    file: "PreToolUse-Bash",
    field: (command) => ({ tool_input: { command } }),
    denied: (reason) =>
      `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason } })}\n`,
    neutral: "",
  },
  cursor: {
    event: "beforeShellExecution",
    file: "beforeShellExecution",
    field: (command) => ({ command }),
    denied: (reason) => `${JSON.stringify({ permission: "deny", user_message: reason, agent_message: reason })}\n`,
    neutral: "{}\n",
  },
  codex: {
    event: "PreToolUse",
    file: "PreToolUse-Bash",
    field: (command) => ({ tool_input: { command } }),
    denied: (reason) =>
      `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason } })}\n`,
    neutral: "",
  },
  gemini: {
    event: "BeforeTool",
    file: "BeforeTool-run_shell_command",
    field: (command) => ({ tool_input: { command } }),
    denied: (reason) => `${JSON.stringify({ decision: "deny", reason })}\n`,
    neutral: "",
  },
  openclaw: {
    event: "before_tool_call",
    file: "before_tool_call-exec",
    field: (command) => ({ params: { command } }),
    denied: (reason) => `${JSON.stringify({ block: true, blockReason: reason })}\n`,
    neutral: "",
  },
  opencode: {
    event: "tool.execute.before",
    file: "tool.execute.before.bash",
    field: (command) => ({ output: { args: { command, description: "d" } } }),
    denied: (reason) => `${JSON.stringify({ deny: reason })}\n`,
    neutral: "",
  },
};

/** Returns a host's first native event that maps to the given unified event. */
export const findNativeEvent = (id: string, event: EventName) =>
  Object.entries(hosts.find((one) => one.id === id)?.capabilities ?? {}).find(
    ([, row]) => row().event === event,
  )?.[0] ?? "";

export const buildPayload = (host: string, way: string) =>
  JSON.stringify(getPayload(host, HOST_CALLS[host]?.file ?? "", HOST_CALLS[host]?.field(`probe:${way}`)));

/**
 * Each looping hook takes its whole time limit, so only some combinations run. The limit works the same on every host,
 * but each host has its own denial format.
 */
const LOOPS = pickRepresentatives(
  Object.keys(HOST_CALLS).flatMap((host) =>
    ["loop", "loop-async"].flatMap((way) => ["allowed", "denied"].map((policy) => ({ host, way, policy }))),
  ),
  ({ host, way, policy }) => (way === "loop" && policy === "denied" ? `denied on ${host}` : `${way}, ${policy}`),
);

/** Whether a call with this kind of hook failure is tested only in `npm run attack`. */
export const isLoopLeftOut = (host: string, way: string, policy: string): boolean =>
  way.startsWith("loop") && !LOOPS.some((row) => row.host === host && row.way === way && row.policy === policy);
