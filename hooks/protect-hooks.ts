import { join } from "bridge-hooks/paths";
import { expandHome } from "./_paths.ts";
import { ask, comparablePath, defineHook, deny, type EventOf, type Guarded, guarded, shellCall } from "bridge-hooks";
import * as v from "valibot";
import type * as Reader from "./_protect.ts";
import { CONCERNS } from "./_protect-concerns.build.ts";

const globsOption = v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

/**
 * A glob as paths are compared with it: of the home folder with `~`, of the session's folder if it begins with neither
 * that nor "/".
 */
function toGlob(glob: string, cwd: string): Bun.Glob {
  const whole = /^~(?=\/|$)/.test(glob) ? expandHome(glob) : /^(\/|\*\*|[A-Za-z]:)/.test(glob) ? glob : join(cwd, glob);
  return new Bun.Glob(comparablePath(whole));
}

/** What is guarded, with what the options add and take away. */
function withOptions(guard: Guarded, { allow, protect }: { allow: string[]; protect: string[] }, cwd: string): Guarded {
  if (allow.length + protect.length === 0) return guard;
  const [spared, more] = [allow, protect].map((list) => list.map((glob) => toGlob(glob, cwd)));
  const fits = (list: Bun.Glob[] | undefined, path: string) =>
    list?.some((glob) => glob.match(comparablePath(path))) === true;
  const isSpared = (path: string) => fits(spared, path.replace(/\/$/, ""));
  return {
    ...guard,
    covers: (path) => (guard.covers(path) || fits(more, path)) && !isSpared(path),
    within: (folder) => guard.within(folder).filter((path) => !isSpared(path)),
    brought: (folder, path) => guard.brought(folder, path).filter((path) => !isSpared(path)),
    filled: (target) => guard.filled(target).filter((path) => !isSpared(path)),
  };
}

/** What reads shell lines: a resident process has it from the call before. */
let reader: typeof Reader | undefined;

/** An MCP call with a shell line is judged as one of the shell. */
const toShellCall = (event: PendingCall): PendingCall => shellCall(event) ?? event;
type PendingCall = EventOf<"PreToolUse" | "PermissionRequest">;

/**
 * Keeps an agent's hands off what makes it obey hooks: the hosts' hook configs and plugins in every scope, the bridge's
 * own config and state, and this executable. Looking at them is fine. By file tool, patch, MCP tool or shell line they
 * can't be written, removed, moved, linked, replaced by what is copied there, or closed; nor does a command run that
 * turns hooks off (`bridge-hooks uninstall`, `bridge-hooks config set`, `claude --bare`, `codex -c features.hooks=false`, `CLAUDE_CONFIG_DIR=…`),
 * whatever name a copy of the executable has and whatever starts it, or a package manager that removes or replaces it,
 * or is such a command written into a file that is run by itself (`~/.bashrc`, a git hook, cron). A file is guarded as
 * a whole, whatever else it says: see `allow`. A call that names more files than can be looked at in time (some
 * thousands) is a failure of the hook, which denies it.
 *
 * The files of `$HOME` count, and those of the home folder in the user database. An MCP tool is read by the words of its
 * name and its arguments; patches and diffs are read for their files. A line or a copied file that can't be read is not
 * let into a file that is run by itself.
 *
 * What it does not catch: what git changes by itself (`git checkout HEAD~1 -- .`, `reset`, `stash`, `clean`, `apply`),
 * what an archive or a patch file holds that is unpacked or applied in the project's root, scripts that are run by
 * name, a copy of the executable that was changed inside or that the line unpacks, code that puts a name together,
 * names that a program reads from a file (`cat list | xargs rm`), what another machine does with a folder it shares,
 * editors and programs that the user starts, and configs of projects that the session is not about, where a whole folder
 * is removed or copied. The agent's own process, or the host's, could still be ended, and root may do everything:
 * managed settings hold where a project's and a user's don't.
 */
export default defineHook({
  description: "Keeps the hooks' own configs as they are",
  event: ["PreToolUse", "PermissionRequest"],
  tool: ["Bash", "Write", "Edit", "MCP", "Other"],
  order: -5,
  onError: "deny",
  enforced: true,
  pure: true,
  concerns: CONCERNS,
  options: v.strictObject({
    /** Files that may be changed all the same, with wildcards: `opencode.json`, `~/.codex/config.toml`. */
    allow: globsOption,
    /** Further files that may not. */
    protect: globsOption,
    decision: v.optional(v.picklist(["deny", "ask"]), "deny"),
  }),
  trustedOptions: ["allow", "protect", "decision"],
  additiveOptions: ["protect"],
  async rules(options) {
    return (await import("./_protect-rules.ts")).listRules(options);
  },
  async handler(given, { options }) {
    const event = toShellCall(given);
    const guard = withOptions(guarded(event), options, event.cwd);
    reader ??= await import("./_protect.ts");
    const finding = reader.findHarm(event, guard);
    if (finding === undefined) return undefined;
    const { rule, what, subject } = finding;
    const cause = { rule: `hooks/${rule}`, subject };
    return options.decision === "ask"
      ? ask(`${what[0]?.toUpperCase()}${what.slice(1)}.`, cause)
      : deny(`Blocked: ${what}. Ask the user to do it if it is really wanted.`, cause);
  },
});
