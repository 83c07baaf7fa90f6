import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareManaged, declareReason } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class AllowCommand extends UserCommand {
  static override paths = [["allow"]];
  static policyEffect: PolicyEffect = { changes: "lets calls pass that the policy denies" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Let a denied call, or a rule, pass on purpose.",
    details: `
      ID is that of a denied call, as bridge-hooks log and allow list show it, or its beginning; --last is the newest. It lets that very call pass: the same input in the same folder, the same
      files behind its links, the same contents of what it reads or runs. --rule allows what a rule catches, everywhere, or in this project.

      Without --for and --until it ends after a day, and without any of the three it is for one call. A person confirms it by a random word, in a terminal that a login, a terminal emulator, tmux or screen made, outside of
      agents and editors. Rules that the
      managed config file locks, and what guards the policy itself, take no exception.
    `,
    examples: [
      ["The call that was just denied, once", "bridge-hooks allow --last --reason 'the branch is mine'"],
      ["A rule, for an hour", "bridge-hooks allow --rule git/push-force --for 1h --reason 'it was rebased'"],
    ],
  });

  id = Option.String({ name: "ID", required: false });
  last = Option.Boolean("--last", false, { description: "The newest denied call" });
  rule = Option.String("--rule", { description: "A rule instead of a call" });
  once = Option.Boolean("--once", false, { description: "For one call of a tool" });
  for = Option.String("--for", { description: "For a time: 10m, 1h, 7d" });
  until = Option.String("--until", { description: "Until the end of a day, or a time with its zone" });
  project = Option.Boolean("--project", false, {
    description: "The call in any folder of this project; the rule in this project alone",
  });
  reason = declareReason();
  managed = declareManaged();

  async work(): Promise<number> {
    const { id, last, rule, reason } = this;
    if ([id !== undefined, last, rule !== undefined].filter(Boolean).length !== 1)
      throw new Error(`allow: name an ID, --last or --rule; see ${getOwnCommand()} allow --help`);
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
