import type { ConfigEntry, DoctorContext, MachineContext, Setup } from "../../protocol/host/install.ts";
import { splitCommand } from "../../protocol/host/quote.ts";
import { resolveSymbolicLinks } from "../follow-links.ts";
import { collectEntries, readConfigText } from "./entries.ts";
import { listOurEntries } from "./findings.ts";

/** Returns the program that an entry starts, with symbolic links resolved. */
function findEntryProgram(
  { command, args }: ConfigEntry,
  setup: Setup,
  { platform, env }: MachineContext,
): string | undefined {
  const program = args ? command : splitCommand(command, setup.listDialects(platform)[0], env)?.[0];
  return program && resolveSymbolicLinks(program);
}

function readEntries(path: string): ConfigEntry[] {
  try {
    const document: unknown = Bun.JSONC.parse(readConfigText(path));
    // Try both layouts, since the other host could use either.
    return [...collectEntries(document, "groups"), ...collectEntries(document, "list")];
  } catch {
    return [];
  }
}

/** Finds our entries in other hosts' settings files that this host also reads, and returns the paths of those files. */
export function findImportsOfOurEntries(
  setup: Setup,
  { machine, files }: DoctorContext,
  selectImported: (entries: ConfigEntry[]) => ConfigEntry[] = (entries) => entries,
): string[] {
  const programs = new Set([
    resolveSymbolicLinks(process.execPath),
    ...listOurEntries(files).flatMap(({ entry }) => findEntryProgram(entry, setup, machine) ?? []),
  ]);
  return (setup.listImportedFiles?.(machine) ?? []).filter((path) =>
    selectImported(readEntries(path)).some((entry) => programs.has(findEntryProgram(entry, setup, machine) ?? "")),
  );
}
