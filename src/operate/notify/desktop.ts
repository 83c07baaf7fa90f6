import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILE_MODE } from "../../call/log/log-files.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { hideSecretsIn } from "../../call/log/redact.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import { runProgram } from "../../hosts/run-program.ts";
import type { Env } from "../../protocol/host/host.ts";
import { orAbsent } from "../../system/errors.ts";
import { describeLine } from "../log/describe.ts";
import { formatCount, truncateLine } from "../text.ts";

/** Minimum time between notifications in milliseconds. Denials within this time are combined into one notification. */
const INTERVAL_MS = 10_000;
const TIMEOUT_MS = 10_000;
const MAX_CHARACTERS = 200;

/** Title and text of a notification. Both are passed to the notification program as plain data. */
interface Notification {
  title: string;
  text: string;
}

interface DesktopProgram {
  /** An absolute path, so that no environment variable can select a different program. */
  path: string;
  argv: (notification: Notification) => string[];
  env?: (notification: Notification) => Record<string, string>;
}

/** Escapes markup, because notification servers may interpret links, images and other markup. */
const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Escapes backslashes. notify-send interprets `\n` and `\033` in the text as C does [seen 0.8.1, 2026-11-29]. */
const escapeBackslashes = (text: string): string => text.replaceAll("\\", "\\\\");

const APPLE_SCRIPT = [
  "on run words",
  "display notification (item 2 of words) with title (item 1 of words)",
  "end run",
].flatMap((line) => ["-e", line]);

/**
 * Shows a notification on Windows. The script reads the text from environment variables and adds it as XML text nodes,
 * so the text never becomes part of the script [unverified].
 */
const TOAST_SCRIPT = `
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$kind = [Windows.UI.Notifications.ToastTemplateType]::ToastText02
$document = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent($kind)
$nodes = $document.GetElementsByTagName('text')
[void]$nodes.Item(0).AppendChild($document.CreateTextNode($env:BRIDGE_HOOKS_TITLE))
[void]$nodes.Item(1).AppendChild($document.CreateTextNode($env:BRIDGE_HOOKS_TEXT))
$application = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
$toast = [Windows.UI.Notifications.ToastNotification]::new($document)
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($application).Show($toast)
`;

export const DESKTOP_PROGRAMS: Partial<Record<NodeJS.Platform, DesktopProgram>> = {
  linux: {
    path: "/usr/bin/notify-send",
    argv: ({ title, text }) => ["--app-name=bridge-hooks", "--", title, escapeBackslashes(escapeMarkup(text))],
  },
  darwin: {
    path: "/usr/bin/osascript",
    argv: ({ title, text }) => [...APPLE_SCRIPT, title, text],
  },
  win32: {
    path: "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe",
    argv: () => ["-NoProfile", "-NonInteractive", "-EncodedCommand", encodeCommand(TOAST_SCRIPT)],
    env: ({ title, text }) => ({ BRIDGE_HOOKS_TITLE: title, BRIDGE_HOOKS_TEXT: text }),
  },
};

const encodeCommand = (script: string): string => Buffer.from(script, "utf16le").toString("base64");

/** Formats a notification about denials, without secrets. The denials must be ordered from oldest to newest. */
export async function formatNotification(lines: readonly LogLine[]): Promise<Notification> {
  const last = await hideSecretsIn(lines.at(-1) as LogLine);
  const text = truncateLine(describeLine(last), MAX_CHARACTERS);
  return {
    title: `bridge-hooks denied ${formatCount(lines.length, "call")}`,
    text: lines.length > 1 ? `newest: ${text}` : text,
  };
}

/**
 * Shows denials in one notification, after waiting for the minimum interval.
 * @throws Error if the notification can't be shown.
 */
export async function showDenials(
  lines: readonly LogLine[],
  env: Env,
  program = DESKTOP_PROGRAMS[process.platform],
): Promise<void> {
  if (!program) throw new Error("desktop notifications are not supported on this system; use log.notify.webhook");
  if (!existsSync(program.path))
    throw new Error(`no such file: ${program.path}; install it or set log.notify.desktop to false`);
  const stamp = join(getStateDirectory(env), "notify.shown");
  const wait = (orAbsent(() => statSync(stamp))?.mtimeMs ?? 0) + INTERVAL_MS - Date.now();
  if (wait > 0 && wait <= INTERVAL_MS) await Bun.sleep(wait);
  const notification = await formatNotification(lines);
  const variables = Object.entries({ ...env, ...program.env?.(notification) });
  const { exit_code, stderr } = await runProgram({
    argv: [program.path, ...program.argv(notification)],
    cwd: getStateDirectory(env),
    env: Object.fromEntries(variables.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    stdin: "",
    timeout: TIMEOUT_MS,
  });
  writeFileSync(stamp, "", { mode: FILE_MODE });
  if (exit_code !== 0)
    throw new Error(
      `${program.path} failed: ${truncateLine(stderr.trim() || `exit code ${exit_code}`, MAX_CHARACTERS)}`,
    );
}
