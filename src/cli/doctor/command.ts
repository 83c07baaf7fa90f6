import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { hosts } from "../../hosts/index.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { diagnoseHosts } from "./doctor.ts";
import { describeDenials } from "./denials.ts";
import { type DoctorHostReport, DoctorReport } from "./report.ts";
import { isFailureCause } from "./settings.ts";
import { maySkipEntries } from "./skipped-entries.ts";
import { formatPolicy } from "../../operate/policy/identity.ts";
import { escapeStrings, formatCount, formatJson } from "../../operate/text.ts";
import { formatTable, type PageLayout, wrapLabeled } from "../terminal/layout.ts";
import { createProgress } from "../terminal/progress.ts";
import { describeTerminal } from "../terminal/terminal.ts";
import { type PolicyEffect } from "../terminal/command.ts";
import { SetupCommand } from "../terminal/setup-command.ts";
import { declareSchema } from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

export class DoctorCommand extends SetupCommand {
  static override paths = [["doctor"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "install",
    description: "Check whether denials take effect on this machine.",
    details: formatDetails(
      [
        "Runs every configured entry as its host does, with a call that must be denied, a harmless call, and an invalid payload.",
        "The harmless call runs your hooks.",
        "Entries for events that can't block only receive the invalid payload, so no hook runs.",
      ],
      [
        "Checks the hosts' configs for anything that a host would reject, skip or disable.",
        "Also checks your hooks' config files.",
      ],
      "Exits with 1 if any finding is red.",
    ),
    examples: [["Check all hosts on this machine", "bridge-hooks doctor"]],
  });

  override root = Option.String("--root", { description: "Use this directory as the project" });
  override schema = declareSchema();

  override loadSchema = async () => DoctorReport;

  async work(): Promise<number> {
    const progress = createProgress();
    const report = await diagnoseHosts(
      this.hostIds,
      await this.createInstallContext(undefined),
      pkg.version,
      ({ finished, all }, host) => progress.show(() => `tested ${finished} of ${all} entries: ${host}`),
    );
    progress.clear();
    if (this.json) this.write(formatJson(report));
    else this.showText(formatReport(escapeStrings(report), describeTerminal()));
    return report.healthy ? 0 : 1;
  }
}

function formatReport({ policy, hosts: reports, findings, healthy }: DoctorReport, page: PageLayout): string {
  const { paint } = page;
  const denials = describeDenials(policy);
  const [causes, otherFindings] = [true, false].map((isCause) =>
    findings.filter((one) => isFailureCause(one) === isCause).map((one) => formatFinding(one, page)),
  ) as [string[], string[]];
  const parts = [
    `policy: ${formatPolicy(policy)}`,
    ...causes,
    ...reports.map((report) => formatHost(report, page, denials)),
    ...otherFindings,
  ];
  const allFindings = [...findings, ...reports.flatMap((report) => report.findings)];
  const [reds, notes] = (["red", "note"] as const).map(
    (level) => allFindings.filter((reported) => reported.level === level).length,
  ) as [number, number];
  const canDeny = reports.some(({ entries }) =>
    entries.some(({ trials }) => trials.some(({ probe }) => probe === "deny")),
  );
  const unseenHosts = reports.filter((report) => report.entries.length > 0 && isUnseen(report)).map(getHostName);
  const effect = `${denials.whole}${unseenHosts.length > 0 ? `, on ${unseenHosts.join(" and ")} according to documentation only` : ""}`;
  const summary = canDeny ? effect : "no entry can block calls";
  const closingLine = healthy
    ? paint(
        notes === 0 ? 32 : 35,
        notes === 0 ? `All green: ${summary}.` : `No red findings, ${formatCount(notes, "note")}: ${summary}.`,
      )
    : paint(31, `${formatCount(reds, "red finding")}.`);
  return [...parts, closingLine].join("\n\n");
}

const getHostName = ({ host }: DoctorHostReport) => hosts.find(({ id }) => id === host)?.name ?? host;
const isUnseen = ({ findings }: DoctorHostReport) => findings.some(({ check }) => check === "never-run");

function formatHost(report: DoctorHostReport, page: PageLayout, denials: ReturnType<typeof describeDenials>): string {
  const { paint } = page;
  const { version, entries, findings } = report;
  const effect = isUnseen(report) ? denials.unseenEntry : denials.entry;
  const isSkippable = maySkipEntries(findings);
  const files = Map.groupBy(entries, ({ file }) => file);
  const formatEntryLabel = ({ event, matcher }: DoctorHostReport["entries"][number]) =>
    `${event}${matcher && matcher !== "*" ? ` (${matcher})` : ""}`;
  const labelWidth = Math.max(24, ...entries.map((entry) => formatEntryLabel(entry).length));
  // Wrap long matchers, so that results stay next to their events.
  const column = Math.min(labelWidth, MAX_LABEL_WIDTH);
  const formatEntries = (list: DoctorHostReport["entries"]) =>
    list.map((entry) => {
      const { trials } = entry;
      const works = trials.length > 0 && trials.every((trial) => trial.ok);
      const ok = works && !isSkippable;
      const times = trials.map(({ ms }) => ms).sort((a, b) => a - b);
      const denies = trials.some(({ probe }) => probe === "deny") ? effect : "it answers";
      const failure = works ? "the host may not run it, see below" : "see below";
      const text =
        trials.length === 0 ? "not run" : ok ? `${denies}, ${times[Math.floor(times.length / 2)]} ms` : failure;
      return [paint(ok ? 32 : 31, ok ? "ok " : "RED"), formatEntryLabel(entry), text];
    });
  const lines = [...files].flatMap(([file, list]) => [
    `  ${list[0]?.plugin ? `plugin ${list[0].plugin}` : list[0]?.scope} ${file}`,
    ...formatTable(formatEntries(list), { width: page.width, indent: 4, gap: 1, columns: [{}, { width: column }] }),
  ]);
  return [
    `${getHostName(report)}${version ? ` ${version}` : ""}`,
    ...lines,
    ...findings.map((finding) => formatFinding(finding, page)),
  ].join("\n");
}

const MAX_LABEL_WIDTH = 44;

function formatFinding({ level, what, impact, fix }: Finding, page: PageLayout): string {
  const { paint } = page;
  const label = `  ${level === "red" ? paint(31, "RED") : paint(35, "note")} `;
  return [
    ...wrapLabeled(label, what, 6, page),
    ...wrapLabeled("      impact: ", impact, 14, page),
    ...wrapLabeled("      fix:    ", fix, 14, page),
  ].join("\n");
}
