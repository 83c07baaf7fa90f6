import { collectCells, type MatrixCell } from "../../src/cli/matrix/cells.ts";
import { FIELD_TITLES, getSourceMarker, SUPPORT_SYMBOLS } from "../../src/cli/matrix/grid.ts";
import { CAPABILITY_FIELDS, type CapabilityField, describeCell } from "../../src/protocol/capability.ts";
import { EVENTS } from "../../src/protocol/event.ts";
import type { Host } from "../../src/protocol/host/host.ts";

const BY_DEFINITION = "by definition";
const UNVERIFIED = "unverified";

/** Formats a host's event. Adds the unified event if its name is different. */
const formatEvent = (name: string, event: string) =>
  name === event || event === "Native" ? name : `${name} (${event})`;

const formatSource = ({ cell, evidence }: MatrixCell) =>
  evidence ? `seen ${evidence.version}, ${evidence.date}` : cell.source;

function formatMark(cells: readonly MatrixCell[]): string {
  const { cell, evidence } = cells.at(-1) as MatrixCell;
  return `${SUPPORT_SYMBOLS[cell.support]}${getSourceMarker(cell, evidence)}${cells.length > 1 ? "*" : ""}`;
}

/** Formats a host's grid: one line of symbols per group of events with equal cells. */
function formatGrid(cells: readonly MatrixCell[]): string {
  const byEvent = Map.groupBy(cells, ({ native_event }) => native_event);
  const rows = [...byEvent].map(([name, ofEvent]) => ({
    name: formatEvent(name, (ofEvent[0] as MatrixCell).row.event),
    marks: CAPABILITY_FIELDS.map((field) => formatMark(ofEvent.filter((one) => one.field === field))),
  }));
  const titles = CAPABILITY_FIELDS.map((field) => FIELD_TITLES[field]);
  const line = (marks: readonly string[], names: string) =>
    `${marks.map((mark, at) => mark.padEnd((titles[at] as string).length)).join(" ")}  ${names}`;
  return [
    "```",
    line(titles, "event"),
    ...[...Map.groupBy(rows, ({ marks }) => marks.join())].map(([, equalRows]) =>
      line((equalRows[0] as (typeof rows)[number]).marks, equalRows.map(({ name }) => name).join(", ")),
    ),
    "```",
  ].join("\n");
}

/** Returns the most frequent string. */
function findUsual(texts: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0];
}

/**
 * The most frequent source of cells confirmed by a run, and the most frequent source of the other cells. The page names
 * them only once.
 */
interface UsualSources {
  run: string | undefined;
  document: string | undefined;
}

function findUsualSources(cells: readonly MatrixCell[]): UsualSources {
  const [run, document] = [true, false].map((isRun) =>
    findUsual(
      cells
        .filter(({ evidence }) => (evidence !== undefined) === isRun)
        .map(formatSource)
        .filter((source) => source !== BY_DEFINITION && source !== UNVERIFIED),
    ),
  );
  return { run, document };
}

function formatUsualSources({ run, document }: UsualSources): string {
  if (run === undefined) return `Unless noted otherwise, the source is [${document}]:`;
  const documentText = document === undefined ? "" : ` for \`●\` and [${document}] for \`○\``;
  return `Unless noted otherwise, the source is [${run}]${documentText}:`;
}

/**
 * Formats the events with equal cells, grouped by source. Leaves out the usual sources.
 *
 * @param restName stands for the events with a usual source if the field has no other events
 */
function formatEvents(cells: readonly MatrixCell[], usual: UsualSources, restName: string | undefined): string {
  const labelSource = (cell: MatrixCell) => {
    const source = formatSource(cell);
    return source === (cell.evidence ? usual.run : usual.document) ? "" : ` [${source}]`;
  };
  const byLabel = [...Map.groupBy(cells, labelSource)].toSorted(([a], [b]) => +(b === "") - +(a === ""));
  const names = byLabel.map(([label, group], at) => {
    if (restName !== undefined && at === 0) return `${byLabel.length > 1 ? "the other events" : restName}${label}`;
    return `${group.map(({ native_event }) => native_event).join(", ")}${label}`;
  });
  return names.join("; ");
}

/** Maximum number of words in a field's wire name. A longer text contains more than just the name. */
const MAX_NAME_WORDS = 7;

