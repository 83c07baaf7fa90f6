import { existsSync, readFileSync } from "node:fs";
import { Command, Option } from "clipanion";
import { formatCount, formatJson } from "../../operate/text.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import type { ChainReport } from "../../operate/log/verify-log.ts";
import { declareJson } from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class LogVerifyCommand extends UserCommand {
  static override paths = [["log", "verify"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Verify the decision log's hash chain (log.chain), to detect changed or removed lines.",
    details: formatDetails(
      [
        "Each line of a chain contains the previous line's hash, which reveals changed and removed lines.",
        "A truncated end, a changed last line or a completely rewritten log can be detected only with an anchor.",
        "Print an anchor from time to time, store it where this user can't write, and verify against it.",
      ],
      "Lines lost to a killed process or a full disk are reported as gaps.",
      "Exits with 1 if there are findings, a gap, or no chain.",
    ),
    examples: [
      ["Print an anchor for the current end of the log", "bridge-hooks log verify --anchor"],
      ["Verify the log against an anchor", "bridge-hooks log verify --against 1042:9f86d0…"],
    ],
  });

  anchor = Option.Boolean("--anchor", false, {
    description: "Print the number and hash of the last line as an anchor",
  });
  against = Option.String("--against", { description: "Verify against this anchor, or the anchor in this file" });
  json = declareJson();

  async work(): Promise<number> {
    const { formatAnchor, parseAnchor, verifyLog } = await import("../../operate/log/verify-log.ts");
    const anchor = this.against;
    const text = anchor !== undefined && existsSync(anchor) ? readFileSync(anchor, "utf8") : anchor;
    const { hasLosses } = await import("../../operate/log/losses.ts");
    const report = verifyLog(process.env, text === undefined ? undefined : parseAnchor(text));
    const { chained, last, findings, losses } = report;
    const hasFailed = findings.length > 0 || chained === 0 || hasLosses(losses);
    if (this.json) this.write(formatJson(report));
    else if (this.anchor && last && !hasFailed) this.say(formatAnchor(last));
    else await this.reportChain(report);
    return hasFailed ? 1 : 0;
  }

  private async reportChain({ chained, outside, first, last, findings, losses }: ChainReport): Promise<void> {
    const { formatLosses } = await import("../../operate/log/losses.ts");
    const { escapeInvisible } = await import("../../operate/text.ts");
    const { formatPath } = await import("../terminal/layout.ts");
    for (const { file, line, message } of findings)
      this.say(`${escapeInvisible(formatPath(file))}${line > 0 ? `:${line}` : ""}: ${message}`);
    const lossSummary = formatLosses(losses);
    if (chained === 0) {
      this.say(await explainMissingChain(losses));
      if (lossSummary !== undefined) this.say(lossSummary);
      return;
    }
    const isUnbroken = findings.length === 0;
    if (isUnbroken)
      this.say(`${formatCount(chained, "line forms", "lines form")} an unbroken chain from ${first} to ${last?.seq}`);
    if (outside > 0)
      this.say(`${formatCount(outside, "line is", "lines are")} outside the chain and can't be verified`);
    if (lossSummary !== undefined) this.say(`the chain has a gap: ${lossSummary}`);
    if (isUnbroken && this.against === undefined)
      this.say("Only an anchor stored elsewhere reveals a truncated or rewritten log.");
  }
}

async function explainMissingChain({ irregular }: ChainReport["losses"]): Promise<string> {
  if (irregular) return "the log has no chain";
  const { readLogSettings } = await import("../../policy/log.ts");
  const { findLogSources } = await import("../../call/log/log-sources.ts");
  const { settings } = await readLogSettings(findLogSources());
  return settings.chain
    ? "the log has no chain yet, because no line was written since log.chain was set"
    : `the log has no chain; to start one: ${getOwnCommand()} config set log.chain true`;
}
