import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { type PolicyEffect, HooksCommand } from "../terminal/command.ts";
import { declareHooks, declareJson } from "../terminal/options.ts";

export class ExplainCommand extends HooksCommand {
  static override paths = [["explain"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description:
      "Explain a decision: which rule, which words, which settings, what hosts are told, and how to allow it.",
    details: `
      ID is that of a line of bridge-hooks log, or its beginning; --last is the newest decision; --command is a shell line that was never run. What stands in the log is
      told as it was. Rules, settings, and what every host would be told, are those of today.

      Exit code 1 when there is no such line.
    `,
    examples: [
      ["The newest decision", "bridge-hooks explain --last"],
      ["A line before it is run", "bridge-hooks explain --command 'git push --force'"],
    ],
  });

  id = Option.String({ name: "ID", required: false });
  last = Option.Boolean("--last", false, { description: "The newest decision" });
  command = Option.String("--command", { description: "A shell line, without the log" });
  hooks = declareHooks();
  json = declareJson();

  async work(): Promise<number> {
    const { id, command } = this;
    if ([id !== undefined, this.last, command !== undefined].filter(Boolean).length !== 1)
      throw new Error(
        "explain: name an ID of bridge-hooks log, --last or --command LINE; see bridge-hooks explain --help",
      );
    const { hideSecretsIn } = await import("../../call/log/redact.ts");
    const { explainEvent, explainLine } = await import("./explain.ts");
    const { formatExplanation } = await import("./text.ts");
    const { findLine } = await import("../../operate/log/select-lines.ts");
    const { parseTypedEvent } = await import("../try/typed-event.ts");
    const event = command === undefined ? undefined : parseTypedEvent({ command, path: [] });
    const line = event ? undefined : findLine(process.env, id, { skipped: 0 });
    return this.runWithHooks(async (hooks, output) => {
      const explanation = await hideSecretsIn(
        line ? await explainLine(line, hooks) : await explainEvent(event as NonNullable<typeof event>, hooks, command),
      );
      output.write(this.json ? `${formatJson(explanation)}\n` : formatExplanation(explanation, output));
      return 0;
    });
  }
}
