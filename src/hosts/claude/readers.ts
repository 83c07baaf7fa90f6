import { existsSync } from "node:fs";
import type { DoctorContext, Finding, MachineContext } from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { findProgram } from "../find-program.ts";
import { readSettings } from "../setup/checks.ts";
import { createNote, formatPaths } from "../setup/findings.ts";

/** A program that is documented to run hooks from Claude Code's settings but was never run with bridge-hooks. */
interface DocumentedReader {
  name: string;
  programs: readonly string[];
  /** Returns the path of the program's user config directory. */
  folder: (machine: MachineContext) => string;
  /** Whether the user has configured the program not to read Claude Code's settings. */
  isExcluded: (folder: string) => boolean;
  /** Tells users how to make the program ignore Claude Code's settings. */
  instructions: string;
}

/**
 * Programs that are documented to read Claude Code's settings [docs
 * https://docs.devin.ai/cli/extensibility/hooks/overview and
 * https://docs.devin.ai/cli/reference/configuration/read-config-from, 2026-11-29; never run].
 */
const DOCUMENTED_READERS: readonly DocumentedReader[] = [
  {
    name: "Devin CLI",
    programs: ["devin"],
    folder: ({ home, platform, env }) => `${(platform === "win32" && env.APPDATA) || `${home}/.config`}/devin`,
    isExcluded: (folder) => toObject(readSettings(`${folder}/config.json`).read_config_from).claude === false,
    instructions:
      'set "read_config_from": {"claude": false} in its config.json (https://docs.devin.ai/cli/reference/configuration/read-config-from)',
  },
];

/**
 * Notes which installed programs run our entries from Claude Code's files but use their own payload and answer formats.
 */
export function findDocumentedReaders({ files, machine }: DoctorContext): Finding[] {
  const ourFiles = files.filter((file) => file.ownEntries.length > 0);
  if (ourFiles.length === 0) return [];
  const path = machine.env.PATH ?? machine.env.Path ?? "";
  const readsSettings = ({ programs, folder, isExcluded }: DocumentedReader) =>
    (existsSync(folder(machine)) || programs.some((program) => findProgram(program, { roots: machine.roots, path }))) &&
    !isExcluded(folder(machine));
  return DOCUMENTED_READERS.filter(readsSettings).map(({ name, instructions }) =>
    createNote(
      "documented-reader",
      `${name} is installed here, and according to its documentation it runs the entries in ${formatPaths(ourFiles)}`,
      "this combination is untested; bridge-hooks identifies calls by their fields, and denies or asks by exit code 2 with the reason on stderr",
      `test whether a denial works there; to stop ${name} from running these entries, ${instructions}`,
    ),
  );
}
