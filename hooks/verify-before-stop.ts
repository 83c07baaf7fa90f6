import { defineHook } from "bridge-hooks";
import * as v from "valibot";

/** The highest allowed value of `attempts`. */
const MAX_ATTEMPTS = 5;

const options = v.strictObject({
  /** Shell commands, in the order they run. The first failure is reported. If empty, the hook is off. */
  commands: v.optional(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty("a command is empty"))), []),
  /**
   * When to run the commands. `changed`: if a file was edited since they last all passed; `dirty`: if git reports
   * uncommitted changes; `always`: at every stop.
   */
  when: v.optional(v.picklist(["changed", "dirty", "always"]), "changed"),
  /** Limits the hook to these repository roots. Globs work: `~/code/*`. */
  folders: v.optional(v.array(v.string())),
  /** How many times in a row the agent may be made to continue. */
  attempts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_ATTEMPTS)), 3),
  /** Time limit for all commands together, in milliseconds. */
  timeoutMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 3_500),
});

/**
 * Runs your commands (`npm test`) when the agent wants to stop. If a command fails, the agent has to continue and gets the end of the
 * command's output. The hook is off until `commands` is set in your own or a managed config file; a project's config counts only if you
 * trust the project, because the commands are executed.
 *
 * Commands run in the repository root with your permissions, and `npm test` runs the repository's own code. Name a
 * program in the repository by its path (`./gradlew test`, on Windows `.\gradlew test`), because a bare name is looked
 * up only on PATH. The commands share the time limit of the hook call: 18 seconds with the entry that `install` writes,
 * unless `--timeout-ms` changes it. A command that takes longer is killed and counts as neither passed nor failed. With
 * `when: "changed"`, the hook sees only edits that the host's file tools make inside the root. With `"dirty"`, the hook
 * sees all uncommitted changes, including those made by shell commands and MCP servers. Nothing runs when a subagent
 * ends.
 */
export default defineHook({
  description: "Lets the agent stop when your checks pass",
  event: ["Stop", "PostToolUse"],
  tool: ["Edit", "Write"],
  onError: "allow",
  maxContinuations: MAX_ATTEMPTS,
  options,
  trustedOptions: ["commands", "when", "folders", "attempts", "timeoutMs"],
  async handler(event, { options: settings, signal }) {
    if (settings.commands.length === 0 || (event.event === "PostToolUse" && settings.when !== "changed"))
      return undefined;
    return (await import("./_verify.ts")).handleVerifyEvent(event, settings, signal);
  },
});
