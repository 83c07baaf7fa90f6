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

/** Exit codes with the same meaning as those of diff. */
const EXIT_CODES = { same: 0, different: 1, trouble: 2 };

export class ConfigDiffCommand extends HooksCommand {
  static override paths = [["config", "diff"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Show what another config file would decide otherwise.",
    details: `
      A and B are config files, - for stdin, or current for the file that is in place; with one file, that is compared with the current one. Both are judged as if
      they stood in the same place: the managed one, or the one that --scope names. The other config files count as they are, and nothing is written.

      Shown are the settings that differ, and what becomes of calls of the past: those in the hosts' own records on this machine, and for hosts without records
      those in the decision log. Only hooks that are declared pure are asked. By rule it is counted what B decides otherwise, with an example each.

      Exit code 0 when nothing differs, 1 when something does, 2 when a file is wrong or can't be read.
    `,
    examples: [
      ["What a new managed file would change", "bridge-hooks config diff new.json"],
      ["Your own", "bridge-hooks config diff current mine.json --scope user"],
      ["Two policies", "bridge-hooks config diff old.json new.json"],
    ],
  });

  files = Option.Rest({ name: "FILE" });
  scope = Option.String("--scope", {
    description: "Whose file both stand for: managed, project or user (default: as their paths say, else managed)",
  });
  history = Option.Boolean("--history", true, {
    description: "Judge calls of the past (default); --no-history: don't",
  });
  since = Option.String("--since", "30d", { description: "How far back: 30d (default), 12h, a date, or all" });
  host = declareHosts(`Only the calls of this host: ${HOST_IDS}`);
  hooks = declareHooks();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./diff-report.ts")).ConfigDiffReport;

  async work(): Promise<number> {
    const { parseSince } = await import("../replay/history/since.ts");
    const { CURRENT, diffConfigs, isDifferent } = await import("./diff.ts");
    const { formatConfigDiff } = await import("./diff-text.ts");
    const { printWarning } = await import("../terminal/terminal.ts");
    const [first, second, ...more] = this.files;
    if (first === undefined || more.length > 0)
      throw new Error(`config diff: name one or two config files; see ${getOwnCommand()} config diff --help`);
    const order = {
      ...(second === undefined ? { a: CURRENT, b: first } : { a: first, b: second }),
      scope: this.scope === undefined ? undefined : parseConfigScope(this.scope),
      hosts: requireHosts(this.host),
      ...(this.history && { since: parseSince(this.since) }),
    };
    return this.runWithHooks(async (hooks, output) => {
      try {
        const report = await diffConfigs(order, hooks);
        if (this.json) output.write(`${formatJson(report)}\n`);
        else output.show(formatConfigDiff(report, output));
        return isDifferent(report) ? EXIT_CODES.different : EXIT_CODES.same;
      } catch (error) {
        printWarning((error as Error).message);
        return EXIT_CODES.trouble;
      }
    });
  }
}
