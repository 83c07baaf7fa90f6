import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareJson } from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

export class ReportCommand extends UserCommand {
  static override paths = [["report"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "operate",
    description: "Write an HTML report of decisions and coverage.",
    details: formatDetails(
      [
        "Prints each machine's coverage: hosts with entries in force, hosts whose entries have drifted, and hosts in the log without entries.",
      ],
      [
        "Also writes an HTML file without scripts or external resources.",
        "The file shows denials, questions and withheld decisions over time, by host, hook, rule and project.",
        "The file also shows each host's last denial, calls that a mode let through, and calls that may have been stopped unnecessarily.",
        "The file contains commands and paths from the log, so only its owner can read it (0600).",
        "Test calls by doctor and smoke tests aren't counted.",
      ],
    ),
    examples: [
      ["Report on the last week", "bridge-hooks report"],
      ["Print a month's figures as JSON", "bridge-hooks report --since 30d --json"],
      ["Report on the logs of two machines", "bridge-hooks report --log anna=anna/decisions.jsonl --log ben=ben/"],
    ],
  });

  since = Option.String("--since", "7d", { description: "Period: 24h, 7d (default), 4w, or a date" });
  out = Option.String("--out", {
    description: "Output file (default: report.html in the state directory); replaces an earlier report",
  });
  log = Option.Array("--log", {
    description: "Read another machine's log instead: NAME=PATH, where PATH is a file or directory; may be repeated",
  });
  json = declareJson("Print the figures as JSON instead of writing a page");

  async work(): Promise<number> {
    const { COMPILED_HOOKS } = await import("../find-hooks.ts");
    const { parseTime } = await import("../../operate/log/select-lines.ts");
    const { runWithHookIsolation } = await import("../terminal/terminal.ts");
    const { createInstallContext } = await import("../../operate/machine/install-context.ts");
    const { formatJson } = await import("../../operate/text.ts");
    const { createCurrentPolicy } = await import("../explain/explain.ts");
    const { collectReport, parseNamedLog } = await import("../../operate/report/report.ts");
    const since = parseTime(this.since, "--since");
    return runWithHookIsolation(async (output) => {
      const currentPolicy = createCurrentPolicy(COMPILED_HOOKS);
      const context = await createInstallContext();
      const { findConfigFaults } = await import("../doctor/config-faults.ts");
      const namedLogs = (this.log ?? []).map(parseNamedLog);
      const order = {
        since,
        logs: namedLogs,
        findFaults: async () => {
          const faults = await findConfigFaults(context);
          return new Map([...faults].map(([host, findings]) => [host, findings.map(({ what }) => what)]));
        },
        env: process.env,
        version: pkg.version,
      };
      const report = await collectReport(order, currentPolicy, context);
      if (this.json) output.write(`${formatJson(report)}\n`);
      else {
        const { writeDefaultPage, writePage } = await import("../../operate/report/write-page.ts");
        const { formatReport } = await import("./text.ts");
        const file = this.out === undefined ? writeDefaultPage(process.env, report) : writePage(this.out, report);
        const result = file ?? "no page was written, because the state directory can't be created";
        const hint = this.out === undefined ? "to write the page elsewhere: --out FILE\n" : "";
        output.say(`${formatReport(report, output.width)}\n\n${result}\n${hint}`);
      }
      return 0;
    });
  }
}
