import {
  type CapabilityCell,
  describeCell,
  getCells,
  type Evidence,
  evidenceKey,
  type CapabilityField,
  CAPABILITY_FIELDS,
  type CapabilityRow,
  type Support,
} from "../../protocol/capability.ts";
import { EVENTS } from "../../protocol/event.ts";
import type { Host } from "../../protocol/host/host.ts";
import { hosts } from "../../hosts/index.ts";

/** One cell of the capability table, with its position. */
export interface MatrixCell {
  host: Host;
  native_event: string;
  row: CapabilityRow;
  field: CapabilityField;
  cell: CapabilityCell;
  /** The run that confirmed it, if there is one. */
  evidence?: Evidence;
}

const evidenceByHost = new Map(
  await Promise.all(hosts.map(async (host) => [host.id, await host.loadEvidence()] as const)),
);
/** Whether any release of the host was run. */
const isSeen = ({ id }: Host) => Object.keys(evidenceByHost.get(id) ?? {}).length > 0;
const findEvidence = (
  host: Host,
  native_event: string,
  field: CapabilityField,
  { versions }: CapabilityCell,
): Evidence | undefined => evidenceByHost.get(host.id)?.[native_event]?.[evidenceKey(field, versions)];

const listCells = (row: CapabilityRow, field: CapabilityField): readonly CapabilityCell[] => {
  const cells = getCells(row, field);
  return Array.isArray(cells) ? cells : [cells as CapabilityCell];
};

/** Collects every cell of every host, by version where a host changed. */
export const collectCells = (of: readonly Host[] = hosts): MatrixCell[] =>
  of.flatMap((host) =>
    Object.entries(host.capabilities).flatMap(([native_event, make]) => {
      const row = make();
      return CAPABILITY_FIELDS.flatMap((field) =>
        listCells(row, field).map((cell) => ({
          host,
          native_event,
          row,
          field,
          cell,
          evidence: findEvidence(host, native_event, field, cell),
        })),
      );
    }),
  );

/**
 * Builds the table as data: a list of cells per field (several where a host changed), and the events that a host lacks.
 */
export const buildMatrixData = (of: readonly Host[] = hosts) =>
  of.map((host) => ({
    host: host.id,
    name: host.name,
    was_run: isSeen(host),
    absent: host.absentEvents,
    events: Object.entries(host.capabilities).map(([native_event, make]) => {
      const row = make();
      const seen = (field: CapabilityField) =>
        listCells(row, field).map(({ remedy, ...cell }) => ({
          ...cell,
          how: describeCell({ how: cell.how, remedy }),
          evidence: findEvidence(host, native_event, field, cell),
        }));
      return {
        native_event,
        event: row.event,
        ...(row.untold && { untold: row.untold }),
        ...Object.fromEntries(CAPABILITY_FIELDS.map((field) => [field, seen(field)])),
      };
    }),
  }));

const SUPPORT_SIGNS: Record<Support, string> = {
  native: "yes",
  emulated: "emulated",
  downgrade: "stricter",
  drop: "–",
  unenforceable: "NO",
};
/** Marks how a cell is known. */
const formatSourceMark = ({ source }: CapabilityCell, seen: Evidence | undefined) =>
  seen ? " ●" : source === "unverified" ? " ?" : source === "by definition" ? "" : " ○";

const LEGEND = [
  "yes: the host has it",
  "emulated: done another way, with a warning",
  "stricter: something stricter is sent, with a warning",
  "–: dropped, with a warning",
  "NO: the host can't do it; always reported",
  "with versions: depends on the host's version; the last one holds for all others",
  "●: seen in a run of the real host; ○: the vendor's documentation or package says so; ?: not verified",
];

/** Column heads: as the fields are called, but short enough for a terminal. */
const FIELD_TITLES: Record<CapabilityField, string> = {
  allow: "allow",
  deny: "deny",
  ask: "ask",
  reason: "reason",
  user_message: "message",
  modified_input: "rewrite",
  additional_context: "context",
  modified_output: "result",
  session_env: "variables",
};

