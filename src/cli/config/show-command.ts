import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareHooks, declareJson, declareSchema } from "../terminal/options.ts";

export class ConfigShowCommand extends HooksCommand {
  static override paths = [["config", "show"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Show what the config files come to here.",
    details: `
      Each hook's settings, the rules that files set or add, exceptions, locks and trusted projects, as a call in this folder gets them. With --origin also which
      line of which file says each of them, what it overrides, and what has no effect: of a project that is not trusted, locked, or looser than a stronger file. The JSON
      always has that.

      Exit code 1 when a config file, or what it sets for a hook, is wrong.
    `,
    examples: [["Which line says what", "bridge-hooks config show --origin"]],
  });

  origin = Option.Boolean("--origin", false, { description: "Which file and line says it, and what has no effect" });
  hooks = declareHooks();
  override json = declareJson("As JSON, with all origins");
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
