import { Command, Option } from "clipanion";
import type { PolicyEffect } from "../terminal/command.ts";

/** Only provides the help, because main.ts handles `serve` before loading the commands. */
export class ServeCommand extends Command {
  static override paths = [["serve"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "host",
    description: "Answer many calls in one process, for hosts that run plugins instead of commands.",
    details:
      "The plugin that install writes starts it. One JSON document a line: {id, argv, payload} comes on stdin, where argv are flags of the call and payload is the host's event; {id, exit_code, stderr, answer} goes to stdout, where answer is what a call of its own would print. Many may be in flight; answers come as they are ready and are told apart by id. It ends when stdin does, when nobody reads its answers, and when another executable lies in its place.",
    examples: [["All calls of a host", "bridge-hooks serve --host ID"]],
  });

  flags = Option.Proxy();

  async execute(): Promise<number> {
    return 1;
  }
}
