import { Command, Option } from "clipanion";
import type { PolicyEffect } from "../terminal/command.ts";
import { formatDetails } from "../terminal/details.ts";

/** Provides only the help, because main.ts handles `serve` before loading the commands. */
export class ServeCommand extends Command {
  static override paths = [["serve"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "host",
    description: "Answer many calls in one process, for hosts that run plugins instead of commands.",
    details: formatDetails([
      "The plugin that install writes starts this process.",
      "Reads one JSON document per line from stdin: {id, argv, payload}, where argv contains the call's flags and payload contains the host's event.",
      "Writes {id, exit_code, stderr, answer} to stdout, where answer is the output of a normal call.",
      "Calls run concurrently, and answers may come in any order.",
      "Exits when stdin or stdout closes, or when the executable is replaced.",
    ]),
    examples: [["Answer all calls of a host", "bridge-hooks serve --host ID"]],
  });

  flags = Option.Proxy();

  async execute(): Promise<number> {
    return 1;
  }
}
