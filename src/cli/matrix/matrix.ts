import {
  type CapabilityCell,
  describeCell,
  type Evidence,
  type CapabilityField,
  CAPABILITY_FIELDS,
  type CapabilityRow,
  type Support,
} from "../../protocol/capability.ts";
import { EVENTS, type EventName } from "../../protocol/event.ts";
import type { Host } from "../../protocol/host/host.ts";
import { hosts } from "../../hosts/index.ts";
import { formatTable, type PageLayout, wrapLabeled, wrapText } from "../terminal/layout.ts";
import { collectCells, findEvidence, listCells, isTestedHost } from "./cells.ts";
import { FIELD_TITLES, formatGrid, formatHostGrid, HOST_LEGEND, getSourceMarker, SUPPORT_SYMBOLS } from "./grid.ts";

/**
 * Builds the table as data: the cells of each field, and the events that a host lacks. A field has multiple cells if
 * the host's behavior changed.
 */
export const buildMatrixData = (of: readonly Host[] = hosts) =>
  of.map((host) => ({
    host: host.id,
    name: host.name,
    was_run: isTestedHost(host),
    absent: host.absentEvents,
    events: Object.entries(host.capabilities).map(([native_event, make]) => {
      const row = make();
      const findFieldEvidence = (field: CapabilityField) =>
        listCells(row, field).map(({ remedy, ...cell }) => ({
          ...cell,
          how: describeCell({ how: cell.how, remedy }),
          evidence: findEvidence(host, native_event, field, cell),
        }));
      return {
        native_event,
        event: row.event,
        ...(row.unreportedCalls && { untold: row.unreportedCalls }),
        ...Object.fromEntries(CAPABILITY_FIELDS.map((field) => [field, findFieldEvidence(field)])),
      };
    }),
  }));

const SUPPORT_WORDS: Record<Support, string> = {
  native: "yes",
  emulated: "emulated",
  downgrade: "stricter",
  drop: "–",
  unenforceable: "NO",
};
const formatSourceMarker = (cell: CapabilityCell, evidence: Evidence | undefined) =>
  ` ${getSourceMarker(cell, evidence)}`.trimEnd();

const LEGEND = [
  "yes: supported by the host",
  "emulated: achieved in another way, with a warning",
  "stricter: replaced by something stricter, with a warning",
  "–: dropped, with a warning",
  "NO: not possible on the host; always reported",
  "with versions: depends on the host's version; the last cell applies to all other versions",
  "●: observed in a run of the real host; ○: from the vendor's documentation or package; ?: unverified",
];

function formatMarkdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((text, column) => Math.max(text.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(header), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** Formats the native events that correspond to each unified event. Aliases are omitted. */
function formatOverview(of: readonly Host[], { markdown, width }: MatrixLayout): string {
  const rows = EVENTS.map((event) => [
    event,
    ...of.map(({ capabilities, eventAliases = {} }) => {
      const names = Object.keys(capabilities).filter(
        (name) => capabilities[name]?.().event === event && !(name in eventAliases),
      );
      if (names.length === 0) return "absent";
      return event === "Native" ? `${names.length} more` : names.join(", ");
    }),
  ]);
  const headers = ["Unified event", ...of.map(({ name }) => name)];
  return markdown ? formatMarkdownTable(headers, rows) : formatTable([headers, ...rows], { width }).join("\n");
}

interface MatrixLayout extends Pick<PageLayout, "width"> {
  markdown: boolean;
}

/** Formats a row's support as words, field by field. */
const formatSupportWords = (host: Host, native_event: string, row: CapabilityRow): string[] =>
  CAPABILITY_FIELDS.map((field) =>
    listCells(row, field)
      .map((cell) => {
        const { support, versions } = cell;
        const sign = `${SUPPORT_WORDS[support]}${formatSourceMarker(cell, findEvidence(host, native_event, field, cell))}`;
        return versions ? `${sign} (${versions})` : sign;
      })
      .join("; "),
  );

/** The maximum number of native events with equal cells that get separate rows. If there are more, they share a row. */
const MAX_SEPARATE_ROWS = 8;

interface MatrixRow {
  names: string[];
  event: string;
  /** The cells as words, and as symbols. */
  signs: string[];
  marks: string[];
}

/** Formats a row's support as symbols, field by field. */
const formatSupportSymbols = (host: Host, native_event: string, row: CapabilityRow): string[] =>
  CAPABILITY_FIELDS.map((field) => {
    const cells = listCells(row, field);
    const cell = cells.at(-1) as CapabilityCell;
    const mark = `${SUPPORT_SYMBOLS[cell.support]}${getSourceMarker(cell, findEvidence(host, native_event, field, cell))}`;
    return cells.length > 1 ? `${mark}*` : mark;
  });

/**
 * Collects the rows of a host's table. If more than MAX_SEPARATE_ROWS native-only events have equal cells, they share a
 * row.
 */
function collectRows(host: Host): MatrixRow[] {
  const allRows = Object.entries(host.capabilities).map(([name, make]) => {
    const row = make();
    return {
      names: [name],
      event: row.event,
      signs: formatSupportWords(host, name, row),
      marks: formatSupportSymbols(host, name, row),
    };
  });
  const similarRows = [...Map.groupBy(allRows, ({ event, signs }) => JSON.stringify([event, signs])).values()];
  return similarRows.flatMap((rows) =>
    rows.length > MAX_SEPARATE_ROWS && rows[0]?.event === "Native"
      ? { ...rows[0], names: rows.flatMap(({ names }) => names) }
      : rows,
  );
}

const formatRowTitle = ({ names: [first = "", ...more] }: MatrixRow) =>
  more.length > 0 ? `${first} and ${more.length} more` : first;

function formatHostTable(host: Host, { markdown, width }: MatrixLayout): string {
  const order = Object.keys(host.capabilities);
  const rows = collectRows(host).toSorted(
    (tableRow, otherRow) => order.indexOf(tableRow.names[0] as string) - order.indexOf(otherRow.names[0] as string),
  );
  const titles = CAPABILITY_FIELDS.map((field) => FIELD_TITLES[field]);
  if (markdown)
    return formatMarkdownTable(
      ["Host event", "Unified event", ...titles],
      rows.map((row) => [formatRowTitle(row), row.event, ...row.signs]),
    );
  const titledRows = rows.map((row) => ({ title: formatRowTitle(row), marks: row.marks }));
  return [formatHostGrid(titledRows, { width }), ...formatVersions(host, width)].join("\n\n");
}

/** Formats the cells that depend on the host's release. */
function formatVersions(host: Host, width: number): string[] {
  const lines = Object.entries(host.capabilities).flatMap(([name, make]) => {
    const row = make();
    return CAPABILITY_FIELDS.flatMap((field) => {
      const cells = listCells(row, field);
      if (!cells.some(({ versions }) => versions)) return [];
      const notes = cells.map(
        ({ support, versions }) =>
          `${SUPPORT_SYMBOLS[support]} ${versions === undefined ? "otherwise" : `with ${versions}`}`,
      );
      return wrapText(`* ${name} ${FIELD_TITLES[field]}: ${notes.join(", ")}`, width);
    });
  });
  return lines.length === 0 ? [] : [lines.join("\n")];
}

/** Lists the events of each shared row. */
const formatSharedRows = (host: Host): string[] =>
  collectRows(host)
    .filter(({ names }) => names.length > 1)
    .map((row) => `${formatRowTitle(row)}: ${row.names.slice(1).join(", ")}.`);

/** Explains the behavior and the source of each cell. A host's cells with the same explanation share a line. */
function formatNotes(host: Host): string[] {
  const lines = new Map<string, string[]>();
  const sharedRows = collectRows(host).filter(({ names }) => names.length > 1);
  // Replace events that share a row with the row's title.
  const formatEvents = (events: readonly string[]) =>
    sharedRows.reduce<readonly string[]>((remaining, row) => {
      if (!row.names.every((name) => remaining.includes(name))) return remaining;
      return [...remaining.filter((name) => !row.names.includes(name)), formatRowTitle(row)];
    }, events);
  for (const { native_event, field, cell, evidence: seen } of collectCells([host])) {
    const versionNote = cell.versions ? ` (versions ${cell.versions})` : "";
    const text = `${field}${versionNote}, ${cell.support}: ${describeCell(cell)} [${seen ? `seen ${seen.version}, ${seen.date}` : cell.source}]`;
    lines.set(text, [...(lines.get(text) ?? []), native_event]);
  }
  for (const [native_event, row] of Object.entries(host.capabilities)) {
    for (const { calls, source } of row().unreportedCalls ?? []) {
      const text = `not called for: ${calls} [${source}]`;
      lines.set(text, [...(lines.get(text) ?? []), native_event]);
    }
  }
  return [...lines].map(([text, events]) => `${text}: ${formatEvents(events).join(", ")}`);
}

interface MatrixRequest {
  markdown?: boolean;
  notes?: boolean;
  host?: Host;
}

/** Formats the tables of one host or of all hosts, optionally with notes on each cell. */
export function formatMatrix(
  { markdown = false, notes: explained = markdown, host: only }: MatrixRequest = {},
  { width }: Pick<PageLayout, "width"> = { width: Infinity },
): string {
  const layout = { markdown, width };
  const list = (lines: readonly string[]) => lines.flatMap((line) => wrapLabeled("- ", line, 2, layout)).join("\n");
  const heading = (text: string) => (markdown ? `#### ${text}` : text.toUpperCase());
  const parts = [
    ...(markdown ? [formatOverview(hosts, layout)] : only ? [formatOverview([only], layout)] : []),
    list(markdown ? LEGEND : HOST_LEGEND),
  ];
  for (const host of only ? [only] : hosts) {
    parts.push(heading(host.name));
    if (!isTestedHost(host))
      parts.push(
        wrapText(`${host.name} has never been tested; this table is based on the host's documentation.`, width).join(
          "\n",
        ),
      );
    parts.push(
      formatHostTable(host, layout),
      ...formatSharedRows(host).map((text) => wrapText(text, width).join("\n")),
    );
    if (!explained) continue;
    const lines = list(formatNotes(host));
    parts.push(
      markdown ? `<details><summary>What is sent, and how that is known</summary>\n\n${lines}\n\n</details>` : lines,
    );
  }
  return parts.join("\n\n");
}

/** Formats all hosts side by side. */
export const formatSummary = (page: PageLayout, only: EventName | undefined): string =>
  formatGrid(hosts, page, { only, unseen: hosts.filter((host) => !isTestedHost(host)) });
