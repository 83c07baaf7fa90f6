import { Command, Option } from "clipanion";
import { EVENTS, type EventName } from "../../protocol/event.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { hosts } from "../../hosts/index.ts";
import { formatJson } from "../../operate/text.ts";
import { describePage } from "../help/page.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareHosts, declareJson, requireHosts } from "../terminal/options.ts";
import { describeTerminal } from "../terminal/terminal.ts";

export class MatrixCommand extends UserCommand {
  static override paths = [["matrix"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Show what every host does with every field of a response.",
    details: `
      All hosts side by side, in marks; with a HOST each of its events, and how each mark is known: seen in a run of the real host, shipped by the vendor,
      documented, or unverified.
    `,
    examples: [
      ["What becomes of a question", "bridge-hooks matrix --event PermissionRequest"],
      ["One host, with what each cell does and how that is known", `bridge-hooks matrix ${hosts[0]?.id} --notes`],
    ],
  });

  positional = Option.String({ name: "HOST", required: false });
  host = declareHosts("This host, in place of HOST");
  event = Option.String("--event", { description: "Only this unified event, on all hosts" });
  full = Option.Boolean("--full", false, { description: "The tables of all hosts" });
  notes = Option.Boolean("--notes", false, { description: "With what each cell does and how that is known" });
  markdown = Option.Boolean("--markdown", false, { description: "As Markdown, with the notes" });
  json = declareJson();

  async work(): Promise<number> {
    const named = requireHosts([...this.host, ...(this.positional === undefined ? [] : [this.positional])]);
    const [host] = named;
    if (named.length > 1) throw new Error("matrix: name one host, or none for all of them");
    const { buildMatrixData, formatMatrix, formatSummary } = await import("./matrix.ts");
    if (this.json) {
      this.write(formatJson(buildMatrixData(host && [host])));
      return 0;
    }
    const { markdown, notes } = this;
    if (markdown) this.write(formatMatrix({ markdown, host }));
    else if (host || this.full || notes) this.showText(formatMatrix({ notes, host }, describeTerminal()));
    else this.showText(formatSummary(describePage(), parseEvent(this.event)));
    return 0;
  }
}

function parseEvent(text: string | undefined): EventName | undefined {
  const event = EVENTS.find((one) => one.toLowerCase() === text?.toLowerCase());
  if (text === undefined || event) return event;
  throw new Error(`unknown unified event "${text}"${suggestName(text, EVENTS)}`);
}
