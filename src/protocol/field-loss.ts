import type { CapabilityCell, CapabilityField, CapabilityRow } from "./capability.ts";
import type { AnyEvent } from "./event.ts";
import type { Host, HostOptionValues } from "./host/host.ts";

/** A response field that didn't reach the host as the hook wrote it. */
export interface FieldLoss {
  field: CapabilityField;
  support: CapabilityCell["support"];
  /** Describes the loss and how to avoid it. */
  message: string;
}

export interface LoweringTarget {
  host: Host;
  row: CapabilityRow;
  event: AnyEvent;
  settings: HostOptionValues;
  /** Redacts secrets in a field's text. If absent, a denial doesn't quote the new input. */
  redact?: ((text: string, field: string) => string) | undefined;
}

/** The part of a capability cell that describes a loss and its remedy. */
export type LostCell = Pick<CapabilityCell, "support" | "how" | "remedy">;

/** Records a lost field. `cell` defaults to the row's cell for the field. */
export type ReportLoss = (field: CapabilityField, description: string, cell?: LostCell) => void;
