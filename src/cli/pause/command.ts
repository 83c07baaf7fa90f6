import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareManaged, declareReason } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class PauseCommand extends UserCommand {
  static override paths = [["pause"]];
  static policyEffect: PolicyEffect = { changes: "allows calls that the policy denies" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Suspend denials for a short time in an emergency.",
    details: formatDetails(
      [
        "TIME is at most eight hours, unless the managed config file sets another limit.",
        "During the pause, denials, questions and hook failures are logged but not sent to the host.",
        "Hooks that guard the policy itself, and rules that the managed file locks, still apply.",
      ],
      [
        "To confirm the pause, you type a random word in your own terminal, outside agents and editors.",
        "bridge-hooks allow revoke ends the pause early.",
      ],
    ),
    examples: [
      [
        "Suspend denials while you repair a hook",
        "bridge-hooks pause 10m --reason 'the hook of the new release fails'",
      ],
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
