import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class AllowRevokeCommand extends UserCommand {
  static override paths = [["allow", "revoke"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Take back an exception, or a pause.",
    details: "It holds from the next call on. Anybody may do that: it only makes the policy stricter.",
    examples: [["All of them", "bridge-hooks allow revoke --all"]],
  });

  id = Option.String({ name: "ID", required: false });
  all = Option.Boolean("--all", false, { description: "Every exception" });

  async work(): Promise<number> {
    const { id, all } = this;
    if ((id === undefined) === !all)
      throw new Error(
        `allow revoke: name an ID of ${getOwnCommand()} allow list, or --all; see ${getOwnCommand()} allow revoke --help`,
      );
    const { removeExceptions } = await import("./make.ts");
    const { loadExceptions } = await import("../../call/exceptions/record.ts");
    const { logChange } = await import("./log-change.ts");
    const { records } = loadExceptions();
    const isMeant = (record: { id: string }) => all || record.id === id;
    const removed = removeExceptions(isMeant);
    if (removed.length === 0 && !all)
      throw new Error(`allow revoke: there is no exception "${id}"; ${getOwnCommand()} allow list shows them`);
    for (const record of records.filter(isMeant)) await logChange("revoke", record);
    this.say(
      removed.length === 0 ? "No exception to take back." : removed.map((one) => `${one}: taken back`).join("\n"),
    );
    return 0;
  }
}
