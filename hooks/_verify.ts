import { sep } from "bridge-hooks/paths";
import { deny, type EventOf, git, type IHookResponse, paths, realPath, state, systemProgram } from "bridge-hooks";
import { describeFailure, isListedFolder, runProgram } from "./_process.ts";

/** The state key that is set by an edit and cleared once all commands pass. */
const CHANGED_STATE_KEY = "verify-before-stop.changed";
/** Maximum length of command output: the lowest limit of any host, less the length of the message around it. */
const MAX_OUTPUT_CHARACTERS = 4_000;
const MORE_TIME_ADVICE =
  "; nothing was verified. To allow more time, raise this hook's timeoutMs, --timeout-ms, and the timeout in the host's Stop entry";
const isWindows = process.platform === "win32";

interface VerifySettings {
  commands: readonly string[];
  when: "changed" | "dirty" | "always";
  folders?: readonly string[] | undefined;
  attempts: number;
  timeoutMs: number;
}

/** After an edit, records it. When the agent wants to stop, runs the commands. */
export function handleVerifyEvent(
  event: EventOf<"Stop"> | EventOf<"PostToolUse", "Edit" | "Write">,
  settings: VerifySettings,
  signal: AbortSignal,
): Promise<IHookResponse | undefined> | undefined {
  const root = findVerifiedFolder(event, settings);
  if (root === undefined) return undefined;
  if (event.event === "Stop") return verifyAtStop(event, root, settings, signal);
  recordEdit(event, root);
  return undefined;
}

/**
 * Returns the directory to run the commands in, which is the repository root or, outside a repository, the session's
 * directory. Undefined if the `folders` option excludes it.
 */
function findVerifiedFolder(event: EventOf<"Stop" | "PostToolUse">, { folders }: VerifySettings): string | undefined {
  // Use the session's directory, even if a command has changed to a different one.
  const root = git({ cwd: event.cwd })?.root ?? realPath(event.cwd);
  return root !== undefined && (!folders || isListedFolder(root, folders)) ? root : undefined;
}

/** Records that a file in this directory was edited. */
function recordEdit(event: EventOf<"PostToolUse", "Edit" | "Write">, root: string): void {
  if (paths(event).some(({ path, access }) => access === "write" && path.startsWith(root + sep)))
    state(event).set(CHANGED_STATE_KEY, Date.now());
}

/** Runs the commands and returns the first failure; undefined if all passed. */
async function runCommands(root: string, { commands, timeoutMs }: VerifySettings, signal: AbortSignal) {
  const deadline = performance.now() + timeoutMs;
  for (const command of commands) {
    const shell = isWindows
      ? [systemProgram("cmd"), "/d", "/s", "/c", `${command} 2>&1`]
      : ["/bin/sh", "-c", `exec 2>&1\n${command}`];
    const result = await runProgram(shell, {
      cwd: root,
      ms: deadline - performance.now(),
      signal,
      maxCharacters: MAX_OUTPUT_CHARACTERS,
    });
    const failure = describeFailure(result);
    if (failure === undefined) continue;
    const advice = result.isTimedOut ? MORE_TIME_ADVICE : "";
    const output = result.output && `\n\nThe end of its output:\n${result.output}`;
    return {
      failed: result.exit_code !== undefined,
      text: `verify-before-stop: "${command}" ${failure}${advice}.${output}`,
    };
  }
  return undefined;
}

const formatCount = (count: number) => (count === 1 ? "once" : `${count} times`);

async function verifyAtStop(
  event: EventOf<"Stop">,
  root: string,
  settings: VerifySettings,
  signal: AbortSignal,
): Promise<IHookResponse | undefined> {
  const store = state(event);
  const lastEdit = settings.when === "changed" ? store.get(CHANGED_STATE_KEY) : undefined;
  if (settings.when === "changed" && lastEdit === undefined) return undefined;
  if (settings.when === "dirty" && git({ cwd: root })?.dirty === false) return undefined;
  const failure = await runCommands(root, settings, signal);
  if (!failure) {
    // If a file was edited while the commands ran, keep the key so that they run again at the next stop.
    if (lastEdit !== undefined && store.get(CHANGED_STATE_KEY) === lastEdit) store.delete(CHANGED_STATE_KEY);
    return undefined;
  }
  if (!failure.failed) return { user_message: failure.text };
  if (event.continuations < settings.attempts) return deny(`${failure.text}\n\nFix it before you stop.`);
  return {
    user_message: `${failure.text}\n\nThe agent already continued ${formatCount(event.continuations)}, and now stops.`,
  };
}
