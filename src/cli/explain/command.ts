import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { type PolicyEffect, HooksCommand } from "../terminal/command.ts";
import { declareConfig, declareConfigScope, declareHooks, declareJson } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class ExplainCommand extends HooksCommand {
  static override paths = [["explain"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description:
      "Explain a decision: which rule, which words, which settings, what hosts are told, and how to allow it.",
    details: `
      Without an argument the last denial is explained, of this project if it had one. ID is that of a line of bridge-hooks log, or its beginning; --last is the newest decision, whatever it
      was; --command is a shell line that was never run. What stands in the log is told as it was. Rules, settings, and what every host would be told, are those of today.

      Exit code 1 when there is no such line.
    `,
    examples: [
      ["The last denial", "bridge-hooks explain"],
      ["The newest decision", "bridge-hooks explain --last"],
      ["A line before it is run", "bridge-hooks explain --command 'git push --force'"],
    ],
  });

  id = Option.String({ name: "ID", required: false });
  last = Option.Boolean("--last", false, { description: "The newest decision" });
  command = Option.String("--command", { description: "A shell line, without the log" });
  hooks = declareHooks();
  override config = declareConfig();
  override configScope = declareConfigScope();
  override json = declareJson();

  async work(): Promise<number> {
    const { id, command } = this;
    if ([id !== undefined, this.last, command !== undefined].filter(Boolean).length > 1)
      throw new Error(
        `explain: ID, --last and --command LINE exclude each other; see ${getOwnCommand()} explain --help`,
      );
    const { hideSecretsIn } = await import("../../call/log/redact.ts");
    const { explainEvent, explainLine } = await import("./explain.ts");
    const { formatExplanation } = await import("./text.ts");
    const { findLine } = await import("../../operate/log/select-lines.ts");
    const { requireLastDenial } = await import("./last-denial.ts");
    const { parseTypedEvent } = await import("../try/typed-event.ts");
    const event = command === undefined ? undefined : parseTypedEvent({ command, path: [] });
    const isNamed = id !== undefined || this.last;
    const last = event || isNamed ? undefined : await requireLastDenial();
    const line = isNamed ? findLine(process.env, id, { skipped: 0 }) : last?.line;
    const { noteIgnoredParts } = await import("../terminal/ignored-parts.ts");
    return this.runWithHooks(async (hooks, output) => {
      if (command !== undefined) await noteIgnoredParts(hooks, process.cwd());
      const explanation = await hideSecretsIn(
        line ? await explainLine(line, hooks) : await explainEvent(event as NonNullable<typeof event>, hooks, command),
      );
      const shown = last ? { chosen: last.chosen, ...explanation } : explanation;
      if (this.json) output.write(`${formatJson(shown)}\n`);
      else output.show(formatExplanation(shown, output));
      return 0;
    });
  }
}
