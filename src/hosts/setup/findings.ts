import {
  type Capabilities,
  CAPABILITY_FIELDS,
  type CapabilityCell,
  describeCell,
  getCells,
  pickCell,
} from "../../protocol/capability.ts";
import type { ConfigEntry, Finding, LoadedConfigFile } from "../../protocol/host/install.ts";

type FindingArguments = [check: string, what: string, impact: string, fix: string];
export const createRedFinding = (...[check, problem, impact, fix]: FindingArguments): Finding => ({
  check,
  level: "red",
  what: problem,
  impact,
  fix,
});
export const createNote = (...[check, problem, impact, fix]: FindingArguments): Finding => ({
  check,
  level: "note",
  what: problem,
  impact,
  fix,
});

/** Lists our entries in these files, each with its file. */
export const listOurEntries = (files: readonly LoadedConfigFile[]): { file: LoadedConfigFile; entry: ConfigEntry }[] =>
  files.flatMap((file) => file.ownEntries.map((entry) => ({ file, entry })));

/** Formats the distinct file paths for a message. */
export const formatPaths = (files: readonly { path: string }[]): string =>
  [...new Set(files.map(({ path }) => path))].join(", ");

/** Adds notes about behavior of the installed release that differs in other releases. */
export function reportReleaseSpecificCells(capabilities: Capabilities, version: string | undefined): Finding[] {
  if (!version) return [];
  const specificCells = new Map<string, { cell: CapabilityCell; events: string[] }>();
  for (const [native_event, make] of Object.entries(capabilities)) {
    const row = make();
    for (const field of CAPABILITY_FIELDS) {
      const cell: CapabilityCell = pickCell(getCells(row, field), version);
      if (!cell.versions) continue;
      const key = `"${field}" is ${cell.support} (${cell.versions}): ${describeCell(cell)}`;
      specificCells.set(key, { cell, events: [...(specificCells.get(key)?.events ?? []), native_event] });
    }
  }
  return [...specificCells].map(([key, { cell, events }]) =>
    createNote(
      "old-row",
      `release ${version}, ${events.join(", ")}: ${key}`,
      `this applies only to releases ${cell.versions}; other releases behave differently`,
      "none needed if this is acceptable; otherwise use another release of the host",
    ),
  );
}
