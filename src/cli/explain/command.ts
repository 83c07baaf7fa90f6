import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { type PolicyEffect, HooksCommand } from "../terminal/command.ts";
import { declareConfig, declareConfigScope, declareHooks, declareJson } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class ExplainCommand extends HooksCommand {
  static override paths = [["explain"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Explain a decision: rule, matched words, settings, hosts' answers, and how to allow it.",
    details: formatDetails(
      [
        "Without arguments, explains the last denial in this project or, if this project has none, in any project.",
        "ID is the ID of a line in bridge-hooks log, or a prefix of that ID.",
        "A shell command, given instead of the ID or with --command, is explained without running it.",
      ],
      ["The call itself comes from the log.", "Rules, settings and the hosts' answers are current."],
      "Exits with 1 if the log has no such line.",
    ),
    examples: [
      ["Explain the last denial", "bridge-hooks explain"],
      ["Check a command before running it", "bridge-hooks explain 'git push --force'"],
    ],
  });

  id = Option.String({ name: "ID", required: false });
  last = Option.Boolean("--last", false, { description: "Explain the newest decision" });
  command = Option.String("--command", { description: "Explain a shell command instead of a log line" });
  hooks = declareHooks();
  override config = declareConfig();
  override configScope = declareConfigScope();
  override json = declareJson();

  async work(): Promise<number> {
    if ([this.id, this.last || undefined, this.command].filter((subject) => subject !== undefined).length > 1)
      throw new Error(
        `explain: pass only one of ID, LINE, --last and --command; see ${getOwnCommand()} explain --help`,
      );
    // IDs contain no spaces.
    const [id, command] = /\s/.test(this.id ?? "") ? [undefined, this.id] : [this.id, this.command];
    if (id?.includes("/"))
      throw new Error(`explain: "${id}" is not the ID of a log line; to show a rule: ${getOwnCommand()} rules ${id}`);
    const { hideSecretsIn } = await import("../../call/log/redact.ts");
    const { explainEvent, explainLine } = await import("./explain.ts");
    const { formatExplanation } = await import("./text.ts");
    const { findLine } = await import("../../operate/log/select-lines.ts");
    const { requireLastDenial } = await import("./last-denial.ts");
    const { parseTypedEvent } = await import("../try/typed-event.ts");
    const event = command === undefined ? undefined : parseTypedEvent({ command, path: [] });
    const hasLineOption = id !== undefined || this.last;
    const lastDenial = event || hasLineOption ? undefined : await requireLastDenial();
    const line = hasLineOption ? findLine(process.env, id, { skipped: 0 }) : lastDenial?.line;
    const { noteIgnoredParts } = await import("../terminal/ignored-parts.ts");
    return this.runWithHooks(async (hooks, output) => {
      if (command !== undefined) await noteIgnoredParts(hooks, process.cwd());
      const explanation = await hideSecretsIn(
        line ? await explainLine(line, hooks) : await explainEvent(event as NonNullable<typeof event>, hooks, command),
      );
      const result = lastDenial ? { chosen: lastDenial.chosen, ...explanation } : explanation;
      if (this.json) output.write(`${formatJson(result)}\n`);
      else output.show(formatExplanation(result, output));
      return 0;
    });
  }
}
