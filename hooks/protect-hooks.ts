import { join } from "bridge-hooks/paths";
import { expandHome } from "./_paths.ts";
import { ask, comparablePath, defineHook, deny, type EventOf, type Guarded, guarded, shellCall } from "bridge-hooks";
import * as v from "valibot";
import type * as Reader from "./_protect.ts";
import { CONCERNS } from "./_protect-concerns.build.ts";

const globsOption = v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

/** Builds a glob for comparing paths. `~` is expanded; any other relative glob starts at the session's directory. */
function toGlob(glob: string, cwd: string): Bun.Glob {
  const absoluteGlob = /^~(?=\/|$)/.test(glob)
    ? expandHome(glob)
    : /^(\/|\*\*|[A-Za-z]:)/.test(glob)
      ? glob
      : join(cwd, glob);
  return new Bun.Glob(comparablePath(absoluteGlob));
}

/** Adds the `protect` files to the guarded ones, and removes those that `allow` exempts. */
function applyGuardOptions(
  guard: Guarded,
  { allow, protect }: { allow: string[]; protect: string[] },
  cwd: string,
): Guarded {
  if (allow.length + protect.length === 0) return guard;
  const [spared, more] = [allow, protect].map((list) => list.map((glob) => toGlob(glob, cwd)));
  const matches = (list: Bun.Glob[] | undefined, path: string) =>
    list?.some((glob) => glob.match(comparablePath(path))) === true;
  const isExempt = (path: string) => matches(spared, path.replace(/\/$/, ""));
  return {
    ...guard,
    covers: (path) => (guard.covers(path) || matches(more, path)) && !isExempt(path),
    within: (folder) => guard.within(folder).filter((path) => !isExempt(path)),
    brought: (folder, path) => guard.brought(folder, path).filter((path) => !isExempt(path)),
    filled: (target) => guard.filled(target).filter((path) => !isExempt(path)),
  };
}

/** The check, loaded on first use. A resident process reuses it for later calls. */
let readerModule: typeof Reader | undefined;

/** Turns an MCP call that runs a shell command into a shell call. */
const toShellCall = (event: PendingCall): PendingCall => shellCall(event) ?? event;
type PendingCall = EventOf<"PreToolUse" | "PermissionRequest">;

/**
 * Stops an agent from disabling its hooks by guarding the hosts' hook configs and plugins in every scope, the bridge's own config and
 * state, and this executable. Reading them is allowed. File tools, patches, MCP tools, and shell commands can't write, remove, move, link,
 * or replace them, or change their permissions. Commands that turn hooks off are blocked (`bridge-hooks uninstall`, `bridge-hooks config
 * set`, `claude --bare`, `codex -c features.hooks=false`, `CLAUDE_CONFIG_DIR=…`), even if the executable has another name or another
 * program starts it. Package managers can't remove or replace the executable, and none of these commands can be written to a file that runs
 * automatically (`~/.bashrc`, a git hook, cron). The whole file is guarded, even if it also contains unrelated settings; the `allow` option
 * exempts files. A call that names too many files to check in time (several thousand) makes the hook fail, which denies the call.
 *
 * Both `$HOME` and the home directory in the user database are guarded. MCP calls are judged by the words in the tool's name and arguments,
 * and patches and diffs by the files they name. Text that can't be parsed may not be written or copied to a file that runs automatically.
 *
 * Not caught: changes git makes by itself (`git checkout HEAD~1 -- .`, `reset`, `stash`, `clean`, `apply`), the
 * contents of archives and patch files applied in the project root, scripts run by name, a copy of the executable that
 * was modified or unpacked by the same command, code that assembles a name, names that a program reads from a file
 * (`cat list | xargs rm`), another machine's access to a shared directory, editors and programs that the user starts,
 * and configs of other projects when a whole directory is removed or copied. The agent's or the host's process can
 * still be killed, and root can do anything. Managed settings still apply where project and user settings can be
 * changed.
 */
export default defineHook({
  description: "Protects hook configs and the executable from changes",
  event: ["PreToolUse", "PermissionRequest"],
  tool: ["Bash", "Write", "Edit", "MCP", "Other"],
  order: -5,
  onError: "deny",
  enforced: true,
  pure: true,
  concerns: CONCERNS,
  options: v.strictObject({
    /** Guarded files that may be changed anyway. Globs work: `opencode.json`, `~/.codex/config.toml`. */
    allow: globsOption,
    /** Additional files to guard. */
    protect: globsOption,
    decision: v.optional(v.picklist(["deny", "ask"]), "deny"),
  }),
  trustedOptions: ["allow", "protect", "decision"],
  additiveOptions: ["protect"],
  async rules(options) {
    return (await import("./_protect-rules.ts")).listRules(options);
  },
  async handler(hostEvent, { options }) {
    const event = toShellCall(hostEvent);
    const guard = applyGuardOptions(guarded(event), options, event.cwd);
    readerModule ??= await import("./_protect.ts");
    const finding = readerModule.findViolation(event, guard);
    if (finding === undefined) return undefined;
    const { rule, description, subject } = finding;
    const cause = { rule: `hooks/${rule}`, subject };
    return options.decision === "ask"
      ? ask(`${description[0]?.toUpperCase()}${description.slice(1)}.`, cause)
      : deny(`Blocked: ${description}. If this is intended, ask the user to do it.`, cause);
  },
});