/** Whether a cell says more than the name of the field that the host receives. */
const hasCaveat = ({ cell }: MatrixCell) =>
  cell.support !== "native" || cell.versions !== undefined || describeCell(cell).split(" ").length > MAX_NAME_WORDS;

/** Losses of `ask` that docs/hosts/README.md already explains for all hosts. */
const COMMON_ASK_LOSS = /^(it is too late to ask|.* can't ask) on this event; return /;

/** Explains a field's cells, except cells that are true by definition. */
function explainField(field: CapabilityField, all: readonly MatrixCell[], usual: UsualSources): string[] {
  const cells = all.filter(({ cell }) => cell.source !== BY_DEFINITION);
  const groups = [
    ...Map.groupBy(cells, ({ cell }) => JSON.stringify([cell.versions, cell.support, describeCell(cell)])).values(),
  ];
  const largest = Math.max(...groups.map((group) => group.length));
  const isRest = (group: readonly MatrixCell[]) =>
    cells.length === all.length && groups.length > 1 && group.length === largest && largest > 2;
  if (groups.length === 0) return [];
  const coversAllEvents = groups.length === 1 && cells.length === all.length && cells.length > 2;
  const rest = groups.find(isRest);
  // The grid and its legend already show the most frequent loss.
  const isLoss = ["drop", "unenforceable"].includes(rest?.[0]?.cell.support ?? "");
  const explainedGroups = groups.filter(
    ([first]) =>
      !(first === rest?.[0] && isLoss) &&
      hasCaveat(first as MatrixCell) &&
      !COMMON_ASK_LOSS.test(describeCell((first as MatrixCell).cell)),
  );
  const coversAllGroups = explainedGroups.length === groups.length;
  const sorted = explainedGroups.toSorted((a, b) => +(a === rest) - +(b === rest));
  const lines = sorted.map((group) => {
    const { cell } = group[0] as MatrixCell;
    const versions = cell.versions ? ` (with ${cell.versions})` : "";
    const restName = coversAllEvents
      ? "all events"
      : coversAllGroups && group === rest
        ? "the other events"
        : undefined;
    const events = formatEvents(group, usual, restName);
    return `\`${SUPPORT_SYMBOLS[cell.support]}\` ${events}${versions}: ${describeCell(cell)}`;
  });
  const title = `- **${FIELD_TITLES[field]}**`;
  if (lines.length < 2) return lines.map((line) => `${title} ${line}`);
  return [title, ...lines.map((line) => `  - ${line}`)];
}

/** Lists the calls for which a host doesn't fire an event. */
function listUnreportedCalls({ capabilities }: Host): string[] {
  const rows = Object.entries(capabilities).flatMap(([name, make]) =>
    (make().unreportedCalls ?? []).map(({ calls, source }) => ({ name, text: `${calls} [${source}]` })),
  );
  return [...Map.groupBy(rows, ({ text }) => text)].map(
    ([text, group]) => `- ${group.map(({ name }) => name).join(", ")}: not called for ${text}`,
  );
}

/** Formats a host's behavior for each answer field, with its sources. */
export function formatHostMatrix(host: Host): string {
  const cells = collectCells([host]);
  const usual = findUsualSources(cells);
  const isSeen = cells.some(({ evidence }) => evidence);
  const untestedNote = `${host.name} has not been run with bridge-hooks. The table comes from its documentation, and no run has confirmed it.`;
  const explained = CAPABILITY_FIELDS.flatMap((field) =>
    explainField(
      field,
      cells.filter((one) => one.field === field),
      usual,
    ),
  );
  return [
    ...(isSeen ? [] : [untestedNote]),
    formatGrid(cells),
    formatUsualSources(usual),
    [...explained, ...listUnreportedCalls(host)].join("\n"),
  ].join("\n\n");
}

/** Lists the unified events that each host lacks. */
export const formatAbsentEvents = (hosts: readonly Host[]): string =>
  hosts
    .map(({ id, name, capabilities }) => {
      const present = new Set<string>(Object.values(capabilities).map((make) => make().event));
      const absent = EVENTS.filter((event) => event !== "Native" && !present.has(event));
      const nativeCount = Object.values(capabilities).filter((make) => make().event === "Native").length;
      const nativeText = nativeCount === 0 ? "" : `; ${nativeCount} native event${nativeCount === 1 ? "" : "s"}`;
      return `- [${name}](${id}.md): ${absent.length === 0 ? "none" : absent.join(", ")}${nativeText}`;
    })
    .join("\n");
