import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { type PolicyEffect, HooksCommand } from "../terminal/command.ts";
import { declareConfig, declareConfigScope, declareHooks, declareJson } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";
import type { HookSet } from "../find-hooks.ts";

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
        "A word that could be an ID is explained as a command only if the log has no such line.",
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
    const { hideSecretsIn } = await import("../../call/log/redact.ts");
    const { explainEvent, explainLine, findCallFolder } = await import("./explain.ts");
    const { formatExplanation } = await import("./text.ts");
    const { findLine } = await import("../../operate/log/select-lines.ts");
    const { requireLastDenial } = await import("./last-denial.ts");
    const { parseTypedEvent } = await import("../try/typed-event.ts");
    const { noteIgnoredParts } = await import("../terminal/ignored-parts.ts");
    const { id, command, note } = await this.readSubject();
    const event = command === undefined ? undefined : parseTypedEvent({ command, path: [] });
    const hasLineOption = id !== undefined || this.last;
    const lastDenial = event || hasLineOption ? undefined : await requireLastDenial();
    const line = hasLineOption ? findLine(process.env, id, { skipped: 0 }) : lastDenial?.line;
    return this.runWithHooks(async (hooks, output) => {
      if (id === undefined && this.id !== undefined) await refuseRuleId(this.id, hooks);
      const { printWarning } = await import("../terminal/terminal.ts");
      printWarning(note);
      await noteIgnoredParts(hooks, line ? findCallFolder(line) : process.cwd());
      const explanation = await hideSecretsIn(
        line ? await explainLine(line, hooks) : await explainEvent(event as NonNullable<typeof event>, hooks, command),
      );
      const result = lastDenial ? { chosen: lastDenial.chosen, ...explanation } : explanation;
      if (this.json) output.write(`${formatJson(result)}\n`);
      else output.show(formatExplanation(result, output));
      return 0;
    });
  }

  /** Returns the ID to look up or the command to explain, and a note if the argument could have been an ID. */
  private async readSubject(): Promise<{ id?: string; command?: string | undefined; note?: string }> {
    if (this.id === undefined) return { command: this.command };
    const { findLineById } = await import("../../operate/log/select-lines.ts");
    const { isId, isIdPrefix } = await import("../../call/state/create-id.ts");
    if (!isIdPrefix(this.id)) return { command: this.id };
    if (isId(this.id) || findLineById(process.env, this.id, { skipped: 0 })) return { id: this.id };
    return { command: this.id, note: `note: the log has no line "${this.id}", so it is explained as a command` };
  }
}

/** @throws Error if the argument is the ID of a rule. */
async function refuseRuleId(text: string, hooks: HookSet): Promise<void> {
  if (!text.includes("/") || /\s/.test(text)) return;
  const { collectRules } = await import("../rules/rules.ts");
  const { rules } = await collectRules(hooks, process.cwd());
  if (rules.some(({ id }) => id === text))
    throw new Error(`explain: "${text}" is not the ID of a log line; to show a rule: ${getOwnCommand()} rules ${text}`);
}
