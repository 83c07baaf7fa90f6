import type { EventName } from "./event.ts";
import type { Payload } from "./host/payload.ts";

/**
 * How a host supports a response field on one event.
 * - `native`: the host supports the field with the same meaning.
 * - `emulated`: the same effect is achieved another way. The difference is documented, and a warning is printed.
 * - `downgrade`: something stricter is sent instead.
 * - `drop`: the field isn't sent. Allowed only for fields whose loss is harmless.
 * - `unenforceable`: the host can't honor a restriction. A warning is always printed.
 */
export type Support = "native" | "emulated" | "downgrade" | "drop" | "unenforceable";

/**
 * The source of a fact about a host that no run has confirmed: the vendor's shipped code or documentation. `unverified`
 * facts have no source, and facts that are true `by definition` apply to every host.
 */
export type FactSource = `shipped ${string}` | `docs ${string}` | "unverified" | "by definition";

/** A run of the real host that confirmed a capability cell, recorded by `npm run e2e -- --record`. */
export interface Evidence {
  /** Host version, in the vendor's own numbering. */
  version: string;
  /** Date of the run, as YYYY-MM-DD. */
  date: string;
  /** Name of the test case. To repeat the test, run `npm run e2e -- --only "<test>"`. */
  test: string;
  /** The support level that the run confirmed. If the level in the table changes, the cell needs a new run. */
  support: Support;
}

/** A host's evidence, keyed by native event and then by `evidenceKey`. */
export type EvidenceTable = Readonly<Record<string, Readonly<Record<string, Evidence>>>>;

export interface CapabilityCell<S extends Support = Support> {
  support: S;
  /** How the host's support differs: the substitute that is sent, or the part that is lost. */
  how: string;
  /** Advice about the loss, for hook authors or users. */
  remedy?: string;
  source: FactSource;
  /**
   * Semver range of the host versions that this cell applies to. A cell without a range applies to all other versions.
   */
  versions?: string;
  /** Set if the answer can't carry a reason. */
  lacksReason?: true;
  /** Set on a `user_message` cell if the model doesn't read the message that accompanies a denial. */
  isHiddenFromModel?: true;
  /** Set if an emulated field has its full effect, so that users needn't know about the emulation. */
  isEquivalent?: true;
  /**
   * The value of a host option that turns off the downgrade and passes the field to the host, with the resulting loss
   * and its remedy.
   */
  unless?: { option: string; value: string; how: string; remedy: string };
}

/** A single cell, or one cell per version range. The last cell has no version range. */
export type CapabilityCells<S extends Support> =
  CapabilityCell<S> | readonly [...CapabilityCell<S>[], CapabilityCell<S>];

type KeptSupport = "native" | "emulated";

/** Tool calls that a host runs without calling its hooks. */
export interface UnreportedCalls {
  calls: string;
  /** `seen <version>, <date>` names a run of the real host. The end-to-end tests repeat that run. */
  source: FactSource | `seen ${string}`;
}

interface CapabilityRowBase<Shape extends string> {
  /** Name of the answer format, which selects the host's encoder. */
  shape: Shape;
  /** Tool calls for which the event doesn't fire. A denial of such a call has no effect. */
  unreportedCalls?: readonly UnreportedCalls[];
  /** Set if a denial makes the agent continue even though the unified event isn't a Stop event. */
  denialContinues?: true | undefined;
  allow: CapabilityCells<KeptSupport | "drop">;
  /** `drop` isn't allowed here, because a denial must never be dropped silently. */
  deny: CapabilityCells<KeptSupport | "unenforceable">;
  ask: CapabilityCells<KeptSupport | "downgrade" | "unenforceable">;
  reason: CapabilityCells<KeptSupport | "drop">;
  user_message: CapabilityCells<KeptSupport | "drop">;
  additional_context: CapabilityCells<KeptSupport | "drop">;
}

/** Events before a tool call. On these events, rewriting the input is a restriction, so a rewrite is never dropped. */
export type GateEvent = "PreToolUse" | "PermissionRequest";

/**
 * Events after a tool call. A replaced result might hide data from the model, so the replacement is never dropped
 * silently.
 */
export type ResultEvent = "PostToolUse" | "PostToolUseFailure";

/** Events whose capability rows have no event-specific fields. */
export type OtherEvent = Exclude<EventName, GateEvent | ResultEvent | "SessionStart">;

/** Capabilities of one native event. */
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

/** A capability row without event-specific fields. */
export type CommonCapabilityRow<Shape extends string, E extends EventName> = CapabilityRowBase<Shape> & {
  event: E;
  modified_input: CapabilityCells<"drop">;
};

/**
 * A host's capability rows, keyed by native event and created on demand. Without a payload, the row is the one in the
 * table. With a payload, the row might support less for that call.
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

/** Returns the key of a cell in an evidence table: the field, followed by the version range if the cell has one. */
export const evidenceKey = (field: CapabilityField, versions?: string): string =>
  versions ? `${field} ${versions}` : field;

/** Returns the cell for a host version. If the version is unknown, returns the last cell. */
export function pickCell<S extends Support>(cells: CapabilityCells<S>, version: string | undefined): CapabilityCell<S> {
  const candidates: readonly CapabilityCell<S>[] = Array.isArray(cells) ? cells : [cells as CapabilityCell<S>];
  const versionedCell =
    version && candidates.find((cell) => cell.versions && Bun.semver.satisfies(version, cell.versions));
  return versionedCell || (candidates.at(-1) as CapabilityCell<S>);
}

/** Default cells for fields that a row omits. */
const DEFAULT_CELLS: Partial<Record<CapabilityField, CapabilityCell>> = {
  modified_output: {
    support: "drop",
    how: "this event has no result",
    remedy: "return it on PostToolUse or PostToolUseFailure",
    source: "by definition",
  },
  session_env: {
    support: "drop",
    how: "no session starts on this event",
    remedy: "return it on SessionStart",
    source: "by definition",
  },
};

export const getCells = (row: CapabilityRow, field: CapabilityField): CapabilityCells<Support> =>
  row[field] ?? (DEFAULT_CELLS[field] as CapabilityCell);

/** Returns whether a denial on this event makes the agent continue instead of blocking something. */
export const hasContinuingDenial = (row: CapabilityRow): boolean =>
  row.denialContinues === true || row.event === "Stop" || row.event === "SubagentStop";

/** Joins a cell's loss and its remedy (if any) into one sentence. */
export const describeCell = ({ how, remedy }: Pick<CapabilityCell, "how" | "remedy">): string =>
  remedy === undefined ? how : `${how}; ${remedy}`;

type CellOptions = Pick<CapabilityCell, "versions" | "unless" | "lacksReason" | "isHiddenFromModel" | "isEquivalent">;

const defineSupported =
  <S extends Support>(support: S) =>
  (how: string, source: FactSource, options: CellOptions = {}): CapabilityCell<S> => ({
    support,
    how,
    source,
    ...options,
  });

const defineLost =
  <S extends Support>(support: S) =>
  (
    [how, remedy]: readonly [how: string, remedy: string],
    source: FactSource,
    options: CellOptions = {},
  ): CapabilityCell<S> => ({
    support,
    how,
    remedy,
    source,
    ...options,
  });

export const native = defineSupported("native");
export const emulated = defineSupported("emulated");
export const downgrade = defineLost("downgrade");
export const drop = defineLost("drop");
export const unenforceable = defineLost("unenforceable");
