import { resolve } from "node:path";
import { Command, Option } from "clipanion";
import type { LogLine } from "../../call/log/log-line.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { declareHosts, declareJson, declareSchema, requireHosts } from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

/** The number of lines shown without --since. */
const DEFAULT_COUNT = 50;

export class LogCommand extends UserCommand {
  static override paths = [["log"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Show the decision log, newest line first.",
    details: formatDetails(
      [
        "Each line is a decision: ID, time, host, event and tool, the answer to the host, the rule or hook, and what was judged.",
        "bridge-hooks explain ID shows the details.",
        `Without --since, shows the newest ${DEFAULT_COUNT} lines.`,
      ],
      [
        "--json prints the log's own lines, unchanged.",
        "Truncated and foreign lines are skipped; they are counted on stderr, as are lost lines.",
        'If a line has "part": "head", its process ended before writing the details.',
      ],
    ),
    examples: [
      ["Show denials of the last 24 hours", "bridge-hooks log --since 24h --denied"],
      ["Stream new lines as JSON", "bridge-hooks log --follow --json"],
    ],
  });

  since = Option.String("--since", { description: "Only lines from the last 30m, 24h or 7d, or since a date" });
  denied = Option.Boolean("--denied", false, {
    description: "Only calls that were denied, or would be if enforced",
  });
  host = declareHosts("Only this host");
  hook = Option.String("--hook", { description: "Only calls where this hook decided, failed or logged something" });
  rule = Option.String("--rule", { description: "Only this rule, or git/* for a category" });
  session = Option.String("--session", { description: "Show only this session (its full ID or a prefix)" });
  project = Option.String("--project", { description: "Only calls in this directory and its subdirectories" });
  follow = Option.Boolean("--follow", false, { description: "Keep printing new lines" });
  json = declareJson("Print JSON, one object per line");
  override schema = declareSchema("a line");

  override loadSchema = async () => (await import("../../operate/log/line-schema.ts")).LogLineSchema;

  async describeAbsence(): Promise<string> {
    const { since, hook, rule, session, project } = this;
    const isFiltered =
      this.denied ||
      this.host.length > 0 ||
      [since, hook, rule, session, project].some((option) => option !== undefined);
    if (!isFiltered) return "the log is empty";
    return `no matching lines${rule === undefined ? "" : await suggestLoggedRule(rule)}`;
  }

  async work(): Promise<number> {
    const { parseTime, selectLines, matchesFilter } = await import("../../operate/log/select-lines.ts");
    const { followLog } = await import("../../operate/log/follow-log.ts");
    const { countLosses, formatLosses } = await import("../../operate/log/losses.ts");
    const { formatLines, formatSkipped } = await import("./text.ts");
    const { formatJson } = await import("../../operate/text.ts");
    const { printWarning, runWithHookIsolation } = await import("../terminal/terminal.ts");
    const filter = {
      ...(this.since !== undefined && { since: parseTime(this.since, "--since") }),
      denied: this.denied,
      hosts: requireHosts(this.host).map(({ id }) => id),
      hook: this.hook,
      rule: this.rule,
      session: this.session,
      project: this.project === undefined ? undefined : resolve(this.project),
    };
    return runWithHookIsolation(async (output) => {
      const readState = { skipped: 0 };
      const allLines =
        !this.follow || this.since !== undefined ? selectLines(process.env, filter, readState) : Iterator.from([]);
      const lines = this.since === undefined ? allLines.take(DEFAULT_COUNT) : allLines;
      const writeLine = (line: LogLine) => output.write(`${formatJson(line, 0)}\n`);
      const layout = { ...output, isFollowed: this.follow };
      if (this.json) for (const line of lines) writeLine(line);
      else output.show(formatLines([...lines], layout) || (this.follow ? "" : `${await this.describeAbsence()}\n`));
      if (this.follow)
        for await (const line of followLog(process.env, readState))
          if (!matchesFilter(line, filter)) continue;
          else if (this.json) writeLine(line);
          else output.say(formatLines([line], layout));
      printWarning(formatSkipped(readState.skipped));
      printWarning(formatLosses(countLosses(process.env, filter.since)));
      return 0;
    });
  }
}

/** Suggests a similar rule that the log mentions, unless it mentions the given one or a pattern is given. */
async function suggestLoggedRule(rule: string): Promise<string> {
  const { selectLines } = await import("../../operate/log/select-lines.ts");
  const { findNearestRuleId } = await import("../../policy/check/rule-catalog.ts");
  const { formatHint } = await import("../../protocol/name-suggestions.ts");
  const lines = selectLines(process.env, { denied: false, hosts: [] }, { skipped: 0 });
  const rules = [...new Set(lines.flatMap((line) => [line, ...(line.others ?? [])].flatMap((one) => one.rule ?? [])))];
  return rule.includes("*") || rules.includes(rule) ? "" : formatHint(findNearestRuleId(rule, rules));
}
