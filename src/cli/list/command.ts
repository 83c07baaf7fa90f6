import { Command, Option } from "clipanion";
import { UserCommand, type PolicyEffect } from "../terminal/command-options.ts";

export class ListCommand extends UserCommand {
  static override paths = [["list"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Show your hooks, and what config files set for them here.",
    details: `
      The hooks in this executable, or those of the folder that --hooks names: what they want, their options with type, value and the file that says so, and what in those files
      has no effect: names that no hook has, and what is locked out or not trusted.

      Exit code 1 when a config file, or what it sets for a hook, is wrong.
    `,
    examples: [["With all that programs may want to know", "bridge-hooks list --json"]],
  });

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
    const { runWithHookIsolation, printWarning } = await import("../terminal/terminal.ts");
    const { findHooks } = await import("../find-hooks.ts");
    const { listHooks } = await import("./list.ts");
    const { formatList, listRedFindings } = await import("./text.ts");
    return runWithHookIsolation(async (output) => {
      const hooks = await findHooks(this.hooks);
      printWarning(hooks.unloaded);
      const report = await listHooks(hooks, process.cwd());
      output.write(this.json ? `${JSON.stringify(report, null, 2)}\n` : formatList(report, output));
      const failing = report.hooks.some(({ problem }) => problem !== undefined);
      return failing || report.config.some((file) => listRedFindings(file).length > 0) ? 1 : 0;
    });
  }
}
