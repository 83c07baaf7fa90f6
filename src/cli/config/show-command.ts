import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareConfig, declareConfigScope, declareHooks, declareJson, declareSchema } from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

export class ConfigShowCommand extends HooksCommand {
  static override paths = [["config", "show"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Show the effective config for this directory.",
    details: formatDetails(
      [
        "Shows each hook's settings, the rules that config files set or add, exceptions, locks and trusted projects, as they apply in this directory.",
        "Values have no effect if they come from an untrusted project, are locked, or are less strict than a stronger file.",
      ],
      "Exits with 1 if a config file or a hook setting is invalid.",
    ),
    examples: [
      ["Show which line sets each value", "bridge-hooks config show --origin"],
      ["Show the effect of a new managed file", "bridge-hooks config show --config new.json"],
    ],
  });

  origin = Option.Boolean("--origin", false, {
    description: "Also show the file and line of each value, and values that have no effect",
  });
  hooks = declareHooks();
  override config = declareConfig();
  override configScope = declareConfigScope();
  override json = declareJson("Print JSON, including all origins");
  override schema = declareSchema();

  override loadSchema = async () => (await import("./report.ts")).ConfigShowReport;

  async work(): Promise<number> {
    const { showConfig } = await import("./show.ts");
    const { formatConfig } = await import("./text.ts");
    return this.runWithHooks(async (hooks, output) => {
      const report = await showConfig(hooks, process.cwd());
      if (this.json) output.write(`${formatJson(report)}\n`);
      else output.show(formatConfig(report, { ...output, showsOrigins: this.origin }));
      const isWrong =
        report.hooks.some(({ problem }) => problem !== undefined) ||
        report.files.some(({ findings }) => findings.some(({ level }) => level === "red"));
      return isWrong ? 1 : 0;
    });
  }
}
