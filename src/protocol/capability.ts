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
export type Source = `shipped ${string}` | `docs ${string}` | "unverified" | "by definition";

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

export interface Cell<S extends Support = Support> {
  support: S;
  /** What is sent, or what is lost and what to do about it. */
  how: string;
  source: Source;
  /** Host versions this holds for, as a semver range; absent: every other version. */
  versions?: string;
  /** A reason has no place: nothing is printed for it, or nothing that could carry one. */
  silent?: true;
  /** The option that leaves the field to the host instead of downgrading it; `how`: what is lost then, and what to do. */
  unless?: { option: string; value: string; how: string };
}

/** One cell, or several by version; the last has no `versions`. */
export type Cells<S extends Support> = Cell<S> | readonly [...Cell<S>[], Cell<S>];

type Kept = "native" | "emulated";

/** Calls that a host makes without telling its hooks. */
export interface Untold {
  calls: string;
  /** `seen`: in a run, of which release and when; the end-to-end cases look at it again. */
  source: Source | `seen ${string}`;
}

interface RowBase<Shape extends string> {
  /** The form of the host's answer; the host's encoder knows it by this name. */
  shape: Shape;
  /** Calls that the event does not fire for, so that no denial can hold. */
  untold?: readonly Untold[];
  /** A denial makes the agent go on, although the event is none of the unified Stop events. */
  goes_on?: true | undefined;
  allow: Cells<Kept | "drop">;
  /** A denial is never dropped in silence: `drop` does not compile here. */
  deny: Cells<Kept | "unenforceable">;
  ask: Cells<Kept | "downgrade" | "unenforceable">;
  reason: Cells<Kept | "drop">;
  user_message: Cells<Kept | "drop">;
  additional_context: Cells<Kept | "drop">;
}

/** Events before a tool call: a rewrite is a restriction there, so it is never dropped. */
export type GateEvent = "PreToolUse" | "PermissionRequest";

/** Events after a tool call: a new result may hide what the model must not read, so it is never dropped in silence. */
export type ResultEvent = "PostToolUse" | "PostToolUseFailure";

/** Events whose rows say nothing of the call or the session that they are about. */
export type OtherEvent = Exclude<EventName, GateEvent | ResultEvent | "SessionStart">;

/** One native event of a host. */
export type Row<Shape extends string = string> = RowBase<Shape> &
  (
    | {
        event: GateEvent;
        modified_input: Cells<Kept | "downgrade" | "unenforceable">;
        modified_output?: undefined;
        session_env?: undefined;
      }
    | {
        event: ResultEvent;
        modified_input: Cells<"drop">;
        modified_output: Cells<Kept | "unenforceable">;
        session_env?: undefined;
      }
    | {
        event: "SessionStart";
        modified_input: Cells<"drop">;
        modified_output?: undefined;
        session_env: Cells<Kept | "drop">;
      }
    | {
        event: OtherEvent;
        modified_input: Cells<"drop">;
        modified_output?: undefined;
        session_env?: Cells<Kept | "drop">;
      }
  );

/** A row without the fields that its event alone has. */
export type CommonRow<Shape extends string, E extends EventName> = RowBase<Shape> & {
  event: E;
  modified_input: Cells<"drop">;
};

/**
 * The rows of a host, by native event name; a call makes only the row it needs. A payload may say that less holds for this one call;
 * without one, the row is that of the table.
 */
export type Capabilities<Shape extends string = string> = Readonly<Record<string, (payload?: Payload) => Row<Shape>>>;

/** The columns of a row, in the order they are shown. */
export const FIELDS = [
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
export type Field = (typeof FIELDS)[number];

/** A cell in an evidence table: its field, with the versions that it holds for, if it says any. */
export const evidenceKey = (field: Field, versions?: string): string => (versions ? `${field} ${versions}` : field);

/** The cell that holds for a host version; an unknown version gets the last one. */
export function pick<S extends Support>(cells: Cells<S>, version: string | undefined): Cell<S> {
  const all: readonly Cell<S>[] = Array.isArray(cells) ? cells : [cells as Cell<S>];
  const found = version && all.find((cell) => cell.versions && Bun.semver.satisfies(version, cell.versions));
  return found || (all.at(-1) as Cell<S>);
}

/** What a row that says nothing about a field says. */
const UNSAID: Partial<Record<Field, Cell>> = {
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
export const cellsOf = (row: Row, field: Field): Cells<Support> => row[field] ?? (UNSAID[field] as Cell);

/** Whether a denial at this event makes the agent go on instead of stopping something. */
export const continues = (row: Row): boolean =>
  row.goes_on === true || row.event === "Stop" || row.event === "SubagentStop";

const cell =
  <S extends Support>(support: S) =>
  (how: string, source: Source, more: Pick<Cell, "versions" | "unless" | "silent"> = {}): Cell<S> => ({
    support,
    how,
    source,
    ...more,
  });

export const native = cell("native");
export const emulated = cell("emulated");
export const downgrade = cell("downgrade");
export const drop = cell("drop");
export const unenforceable = cell("unenforceable");
