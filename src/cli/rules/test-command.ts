import { Command, Option } from "clipanion";
import { UserCommand, type PolicyEffect } from "../terminal/command-options.ts";

export class RulesTestCommand extends UserCommand {
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
  hooks = Option.String("--hooks", {
    description: "A folder of hooks, or the one above it (default: the hooks in this executable)",
  });
  json = Option.Boolean("--json", false, { description: "As JSON" });
  schema = Option.Boolean("--schema", false, { description: "Print the JSON Schema of --json" });

  async work(): Promise<number> {
    const { formatReportSchema } = await import("./test-report.ts");
    if (this.schema) {
      this.say(formatReportSchema());
      return 0;
    }
    const { file } = this;
    if (file === undefined) throw new Error("rules test: name a config file; see bridge-hooks rules test --help");
    const { runWithHookIsolation, printWarning } = await import("../terminal/terminal.ts");
    const { findHooks } = await import("../find-hooks.ts");
    const { testRules } = await import("./test-rules.ts");
    const { formatTestReport } = await import("./test-text.ts");
    return runWithHookIsolation(async (output) => {
      const hooks = await findHooks(this.hooks);
      printWarning(hooks.unloaded);
      const report = await testRules(file, hooks, process.cwd());
      output.write(this.json ? `${JSON.stringify(report, null, 2)}\n` : formatTestReport(report, output));
      return report.ok ? 0 : 1;
    });
  }
}
