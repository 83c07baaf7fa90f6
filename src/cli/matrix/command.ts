import { Command, Option } from "clipanion";
import { EVENTS, type EventName } from "../../protocol/event.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { hosts } from "../../hosts/index.ts";
import { formatJson } from "../../operate/text.ts";
import { describePage } from "../help/page.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareHosts, declareJson, requireHosts } from "../terminal/options.ts";
import { describeTerminal } from "../terminal/terminal.ts";
import { formatDetails } from "../terminal/details.ts";

export class MatrixCommand extends UserCommand {
  static override paths = [["matrix"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Show how every host handles each response field.",
    details: formatDetails([
      "Shows all hosts next to each other as symbols.",
      "With HOST, shows the host's events and the source of each cell: observed in a run of the real host, shipped by the vendor, documented, or unverified.",
    ]),
    examples: [
      ["Compare the hosts on one event", "bridge-hooks matrix --event PermissionRequest"],
      ["Explain every cell of one host", `bridge-hooks matrix ${hosts[0]?.id} --notes`],
    ],
  });

  positional = Option.String({ name: "HOST", required: false });
  host = declareHosts("Same as HOST");
  event = Option.String("--event", { description: "Only show this unified event, on all hosts" });
  full = Option.Boolean("--full", false, { description: "Show the tables of all hosts" });
  notes = Option.Boolean("--notes", false, { description: "Add a note on each cell's behavior and source" });
  markdown = Option.Boolean("--markdown", false, { description: "Print Markdown, including the notes" });
  json = declareJson();

  async work(): Promise<number> {
    const namedHosts = requireHosts([...this.host, ...(this.positional === undefined ? [] : [this.positional])]);
    const [host] = namedHosts;
    if (namedHosts.length > 1) throw new Error("matrix: pass one host, or none for all hosts");
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
  const event = EVENTS.find((candidate) => candidate.toLowerCase() === text?.toLowerCase());
  if (text === undefined || event) return event;
  throw new Error(`unknown unified event "${text}"${suggestName(text, EVENTS)}`);
}
