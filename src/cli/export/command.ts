import { Command, Option } from "clipanion";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { formatCount } from "../../operate/text.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class ExportCommand extends UserCommand {
  static override paths = [["export"]];
  static policyEffect: PolicyEffect = { changes: "sends the decision log elsewhere" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Ship new lines of the decision log: to a collector, syslog or a file.",
    details: `
      For a timer or an agent. Each destination has a bookmark, so that a line is shipped once; an export that is interrupted ships the lines of its last batch again, and loses none.
      Without a destination, lines are printed: all of them, or with --bookmark those that are new to it.

      Formats: json (the lines of the log), ocsf (events of the Open Cybersecurity Schema Framework, API Activity with the profile ai_operation), otlp (OpenTelemetry). What a line tells of a
      call is up to log.content.
    `,
    examples: [
      [
        "To a collector; a token goes into OTEL_EXPORTER_OTLP_HEADERS",
        "bridge-hooks export --otlp http://localhost:4318",
      ],
      ["To the log of this system", "bridge-hooks export --syslog --format ocsf"],
      ["Whether those whom log.notify names would be told", "bridge-hooks export --notify --trial"],
    ],
  });

  format = Option.String("--format", { description: "json (default), ocsf or otlp (default with --otlp)" });
  draft = Option.String("--draft", {
    description:
      "With otlp: the names of a draft for guardrails, gen-ai-security@35b2921 or gen-ai-guardrail@f5e3733, beside our own",
  });
  otlp = Option.String("--otlp", { description: "The URL of a receiver of OTLP over HTTP" });
  syslog = Option.String("--syslog", {
    description: "The system's own log; --syslog=PATH for another socket, --syslog=tcp://HOST:PORT for a daemon",
    tolerateBoolean: true,
  });
  out = Option.String("--out", { description: "A file, to whose end lines are added" });
  notify = Option.Boolean("--notify", false, {
    description: "New denials to those whom log.notify names; a denied call starts this by itself",
  });
  trial = Option.Boolean("--trial", false, { description: "With --notify: a made-up denial, now" });
  bookmark = Option.String("--bookmark", { description: "The name of the bookmark (default: the destination)" });

  async work(): Promise<number> {
    const { createDestination } = await import("../../operate/export/destinations.ts");
    const { exportLog } = await import("../../operate/export/export.ts");
    const { countLosses, formatLosses } = await import("../../operate/log/losses.ts");
    const { formatSkipped } = await import("../log/text.ts");
    const { printWarning, runWithHookIsolation } = await import("../terminal/terminal.ts");
    const { format, draft, otlp, out, bookmark } = this;
    if (this.trial && !this.notify) throw new Error("--trial goes with --notify");
    if (this.notify) return this.tellDenials();
    const syslog = typeof this.syslog === "boolean" ? (this.syslog ? "" : undefined) : this.syslog;
    return runWithHookIsolation(async (output) => {
      const destination = await createDestination(
        { format, draft, otlp, syslog, out, bookmark },
        { write: output.write, warn: printWarning },
      );
      const { shipped, skipped } = await exportLog(process.env, destination);
      const isPrinted = [otlp, syslog, out].every((one) => one === undefined);
      if (!isPrinted) output.say(`${formatCount(shipped, "line was", "lines were")} shipped\n`);
      printWarning(formatSkipped(skipped));
      printWarning(formatLosses(countLosses(process.env)));
      return 0;
    });
  }
  private async tellDenials(): Promise<number> {
    const { format, draft, otlp, syslog, out, bookmark } = this;
    if ([format, draft, otlp, syslog, out, bookmark].some((one) => one !== undefined))
      throw new Error("--notify takes its destinations from log.notify in the config");
    const { findLogSources } = await import("../../call/log/log-sources.ts");
    const { readLogSettings } = await import("../../policy/log.ts");
    const { notifyDenials, notifyOfTrial } = await import("../../operate/notify/notify.ts");
    const sources = findLogSources();
    const { notify } = (await readLogSettings(sources)).settings;
    const outcomes = this.trial
      ? await notifyOfTrial(process.env, notify)
      : await notifyDenials(process.env, notify, sources);
    if (outcomes.length === 0)
      throw new Error(
        `nobody is told of denials; name a webhook: ${getOwnCommand()} config set log.notify.webhook URL`,
      );
    for (const { to, sent, problem } of outcomes)
      if (sent > 0 || problem === undefined)
        this.say(`${to}: ${formatCount(sent, this.trial ? "trial" : "denial")} sent`);
    const problems = outcomes.flatMap(({ problem }) => problem ?? []);
    if (problems.length > 0) throw new Error(problems.join("; "));
    return 0;
  }
}
