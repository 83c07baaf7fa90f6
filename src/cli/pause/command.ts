import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareManaged, declareReason } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class PauseCommand extends UserCommand {
  static override paths = [["pause"]];
  static policyEffect: PolicyEffect = { changes: "lets calls pass that the policy denies" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Let everything pass that hooks deny, for a short time: for an emergency.",
    details: `
      TIME is at most eight hours, or what the managed config file allows. Denials, questions and failures of hooks are withheld for it, and logged; what guards the policy itself, and what the managed file
      locks, still holds. A person confirms it by a random word, in a terminal outside of agents and editors. bridge-hooks allow revoke ends it early.
    `,
    examples: [
      ["While a hook is being repaired", "bridge-hooks pause 10m --reason 'the hook of the new release fails'"],
    ],
  });

  time = Option.String({ name: "TIME" });
  reason = declareReason();
  managed = declareManaged();

  async work(): Promise<number> {
    const { pauseHooks } = await import("./pause.ts");
    const { formatTime } = await import("../../operate/log/describe.ts");
    const { id, until } = await pauseHooks(this.time, this.reason?.trim(), this.managed ? "managed" : "user");
    this.say(`${id}: paused until ${formatTime(until)}; to end it:\n  ${getOwnCommand()} allow revoke ${id}`);
    return 0;
  }
}
