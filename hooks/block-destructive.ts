import { homedir } from "node:os";
import { argumentPattern, ask, type Command, defineHook, deny, shellLine } from "bridge-hooks";
import * as v from "valibot";
import { cutUp, harm, isForkBomb, mayHarm } from "./_destructive/harm.ts";
import { CATEGORIES, type Category } from "./_destructive/index.ts";
import { type Here, tidy } from "./_destructive/places.ts";

const list = v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

/** A path as the options give it: absolute, in the home folder, or in the folder where one stands. */
const absolute = (path: string, cwd: string) =>
  tidy(path.startsWith("~") ? `${homedir()}${path.slice(1)}` : /^([/\\]|[A-Za-z]:)/.test(path) ? path : `${cwd}/${path}`);

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
  handler(event, { options }) {
    const line = event.input.command;
    const { categories, protect } = options;
    const answer = (what: string, why: string) =>
      options.decision === "ask"
        ? ask(`"${what}" can't be taken back: ${why}.`)
        : deny(`Blocked: "${what}" can't be taken back: ${why}. Ask the user to run it if it is really wanted.`);
    if (categories.includes("system") && isForkBomb(line)) return answer(line.trim().slice(0, 200), "it starts processes without end");
    if (options.deny.length === 0 && !mayHarm(line, categories, protect)) return undefined;
    const cwd = tidy(event.input.cwd || event.cwd || process.cwd());
    const here: Here = { line, cwd, home: tidy(homedir()), protect: protect.map((path) => absolute(path, cwd)), changed: () => true };
    const [allowed, forbidden] = [options.allow.map(argumentPattern), options.deny.map(argumentPattern)];
    const { commands, problem } = shellLine(event);
    for (const command of problem === undefined ? commands : [...commands, ...cutUp(line)]) {
      const fits = (test: (command: Command) => boolean) => test(command);
      const words = command.words.join(" ").slice(0, 200);
      if (forbidden.some(fits))
        return deny(
          `Blocked: "${words}" is forbidden here by the settings of block-destructive. Do it another way, or ask the user to run it.`,
        );
      const why = allowed.some(fits) ? undefined : harm(command, categories, here);
      if (why) return answer(words, why);
    }
    return undefined;
  },
});
