import { type Command, defineHook, type EventOf, fileCommands, shellCall } from "bridge-hooks";
import * as v from "valibot";
import { CATEGORIES, DEFAULT_CATEGORIES } from "./_destructive/programs.build.ts";
import { RULE_TERMS } from "./_destructive/rule-terms.build.ts";
import { CONCERNS } from "./_destructive/concerns.build.ts";
import { DESTROYING_WORD } from "./_destructive/sql/destroying-words.ts";
import type * as Verdict from "./_destructive/verdict.ts";

/** Loaded by the first call: `list` and `rules` don't need it. */
let verdict: typeof Verdict | undefined;

const stringListOption = v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

/**
 * Keeps an agent from commands that can't be undone, and from calls of file tools that do the same: deleting the system, a home, the working folder or what is outside of the project, rewriting
 * history that others have, dropping databases, tearing down what runs in a cloud or a container, wiping disks,
 * switching the machine off. The rules are data in `_destructive`; `bridge-hooks rules` lists them.
 *
 * It also enforces the rules that config files add: about commands, files, tools and addresses.
 *
 * It reads the line as a shell does, PowerShell and cmd.exe included (`cd / && sudo rm -rf *` and `ri C:\ -rec -fo` are
 * found, `echo "rm -rf /"` is not), follows links, and
 * asks git whether there is something to lose. A shell of an MCP server is one as well, SQL in the arguments of its tools
 * is judged as that of a client, and a tool that deletes a repository, a database, a namespace or the like by its name. It does not run anything, so it
 * does not see
 * - what other programs do: scripts, `make`, `curl … | sh` (unless the category `downloads` is on), code apart from the
 *   programs that it starts and the constant paths that it removes, moves or writes to (`python -c 'shutil.rmtree("/")'`), SQL
 *   in files, web interfaces, code that an MCP tool runs;
 * - what is only known when it runs: most variables, what most programs list (`cat x | xargs rm -rf`), aliases that the
 *   line does not define, a folder that `cd` takes from a variable;
 * - what objects of PowerShell hold, modules and classes of others;
 * - smaller losses: files of the project one by one (`rm -f *`), new files that stand where git puts others
 *   (`git reset --hard other`), branches on the remote that are not main ones.
 *
 * Outside of the project (the session's folders and the repository around them) nothing may be deleted, moved away or
 * overwritten that is there, at any depth, unless it is temporary, a cache or a build's output, a single file of a
 * program's settings in the home folder, part of the installed system (rules of their own say what must stay there), made
 * since the session began, or in a folder that the setting `outside` names. What archives delete there
 * (`tar --remove-files`) passes, and what mirrors delete in a copy that is brought up to date.
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
     * What is looked for. `downloads`, running what nobody has read, and `unseen`, applying what nobody has looked at,
     * are off unless they are named.
     */
    categories: v.optional(v.array(v.picklist(CATEGORIES)), DEFAULT_CATEGORIES),
    /** Commands that pass all the same, as in a matcher's parentheses: `git push --force origin wip*`. */
    allow: stringListOption,
    /** Further commands that don't, whatever else is allowed: `terraform apply*`. */
    deny: stringListOption,
    /**
     * Further folders and files that nobody may delete, move away or empty, with all that is in them: `migrations`,
     * `~/vault`.
     */
    protect: stringListOption,
    /** Folders outside of the project in which files may be deleted, moved and overwritten: `~/code`, `/mnt/scratch`. */
    outside: stringListOption,
    /** `ask` lets the user decide; hosts that can't ask deny. */
    decision: v.optional(v.picklist(["deny", "ask"]), "deny"),
  }),
  // All: a list that a clone brings would take the place of the user's.
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
    verdict ??= await import("./_destructive/verdict.ts");
    return verdict.judgeEvent(event, { shell, changes }, { settings: options, rules });
  },
});

/** What a call has to mention of which a tool does away with something, beside what SQL has. */
const TOOL_WORD =
  /flush|remove|clear|wipe|destroy|terminat|erase|nuke|prune|empty|decommission|deprovision|"hard"|force|git_(?:checkout|restore|clean)/i;

/** What a tool with arguments of its own, such as an MCP server's, would do to a database, or does away with. */
async function listToolCommands(event: EventOf<"PreToolUse">): Promise<readonly Command[]> {
  if (event.tool !== "MCP" && event.tool !== "Other" && !(event.tool === "Bash" && event.guessed)) return [];
  const text = `${event.tool_name} ${JSON.stringify(event.input)}`;
  if (!DESTROYING_WORD.test(text) && !TOOL_WORD.test(text)) return [];
  const { listToolCommands: list } = await import("./_destructive/tool-commands.ts");
  return list(event);
}
