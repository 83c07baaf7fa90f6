import { existsSync, readFileSync } from "node:fs";
import { Command, Option } from "clipanion";
import { formatCount, formatJson } from "../../operate/text.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import type { ChainReport } from "../../operate/log/verify-log.ts";
import { declareJson } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class LogVerifyCommand extends UserCommand {
  static override paths = [["log", "verify"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Check the chain of the decision log (log.chain): find lines that were changed or removed.",
    details: `
      Each line of a chain holds the hash of the one before. So a line that was changed or taken out is found by the next one; an end that was cut off, a changed last line and
      a log that was written anew as a whole are not. Against those, print an anchor now and then, keep it where this user can't write, and check against it.

      Lines that were lost, because a process was ended or the disk was full, are a gap: they are counted.

      Exit code 1 when something is found, the chain has a gap, or there is no chain.
    `,
    examples: [
      ["Keep the place that the log has reached", "bridge-hooks log verify --anchor"],
      ["Check that the log still holds that place", "bridge-hooks log verify --against 1042:9f86d0…"],
    ],
  });

  anchor = Option.Boolean("--anchor", false, { description: "Print number and hash of the last line" });
  against = Option.String("--against", { description: "Such an anchor, or a file with one" });
  json = declareJson();

  async work(): Promise<number> {
    const { formatAnchor, parseAnchor, verifyLog } = await import("../../operate/log/verify-log.ts");
    const given = this.against;
    const text = given !== undefined && existsSync(given) ? readFileSync(given, "utf8") : given;
    const { hasLosses } = await import("../../operate/log/losses.ts");
    const report = verifyLog(process.env, text === undefined ? undefined : parseAnchor(text));
    const { chained, last, findings, losses } = report;
    const failed = findings.length > 0 || chained === 0 || hasLosses(losses);
    if (this.json) this.write(formatJson(report));
    else if (this.anchor && last && !failed) this.say(formatAnchor(last));
    else await this.reportChain(report);
    return failed ? 1 : 0;
  }

  private async reportChain({ chained, outside, first, last, findings, losses }: ChainReport): Promise<void> {
    const { formatLosses } = await import("../../operate/log/losses.ts");
    const { escapeInvisible } = await import("../../operate/text.ts");
    const { formatPath } = await import("../terminal/layout.ts");
    for (const { file, line, message } of findings)
      this.say(`${escapeInvisible(formatPath(file))}${line > 0 ? `:${line}` : ""}: ${message}`);
    const lost = formatLosses(losses);
    if (chained === 0) {
      this.say(await explainMissingChain(losses));
      if (lost !== undefined) this.say(lost);
      return;
    }
    const holds = findings.length === 0;
    if (holds) this.say(`${formatCount(chained, "line holds", "lines hold")} together, from ${first} to ${last?.seq}`);
    if (outside > 0)
      this.say(
        `${formatCount(outside, "line is", "lines are")} outside of the chain, and ${outside === 1 ? "proves" : "prove"} nothing`,
      );
    if (lost !== undefined) this.say(`the chain has a gap: ${lost}`);
    if (holds && this.against === undefined)
      this.say("Only an anchor kept elsewhere reveals a truncated or rewritten log.");
  }
}

async function explainMissingChain({ irregular }: ChainReport["losses"]): Promise<string> {
  if (irregular) return "the log has no chain";
  const { readLogSettings } = await import("../../policy/log.ts");
  const { findLogSources } = await import("../../call/log/log-sources.ts");
  const { settings } = await readLogSettings(findLogSources());
  return settings.chain
    ? "the log has no chain yet: no line was added to one since log.chain was set"
    : `the log has no chain; turn it on with "${getOwnCommand()} config set log.chain true"`;
}