function formatTable(header: readonly string[], rows: readonly (readonly string[])[], markdown: boolean): string {
  const widths = header.map((text, column) => Math.max(text.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) => {
    const padded = row.map((text, column) => text.padEnd(widths[column] ?? 0));
    return markdown ? `| ${padded.join(" | ")} |` : padded.join("  ").trimEnd();
  };
  const rule = markdown
    ? `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`
    : widths.map((width) => "-".repeat(width)).join("  ");
  return [line(header), rule, ...rows.map(line)].join("\n");
}

/** Splits a row whose cells have several lines into several rows. */
const unfoldRow = (row: readonly string[]): string[][] =>
  Array.from({ length: Math.max(...row.map((text) => text.split("\n").length)) }, (_, at) =>
    row.map((text) => text.split("\n")[at] ?? ""),
  );

/** Shows which native events of the hosts become which unified event; aliases are left out. */
function formatOverview(of: readonly Host[], markdown: boolean): string {
  const rows = EVENTS.map((event) => [
    event,
    ...of.map(({ capabilities, eventAliases = {} }) => {
      const names = Object.keys(capabilities).filter(
        (name) => capabilities[name]?.().event === event && !(name in eventAliases),
      );
      if (names.length === 0) return "absent";
      return event === "Native" ? `${names.length} more` : names.join(markdown ? ", " : "\n");
    }),
  ]);
  return formatTable(
    ["Unified event", ...of.map(({ name }) => name)],
    markdown ? rows : rows.flatMap(unfoldRow),
    markdown,
  );
}

/** How many hosts fit side by side on a terminal. */
const HOSTS_PER_TABLE = 3;
const hostGroups = Array.from({ length: Math.ceil(hosts.length / HOSTS_PER_TABLE) }, (_, at) =>
  hosts.slice(at * HOSTS_PER_TABLE, (at + 1) * HOSTS_PER_TABLE),
);

/** Formats the signs of a row, field by field. */
const formatSigns = (host: Host, native_event: string, row: CapabilityRow): string[] =>
  CAPABILITY_FIELDS.map((field) =>
    listCells(row, field)
      .map((cell) => {
        const { support, versions } = cell;
        const sign = `${SUPPORT_SIGNS[support]}${formatSourceMark(cell, findEvidence(host, native_event, field, cell))}`;
        return versions ? `${sign} (${versions})` : sign;
      })
      .join("; "),
  );

/** If more native events than this have the same signs, they share one row of the table. */
const MAX_SEPARATE_ROWS = 8;

interface MatrixRow {
  names: string[];
  event: string;
  signs: string[];
}

/** Collects the rows of a host's table. Native events without a unified one share a row if there are many alike. */
function collectRows(host: Host): MatrixRow[] {
  const all = Object.entries(host.capabilities).map(([name, make]) => {
    const row = make();
    return { names: [name], event: row.event, signs: formatSigns(host, name, row) };
  });
  const alike = [...Map.groupBy(all, ({ event, signs }) => JSON.stringify([event, signs])).values()];
  return alike.flatMap((rows) =>
    rows.length > MAX_SEPARATE_ROWS && rows[0]?.event === "Native"
      ? { ...rows[0], names: rows.flatMap(({ names }) => names) }
      : rows,
  );
}

const formatRowTitle = ({ names: [first = "", ...more] }: MatrixRow) =>
  more.length > 0 ? `${first} and ${more.length} more` : first;

function formatHostTable(host: Host, markdown: boolean): string {
  const order = Object.keys(host.capabilities);
  const rows = collectRows(host)
    .toSorted((one, other) => order.indexOf(one.names[0] as string) - order.indexOf(other.names[0] as string))
    .map((row) => (markdown ? [formatRowTitle(row), row.event, ...row.signs] : [formatRowTitle(row), ...row.signs]));
  const titles = CAPABILITY_FIELDS.map((field) => FIELD_TITLES[field]);
  return formatTable(markdown ? ["Host event", "Unified event", ...titles] : ["Host event", ...titles], rows, markdown);
}

/** Lists the events of each shared row. */
const formatSharedRows = (host: Host): string[] =>
  collectRows(host)
    .filter(({ names }) => names.length > 1)
    .map((row) => `${formatRowTitle(row)}: ${row.names.slice(1).join(", ")}.`);

/** Explains what each cell does and how that is known; equal cells of a host share a line. */
function formatNotes(host: Host): string[] {
  const lines = new Map<string, string[]>();
  const many = collectRows(host).filter(({ names }) => names.length > 1);
  // The first of the events that share a row represents them all.
  const called = (events: readonly string[]) =>
    many.reduce<readonly string[]>((remaining, row) => {
      if (!row.names.every((name) => remaining.includes(name))) return remaining;
      return [...remaining.filter((name) => !row.names.includes(name)), formatRowTitle(row)];
    }, events);
  for (const { native_event, field, cell, evidence: seen } of collectCells([host])) {
    const when = cell.versions ? ` (versions ${cell.versions})` : "";
    const text = `${field}${when}, ${cell.support}: ${describeCell(cell)} [${seen ? `seen ${seen.version}, ${seen.date}` : cell.source}]`;
    lines.set(text, [...(lines.get(text) ?? []), native_event]);
  }
  for (const [native_event, row] of Object.entries(host.capabilities)) {
    for (const { calls, source } of row().untold ?? []) {
      const text = `not called for: ${calls} [${source}]`;
      lines.set(text, [...(lines.get(text) ?? []), native_event]);
    }
  }
  return [...lines].map(([text, events]) => `${text}: ${called(events).join(", ")}`);
}

/**
 * Formats the capability table for people, for every host or for one, with what each cell does and how that is known.
 */
export function formatMatrix({
  markdown = false,
  notes: explained = markdown,
  host: only,
}: { markdown?: boolean; notes?: boolean; host?: Host } = {}): string {
  const heading = (text: string) => (markdown ? `#### ${text}` : text.toUpperCase());
  const parts = [
    ...(markdown ? [hosts] : only ? [[only]] : hostGroups).map((group) => formatOverview(group, markdown)),
    LEGEND.map((line) => `- ${line}`).join("\n"),
  ];
  for (const host of only ? [only] : hosts) {
    parts.push(heading(host.name));
    if (!isSeen(host))
      parts.push(
        `${host.name} has never been run here: its table comes from its documentation, and none of it has been seen to hold.`,
      );
    parts.push(formatHostTable(host, markdown), ...formatSharedRows(host));
    if (!explained) continue;
    const lines = formatNotes(host).map((line) => `- ${line}`);
    parts.push(
      markdown
        ? `<details><summary>What is sent, and how that is known</summary>\n\n${lines.join("\n")}\n\n</details>`
        : lines.join("\n"),
    );
  }
  return parts.join("\n\n");
}
