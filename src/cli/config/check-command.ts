import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareConfigFiles, declareHooks, declareJson, declareSchema, parseConfigScope } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class ConfigCheckCommand extends HooksCommand {
  static override paths = [["config", "check"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Validate config files before you install them.",
    details: formatDetails(
      [
        "Reports problems in each FILE, with line and column: syntax errors, unknown keys, hooks and settings, invalid values and duplicates.",
        "Also reports rules and exceptions that have no effect, and locks that match nothing.",
        "Then runs the examples in the file's rules, as `rules test` does.",
        "Ignores all other config files.",
      ],
      "Exits with 1 if there are errors; notes count only with --strict.",
    ),
    examples: [["Check a managed config before rollout", "bridge-hooks config check managed/config.json"]],
  });

  files = Option.Rest();
  configFiles = declareConfigFiles();
  scope = Option.String("--scope", {
    description: "Treat the files as managed, project or user (default: project for .bridge-hooks.json, else managed)",
  });
  strict = Option.Boolean("--strict", false, { description: "Treat notes as errors" });
  hooks = declareHooks();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./check-report.ts")).ConfigCheckReport;

  async work(): Promise<number> {
    const files = [...this.files, ...this.configFiles];
    if (files.length === 0)
      throw new Error(`config check: pass a config file; see ${getOwnCommand()} config check --help`);
    const scope = this.scope === undefined ? undefined : parseConfigScope(this.scope);
    const { checkConfigFiles } = await import("./check.ts");
    const { formatCheckReport } = await import("./check-text.ts");
    return this.runWithHooks(async (hooks, output) => {
      const report = await checkConfigFiles(files, scope, hooks, process.cwd());
      if (this.json) output.write(`${formatJson(report)}\n`);
      else output.show(formatCheckReport(report, output.paint));
      const notes = report.files.flatMap(({ findings }) => findings.filter(({ level }) => level === "note"));
      return report.ok && !(this.strict && notes.length > 0) ? 0 : 1;
    });
  }
}
