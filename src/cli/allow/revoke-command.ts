import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class AllowRevokeCommand extends UserCommand {
  static override paths = [["allow", "revoke"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Revoke an exception or a pause.",
    details:
      "Takes effect on the next call. Anyone may revoke an exception, because that only makes the policy stricter.",
    examples: [["Revoke everything", "bridge-hooks allow revoke --all"]],
  });

  id = Option.String({ name: "ID", required: false });
  all = Option.Boolean("--all", false, { description: "Revoke every exception" });

  async work(): Promise<number> {
    const { id, all } = this;
    if ((id === undefined) === !all)
      throw new Error(
        `allow revoke: pass an ID from ${getOwnCommand()} allow list, or --all; see ${getOwnCommand()} allow revoke --help`,
      );
    const { removeExceptions } = await import("./make.ts");
    const { loadExceptions } = await import("../../call/exceptions/record.ts");
    const { logChange } = await import("./log-change.ts");
    const { records } = loadExceptions();
    const isSelected = (record: { id: string }) => all || record.id === id;
    const removedIds = removeExceptions(isSelected);
    if (removedIds.length === 0 && !all)
      throw new Error(`allow revoke: no exception "${id}"; to list them: ${getOwnCommand()} allow list`);
    for (const record of records.filter(isSelected)) await logChange("revoke", record);
    this.say(
      removedIds.length === 0
        ? "No exceptions to revoke."
        : removedIds.map((removedId) => `${removedId}: revoked`).join("\n"),
    );
    return 0;
  }
}
