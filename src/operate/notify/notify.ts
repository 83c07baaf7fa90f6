import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { FILE_MODE, FOLDER_MODE } from "../../call/log/log-files.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { getNotifierMarkerPath } from "../../call/log/start-notifier.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import type { NotifySettings } from "../../policy/describe.ts";
import type { ConfigSource } from "../../policy/sources.ts";
import type { Env } from "../../protocol/host/host.ts";
import { orAbsent } from "../../system/errors.ts";
import { replaceFile } from "../../system/replace-file.ts";
import { locateBookmark } from "../export/bookmark.ts";
import { BusyError, exportLog } from "../export/export.ts";
import { isProbeLine } from "../log/probe-lines.ts";
import { showDenials } from "./desktop.ts";
import { postDenial, readWebhookUrl } from "./webhook.ts";

export interface NotificationResult {
  /** Name of the receiver: `https://hooks.example` or `desktop`. */
  to: string;
  sent: number;
  problem?: string;
}

/** A receiver of notifications. `tell` rejects on failure. */
interface Listener {
  to: string;
  /** Name of the receiver's bookmark. */
  name: string;
  tell: (lines: readonly LogLine[]) => Promise<void>;
}

/**
 * Denials older than this many milliseconds aren't sent. Otherwise, a receiver that was offline would be flooded with
 * old denials.
 */
const MAX_AGE_MS = 10 * 60_000;
/** Maximum number of denials that a process sends. If there are more, only the newest are sent. */
const MAX_SENT_DENIALS = 20;
/**
 * Maximum run time of a notifier process in milliseconds. It must end before its mark file counts as stale, which would
 * let a second process start.
 */
const MAX_RUN_MS = 60_000;
/**
 * Time to wait before reading the log again, in milliseconds, if the newest line is incomplete or another process is
 * exporting.
 */
const PAUSE_MS = 1_000;

function listListeners(env: Env, settings: NotifySettings, until: number): Listener[] {
  const { webhook, webhookFile, desktop } = settings;
  const listeners: Listener[] = [];
  if (webhook !== undefined || webhookFile !== undefined) listeners.push(createWebhookListener(settings, until));
  if (desktop) listeners.push({ to: "desktop", name: "desktop", tell: (lines) => showDenials(lines, env) });
  return listeners;
}

function createWebhookListener(settings: NotifySettings, until: number): Listener {
  try {
    const url = readWebhookUrl(settings);
    const tell = async (lines: readonly LogLine[]) => {
      for (const line of lines) await postDenial(url, line, settings, until);
    };
    return { to: new URL(url).origin, name: `webhook ${url}`, tell };
  } catch (error) {
    return { to: "webhook", name: "webhook", tell: () => Promise.reject(error as Error) };
  }
}

/**
 * Sends all denials in the log that haven't been sent yet.
 * @param sources config files; their last change counts as the time when a new receiver was added
 */
export async function notifyDenials(
  env: Env,
  settings: NotifySettings,
  sources: readonly ConfigSource[],
): Promise<NotificationResult[]> {
  const until = Date.now() + MAX_RUN_MS;
  const addedAt = findLastChange(sources, settings);
  const notifyAll = async (): Promise<NotificationResult[]> =>
    Promise.all(
      listListeners(env, settings, until).map((one) => notifyOfNewDenials(env, one, { until, added: addedAt })),
    );
  try {
    const first = await notifyAll();
    rmSync(getNotifierMarkerPath(env), { force: true });
    // Denials that were logged while the mark file existed didn't start another process. Check the log again for them.
    const second = first.some(({ problem }) => problem !== undefined) ? [] : await notifyAll();
    const outcomes = first.map((one, at) => ({ ...one, ...second[at], sent: one.sent + (second[at]?.sent ?? 0) }));
    storeProblem(env, outcomes);
    return outcomes;
  } finally {
    rmSync(getNotifierMarkerPath(env), { force: true });
  }
}

/** Sends a test denial, so that the user can check whether notifications get through. */
export async function sendTestNotification(env: Env, settings: NotifySettings): Promise<NotificationResult[]> {
  const line: LogLine = {
    ...{ v: 1, id: "trial", time: new Date().toISOString(), decision: "deny", mode: "enforce" },
    ...{ subject: "a test of log.notify; nothing was denied", content: "redacted", ms: 0 },
  };
  return Promise.all(
    listListeners(env, settings, Date.now() + MAX_RUN_MS).map(({ to, tell }) =>
      tell([line]).then(
        () => ({ to, sent: 1 }),
        (error: Error) => ({ to, sent: 0, problem: error.message }),
      ),
    ),
  );
}

/**
 * Returns the time of the last change to the files that name the receivers. Uses the change time (ctime), because
 * copying a file or installing a package may set the modification time.
 */
function findLastChange(sources: readonly ConfigSource[], { webhookFile }: NotifySettings): number {
  const files = sources.filter(({ scope }) => scope !== "project").map(({ path }) => path);
  if (webhookFile !== undefined) files.push(webhookFile);
  return Math.max(0, ...files.map((file) => Math.floor(orAbsent(() => statSync(file))?.ctimeMs ?? 0)));
}

async function notifyOfNewDenials(
  env: Env,
  { to, name, tell }: Listener,
  { until, added }: { until: number; added: number },
): Promise<NotificationResult> {
  const outcome: NotificationResult = { to, sent: 0 };
  // Don't send a new receiver denials from before it was added.
  const first = existsSync(locateBookmark(env, name)) ? 0 : added;
  const send = async (lines: readonly LogLine[]) => {
    const oldest = Math.max(first, Date.now() - MAX_AGE_MS);
    const recentDenials = lines.filter((line) => isDenial(line) && Date.parse(line.time) >= oldest);
    const denials = recentDenials.slice(Math.max(0, recentDenials.length - (MAX_SENT_DENIALS - outcome.sent)));
    if (denials.length === 0) return;
    await tell(denials);
    outcome.sent += denials.length;
  };
  while (Date.now() < until) {
    try {
      if ((await exportLog(env, { name, send })).isSettled) break;
    } catch (error) {
      if (!(error instanceof BusyError)) return { ...outcome, problem: (error as Error).message };
    }
    await Bun.sleep(PAUSE_MS);
  }
  return outcome;
}

const isDenial = (line: LogLine): boolean => line.decision === "deny" && !line.change && !isProbeLine(line);

const MAX_PROBLEM_LENGTH = 1_000;
const getProblemFile = (env: Env) => join(getStateDirectory(env), "notify.failed");

/** Returns the time and text of the last notification failure. */
export const readNotifyProblem = (env: Env): string | undefined =>
  orAbsent(() => readFileSync(getProblemFile(env), "utf8").slice(0, MAX_PROBLEM_LENGTH).trim());

/** Stores a failure for `report` and `doctor`. After a success, deletes the stored failure. */
function storeProblem(env: Env, outcomes: readonly NotificationResult[]): void {
  const problems = outcomes.flatMap(({ problem }) => problem ?? []);
  if (problems.length === 0) return rmSync(getProblemFile(env), { force: true });
  mkdirSync(getStateDirectory(env), { recursive: true, mode: FOLDER_MODE });
  replaceFile(getProblemFile(env), `${new Date().toISOString()} ${problems.join("; ")}\n`, { mode: FILE_MODE });
}
