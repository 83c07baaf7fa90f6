import { join } from "node:path";
import { isInsideFolder } from "../../hosts/follow-links.ts";
import { homedir } from "../../system/home.ts";
import { escapeLine, formatCount, formatNumber } from "../text.ts";
import { formatTime } from "../log/describe.ts";
import { formatLosses } from "../log/losses.ts";
import { CHART_SIZES, type ChartSize, drawBar, drawTimeline, formatPeriodStart } from "./chart.ts";
import { OUTCOME_NAMES, OUTCOMES, type Outcome, type OutcomeCounts, sumCounts } from "../log/outcomes.ts";
import { formatMode } from "../policy/identity.ts";
import { type CoverageState, groupHosts, type HostCoverage, type MachineCoverage } from "./coverage.ts";
import { type Candidate, listOutcomeParts, type Report } from "./report.ts";
import { PAGE_STYLE } from "./style.ts";
import { DIMENSIONS, type Dimension, type TallyRow } from "./tally.ts";

/** Start of every report. An existing file is overwritten only if it starts with this text. */
export const PAGE_START = "<!doctype html>\n<!-- bridge-hooks report -->\n";

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes log text for the page: markup, control characters, and characters that change the text direction. */
export const escapeText = (text: string): string =>
  escapeLine(text).replace(/[&<>"']/g, (letter) => HTML_ENTITIES[letter] as string);

/**
 * Creates a content security policy that forbids scripts and external resources. It allows only the given style,
 * identified by its hash.
 */
export const createContentPolicy = (style: string): string =>
  `default-src 'none'; style-src 'sha256-${new Bun.CryptoHasher("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'`;

/** Formats the page as a single file without links, scripts or external resources. */
export function formatPage(report: Report): string {
  const { policy, coverage, since, until, counts, timeline } = report;
  const machines = coverage.map(({ machine }) => machine).join(", ");
  const hash = policy.hash === undefined ? "" : `, hash <code>${escapeText(policy.hash)}</code>`;
  return `${PAGE_START}<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${createContentPolicy(PAGE_STYLE)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>bridge-hooks report, ${escapeText(machines)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>Hook decisions</h1>
${coverage.map(formatSummary).join("\n")}
<p class="quiet">${formatTime(since)} to ${formatTime(until)}. Current policy on this machine: ${escapeText(policy.name)} ${escapeText(policy.version)}${hash}, mode ${escapeText(formatMode(policy) ?? "enforce")}.</p>
${formatTiles(report)}
<h2>Over time</h2>
${sumCounts(counts) === 0 ? '<p class="quiet">The log has no lines in this period.</p>' : formatTimeline(timeline)}
<div class="pairs">
${DIMENSIONS.map((one) => formatBreakdown(one, report.by[one])).join("\n")}
</div>
${formatCandidates(report.candidates)}
${formatChanges(report.changes)}
<h2>Coverage</h2>
${coverage.map((one) => formatCoverage(one, coverage.length > 1)).join("\n")}
<p class="quiet">"Last denial" is the time of the last denial that was sent to the host. To check whether denials take effect now, run <code>bridge-hooks doctor</code>.</p>
${formatFooter(report)}
</main>
</body>
</html>
`;
}

const formatTimeCell = (time: string) => `<span class="when">${formatTime(time)}</span>`;
/**
 * Formats a path as an absolute path or, with `~`, relative to the home directory. The page might be viewed on another
 * machine.
 */
const formatPath = (path: string) => (isInsideFolder(homedir(), path) ? join("~", path.slice(homedir().length)) : path);

const isHealthy = (state: CoverageState) => state === "in force" || state === "unknown";

function formatSummary({ machine, hosts }: MachineCoverage): string {
  const groups = groupHosts(hosts).map(({ state, text }) =>
    isHealthy(state) ? escapeText(text) : `<span class="bad">${escapeText(text)}</span>`,
  );
  return `<p class="lead">Coverage of <b>${escapeText(machine)}</b>: ${groups.join("; ") || "no hosts found"}.</p>`;
}

const formatTiles = (report: Report) =>
  `<ul class="tiles">\n${OUTCOMES.map((outcome) => {
    const parts = listOutcomeParts(report, outcome);
    const details = parts.map(({ what, count }) => `<span class="part">${formatNumber(count)} ${what}</span>`).join("");
    return `<li><b>${formatNumber(report.counts[outcome])}</b><span class="dot ${outcome}"></span>${OUTCOME_NAMES[outcome]}${details}</li>`;
  }).join("\n")}\n</ul>`;

function formatTimeline(timeline: Report["timeline"]): string {
  const charts = (Object.keys(CHART_SIZES) as ChartSize[])
    .map((size) => `<div class="${size}">${drawTimeline(timeline, size)}</div>`)
    .join("\n");
  const shownOutcomes = OUTCOMES.filter((outcome) => timeline.points.some(({ counts }) => counts[outcome] > 0));
  const rows = timeline.points
    .filter(({ counts }) => sumCounts(counts) > 0)
    .map(({ start, counts }) => [
      { text: timeline.unit === "hour" ? formatTime(start).slice(0, 16) : formatPeriodStart(start, timeline.unit) },
      ...shownOutcomes.map((outcome) => ({ text: formatNumber(counts[outcome]), isNumber: true })),
    ]);
  const heads = [timeline.unit, ...shownOutcomes.map((outcome) => OUTCOME_NAMES[outcome])];
  return `<figure>${charts}<figcaption>Logged calls by ${timeline.unit}.</figcaption></figure>
<details><summary>As numbers</summary>
${formatTable(heads, rows)}
</details>`;
}

interface Cell {
  /** Escaped HTML. */
  text: string;
  isNumber?: boolean;
}

function formatTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const openTag = (tag: string, at: number, isNumber = rows[0]?.[at]?.isNumber) =>
    `<${tag}${isNumber ? ' class="number"' : ""}${tag === "td" && at > 0 ? ` data-label="${heads[at]}"` : ""}>`;
  const head = heads.map((text, at) => `${openTag("th", at)}${text}</th>`).join("");
  const body = rows.map(
    (cells) => `<tr>${cells.map(({ text }, at) => `${openTag("td", at)}${text}</td>`).join("")}</tr>`,
  );
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join("\n")}\n</tbody>\n</table>`;
}

/** Maximum number of rows in a breakdown. */
const MAX_ROWS = 10;

function formatBreakdown(dimension: Dimension, rows: readonly TallyRow[]): string {
  const maxTotal = Math.max(1, ...rows.map(({ counts }) => sumCounts(counts)));
  const shownRows = rows.slice(0, MAX_ROWS).map(({ name, counts }) => {
    const label = dimension === "project" ? formatPath(name) : name;
    return `<li><div><span class="mono">${escapeText(label)}</span><span class="count">${describeCounts(counts)}</span></div>${drawBar(counts, maxTotal)}</li>`;
  });
  const remainingCount = rows.length - shownRows.length;
  return `<section>
<h2>By ${dimension}</h2>
<ul class="bars">
${shownRows.join("\n") || '<li class="quiet">none</li>'}
</ul>${remainingCount > 0 ? `\n<p class="quiet">and ${formatNumber(remainingCount)} more</p>` : ""}
</section>`;
}

/** Formats counts as `12 denied, 3 passed`. Allows line breaks only between the parts. */
const describeCounts = (counts: OutcomeCounts): string =>
  OUTCOMES.filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `<span class="whole">${formatNumber(counts[outcome])} ${SHORT_NAMES[outcome]}</span>`)
    .join(", ");

const SHORT_NAMES: Readonly<Record<Outcome, string>> = {
  ...OUTCOME_NAMES,
  withheld: "withheld",
  excepted: "by exception",
  failed: "failed",
};

const CANDIDATE_REASONS: Readonly<Record<Candidate["why"], string>> = {
  allowed: "stopped then, allowed now",
  withheld: "allowed by a mode",
  excepted: "allowed by an exception",
};
const MAX_CANDIDATES = 50;

/** Calls that a mode let through aren't false alarms: enforcement would deny them. They get their own section. */
function formatCandidates(candidates: readonly Candidate[]): string {
  const [withheld, others] = [true, false].map((isWithheld) =>
    candidates.filter(({ why }) => (why === "withheld") === isWithheld),
  ) as [Candidate[], Candidate[]];
  return [
    ...(withheld.length > 0
      ? [
          formatCandidateTable(
            "Allowed only because of a mode",
            "Calls that would have been denied, asked about or warned about if everything had been enforced.",
            withheld,
          ),
        ]
      : []),
    formatCandidateTable(
      "Possible false alarms",
      "Calls that were allowed by an exception, and blocked calls that the current policy would allow.",
      others,
    ),
  ].join("\n");
}

function formatCandidateTable(title: string, meaning: string, candidates: readonly Candidate[]): string {
  const rows = candidates
    .slice(0, MAX_CANDIDATES)
    .map(({ why, would, rule, hook = "", subject, count, id, time }) => [
      { text: `<code>${escapeText(subject.length > 400 ? `${subject.slice(0, 400)}…` : subject)}</code>` },
      { text: `<span class="mono">${escapeText(rule ?? hook)}</span>` },
      { text: would ?? CANDIDATE_REASONS[why] },
      { text: formatNumber(count), isNumber: true },
      { text: `${formatTimeCell(time)}<br><code>${escapeText(id)}</code>` },
    ]);
  const remainingCount = candidates.length - rows.length;
  return `<h2>${title}</h2>
<p class="quiet">${meaning} For details, run <code>bridge-hooks explain ID</code>.</p>
${rows.length === 0 ? "<p>None.</p>" : formatTable(["subject", "rule or hook", "why", "times", "newest"], rows)}${remainingCount > 0 ? `\n<p class="quiet">and ${formatNumber(remainingCount)} more</p>` : ""}`;
}

function formatChanges(changes: Report["changes"]): string {
  if (changes.length === 0) return "";
  const rows = changes
    .slice(0, MAX_ROWS)
    .map(({ time, command, exception, reason = "", until, confirmed = "–" }) => [
      { text: formatTimeCell(time) },
      { text: `<b>${escapeText(command)}</b> <code>${escapeText(exception)}</code>` },
      { text: until === undefined ? "–" : escapeText(until) },
      { text: escapeText(confirmed) },
      { text: escapeText(reason) },
    ]);
  const remainingCount = changes.length - rows.length;
  return `<h2>Exceptions and pauses</h2>
${formatTable(["when", "what", "until", "confirmed in", "reason"], rows)}${remainingCount > 0 ? `\n<p class="quiet">and ${formatNumber(remainingCount)} more</p>` : ""}`;
}

function formatCoverage({ machine, hosts, policies }: MachineCoverage, isNamed: boolean): string {
  const rows = hosts.map((one) => [
    { text: `<b>${escapeText(one.host)}</b>` },
    { text: one.version === undefined ? "–" : escapeText(one.version) },
    { text: formatEntries(one) },
    { text: formatNumber(one.calls), isNumber: true },
    { text: one.lastDenial === undefined ? "none in this period" : formatTimeCell(one.lastDenial) },
    { text: one.last === undefined ? "none in this period" : formatTimeCell(one.last) },
  ]);
  const name = isNamed ? `<h3>${escapeText(machine)}</h3>\n` : "";
  const policyNote =
    policies.length === 0 ? "" : `\n<p class="quiet">Decided by ${policies.map(escapeText).join("; ")}.</p>`;
  return `${name}${rows.length === 0 ? "<p>No hosts found.</p>" : formatTable(["host", "release", "entries", "calls", "last denial", "last line"], rows)}${policyNote}`;
}

function formatEntries({ state, installed, unreadable, faults }: HostCoverage): string {
  const parts = [
    ...installed.map(formatInstalled),
    ...unreadable.map(({ file, message }) => `${formatFile(file)} <span class="bad">${escapeText(message)}</span>`),
    ...faults.map((fault) => `<span class="bad">${escapeText(fault)}</span>`),
  ];
  return parts.join("<br>") || (isHealthy(state) ? state : `<span class="bad">${state}</span>`);
}

const formatFile = (file: string): string => `<code>${escapeText(formatPath(file))}</code>`;

const formatInstalled = ({ scope, file, events, drift, others }: HostCoverage["installed"][number]): string =>
  [
    `${escapeText(scope)}, ${formatCount(events, "event")}: ${formatFile(file)}`,
    ...others.map((program) => `<span class="bad">calls ${escapeText(program)}, not this executable</span>`),
    ...drift.map((line) => `<span class="bad">drift: ${escapeText(line)}</span>`),
  ].join("<br>");

const formatLostLines = (lost: Report["lost"]): string => {
  const text = formatLosses(lost);
  return text === undefined ? "" : ` ${text}.`;
};

const formatFooter = ({ version, skipped, lost, until }: Report): string =>
  `<footer>bridge-hooks ${escapeText(version)}, ${formatTime(until)}.${
    skipped > 0
      ? ` ${formatCount(skipped, "log line was", "log lines were")} skipped because they are truncated, from another version, or not log lines.`
      : ""
  }${formatLostLines(lost)} This report contains commands and paths from the log; protect it like the log.</footer>`;
