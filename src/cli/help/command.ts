import { Command, type Definition, Option } from "clipanion";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { formatCommandPage, getCommandName } from "./command-page.ts";
import { formatHostCallPage } from "./host-call.ts";
import { formatOverview } from "./overview.ts";
import type { PageLayout } from "../terminal/layout.ts";
import { describePage } from "./page.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

const HOST_CALL = "host-call";

export class HelpCommand extends UserCommand {
  static override paths = [["help"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "more",
    description: "Show help for all commands or for one command.",
    details: formatDetails(
      `TOPIC is a command, or ${HOST_CALL} for the flags and exit codes of the commands in host configs.`,
    ),
    examples: [["Explain the commands in host configs", "bridge-hooks help host-call"]],
  });

  topic = Option.Rest();

  async work(): Promise<number> {
    this.showText(formatHelp(this.topic.join(" "), this.cli.definitions(), describePage()).trimEnd());
    return 0;
  }
}

/** The command that prints help for `--help`, `-h`, or no arguments. */
export class HelpFlagCommand extends HelpCommand {
  static override paths = [["--help"], ["-h"], Command.Default];
  // Omit the usage, so that help appears only once in the list of commands.
  static override usage = undefined as unknown as typeof HelpCommand.usage;
  override topic: string[] = [];
}

/**
 * Formats the help for a topic: a command, a command group such as "config", or the flags of a call.
 * @throws Error for an unknown topic.
 */
export function formatHelp(topic: string, commands: readonly Definition[], page: PageLayout): string {
  if (topic === "") return formatOverview(commands, page);
  if (topic === HOST_CALL) return formatHostCallPage(page);
  const command = commands.find((candidate) => getCommandName(candidate) === topic);
  if (command) return formatCommandPage(command, page);
  const members = commands.filter((candidate) => getCommandName(candidate).startsWith(`${topic} `));
  if (members.length > 0) return members.map((member) => formatCommandPage(member, page)).join("\n\n");
  const topics = [...commands.map(getCommandName), HOST_CALL];
  throw new Error(
    `unknown help topic "${topic}"${suggestName(topic, topics) || `; to list the commands: ${getOwnCommand()} help`}`,
  );
}
