import { type Command, defineHook, type EventOf, fileCommands, shellCall } from "bridge-hooks";
import * as v from "valibot";
import { CATEGORIES, DEFAULT_CATEGORIES } from "./_destructive/programs.build.ts";
import { RULE_TERMS } from "./_destructive/rule-terms.build.ts";
import { CONCERNS } from "./_destructive/concerns.build.ts";
import { DESTRUCTIVE_WORD } from "./_destructive/sql/destroying-words.ts";
import type * as Verdict from "./_destructive/verdict.ts";

/** Loaded on the first call, because `list` and `rules` don't need it. */
let verdictModule: typeof Verdict | undefined;

const stringListOption = v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

/**
 * Blocks commands and file tool calls that can't be undone: deleting the system, a home directory, the working directory, or files outside
 * the project, rewriting shared history, dropping databases, tearing down cloud resources or containers, wiping disks, and shutting the
 * machine down. The rules are data in `_destructive`; `bridge-hooks rules` lists them.
 *
 * The hook also enforces rules from config files, which match commands, files, tools, and URLs.
 *
 * Commands are parsed the way their shell would parse them, including PowerShell and cmd.exe (`cd / && sudo rm -rf *`
 * and `ri C:\ -rec -fo` are found, `echo "rm -rf /"` isn't). The hook follows symlinks and asks git whether uncommitted
 * work would be lost. An MCP server's shell counts as a shell, SQL in MCP arguments is judged like SQL passed to a
 * database client, and a tool that deletes a repository, database, namespace, or similar object is recognized by its
 * name. The hook runs nothing itself, so it doesn't see
 * - what other programs do: scripts, `make`, `curl … | sh` (unless the category `downloads` is on), code apart from the programs it starts
 *   and the constant paths it removes, moves, or writes to (`python -c 'shutil.rmtree("/")'`), SQL files, web interfaces, and code run by
 *   an MCP tool;
 * - values only known at run time: most variables, most programs' output (`cat x | xargs rm -rf`), aliases defined elsewhere, and a
 *   directory that `cd` takes from a variable;
 * - the contents of PowerShell objects, and third-party modules and classes;
 * - smaller losses: individual project files (`rm -f *`), untracked files that git overwrites (`git reset --hard other`), and remote
 *   branches other than the main ones.
 *
 * Outside the project (the session's directories and their repository), existing files may not be deleted, moved away, or overwritten at
 * any depth. Exceptions are temporary files, caches, build output, a single settings file in the home directory, the installed system
 * (which has its own rules), files created during the session, and directories in the `outside` option. Deletions by archivers (`tar
 * --remove-files`) and by mirroring tools that update a copy are not blocked.
 */
export default defineHook({
  description: "Blocks shell commands that can't be undone",
  event: "PreToolUse",
  order: -10,
  onError: "deny",
  pure: true,
  concerns: CONCERNS,
  options: v.strictObject({
    /**
     * Rule categories to enforce. `downloads` (running unreviewed code) and `unseen` (applying unreviewed changes) are off unless listed.
     */
    categories: v.optional(v.array(v.picklist(CATEGORIES)), DEFAULT_CATEGORIES),
    /** Commands to allow, in matcher syntax: `git push --force origin wip*`. */
    allow: stringListOption,
    /** Additional commands to block, even if `allow` also matches: `terraform apply*`. */
    deny: stringListOption,
    /**
     * Additional files and directories that may not be deleted, moved away, or emptied. Everything in a directory is
     * covered: `migrations`, `~/vault`.
     */
    protect: stringListOption,
    /** Directories outside the project where files may be deleted, moved, and overwritten: `~/code`, `/mnt/scratch`. */
    outside: stringListOption,
    /** `ask` leaves the decision to the user. Hosts that can't ask deny instead. */
    decision: v.optional(v.picklist(["deny", "ask"]), "deny"),
  }),
  // List every option. Otherwise, a cloned project's config could replace the user's lists.
  trustedOptions: ["categories", "allow", "deny", "protect", "outside", "decision"],
  additiveOptions: ["deny", "protect"],
  async rules(options) {
    const { listRules } = await import("./_destructive/rules.ts");
    return listRules(options);
  },
  ruleTerms: RULE_TERMS,
  async handler(event, { options, rules }) {
    const shell = shellCall(event);
    const changes = [...fileCommands(event), ...(await listToolCommands(event))];
    if (!shell && changes.length === 0 && !rules.addsCallRules) return undefined;
    verdictModule ??= await import("./_destructive/verdict.ts");
    return verdictModule.judgeEvent(event, { shell, changes }, { settings: options, rules });
  },
});

/** A destructive tool call contains at least one of these words, unless it uses SQL. */
const TOOL_WORD =
  /flush|remove|clear|wipe|destroy|terminat|erase|nuke|prune|empty|decommission|deprovision|"hard"|force|git_(?:checkout|restore|clean)/i;

/** Converts a call of an MCP tool or a host-specific tool to equivalent destructive commands, if there are any. */
async function listToolCommands(event: EventOf<"PreToolUse">): Promise<readonly Command[]> {
  if (event.tool !== "MCP" && event.tool !== "Other" && !(event.tool === "Bash" && event.guessed)) return [];
  const text = `${event.tool_name} ${JSON.stringify(event.input)}`;
  if (!DESTRUCTIVE_WORD.test(text) && !TOOL_WORD.test(text)) return [];
  const { listToolCommands: list } = await import("./_destructive/tool-commands.ts");
  return list(event);
}
