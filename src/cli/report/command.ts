import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareJson } from "../terminal/options.ts";

/** The default output file. */
const DEFAULT_FILE = "bridge-hooks-report.html";

export class ReportCommand extends UserCommand {
  static override paths = [["report"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "operate",
    description: "Write a page about what was decided, and where hooks are in force.",
    details: `
      First the coverage: which hosts of which machine have entries in force, which have drifted, and which were seen in the log without entries. Then one HTML file that loads nothing and
      runs no script: what was denied, asked and withheld over time, by host, hook, rule and project; what was perhaps stopped without need; when each host was last told a denial. It
      shows commands and paths as the log has them, and only its owner may read it (0600). Calls that doctor or a smoke test made are not counted.
    `,
    examples: [
      ["The last week", "bridge-hooks report"],
      ["A month, for a program", "bridge-hooks report --since 30d --json"],
      ["Logs of two machines", "bridge-hooks report --log anna=anna/decisions.jsonl --log ben=ben/"],
    ],
  });

  since = Option.String("--since", "7d", { description: "24h, 7d (default), 4w, or a date" });
  out = Option.String("--out", DEFAULT_FILE, {
    description: `The file (default: ${DEFAULT_FILE}); an earlier report is replaced`,
  });
  log = Option.Array("--log", {
    description: "NAME=PATH: the log of a machine in place of this one's, a file or its folder; again for more",
  });
  json = declareJson("Print the figures as JSON, and write no page");

  async work(): Promise<number> {
    const { COMPILED_HOOKS } = await import("../find-hooks.ts");
    const { parseTime } = await import("../../operate/log/select-lines.ts");
    const { runWithHookIsolation } = await import("../terminal/terminal.ts");
    const { createInstallContext } = await import("../../operate/machine/install-context.ts");
    const { formatJson } = await import("../../operate/text.ts");
    const { createTodaysPolicy } = await import("../explain/explain.ts");
    const { collectReport, parseNamedLog } = await import("../../operate/report/report.ts");
    const since = parseTime(this.since, "--since");
    return runWithHookIsolation(async (output) => {
      const today = createTodaysPolicy(COMPILED_HOOKS);
      const context = await createInstallContext();
      const { findConfigFaults } = await import("../doctor/config-faults.ts");
      const logs = (this.log ?? []).map(parseNamedLog);
      const order = {
        since,
        logs,
        findFaults: () => findConfigFaults(context),
        env: process.env,
        version: pkg.version,
      };
      const report = await collectReport(order, today, context);
      if (this.json) output.write(`${formatJson(report)}\n`);
      else {
        const { writePage } = await import("../../operate/report/write-page.ts");
        const { formatReport } = await import("./text.ts");
        const file = writePage(this.out, report);
        output.say(`${formatReport(report, output.width)}\n\n${file}\n`);
      }
      return 0;
    });
  }
}
