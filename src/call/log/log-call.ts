import type { Env, Payload } from "../../protocol/host/host.ts";
import type { LogSettings } from "../../policy/describe.ts";
import type { ConcludedCall } from "./concluded-call.ts";
import { appendLine, type LogTarget } from "./log-file.ts";
import { type LogFileSystem, BLOCKING_FILE_SYSTEM } from "./log-files.ts";
import type { PendingLine } from "./log-head.ts";
import { policy } from "../built/policy.ts";
import { createLogLine, type LogLine } from "./log-line.ts";
import { getLogFile, type LogName } from "./log-path.ts";
import { copyValue, loadRedactor, type TextWriter, writeUnchanged } from "./redact.ts";

/** The process that writes a line. */
export interface LogRuntime {
  env: Env;
  /** File operations. Defaults to blocking ones, for a process with a limited lifetime. */
  files?: LogFileSystem;
  /** Called before waiting for the log, so that the process's time limit can be extended. */
  onWait?: (ms: number) => void;
}

/**
 * Writes the rest of a call's log line and stores a denied call that a user may allow. The caller ignores errors
 * because the answer has already been written.
 */
export async function completeLine(
  call: ConcludedCall,
  { log: { settings, documents }, identity }: PendingLine,
  runtime: LogRuntime,
): Promise<void> {
  const { deniedCall } = call;
  // Store the denied call regardless of the log settings.
  if (deniedCall)
    await (
      await import("../exceptions/denied-calls.ts")
    )
      .storeDeniedCall({ ...call, deniedCall }, settings.content, runtime.env)
      .catch(() => {});
  if (!identity) return;
  const line = await createLogLine(call, settings.content, identity, { env: runtime.env, documents });
  await writeLogLine(line, settings, runtime);
  if (line.decision === "deny" && sendsNotifications(settings))
    await import("./start-notifier.ts").then(({ startNotifier }) => startNotifier(runtime.env)).catch(() => {});
  if (settings.record && call.payload)
    await recordPayload(call, call.payload, line, settings, getTarget("payloads", settings, runtime));
}

const sendsNotifications = ({ notify: { webhook, webhookFile, desktop } }: LogSettings): boolean =>
  policy !== undefined && (webhook !== undefined || webhookFile !== undefined || desktop === true);

const getTarget = (
  name: LogName,
  { retainDays }: LogSettings,
  { env, files = BLOCKING_FILE_SYSTEM }: LogRuntime,
): LogTarget => ({
  file: getLogFile(env, name),
  files,
  retainDays,
});

/**
 * Appends a line to the log, chained to the previous line if the settings ask for it. Returns whether the line was
 * written.
 */
export async function writeLogLine(line: LogLine, settings: LogSettings, runtime: LogRuntime): Promise<boolean> {
  const target = getTarget("decisions", settings, runtime);
  if (!settings.chain) return appendLine(target, formatLine(line));
  const { appendChainedLine, CHAIN_WAIT_MS } = await import("./log-chain.ts");
  runtime.onWait?.(CHAIN_WAIT_MS);
  return appendChainedLine(target, (link) => formatLine({ ...line, ...link }));
}

/** Maximum length of a line, in UTF-16 code units. Longer lines are written without details. */
const MAX_LINE_LENGTH = 256 * 1024;

export function formatLine(line: LogLine): string {
  const text = JSON.stringify(line);
  if (text.length <= MAX_LINE_LENGTH) return text;
  // Only control characters make a line this long, since JSON encodes each of them as six characters.
  const { asked: _, reason: __, losses: ___, failures: ____, messages: _____, ...rest } = line;
  return JSON.stringify({ ...rest, asked: "[cut]" });
}

const PAYLOAD_LIMITS = { text: 64_000, all: 256_000 };
const CONVERSATION_FIELDS = ["prompt", "user_prompt", "last_assistant_message", "text"];

/** Stores the payload for `bridge-hooks replay`. */
async function recordPayload(
  { native_event, host }: ConcludedCall,
  payload: Payload,
  { id, time }: LogLine,
  { content }: LogSettings,
  target: LogTarget,
): Promise<void> {
  // A payload reduced to its structure isn't enough to judge the call again.
  if (content === "structure") return;
  const redact = content === "full" ? writeUnchanged : await loadRedactor([payload]);
  const write: TextWriter = (text, name) =>
    content !== "full" && CONVERSATION_FIELDS.includes(name) ? `[${text.length} characters]` : redact(text, name);
  const argv = [...(host === undefined ? [] : ["--host", host]), ...(native_event && ["--event", native_event])];
  const copy = copyValue(payload, PAYLOAD_LIMITS, write);
  await appendLine(target, JSON.stringify({ id, time, argv, payload: copy }));
}
