import { words } from "../protocol/host/quote.ts";
import type { ConfigEntry, Examination, Place, Setup } from "../protocol/host/install.ts";
import { oursIn } from "./check.ts";
import { resolveLinks } from "./follow-links.ts";
import { commandsOf, readConfig } from "./setup.ts";

/** The program that an entry starts, without links. */
function programOf({ command, args }: ConfigEntry, setup: Setup, { platform, env }: Place): string | undefined {
  const program = args ? command : words(command, setup.dialects(platform)[0], env)?.[0];
  return program && resolveLinks(program);
}

function entriesAt(path: string): ConfigEntry[] {
  try {
    return commandsOf(Bun.JSONC.parse(readConfig(path)), "groups");
  } catch {
    return [];
  }
}

/** Another host's settings that this one reads too, and in which entries start our program; `taken`: those that it takes over. */
export function importsOfOurs(
  setup: Setup,
  { place, files }: Examination,
  taken: (entries: ConfigEntry[]) => ConfigEntry[] = (entries) => entries,
): string[] {
  const programs = new Set([
    resolveLinks(process.execPath),
    ...oursIn(files).flatMap(({ entry }) => programOf(entry, setup, place) ?? []),
  ]);
  return (setup.imports?.(place) ?? []).filter((path) =>
    taken(entriesAt(path)).some((entry) => programs.has(programOf(entry, setup, place) ?? "")),
  );
}
