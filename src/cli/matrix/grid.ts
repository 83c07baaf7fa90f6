import {
  CAPABILITY_FIELDS,
  type CapabilityCell,
  type CapabilityField,
  type CapabilityRow,
  type Evidence,
  getCells,
  type Support,
} from "../../protocol/capability.ts";
import { EVENTS, type EventName } from "../../protocol/event.ts";
import type { Host } from "../../protocol/host/host.ts";
import { formatTable, type PageLayout, wrapText } from "../terminal/layout.ts";
import { getOwnCommand } from "../../system/own-command.ts";

// The capability table, abbreviated to one character per cell so that all hosts fit side by side.

export const SUPPORT_SYMBOLS: Record<Support, string> = {
  native: "+",
  emulated: "~",
  downgrade: "<",
  drop: "-",
  unenforceable: "!",
};
/** Marks cells that differ between a host's events, calls or versions. */
const MIXED_MARKER = "/";

const SUPPORT_LEGEND = [
  "+ supported by the host",
  "~ emulated",
  "< replaced by something stricter",
  "- dropped, with a warning",
  "! not possible on the host, always reported",
];

/** Returns the symbol for a cell's source. A single host's table shows it after the cell's mark. */
export const getSourceMarker = ({ source }: CapabilityCell, evidence: Evidence | undefined): string =>
  evidence ? "●" : source === "unverified" ? "?" : source === "by definition" ? "" : "○";

