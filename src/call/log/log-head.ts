import type { LogSettings } from "../../policy/describe.ts";
import type { LoadedLogSettings } from "../../policy/log.ts";
import type { Env } from "../../protocol/host/host.ts";
import { descriptors } from "../../system/descriptors.ts";
import { getFolder } from "../../system/file-checks.ts";
import { FILE_TYPE, REGULAR_FILE } from "../../system/statx.ts";
import { createId } from "../state/create-id.ts";
import { summarizeCall } from "./call-summary.ts";
import type { ConcludedCall } from "./concluded-call.ts";
import { getLogFile, MAX_UNROTATED_BYTES } from "./log-path.ts";
import { loadLogSettings, requiresLine } from "./log-settings.ts";

/** Version of the line format. Readers skip lines with a different version. */
export const LINE_VERSION = 1;

/** Fields that link a head to its full line. */
export interface LineIdentity {
  id: string;
  time: string;
}

/** A log line in progress. Its head, if any, has been written. */
export interface PendingLine {
  log: LoadedLogSettings;
  /** Fields shared by the head and the full line. Absent if the settings don't require a log line. */
  identity?: LineIdentity | undefined;
}

/** Rule names allowed in a head. A name that a hook derives from data it read appears only in the full line. */
export const PLAIN_NAME = /^[\w./@:-]{1,100}$/;

/**
 * Formats a line's head: the decision in a few bytes, without any of the call's contents. The full line follows with
 * the same ID. If the full line is lost, only the details are missing.
 */
export function formatHead(
  call: ConcludedCall,
  content: LogSettings["content"],
  time = new Date(),
): { identity: LineIdentity; text: string } {
  const { hook = "", rule = "", ...summary } = summarizeCall(call).summary;
  const identity = { id: call.deniedCall?.id ?? createId(), time: time.toISOString() };
  const head = {
    v: LINE_VERSION,
    ...identity,
    part: "head",
    ...(call.isShared && { shared: true }),
    ...summary,
    ...(PLAIN_NAME.test(hook) && { hook }),
    ...(PLAIN_NAME.test(rule) && { rule }),
    content,
    ms: Math.round(call.ms * 10) / 10,
  };
  return { identity, text: JSON.stringify(head) };
}

/** Prepares the head of a call's log line for when the deadline ends the call, `leftMs` milliseconds from now. */
export async function prepareHead(call: ConcludedCall, leftMs: number, env: Env) {
  const { settings } = await loadLogSettings(call);
  if (!requiresLine(call, settings)) return undefined;
  const endedCall = { ...call, ms: call.ms + leftMs };
  const { text } = formatHead(endedCall, settings.content, new Date(Date.now() + leftMs));
  return { line: text, openFile: () => openRegularLog(getLogFile(env)) };
}

/**
 * If the settings require a log line, appends its head in a single write before slower modules are loaded. That way the
 * decision is recorded even if the process is killed right after answering. A head that can't be written counts as a
 * lost line.
 */
export async function beginLine(call: ConcludedCall, env: Env): Promise<PendingLine> {
  const log = await loadLogSettings(call);
  if (!requiresLine(call, log.settings)) return { log };
  const { identity, text } = formatHead(call, log.settings.content);
  if (!appendInOneWrite(getLogFile(env), `${text}\n`)) (await import("./lost-lines.ts")).countLostLines(env);
  return { log, identity };
}

/** Appends text in a single write. Returns whether it was written. */
function appendInOneWrite(file: string, text: string): boolean {
  const fd = openRegularLog(file);
  if (fd === undefined) return false;
  try {
    const bytes = new TextEncoder().encode(text);
    return descriptors.write(fd, bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    descriptors.close(fd);
  }
}

/**
 * Opens the log. Returns undefined if it can't be written. Rejects files that aren't regular or have multiple hard
 * links.
 */
function openRegularLog(file: string): number | undefined {
  try {
    const fd = openLog(file);
    const { mode, nlink, size } = descriptors.inspect(fd);
    if ((mode & FILE_TYPE) === REGULAR_FILE && nlink === 1 && size <= MAX_UNROTATED_BYTES) return fd;
    descriptors.close(fd);
  } catch {
    // The caller handles the failure.
  }
  return undefined;
}

function openLog(file: string): number {
  try {
    return descriptors.openAppend(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    // The directory doesn't exist until the first line is written.
    process.getBuiltinModule("node:fs").mkdirSync(getFolder(file), { recursive: true, mode: 0o700 });
    return descriptors.openAppend(file);
  }
}
