import { defineHook } from "bridge-hooks";
import * as v from "valibot";
import { isSuspect } from "./_destructive/glance.ts";
import { CATEGORIES, type Category } from "./_destructive/rules.ts";

const list = v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

/**
 * Keeps an agent from commands that can't be taken back: …
 */
export default defineHook({
  description: "Blocks shell commands that can't be taken back",
  event: "PreToolUse",
  tool: "Bash",
  order: -10,
  onError: "deny",
  options: v.strictObject({
    /** What is looked for. */
    categories: v.optional(v.array(v.picklist(Object.keys(CATEGORIES) as Category[])), Object.keys(CATEGORIES) as Category[]),
    /** Commands that pass all the same, as in a matcher's parentheses: `git push --force origin wip*`. */
    allow: list,
    /** Further commands that don't: `terraform apply*`. */
    deny: list,
    /** Further folders and files that are precious, with all that is in them. */
    protect: list,
    decision: v.optional(v.picklist(["deny", "ask"]), "deny"),
  }),
  async handler(event, { options }) {
    if (!isSuspect(event.input.command, options)) return undefined;
    const { verdict } = await import("./_destructive/verdict.ts");
    return verdict(event, options);
  },
});
