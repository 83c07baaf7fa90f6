import { Command, Option } from "clipanion";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatJson } from "../../operate/text.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import {
  declareHooks,
  declareHosts,
  declareJson,
  declareSchema,
  HOST_IDS,
  parseConfigScope,
  requireHosts,
} from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

/** The exit codes, which are the same as for `diff`. */
const EXIT_CODES = { same: 0, different: 1, trouble: 2 };

export class ConfigDiffCommand extends HooksCommand {
  static override paths = [["config", "diff"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Compare two config files and their decisions on past calls.",
    details: formatDetails(
      [
        "A and B are config files, - for stdin, or current for the installed file.",
        "If only one file is given, it is compared with the installed file.",
        "Both are treated as the managed file, or as the file that --scope names; the other config files apply as usual.",
      ],
      [
        "Shows the settings that differ, and the past calls that B would decide differently, grouped by rule with one example each.",
        "Past calls come from the hosts' own records on this machine, or from the decision log for hosts without records.",
        "Only pure hooks are run.",
      ],
      "Exits with 0 if nothing differs, 1 if something does, and 2 if a file is invalid or unreadable.",
    ),
    examples: [
      ["Show what a new managed file would change", "bridge-hooks config diff new.json"],
      ["Compare your own config", "bridge-hooks config diff current mine.json --scope user"],
      ["Compare two policies", "bridge-hooks config diff old.json new.json"],
    ],
  });

  files = Option.Rest({ name: "FILE" });
  scope = Option.String("--scope", {
    description: "Treat both files as managed, project or user (default: by path, else managed)",
  });
  history = Option.Boolean("--history", true, {
    description: "Replay past calls (default); --no-history disables it",
  });
  since = Option.String("--since", "30d", {
    description: "Replay calls from the last 30d (default) or 12h, since a date, or all",
  });
  host = declareHosts(`Only replay calls of this host: ${HOST_IDS}`);
  hooks = declareHooks();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./diff-report.ts")).ConfigDiffReport;

  async work(): Promise<number> {
    const { parseSince } = await import("../replay/history/since.ts");
    const { CURRENT_FILE_NAME, diffConfigs, hasDifferences } = await import("./diff.ts");
    const { formatConfigDiff } = await import("./diff-text.ts");
    const { printWarning } = await import("../terminal/terminal.ts");
    const [first, second, ...more] = this.files;
    if (first === undefined || more.length > 0)
      throw new Error(`config diff: pass one or two config files; see ${getOwnCommand()} config diff --help`);
    const order = {
      ...(second === undefined ? { a: CURRENT_FILE_NAME, b: first } : { a: first, b: second }),
      scope: this.scope === undefined ? undefined : parseConfigScope(this.scope),
      hosts: requireHosts(this.host),
      ...(this.history && { since: parseSince(this.since) }),
    };
    return this.runWithHooks(async (hooks, output) => {
      try {
        const report = await diffConfigs(order, hooks);
        if (this.json) output.write(`${formatJson(report)}\n`);
        else output.show(formatConfigDiff(report, output));
        return hasDifferences(report) ? EXIT_CODES.different : EXIT_CODES.same;
      } catch (error) {
        printWarning((error as Error).message);
        return EXIT_CODES.trouble;
      }
    });
  }
}
