import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { formatCount } from "../../operate/text.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class ExportCommand extends UserCommand {
  static override paths = [["export"]];
  static policyEffect: PolicyEffect = { changes: "sends the decision log elsewhere" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Send new lines of the decision log to a collector, syslog or a file.",
    details: formatDetails(
      [
        "Run this command from a timer or a log agent.",
        "Each destination has a bookmark, so each line is sent once.",
        "After an interruption, the next export repeats the last batch and loses nothing.",
        "Without a destination, prints all lines, or only the new ones with --bookmark.",
      ],
      [
        "Formats: json (log lines), ocsf (Open Cybersecurity Schema Framework: API Activity with the ai_operation profile), otlp (OpenTelemetry).",
        "log.content controls how much a line reveals about a call.",
      ],
    ),
    examples: [
      [
        "Send to a collector; set a token in OTEL_EXPORTER_OTLP_HEADERS",
        "bridge-hooks export --otlp http://localhost:4318",
      ],
      ["Send to the system log", "bridge-hooks export --syslog --format ocsf"],
      ["Test the receivers in log.notify", "bridge-hooks export --notify --trial"],
    ],
  });

  format = Option.String("--format", { description: "Format: json (default), ocsf or otlp (default with --otlp)" });
  draft = Option.String("--draft", {
    description:
      "With otlp: add field names from a draft convention, gen-ai-security@35b2921 or gen-ai-guardrail@f5e3733",
  });
  otlp = Option.String("--otlp", { description: "Send to this OTLP/HTTP URL" });
  syslog = Option.String("--syslog", {
    description: "Send to the system log, another socket (--syslog=PATH) or a daemon (--syslog=tcp://HOST:PORT)",
    tolerateBoolean: true,
  });
  out = Option.String("--out", { description: "Append to this file" });
  notify = Option.Boolean("--notify", false, {
    description: "Send new denials to the receivers in log.notify; hook calls also send them automatically",
  });
  trial = Option.Boolean("--trial", false, { description: "With --notify: send a test denial now" });
  bookmark = Option.String("--bookmark", { description: "Bookmark name (default: the destination)" });

  async work(): Promise<number> {
    const { createDestination } = await import("../../operate/export/destinations.ts");
    const { exportLog } = await import("../../operate/export/export.ts");
    const { countLosses, formatLosses } = await import("../../operate/log/losses.ts");
    const { formatSkipped } = await import("../log/text.ts");
    const { printWarning, runWithHookIsolation } = await import("../terminal/terminal.ts");
    const { format, draft, otlp, out, bookmark } = this;
    if (this.trial && !this.notify) throw new Error("--trial requires --notify");
    if (this.notify) return this.sendDenials();
    const syslog = typeof this.syslog === "boolean" ? (this.syslog ? "" : undefined) : this.syslog;
    return runWithHookIsolation(async (output) => {
      const destination = await createDestination(
        { format, draft, otlp, syslog, out, bookmark },
        { write: output.write, warn: printWarning },
      );
      const { shipped, skipped } = await exportLog(process.env, destination);
      const isPrinted = [otlp, syslog, out].every((option) => option === undefined);
      if (!isPrinted) output.say(`${formatCount(shipped, "line was", "lines were")} shipped\n`);
      printWarning(formatSkipped(skipped));
      printWarning(formatLosses(countLosses(process.env)));
      return 0;
    });
  }
  private async sendDenials(): Promise<number> {
    const { format, draft, otlp, syslog, out, bookmark } = this;
    if ([format, draft, otlp, syslog, out, bookmark].some((option) => option !== undefined))
      throw new Error("--notify sends to the receivers in log.notify; leave out other destinations");
    const { findLogSources } = await import("../../call/log/log-sources.ts");
    const { readLogSettings } = await import("../../policy/log.ts");
    const { notifyDenials, sendTestNotification } = await import("../../operate/notify/notify.ts");
    const sources = findLogSources();
    const { notify } = (await readLogSettings(sources)).settings;
    const outcomes = this.trial
      ? await sendTestNotification(process.env, notify)
      : await notifyDenials(process.env, notify, sources);
    if (outcomes.length === 0)
      throw new Error(
        `no receivers for denials are configured; add a webhook: ${getOwnCommand()} config set log.notify.webhook URL`,
      );
    for (const { to, sent, problem } of outcomes)
      if (sent > 0 || problem === undefined)
        this.say(`${to}: ${formatCount(sent, this.trial ? "trial" : "denial")} sent`);
    const problems = outcomes.flatMap(({ problem }) => problem ?? []);
    if (problems.length > 0) throw new Error(problems.join("; "));
    return 0;
  }
}
