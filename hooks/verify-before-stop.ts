import { realpathSync } from "node:fs";
import { sep } from "node:path";
import { defineHook, deny, type EventOf, git, type IHookResponse, paths, state } from "bridge-hooks";
import * as v from "valibot";
import { flaw, isOneOf, runProgram } from "./_process.ts";

/** Set where something was changed that no command has looked at yet. */
const CHANGED = "verify-before-stop.changed";
/** How often in a row it may make the agent go on, at most. */
const MOST_ATTEMPTS = 5;
/** Characters of what a command printed: the shortest limit of a host, and room for the rest. */
const MOST_OUTPUT = 4_000;

const MORE_TIME = "; nothing is verified. More time: timeout_ms of this hook, and --timeout-ms and the timeout of the host's Stop entry";
const isWindows = process.platform === "win32";

const options = v.strictObject({
  /** Command lines, in the order in which they run: the first that fails is told. Without any the hook is off. */
  commands: v.optional(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty("a command is empty"))), []),
  /** `changed`: a file was edited in this session since all passed; `dirty`: git knows of something uncommitted; `always`. */
  when: v.optional(v.picklist(["changed", "dirty", "always"]), "changed"),
  /** Only in these folders (the repository's root), with wildcards: `~/work/*`. */
  folders: v.optional(v.array(v.string())),
  /** How often in a row it makes the agent go on. */
  attempts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_ATTEMPTS)), 3),
  /** Milliseconds for all commands together. */
  timeout_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 4_500),
});
type Options = v.InferOutput<typeof options>;

/** The folder that the commands run in: the repository's, else the session's own. Nothing where it is none of those that were named. */
function folderOf(event: EventOf<"Stop" | "PostToolUse">, { folders }: Options): string | undefined {
  // A command's folder may be another; the session's counts.
  const root = git({ cwd: event.cwd })?.root ?? real(event.cwd);
  return root !== undefined && (!folders || isOneOf(root, folders)) ? root : undefined;
}

function real(path: string): string | undefined {
  try {
    return path ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Notes that a file of the folder was edited. */
function note(event: EventOf<"PostToolUse", "Edit" | "Write">, root: string): void {
  if (paths(event).some(({ path, access }) => access === "write" && path.startsWith(root + sep))) state(event).set(CHANGED, Date.now());
}

/** Runs the commands. What to tell, and whether one failed; nothing where all passed. */
async function verify(root: string, { commands, timeout_ms }: Options, signal: AbortSignal) {
  const deadline = performance.now() + timeout_ms;
  for (const command of commands) {
    const shell = isWindows ? ["cmd", "/d", "/s", "/c", `${command} 2>&1`] : ["sh", "-c", `exec 2>&1\n${command}`];
    const ended = await runProgram(shell, { cwd: root, ms: deadline - performance.now(), signal, most: MOST_OUTPUT });
    const what = flaw(ended);
    if (what === undefined) continue;
    const more = ended.late ? MORE_TIME : "";
    const output = ended.output && `\n\nThe end of what it printed:\n${ended.output}`;
    return { failed: ended.exit_code !== undefined, text: `verify-before-stop: "${command}" ${what}${more}.${output}` };
  }
  return undefined;
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

async function atStop(event: EventOf<"Stop">, root: string, settings: Options, signal: AbortSignal): Promise<IHookResponse | undefined> {
  const store = state(event);
  const changed = settings.when === "changed" ? store.get(CHANGED) : undefined;
  if (settings.when === "changed" && changed === undefined) return undefined;
  if (settings.when === "dirty" && git({ cwd: root })?.dirty === false) return undefined;
  const found = await verify(root, settings, signal);
  if (!found) {
    // What was edited while the commands ran is looked at the next time.
    if (changed !== undefined && store.get(CHANGED) === changed) store.delete(CHANGED);
    return undefined;
  }
  if (!found.failed) return { user_message: found.text };
  if (event.continuations < settings.attempts) return deny(`${found.text}\n\nMend it before you stop.`);
  return { user_message: `${found.text}\n\nThe agent went on ${times(event.continuations)} already, and stops now.` };
}

/**
 * Runs commands of yours when the agent wants to stop (`npm test`), and makes it go on with the end of their output where one fails. Off
 * until `commands` are set, in your own config file or in a managed one: what a project's file says of them counts only where you
 * trust the project, since they are run.
 *
 * The commands run in the repository's root, as yourself, and with them whatever they start there: `npm test` is the repository's own code.
 * They share the time of the hook call, five seconds unless the host's entry says more (`--timeout-ms`): what takes longer
 * is ended, and counts as neither passed nor failed. With `when: "changed"` it sees the edits of the host's file tools, not what a shell
 * command or an MCP server changes (`"dirty"` does); it does not see edits outside of the root. A subagent's end is not looked at.
 */
export default defineHook({
  description: "Lets the agent stop when your checks pass",
  event: ["Stop", "PostToolUse"],
  tool: ["Edit", "Write"],
  onError: "allow",
  max_continuations: MOST_ATTEMPTS,
  options,
  trusted_options: ["commands", "folders"],
  handler(event, { options: settings, signal }) {
    if (settings.commands.length === 0) return undefined;
    const root = folderOf(event, settings);
    if (root === undefined) return undefined;
    if (event.event === "Stop") return atStop(event, root, settings, signal);
    if (settings.when === "changed") note(event, root);
    return undefined;
  },
});
