import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareManaged, declareReason } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class AllowCommand extends UserCommand {
  static override paths = [["allow"]];
  static policyEffect: PolicyEffect = { changes: "allows calls that the policy denies" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Allow a denied call, or everything that a rule matches.",
    details: `
      ID is the ID of a denied call, or a prefix of it, as shown by bridge-hooks log and allow list. Only that exact call is allowed: the same input in the same directory, the same
      link targets, and the same contents of the files that it reads or runs. --rule allows everything that a rule matches, everywhere or only in this project.

      Without --for, --until and --once, the exception covers one call and expires after a day. You confirm it by typing a random word in your own terminal, outside agents and editors.
      Rules locked by the managed config file, and those that guard the policy itself, can't be excepted.
    `,
    examples: [
      ["Allow the last denied call once", "bridge-hooks allow --last --reason 'the branch is mine'"],
      ["Allow a rule for an hour", "bridge-hooks allow --rule git/push-force --for 1h --reason 'it was rebased'"],
    ],
  });

  id = Option.String({ name: "ID", required: false });
  last = Option.Boolean("--last", false, { description: "Allow the newest denied call" });
  rule = Option.String("--rule", { description: "Allow a rule instead of a call" });
  once = Option.Boolean("--once", false, { description: "Expire after one tool call" });
  for = Option.String("--for", { description: "Expire after a duration: 10m, 1h, 7d" });
  until = Option.String("--until", { description: "Expire at the end of a date, or at a time with its time zone" });
  project = Option.Boolean("--project", false, {
    description: "Allow the call in any directory of this project, or the rule only in this project",
  });
  reason = declareReason();
  managed = declareManaged();

  async work(): Promise<number> {
    const { id, last, rule, reason } = this;
    if ([id !== undefined, last, rule !== undefined].filter(Boolean).length !== 1)
      throw new Error(`allow: pass an ID, --last or --rule; see ${getOwnCommand()} allow --help`);
    const { refuseMistypedCommand } = await import("./waiting-calls.ts");
    refuseMistypedCommand(id);
    const { allowOnPurpose } = await import("./allow.ts");
    const { describeSubject } = await import("./text.ts");
    const record = await allowOnPurpose({
      ...{ id, rule, reason: reason?.trim(), isInProject: this.project, isManaged: this.managed },
      duration: { once: this.once, for: this.for, until: this.until },
    });
    this.say(
      `${record.id}: ${describeSubject(record)} passes; to revoke it:\n  ${getOwnCommand()} allow revoke ${record.id}`,
    );
    return 0;
  }
}
