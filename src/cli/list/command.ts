import { Command } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareConfig, declareConfigScope, declareHooks, declareJson, declareSchema } from "../terminal/options.ts";

export class ListCommand extends HooksCommand {
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

  hooks = declareHooks();
  override config = declareConfig();
  override configScope = declareConfigScope();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./report.ts")).ListReport;

  async work(): Promise<number> {
    const { listHooks } = await import("./list.ts");
    const { formatList, listRedFindings } = await import("./text.ts");
    return this.runWithHooks(async (hooks, output) => {
      const report = await listHooks(hooks, process.cwd());
      if (this.json) output.write(`${formatJson(report)}\n`);
      else output.show(formatList(report, output));
      const failing = report.hooks.some(({ problem }) => problem !== undefined);
      return failing || report.config.some((file) => listRedFindings(file).length > 0) ? 1 : 0;
    });
  }
}
