import { Command } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareConfig, declareConfigScope, declareHooks, declareJson, declareSchema } from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

export class ListCommand extends HooksCommand {
  static override paths = [["list"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "List your hooks and the settings that apply to them in this directory.",
    details: formatDetails(
      [
        "Shows each hook's events, tools and options. For each option, shows the type, the value, and the file that sets the value.",
        "Also shows settings that have no effect because no hook has them, a file locks them, or the project isn't trusted.",
      ],
      "Exits with 1 if a config file or a hook setting is invalid.",
    ),
    examples: [["Print everything as JSON", "bridge-hooks list --json"]],
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
      const hasFailingHook = report.hooks.some(({ problem }) => problem !== undefined);
      return hasFailingHook || report.config.some((file) => listRedFindings(file).length > 0) ? 1 : 0;
    });
  }
}
