import { defineHook, fileCommands, shellCall } from "bridge-hooks";
import * as v from "valibot";
import { CATEGORIES, DEFAULT_CATEGORIES } from "./_destructive/programs.build.ts";
import { RULE_TERMS } from "./_destructive/rule-terms.build.ts";
import { CONCERNS } from "./_destructive/concerns.build.ts";
import type * as Verdict from "./_destructive/verdict.ts";

/** Loaded by the first call: `list` and `rules` don't need it. */
let verdict: typeof Verdict | undefined;

const stringListOption = v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

/**
 * Keeps an agent from commands that can't be undone, and from calls of file tools that do the same: deleting the system, a home or the working folder, rewriting
 * history that others have, dropping databases, tearing down what runs in a cloud or a container, wiping disks,
 * switching the machine off. The rules are data in `_destructive`; `bridge-hooks rules` lists them.
 *
 * It reads the line as a shell does, PowerShell and cmd.exe included (`cd / && sudo rm -rf *` and `ri C:\ -rec -fo` are
 * found, `echo "rm -rf /"` is not), follows links, and
 * asks git whether there is something to lose. A shell of an MCP server is one as well. It does not run anything, so it
 * does not see
 * - what other programs do: scripts, `make`, `curl … | sh` (unless the category `downloads` is on), code apart from the
 *   programs that it starts and the constant paths that it removes (`python -c 'shutil.rmtree("/")'`), SQL
 *   in files, web interfaces, code that an MCP tool runs;
 * - what is only known when it runs: most variables, what most programs list (`cat x | xargs rm -rf`), aliases that the
 *   line does not define, a folder that `cd` takes from a variable;
 * - what objects of PowerShell hold, modules and classes of others;
 * - smaller losses: files of the project one by one (`rm -f *`, `git checkout -- src/`), folders of another one
 *   (`rm -rf ~/code/other/src`), new files that stand where git puts others (`git reset --hard other`), branches on the
 * remote that
 *   are not main ones.
 */
export default defineHook({
  description: "Blocks shell commands that can't be undone",
  event: "PreToolUse",
  tool: ["Bash", "Write", "Edit", "MCP", "Other"],
  order: -10,
  onError: "deny",
  pure: true,
  concerns: CONCERNS,
  options: v.strictObject({
    /** What is looked for. `downloads`, running what nobody has read, is off unless it is named. */
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
    /** `ask` lets the user decide; hosts that can't ask deny. */
    decision: v.optional(v.picklist(["deny", "ask"]), "deny"),
  }),
  // All: a list that a clone brings would take the place of the user's.
  trustedOptions: ["categories", "allow", "deny", "protect", "decision"],
  additiveOptions: ["deny", "protect"],
  async rules(options) {
    const { listRules } = await import("./_destructive/rules.ts");
    return listRules(options);
  },
  ruleTerms: RULE_TERMS,
  async handler(event, { options, rules }) {
    const [shell, changes] = [shellCall(event), fileCommands(event)];
    if (!shell && changes.length === 0) return undefined;
    verdict ??= await import("./_destructive/verdict.ts");
    const policy = { settings: options, rules };
    const answer = shell && verdict.judgeLine(shell, policy);
    if (answer?.decision === "deny" || changes.length === 0) return answer;
    return verdict.judgeFileCall(event, changes, policy) ?? answer;
  },
});
