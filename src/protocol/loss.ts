import type { Cell, Field, Row } from "./capability.ts";
import type { AnyEvent } from "./event.ts";
import type { CallHost, Settings } from "./host/host.ts";

/** A field that did not reach the host as the hook wrote it. */
export interface Loss {
  field: Field;
  support: Cell["support"];
  /** What happened; what to do. */
  message: string;
}

export interface Target {
  host: CallHost;
  row: Row;
  event: AnyEvent;
  settings: Settings;
}

/** Notes a field that was lost; without a cell, for the row's own. */
export type Lose = (field: Field, what: string, cell?: Cell) => void;
