import { Command, Option } from "clipanion";
import type { RulesReport } from "./report.ts";
import { UserCommand, type PolicyEffect } from "../terminal/command-options.ts";

export class RulesCommand extends UserCommand {
  static override paths = [["rules"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Show the rules that your hooks enforce here.",
    details: `
      The rules of the hooks in this executable, or of those in the folder that --hooks names, and the rules that config files add: id, action and reason. With
      an ID, as a denial ends with it (\`[bridge-hooks git/push-force]\`), also the pattern, the advice, which file adds, sets or locks the rule, the exceptions
      in force here, and examples of what the rule catches and what it lets pass.

      Exit code 1 for an unknown rule or category, or when a hook can't give its rules.
    `,
    examples: [
      ["One rule", "bridge-hooks rules git/push-force"],
      ["Those of a category", "bridge-hooks rules --category git"],
    ],
  });

  id = Option.String({ name: "ID", required: false });
  category = Option.String("--category", { description: "Only the rules whose ids begin with NAME/" });
  hooks = Option.String("--hooks", {
    description: "A folder of hooks, or the one above it (default: the hooks in this executable)",
  });
  json = Option.Boolean("--json", false, { description: "As JSON" });
  schema = Option.Boolean("--schema", false, { description: "Print the JSON Schema of --json" });

  async work(): Promise<number> {
    const { formatReportSchema } = await import("./report.ts");
    if (this.schema) {
      this.say(formatReportSchema());
      return 0;
    }
    const { identifyPolicy } = await import("../../operate/policy/identity.ts");
    const { runWithHookIsolation, printWarning } = await import("../terminal/terminal.ts");
    const { findHooks } = await import("../find-hooks.ts");
    const { collectRules, selectRules } = await import("./rules.ts");
    const { formatRule, formatRules } = await import("./text.ts");
    return runWithHookIsolation(async (output) => {
      const hooks = await findHooks(this.hooks);
      printWarning(hooks.unloaded);
      const { from, rules, problems } = await collectRules(hooks, process.cwd());
      for (const problem of problems) printWarning(problem);
      const selected = selectRules(rules, { id: this.id, category: this.category });
      if (this.json) {
        const policy = await identifyPolicy(hooks, process.cwd());
        output.write(`${JSON.stringify({ policy, from, rules: selected } satisfies RulesReport, null, 2)}\n`);
      } else if (this.id !== undefined) output.write(selected.map((rule) => formatRule(rule, output)).join("\n"));
      else output.write(formatRules(from, selected, output));
      return problems.length > 0 ? 1 : 0;
    });
  }
}
