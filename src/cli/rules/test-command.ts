import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareConfigFiles, declareHooks, declareJson, declareSchema } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class RulesTestCommand extends HooksCommand {
  static override paths = [["rules", "test"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Validate a config file's rules and exceptions, and run the rules' examples.",
    details: formatDetails(
      [
        "FILE is an installed or proposed config file of any scope.",
        "Reports errors in the file, with line and column, like config check.",
        "Then runs the examples of the file's rules: a rule must match all `deny` examples and no `allow` example.",
        "Nothing is executed, and all other config files are ignored.",
      ],
      "Exits with 1 if there are errors or failed examples.",
    ),
    examples: [["Test a config file before rollout", "bridge-hooks rules test config.json"]],
  });

  file = Option.String({ name: "FILE", required: false });
  configFiles = declareConfigFiles();
  hooks = declareHooks();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./test-report.ts")).RuleTestReport;

  async work(): Promise<number> {
    const [file, ...more] = [this.file ?? [], this.configFiles].flat();
    if (more.length > 0) throw new Error("rules test: pass exactly one config file");
    if (file === undefined) throw new Error(`rules test: pass a config file; see ${getOwnCommand()} rules test --help`);
    const { testRules } = await import("./test-file.ts");
    const { formatTestReport } = await import("./test-text.ts");
    return this.runWithHooks(async (hooks, output) => {
      const report = await testRules(file, hooks, process.cwd());
      if (this.json) output.write(`${formatJson(report)}\n`);
      else output.show(formatTestReport(report, output));
      return report.ok ? 0 : 1;
    });
  }
}
