import { Command, Option } from "clipanion";
import type { RulesReport } from "./report.ts";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareConfig, declareConfigScope, declareHooks, declareJson, declareSchema } from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

export class RulesCommand extends HooksCommand {
  static override paths = [["rules"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "List the rules that your hooks enforce in this directory.",
    details: formatDetails(
      [
        "Counts your hooks' rules per category, and lists the rules that config files add or change.",
        "NAME selects rules by category, by a word in the rule's ID, or by program.",
        "Denials quote the rule's ID: `[bridge-hooks git/push-force]`.",
        "If NAME is an ID, also shows the pattern, the advice, the files that add, set or lock the rule, the exceptions in force here, and examples.",
      ],
      "Exits with 1 for an unknown rule or category, or if a hook can't list its rules.",
    ),
    examples: [
      ["Show one rule", "bridge-hooks rules git/push-force"],
      ["List the rules of a category", "bridge-hooks rules git"],
      ["List the rules about force-pushing", "bridge-hooks rules force"],
    ],
  });

  name = Option.String({ name: "NAME", required: false });
  all = Option.Boolean("--all", false, { description: "List every rule" });
  category = Option.String("--category", { description: "Only list rules whose IDs begin with NAME/" });
  hooks = declareHooks();
  override config = declareConfig();
  override configScope = declareConfigScope();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./report.ts")).RulesReport;

  async work(): Promise<number> {
    const { identifyPolicy } = await import("../../operate/policy/identity.ts");
    const { printWarning } = await import("../terminal/terminal.ts");
    const { collectRules, selectRules } = await import("./rules.ts");
    const { formatRule, formatRules } = await import("./text.ts");
    const { formatSummary } = await import("./summary.ts");
    const { noteIgnoredParts } = await import("../terminal/ignored-parts.ts");
    return this.runWithHooks(async (hooks, output) => {
      await noteIgnoredParts(hooks, process.cwd());
      const { from, rules, problems } = await collectRules(hooks, process.cwd());
      for (const problem of problems) printWarning(problem);
      const selectedRules = selectRules(rules, { name: this.name, category: this.category });
      if (this.json) {
        const policy = await identifyPolicy(hooks, process.cwd());
        output.write(`${formatJson({ policy, from, rules: selectedRules } satisfies RulesReport)}\n`);
        return problems.length > 0 ? 1 : 0;
      }
      const isOneRule = new Set(selectedRules.map(({ id }) => id)).size === 1;
      if (this.name !== undefined && isOneRule)
        output.show(selectedRules.map((rule) => formatRule(rule, output)).join("\n"));
      else if (this.name === undefined && this.category === undefined && !this.all)
        output.show(formatSummary(from, selectedRules, output));
      else output.show(formatRules(from, selectedRules, output));
      return problems.length > 0 ? 1 : 0;
    });
  }
}
