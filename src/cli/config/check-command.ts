import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareConfigFiles, declareHooks, declareJson, declareSchema, parseConfigScope } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class ConfigCheckCommand extends HooksCommand {
  static override paths = [["config", "check"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Check config files before they are in their places.",
    details: `
      Says with line and column what is wrong in each FILE: what does not parse, keys, hooks and settings that there are not, values that a hook refuses, rules and
      exceptions that are void, locks that fit nothing, and what is there twice. Then the examples of the rules that the file adds are run, as by rules test. No other config
      file counts.

      Exit code 0 when nothing is wrong, 1 when something is, or a file can't be read. Notes are not wrong.
    `,
    examples: [["Before a fleet gets it", "bridge-hooks config check managed/config.json"]],
  });

  files = Option.Rest();
  configFiles = declareConfigFiles();
  scope = Option.String("--scope", {
    description:
      "Whose files they are: managed, project or user (default: project for .bridge-hooks.json, else managed)",
  });
  hooks = declareHooks();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./check-report.ts")).ConfigCheckReport;

  async work(): Promise<number> {
    const files = [...this.files, ...this.configFiles];
    if (files.length === 0)
      throw new Error(`config check: name a config file; see ${getOwnCommand()} config check --help`);
    const scope = this.scope === undefined ? undefined : parseConfigScope(this.scope);
    const { checkConfigFiles } = await import("./check.ts");
    const { formatCheckReport } = await import("./check-text.ts");
    return this.runWithHooks(async (hooks, output) => {
      const report = await checkConfigFiles(files, scope, hooks, process.cwd());
      if (this.json) output.write(`${formatJson(report)}\n`);
      else output.show(formatCheckReport(report, output.paint));
      return report.ok ? 0 : 1;
    });
  }
}
