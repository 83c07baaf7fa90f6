import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { formatCount } from "../../operate/text.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class LogDeleteCommand extends UserCommand {
  static override paths = [["log", "delete"]];
  static policyEffect: PolicyEffect = { changes: "deletes lines from the decision log" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Delete old lines of the decision log and old recorded payloads.",
    details: formatDetails([
      "Lines older than log.retainDays are deleted automatically, one file at a time.",
      "A chain stays valid: bridge-hooks log verify then starts at the first remaining line.",
    ]),
    examples: [["Delete everything before 2026", "bridge-hooks log delete --before 2026-01-01"]],
  });

  before = Option.String("--before", { description: "Delete lines older than this date or age: 30m, 24h, 7d" });

  async work(): Promise<number> {
    if (this.before === undefined)
      throw new Error(`log delete: pass a date with --before; see ${getOwnCommand()} log delete --help`);
    const { parseTime } = await import("../../operate/log/select-lines.ts");
    const { deleteLines } = await import("../../operate/log/delete-lines.ts");
    const count = await deleteLines(process.env, parseTime(this.before, "--before"));
    this.say(`${formatCount(count, "line was", "lines were")} deleted`);
    return 0;
  }
}
