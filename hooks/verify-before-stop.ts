import { defineHook } from "bridge-hooks";
import * as v from "valibot";

/** How often in a row it may make the agent go on, at most. */
const MAX_ATTEMPTS = 5;

const options = v.strictObject({
  /** Command lines, in the order in which they run: the first that fails is told. Without any the hook is off. */
  commands: v.optional(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty("a command is empty"))), []),
  /**
   * `changed`: a file was edited in this session since all passed; `dirty`: git knows of something uncommitted;
   * `always`.
   */
  when: v.optional(v.picklist(["changed", "dirty", "always"]), "changed"),
  /** Only in these folders (the repository's root), with wildcards: `~/code/*`. */
  folders: v.optional(v.array(v.string())),
  /** How often in a row it makes the agent go on. */
  attempts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_ATTEMPTS)), 3),
  /** Milliseconds for all commands together. */
  timeoutMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 3_500),
});

/**
 * Runs commands of yours when the agent wants to stop (`npm test`), and makes it go on with the end of their output
 * where one fails. Off until `commands` are set, in your own config file or in a managed one: what a project's file
 * says of them counts only where you trust the project, since they are run.
 *
 * The commands run in the repository's root, as yourself, and with them whatever they start there: `npm test` is the
 * repository's own code. A program of the repository is named by its path (`./gradlew test`, on Windows `.\gradlew
 * test`): a bare name is looked up on PATH alone. They share the time of the hook call, 18 seconds where `install`
 * wrote the host's entry, unless it says more (`--timeout-ms`): what takes longer is ended, and counts as neither passed nor failed. With `when:
 * "changed"` it sees the edits of the host's file tools, not what a shell command or an MCP server changes (`"dirty"`
 * does); it does not see edits outside of the root. A subagent's end is not looked at.
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
