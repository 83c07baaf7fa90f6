import type { EventName } from "./event.ts";
import type { Payload } from "./host/payload.ts";

/**
 * What becomes of a response field on one host event.
 * - `native`: the host has it, with the same meaning.
 * - `emulated`: the aim is reached by another way; the difference is named and warned about.
 * - `downgrade`: something stricter is sent instead.
 * - `drop`: not sent; only for fields whose loss harms nobody.
 * - `unenforceable`: the host cannot honour a restriction; always loud.
 */
export type Support = "native" | "emulated" | "downgrade" | "drop" | "unenforceable";

/** Where a fact about a host comes from, runs of it apart: read in what the vendor ships, documented, not verified, or true of every host. */
export type FactSource = `shipped ${string}` | `docs ${string}` | "unverified" | "by definition";

/** A run of the real host that showed a cell to be true; written by `npm run e2e -- --record`. */
export interface Evidence {
  /** The host's release, as its vendor numbers it. */
  version: string;
  /** When, as YYYY-MM-DD. */
  date: string;
  /** The case's name: `npm run e2e -- --only "<test>"` runs it again. */
  test: string;
  /** What it was shown to be; another support in the table needs another run. */
  support: Support;
}

/** The evidence of a host's cells, by native event and then by `evidenceKey`. */
export type EvidenceTable = Readonly<Record<string, Readonly<Record<string, Evidence>>>>;

export interface CapabilityCell<S extends Support = Support> {
  support: S;
  /** What is sent, or what is lost and what to do about it. */
  how: string;
  source: FactSource;
  /** Host versions this holds for, as a semver range; absent: every other version. */
  versions?: string;
  /** A reason has no place: nothing is printed for it, or nothing that could carry one. */
  silent?: true;
  /** The option that leaves the field to the host instead of downgrading it; `how`: what is lost then, and what to do. */
  unless?: { option: string; value: string; how: string };
}

/** One cell, or several by version; the last has no `versions`. */
export type CapabilityCells<S extends Support> =
  CapabilityCell<S> | readonly [...CapabilityCell<S>[], CapabilityCell<S>];

type KeptSupport = "native" | "emulated";

/** Calls that a host makes without telling its hooks. */
export interface UnreportedCalls {
  calls: string;
  /** `seen`: in a run, of which release and when; the end-to-end cases look at it again. */
  source: FactSource | `seen ${string}`;
}

interface CapabilityRowBase<Shape extends string> {
  /** The form of the host's answer; the host's encoder knows it by this name. */
  shape: Shape;
  /** Calls that the event does not fire for, so that no denial can hold. */
  untold?: readonly UnreportedCalls[];
  /** A denial makes the agent go on, although the event is none of the unified Stop events. */
  goes_on?: true | undefined;
  allow: CapabilityCells<KeptSupport | "drop">;
  /** A denial is never dropped in silence: `drop` does not compile here. */
  deny: CapabilityCells<KeptSupport | "unenforceable">;
  ask: CapabilityCells<KeptSupport | "downgrade" | "unenforceable">;
  reason: CapabilityCells<KeptSupport | "drop">;
  user_message: CapabilityCells<KeptSupport | "drop">;
  additional_context: CapabilityCells<KeptSupport | "drop">;
}

/** Events before a tool call: a rewrite is a restriction there, so it is never dropped. */
export type GateEvent = "PreToolUse" | "PermissionRequest";

/** Events after a tool call: a new result may hide what the model must not read, so it is never dropped in silence. */
export type ResultEvent = "PostToolUse" | "PostToolUseFailure";

/** Events whose rows say nothing of the call or the session that they are about. */
export type OtherEvent = Exclude<EventName, GateEvent | ResultEvent | "SessionStart">;

/** One native event of a host. */
export type CapabilityRow<Shape extends string = string> = CapabilityRowBase<Shape> &
  (
    | {
        event: GateEvent;
        modified_input: CapabilityCells<KeptSupport | "downgrade" | "unenforceable">;
        modified_output?: undefined;
        session_env?: undefined;
      }
    | {
        event: ResultEvent;
        modified_input: CapabilityCells<"drop">;
        modified_output: CapabilityCells<KeptSupport | "unenforceable">;
        session_env?: undefined;
      }
    | {
        event: "SessionStart";
        modified_input: CapabilityCells<"drop">;
        modified_output?: undefined;
        session_env: CapabilityCells<KeptSupport | "drop">;
      }
    | {
        event: OtherEvent;
        modified_input: CapabilityCells<"drop">;
        modified_output?: undefined;
        session_env?: CapabilityCells<KeptSupport | "drop">;
      }
  );

/** A row without the fields that its event alone has. */
export type CommonCapabilityRow<Shape extends string, E extends EventName> = CapabilityRowBase<Shape> & {
  event: E;
  modified_input: CapabilityCells<"drop">;
};

/**
 * The rows of a host, by native event name; a call makes only the row it needs. A payload may say that less holds for this one call;
 * without one, the row is that of the table.
 */
export type Capabilities<Shape extends string = string> = Readonly<
  Record<string, (payload?: Payload) => CapabilityRow<Shape>>
>;

/** The columns of a row, in the order they are shown. */
export const CAPABILITY_FIELDS = [
  "allow",
  "deny",
  "ask",
  "reason",
  "user_message",
  "modified_input",
  "additional_context",
  "modified_output",
  "session_env",
] as const;
export type CapabilityField = (typeof CAPABILITY_FIELDS)[number];

/** A cell in an evidence table: its field, with the versions that it holds for, if it says any. */
export const evidenceKey = (field: CapabilityField, versions?: string): string =>
  versions ? `${field} ${versions}` : field;

/** The cell that holds for a host version; an unknown version gets the last one. */
export function pickCell<S extends Support>(cells: CapabilityCells<S>, version: string | undefined): CapabilityCell<S> {
  const all: readonly CapabilityCell<S>[] = Array.isArray(cells) ? cells : [cells as CapabilityCell<S>];
  const found = version && all.find((cell) => cell.versions && Bun.semver.satisfies(version, cell.versions));
  return found || (all.at(-1) as CapabilityCell<S>);
}

/** What a row that says nothing about a field says. */
const DEFAULT_CELLS: Partial<Record<CapabilityField, CapabilityCell>> = {
  modified_output: {
    support: "drop",
    how: "there is no result at this event; return it at PostToolUse or PostToolUseFailure",
    source: "by definition",
  },
  session_env: {
    support: "drop",
    how: "no session begins at this event; return it at SessionStart",
    source: "by definition",
  },
};

/** The cells of a field. */
export const getCells = (row: CapabilityRow, field: CapabilityField): CapabilityCells<Support> =>
  row[field] ?? (DEFAULT_CELLS[field] as CapabilityCell);

/** Whether a denial at this event makes the agent go on instead of stopping something. */
export const hasContinuingDenial = (row: CapabilityRow): boolean =>
  row.goes_on === true || row.event === "Stop" || row.event === "SubagentStop";

const defineCell =
  <S extends Support>(support: S) =>
  (
    how: string,
    source: FactSource,
    more: Pick<CapabilityCell, "versions" | "unless" | "silent"> = {},
  ): CapabilityCell<S> => ({
    support,
    how,
    source,
    ...more,
  });

export const native = defineCell("native");
export const emulated = defineCell("emulated");
export const downgrade = defineCell("downgrade");
export const drop = defineCell("drop");
export const unenforceable = defineCell("unenforceable");
