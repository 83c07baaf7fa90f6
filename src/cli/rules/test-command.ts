import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareConfigFiles, declareHooks, declareJson, declareSchema } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class RulesTestCommand extends HooksCommand {
  static override paths = [["rules", "test"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Check the rules and exceptions of a config file, and run its examples.",
    details: `
      FILE is a config file: the managed one, yours, a project's, or one that is not in its place yet. What is wrong in its rules and exceptions is said with line
      and column. Then the hooks run the examples of each rule that it adds: the rule has to catch those of \`deny\`, and none of \`allow\`. Nothing is executed,
      and no other config file counts.

      Exit code 1 when something is wrong, or an example is not as it should be.
    `,
    examples: [["Before a fleet gets it", "bridge-hooks rules test config.json"]],
  });

  file = Option.String({ name: "FILE", required: false });
  configFiles = declareConfigFiles();
  hooks = declareHooks();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./test-report.ts")).RuleTestReport;

  async work(): Promise<number> {
    const [file, ...more] = [this.file ?? [], this.configFiles].flat();
    if (more.length > 0) throw new Error("rules test: it takes one config file");
    if (file === undefined) throw new Error(`rules test: name a config file; see ${getOwnCommand()} rules test --help`);
    const { testRules } = await import("./test-rules.ts");
    const { formatTestReport } = await import("./test-text.ts");
    return this.runWithHooks(async (hooks, output) => {
      const report = await testRules(file, hooks, process.cwd());
      if (this.json) output.write(`${formatJson(report)}\n`);
      else output.show(formatTestReport(report, output));
      return report.ok ? 0 : 1;
    });
  }
}