/** Row titles of the grid, using the same words as `try`. */
export const FIELD_TITLES: Record<CapabilityField, string> = {
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

/** Events that are shown field by field, because every policy uses them. */
const MAIN_EVENTS = EVENTS.slice(0, 5);
const OTHER_EVENTS = EVENTS.slice(5).filter((event) => event !== "Native");

/** Returns a host's rows for an event. Aliases are skipped, because an alias repeats its event. */
export const findRows = ({ capabilities, eventAliases = {} }: Host, event: EventName): CapabilityRow[] =>
  Object.entries(capabilities).flatMap(([name, make]) => {
    const row = make();
    return row.event === event && !(name in eventAliases) ? [row] : [];
  });

function markField(host: Host, event: EventName, field: CapabilityField): string {
  const marks = new Set(
    findRows(host, event).map((row) => {
      // The last cell applies to the newest releases.
      const cell = [getCells(row, field) as CapabilityCell | readonly CapabilityCell[]].flat().at(-1);
      return SUPPORT_SYMBOLS[(cell as CapabilityCell).support];
    }),
  );
  return marks.size > 1 ? MIXED_MARKER : ([...marks][0] ?? "");
}

/** Shortens host IDs to distinct names: the first three letters, or the first two letters and the last. */
export function abbreviateHostIds(ids: readonly string[]): string[] {
  const usedIds: string[] = [];
  for (const id of ids) {
    const candidates = [id.slice(0, 3), `${id.slice(0, 2)}${id.at(-1)}`, id];
    usedIds.push(candidates.find((candidate) => !usedIds.includes(candidate)) ?? id);
  }
  return usedIds;
}

const LABEL_WIDTH = 20;
const HEADING_WIDTH = 3;

/** Formats rows of marks below the hosts' headings, with as many hosts per block as fit. */
function formatBlock(
  title: string,
  rows: readonly (readonly [label: string, mark: (host: Host) => string])[],
  hosts: readonly Host[],
  { width, paint }: PageLayout,
): string[] {
  const headings = abbreviateHostIds(hosts.map(({ id }) => id));
  const hostsPerBlock = Math.max(1, Math.floor((width - LABEL_WIDTH) / (HEADING_WIDTH + 1)));
  const columns = [{ width: LABEL_WIDTH }, ...hosts.map(() => ({ width: HEADING_WIDTH }))];
  const groups = Array.from({ length: Math.ceil(hosts.length / hostsPerBlock) }, (_, at) => at * hostsPerBlock);
  return groups.flatMap((start) => {
    const of = hosts.slice(start, start + hostsPerBlock);
    const cells = rows.map(([label, mark]) => [`  ${label}`, ...of.map((host) => ` ${mark(host)}`)]);
    const [head = "", ...lines] = formatTable([[title, ...headings.slice(start, start + hostsPerBlock)], ...cells], {
      width,
      columns,
      gap: 1,
    });
    return [paint(1, head), ...lines];
  });
}

/** Formats an event's fields on each host; fields that no host supports are omitted. */
const formatEvent = (event: EventName, hosts: readonly Host[], page: PageLayout): string[] =>
  formatBlock(
    event,
    CAPABILITY_FIELDS.filter((field) =>
      hosts.some((host) => !["", SUPPORT_SYMBOLS.drop].includes(markField(host, event, field))),
    ).map((field) => [FIELD_TITLES[field], (host) => markField(host, event, field)]),
    hosts,
    page,
  );

/**
 * Formats the capability table of all hosts as a grid of marks.
 * @param only the only event to show
 * @param unseen hosts that were never tested with a real run
 */
export function formatGrid(
  hosts: readonly Host[],
  page: PageLayout,
  { only, unseen: untestedHosts = [] }: { only?: EventName; unseen?: readonly Host[] } = {},
): string {
  const headings = abbreviateHostIds(hosts.map(({ id }) => id));
  const events = only === undefined ? MAIN_EVENTS : [only];
  const legend = [
    [...SUPPORT_LEGEND, `${MIXED_MARKER} differs between the host's events or releases`, "blank: no such event"].join(
      ", ",
    ),
    `Hosts: ${hosts.map(({ name }, at) => `${headings[at]} ${name}`).join(", ")}.`,
    ...(untestedHosts.length === 0
      ? []
      : [`Never tested, based on documentation only: ${untestedHosts.map(({ name }) => name).join(", ")}.`]),
    `For a host's events and sources: ${getOwnCommand()} matrix HOST; for one event: --event NAME`,
  ];
  const otherFields = formatBlock(
    "other events",
    OTHER_EVENTS.map((event) => [event, (host) => (findRows(host, event).length > 0 ? "+" : "")]),
    hosts,
    page,
  );
  return [
    ...events.map((event) => formatEvent(event, hosts, page)),
    ...(only === undefined ? [otherFields] : []),
    legend.flatMap((line) => wrapText(line, page.width)),
  ]
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** The legend of a single host's table. */
export const HOST_LEGEND = [
  ...SUPPORT_LEGEND.map((text) => text.replace(" ", ": ")),
  "●: observed in a run of the real host; ○: from the vendor's documentation or package; ?: unverified",
  "*: depends on the host's release, see the notes below",
];

const HOST_LABEL_WIDTH = 20;
/** Column headings for a single host's table, short enough for nine columns and an event name. */
const SHORT_TITLES: Record<CapabilityField, string> = { ...FIELD_TITLES, session_env: "vars" };

/** Even shorter headings for narrow terminals. */
const NARROW_TITLES: Record<CapabilityField, string> = {
  ...{ allow: "allow", deny: "deny", ask: "ask", reason: "why", user_message: "msg", modified_input: "edit" },
  ...{ additional_context: "ctx", modified_output: "out", session_env: "vars" },
};

export interface MarkedRow {
  title: string;
  marks: readonly string[];
}

/** Formats the table of one host. A name wider than its column gets its own line. */
export function formatHostGrid(rows: readonly MarkedRow[], { width }: Pick<PageLayout, "width">): string {
  const isNarrow = width < 80;
  const titles = CAPABILITY_FIELDS.map((field) => (isNarrow ? NARROW_TITLES : SHORT_TITLES)[field]);
  const column = Math.max(4, Math.min(HOST_LABEL_WIDTH, width - titles.join(" ").length - 1));
  const layout = {
    width,
    gap: 1,
    columns: [{ width: column }, ...titles.map((title) => ({ width: title.length }))],
  };
  return [
    ...formatTable([["Host event", ...titles]], layout),
    ...rows.flatMap(({ title, marks }) =>
      title.length > column
        ? [...wrapText(title, width), ...formatTable([["", ...marks]], layout)]
        : formatTable([[title, ...marks]], layout),
    ),
  ].join("\n");
}
