import { existsSync } from "node:fs";
import type { DoctorContext, Finding, MachineContext } from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { findProgram } from "../find-program.ts";
import { readSettings } from "../setup/checks.ts";
import { createNote, formatPaths } from "../setup/findings.ts";

/** A program documented to run hooks from Claude Code's settings. bridge-hooks has never been run with it. */
interface DocumentedReader {
  name: string;
  programs: readonly string[];
  /** Returns the user's config directory for the program. */
  folder: (machine: MachineContext) => string;
  /** Whether the user configured the program not to read these settings. */
  isExcluded: (folder: string) => boolean;
  /** Instructions for configuring that. */
  instructions: string;
}

/**
 * Programs documented to read Claude Code's settings [docs https://docs.devin.ai/cli/extensibility/hooks/overview and
 * https://docs.devin.ai/cli/reference/configuration/read-config-from, 2026-11-29; never run].
 */
const READERS: readonly DocumentedReader[] = [
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
 * Notes programs on this machine that run our entries from Claude Code's files with their own payload and answer
 * formats.
 */
export function findDocumentedReaders({ files, machine }: DoctorContext): Finding[] {
  const ours = files.filter((file) => file.ownEntries.length > 0);
  if (ours.length === 0) return [];
  const path = machine.env.PATH ?? machine.env.Path ?? "";
  const isReading = ({ programs, folder, isExcluded }: DocumentedReader) =>
    (existsSync(folder(machine)) || programs.some((program) => findProgram(program, { roots: machine.roots, path }))) &&
    !isExcluded(folder(machine));
  return READERS.filter(isReading).map(({ name, instructions }) =>
    createNote(
      "documented-reader",
      `${name} is installed here, and according to its documentation it runs the entries in ${formatPaths(ours)}`,
      "untested with it: calls are judged by their fields, and denials and questions are sent as exit code 2 with the reason on stderr",
      `test there whether a denial holds; to stop ${name} from running these entries, ${instructions}`,
    ),
  );
}
