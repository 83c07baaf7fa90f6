import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { formatCount } from "../../operate/text.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class LogDeleteCommand extends UserCommand {
  static override paths = [["log", "delete"]];
  static policyEffect: PolicyEffect = { changes: "deletes lines of the decision log" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Delete lines of the decision log, and recorded payloads, from before a date.",
    details: `
      What is older than log.retainDays goes by itself, a file at a time. A chain goes on: bridge-hooks log verify then begins with the first line that is left.
    `,
    examples: [["All of last year", "bridge-hooks log delete --before 2026-01-01"]],
  });

  before = Option.String("--before", { description: "A date, or 30m, 24h, 7d: what is older goes" });

  async work(): Promise<number> {
    if (this.before === undefined)
      throw new Error(`log delete: name a date with --before; see ${getOwnCommand()} log delete --help`);
    const { parseTime } = await import("../../operate/log/select-lines.ts");
    const { deleteLines } = await import("../../operate/log/delete-lines.ts");
    const count = await deleteLines(process.env, parseTime(this.before, "--before"));
    this.say(`${formatCount(count, "line was", "lines were")} deleted`);
    return 0;
  }
}
