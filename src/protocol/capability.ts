import type { EventName } from "./event.ts";
import type { Payload } from "./host/payload.ts";

/**
 * What happens to a response field at one host event.
 * - `native`: the host supports it with the same meaning.
 * - `emulated`: the effect is achieved in another way; the difference is documented and warned about.
 * - `downgrade`: something stricter is sent instead.
 * - `drop`: not sent; only for fields whose loss is harmless.
 * - `unenforceable`: the host cannot honour a restriction; always warned about.
 */
export type Support = "native" | "emulated" | "downgrade" | "drop" | "unenforceable";

/**
 * Source of a host fact, other than a run: read in what the vendor ships, documented, unverified, or true of every
 * host.
 */
export type FactSource = `shipped ${string}` | `docs ${string}` | "unverified" | "by definition";

/** A run of the real host that confirmed a cell; written by `npm run e2e -- --record`. */
export interface Evidence {
  /** The host's release, as its vendor numbers it. */
  version: string;
  /** Date of the run, YYYY-MM-DD. */
  date: string;
  /** Name of the case; `npm run e2e -- --only "<test>"` repeats it. */
  test: string;
  /** The support level that the run confirmed. If the table's level changes, the cell needs a new run. */
  support: Support;
}

/** A host's evidence, by native event and then by `evidenceKey`. */
export type EvidenceTable = Readonly<Record<string, Readonly<Record<string, Evidence>>>>;

export interface CapabilityCell<S extends Support = Support> {
  support: S;
  /** What is sent, or what is lost. */
  how: string;
  /** What to do about a loss. */
  remedy?: string;
  source: FactSource;
  /** Host versions this cell applies to, as a semver range; absent: all other versions. */
  versions?: string;
  /** The answer can't carry a reason. */
  silent?: true;
  /** Of a message for the user at a denial: the model does not read it. */
  personal?: true;
  /** The option value that leaves the field to the host instead of downgrading it, with its own loss and remedy. */
  unless?: { option: string; value: string; how: string; remedy: string };
}

/** One cell, or one per version range; the last has no `versions`. */
export type CapabilityCells<S extends Support> =
  CapabilityCell<S> | readonly [...CapabilityCell<S>[], CapabilityCell<S>];

type KeptSupport = "native" | "emulated";

/** Calls that a host makes without calling its hooks. */
export interface UnreportedCalls {
  calls: string;
  /** `seen`: a run of which release, and when; the end-to-end cases check it again. */
  source: FactSource | `seen ${string}`;
}

interface CapabilityRowBase<Shape extends string> {
  /** Answer format; the host's encoder switches on this name. */
  shape: Shape;
  /** Calls for which the event does not fire, so no denial can hold. */
  untold?: readonly UnreportedCalls[];
  /** A denial makes the agent continue, although this is not a unified Stop event. */
  goes_on?: true | undefined;
  allow: CapabilityCells<KeptSupport | "drop">;
  /** A denial is never dropped silently: `drop` does not compile here. */
  deny: CapabilityCells<KeptSupport | "unenforceable">;
  ask: CapabilityCells<KeptSupport | "downgrade" | "unenforceable">;
  reason: CapabilityCells<KeptSupport | "drop">;
  user_message: CapabilityCells<KeptSupport | "drop">;
  additional_context: CapabilityCells<KeptSupport | "drop">;
}

/** Events before a tool call. A rewrite is a restriction there, so it is never dropped. */
export type GateEvent = "PreToolUse" | "PermissionRequest";

/** Events after a tool call. A new result may hide what the model must not read, so it is never dropped silently. */
export type ResultEvent = "PostToolUse" | "PostToolUseFailure";

/** Events without fields of their own in a row. */
export type OtherEvent = Exclude<EventName, GateEvent | ResultEvent | "SessionStart">;

/** The capabilities of one native event. */
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

/** A row without its event-specific fields. */
export type CommonCapabilityRow<Shape extends string, E extends EventName> = CapabilityRowBase<Shape> & {
  event: E;
  modified_input: CapabilityCells<"drop">;
};

/**
 * A host's rows, by native event name, created on demand. With a payload, the row may grant less for that particular
 * call; without one, it is the row of the table.
 */
export type Capabilities<Shape extends string = string> = Readonly<
  Record<string, (payload?: Payload) => CapabilityRow<Shape>>
>;

/** The columns of a row, in display order. */
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

/** Key of a cell in an evidence table: its field, and its version range if it has one. */
export const evidenceKey = (field: CapabilityField, versions?: string): string =>
  versions ? `${field} ${versions}` : field;

/** Returns the cell for a host version; an unknown version gets the last cell. */
export function pickCell<S extends Support>(cells: CapabilityCells<S>, version: string | undefined): CapabilityCell<S> {
  const all: readonly CapabilityCell<S>[] = Array.isArray(cells) ? cells : [cells as CapabilityCell<S>];
  const found = version && all.find((cell) => cell.versions && Bun.semver.satisfies(version, cell.versions));
  return found || (all.at(-1) as CapabilityCell<S>);
}

/** Cells for fields that a row does not mention. */
const DEFAULT_CELLS: Partial<Record<CapabilityField, CapabilityCell>> = {
  modified_output: {
    support: "drop",
    how: "there is no result at this event",
    remedy: "return it at PostToolUse or PostToolUseFailure",
    source: "by definition",
  },
  session_env: {
    support: "drop",
    how: "no session begins at this event",
    remedy: "return it at SessionStart",
    source: "by definition",
  },
};

export const getCells = (row: CapabilityRow, field: CapabilityField): CapabilityCells<Support> =>
  row[field] ?? (DEFAULT_CELLS[field] as CapabilityCell);

/** Whether a denial at this event makes the agent continue instead of stopping something. */
export const hasContinuingDenial = (row: CapabilityRow): boolean =>
  row.goes_on === true || row.event === "Stop" || row.event === "SubagentStop";

/** What becomes of a field, and what to do about it. */
export const describeCell = ({ how, remedy }: Pick<CapabilityCell, "how" | "remedy">): string =>
  remedy === undefined ? how : `${how}; ${remedy}`;

type CellOptions = Pick<CapabilityCell, "versions" | "unless" | "silent" | "personal">;

const defineKept =
  <S extends Support>(support: S) =>
  (how: string, source: FactSource, more: CellOptions = {}): CapabilityCell<S> => ({ support, how, source, ...more });

const defineLost =
  <S extends Support>(support: S) =>
  (
    [how, remedy]: readonly [how: string, remedy: string],
    source: FactSource,
    more: CellOptions = {},
  ): CapabilityCell<S> => ({
    support,
    how,
    remedy,
    source,
    ...more,
  });

export const native = defineKept("native");
export const emulated = defineKept("emulated");
export const downgrade = defineLost("downgrade");
export const drop = defineLost("drop");
export const unenforceable = defineLost("unenforceable");
