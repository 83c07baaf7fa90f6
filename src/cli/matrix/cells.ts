import {
  type CapabilityCell,
  getCells,
  type Evidence,
  evidenceKey,
  type CapabilityField,
  CAPABILITY_FIELDS,
  type CapabilityRow,
} from "../../protocol/capability.ts";
import type { Host } from "../../protocol/host/host.ts";
import { hosts } from "../../hosts/index.ts";

/** A cell of the capability table and its position. */
export interface MatrixCell {
  host: Host;
  native_event: string;
  row: CapabilityRow;
  field: CapabilityField;
  cell: CapabilityCell;
  /** The test run that confirmed the cell, if any. */
  evidence?: Evidence;
}

const evidenceByHost = new Map(
  await Promise.all(hosts.map(async (host) => [host.id, await host.loadEvidence()] as const)),
);
/** Whether any release of the host was tested. */
export const isTestedHost = ({ id }: Host) => Object.keys(evidenceByHost.get(id) ?? {}).length > 0;
export const findEvidence = (
  host: Host,
  native_event: string,
  field: CapabilityField,
  { versions }: CapabilityCell,
): Evidence | undefined => evidenceByHost.get(host.id)?.[native_event]?.[evidenceKey(field, versions)];

export const listCells = (row: CapabilityRow, field: CapabilityField): readonly CapabilityCell[] => {
  const cells = getCells(row, field);
  return Array.isArray(cells) ? cells : [cells as CapabilityCell];
};

/**
 * Collects every cell of every host. If a host's behavior changed over time, a field has one cell per version range.
 */
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
