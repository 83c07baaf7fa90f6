import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareJson } from "../terminal/options.ts";

/** Where the page goes without --out. */
const DEFAULT_FILE = "bridge-hooks-report.html";

export class ReportCommand extends UserCommand {
  static override paths = [["report"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "operate",
    description: "Write a page about what was decided, and where hooks are in force.",
    details: `
      One HTML file that loads nothing and runs no script: what was denied, asked and withheld over time, by host, hook, rule and project; what was perhaps stopped without need; which
      hosts call this executable, and when each was last told a denial. It shows commands and paths as the log has them, and only its owner may read it (0600).
    `,
    examples: [
      ["The last week", "bridge-hooks report"],
      ["A month, for a program", "bridge-hooks report --since 30d --json"],
    ],
  });

  since = Option.String("--since", "7d", { description: "24h, 7d (default), 4w, or a date" });
  out = Option.String("--out", DEFAULT_FILE, {
    description: `The file (default: ${DEFAULT_FILE}); an earlier report is replaced`,
  });
  json = declareJson("Print the figures as JSON, and write no page");

  async work(): Promise<number> {
    const { COMPILED_HOOKS } = await import("../find-hooks.ts");
    const { parseTime } = await import("../../operate/log/select-lines.ts");
    const { runWithHookIsolation } = await import("../terminal/terminal.ts");
    const { createInstallContext } = await import("../../operate/machine/install-context.ts");
    const { formatJson } = await import("../../operate/text.ts");
    const { createTodaysPolicy } = await import("../explain/explain.ts");
    const { collectReport } = await import("../../operate/report/report.ts");
    const since = parseTime(this.since, "--since");
    return runWithHookIsolation(async (output) => {
      const today = createTodaysPolicy(COMPILED_HOOKS);
      const report = await collectReport(since, today, createInstallContext(), {
        env: process.env,
        version: pkg.version,
      });
      if (this.json) output.write(`${formatJson(report)}\n`);
      else {
        const { writePage } = await import("../../operate/report/write-page.ts");
        output.write(`${writePage(this.out, report)}\n`);
      }
      return 0;
    });
  }
}
