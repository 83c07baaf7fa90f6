import { Command, Option } from "clipanion";
import { hosts } from "../../hosts/index.ts";
import { formatJson } from "../../operate/text.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareJson, findNamedHost } from "../terminal/options.ts";
import { buildMatrixData, formatMatrix } from "./matrix.ts";

export class MatrixCommand extends UserCommand {
  static override paths = [["matrix"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Show what every host does with every field of a response.",
    details:
      "Each cell says what is sent and where that is known from: seen in a run of the real host, shipped by the vendor, documented, or unverified.",
    examples: [
      ["One host, with what each cell does and how that is known", `bridge-hooks matrix ${hosts[0]?.id} --notes`],
    ],
  });

  host = Option.String({ required: false });
  notes = Option.Boolean("--notes", false, { description: "With what each cell does and how that is known" });
  markdown = Option.Boolean("--markdown", false, { description: "As Markdown, with the notes" });
  json = declareJson();

  async work(): Promise<number> {
    const host = findNamedHost(this.host);
    const text = this.json
      ? formatJson(buildMatrixData(host && [host]))
      : formatMatrix({ markdown: this.markdown, notes: this.notes || this.markdown, host });
    this.say(text);
    return 0;
  }
}
