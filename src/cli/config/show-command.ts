import { Command, Option } from "clipanion";
import { UserCommand, type PolicyEffect } from "../terminal/command-options.ts";

export class ConfigShowCommand extends UserCommand {
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
  hooks = Option.String("--hooks", {
    description: "A folder of hooks, or the one above it (default: the hooks in this executable)",
  });
  json = Option.Boolean("--json", false, { description: "As JSON, with all origins" });
  schema = Option.Boolean("--schema", false, { description: "Print the JSON Schema of --json" });

  async work(): Promise<number> {
    const { formatReportSchema } = await import("./report.ts");
    if (this.schema) {
      this.say(formatReportSchema());
      return 0;
    }
    const { runWithHookIsolation, printWarning } = await import("../terminal/terminal.ts");
    const { findHooks } = await import("../find-hooks.ts");
    const { showConfig } = await import("./show.ts");
    const { formatConfig } = await import("./text.ts");
    return runWithHookIsolation(async (output) => {
      const hooks = await findHooks(this.hooks);
      printWarning(hooks.unloaded);
      const report = await showConfig(hooks, process.cwd());
      output.write(
        this.json
          ? `${JSON.stringify(report, null, 2)}\n`
          : formatConfig(report, { ...output, showsOrigins: this.origin }),
      );
      const isWrong =
        report.hooks.some(({ problem }) => problem !== undefined) ||
        report.files.some(({ findings }) => findings.some(({ level }) => level === "red"));
      return isWrong ? 1 : 0;
    });
  }
}
