import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareManaged, declareReason } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class AllowCommand extends UserCommand {
  static override paths = [["allow"]];
  static policyEffect: PolicyEffect = { changes: "allows calls that the policy denies" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Allow a denied call, or everything that a rule matches.",
    details: formatDetails(
      [
        "ID is a denied call's ID, or a prefix of it, as shown by bridge-hooks log and allow list.",
        "Only that exact call is allowed: its input, its directory, its link targets, and the contents of the files it reads or runs must be unchanged.",
        "--rule allows everything a rule matches.",
      ],
      [
        "Without --for, --until or --once, the exception covers one call and expires after a day.",
        "To confirm the exception, you type a random word in your own terminal, outside agents and editors.",
        "Rules that the managed config file locks, and rules that guard the policy itself, can't have exceptions.",
      ],
    ),
    examples: [
      ["Allow the last denied call once", "bridge-hooks allow --last --reason 'the branch is mine'"],
      [
        "Allow everything that a rule matches, for an hour",
        "bridge-hooks allow --rule git/push-force --for 1h --reason 'it was rebased'",
      ],
    ],
  });

  id = Option.String({ name: "ID", required: false });
  last = Option.Boolean("--last", false, { description: "Allow the newest denied call" });
  rule = Option.String("--rule", { description: "Allow everything that a rule matches, instead of a call" });
  once = Option.Boolean("--once", false, { description: "Expire after one tool call" });
  for = Option.String("--for", { description: "Expire after a duration, such as 10m, 1h or 7d" });
  until = Option.String("--until", { description: "Expire at the end of a date, or at a time with a time zone" });
  project = Option.Boolean("--project", false, {
    description: "Allow the call anywhere in this project, or limit the rule's exception to this project",
  });
  reason = declareReason();
  managed = declareManaged();

  async work(): Promise<number> {
    const { id, last, rule, reason } = this;
    if ([id !== undefined, last, rule !== undefined].filter(Boolean).length !== 1)
      throw new Error(`allow: pass an ID, --last or --rule; see ${getOwnCommand()} allow --help`);
    const { refuseMistypedCommand } = await import("./waiting-calls.ts");
    refuseMistypedCommand(id);
    const { createConfirmedException } = await import("./allow.ts");
    const { describeSubject } = await import("./text.ts");
    const record = await createConfirmedException({
      ...{ id, rule, reason: reason?.trim(), isInProject: this.project, isManaged: this.managed },
      duration: { once: this.once, for: this.for, until: this.until },
    });
    this.say(
      `${record.id}: ${describeSubject(record)} is allowed; to revoke the exception:\n  ${getOwnCommand()} allow revoke ${record.id}`,
    );
    return 0;
  }
}
