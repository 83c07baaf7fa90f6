import type { DoctorContext, Finding, LoadedConfigFile, MachineContext } from "../../../protocol/host/install.ts";
import {
  formatPaths,
  createNote,
  reportReleaseSpecificCells,
  listOurEntries,
  createRedFinding,
} from "../../setup/findings.ts";
import { findImportsOfOurEntries } from "../../setup/imports.ts";
import { readConfigText } from "../../setup/entries.ts";
import { capabilities } from "../capabilities.ts";
import { grok } from "../../entries.ts";
import { setup } from "../install/setup.ts";
import { isObject } from "../../../protocol/object.ts";

// These checks follow the guide inside the package [shipped 1.0.41, read and not run].

const INSTALL = "bridge-hooks install --scope managed --host grok";

const textOf = (path: string): string => {
  try {
    return readConfigText(path);
  } catch {
    return "";
  }
};

function readDocument(path: string): Record<string, unknown> {
  try {
    const document: unknown = (path.endsWith(".toml") ? Bun.TOML : Bun.JSONC).parse(textOf(path));
    return isObject(document) ? document : {};
  } catch {
    return {};
  }
}

const unmanaged = (files: readonly LoadedConfigFile[]) =>
  files.filter(({ scope, ours }) => scope !== "managed" && ours.length > 0);

/** The files in which an organisation can allow managed hooks only. */
const policies = (place: MachineContext): string[] =>
  [grok.folders.managed(place), grok.folders.user(place)]
    .flatMap((folder) => (folder ? [`${folder}/requirements.toml`, `${folder}/managed_config.toml`] : []))
    .concat(place.platform === "linux" ? `${place.system ?? ""}/etc/claude-code/managed-settings.json` : []);

/** Only managed hooks run: any value but false counts. */
function findManagedRestrictions({ place, files }: DoctorContext): Finding[] {
  const others = unmanaged(files);
  if (others.length === 0 || files.some(({ scope, ours }) => scope === "managed" && ours.length > 0)) return [];
  return policies(place).flatMap((path) => {
    const { allow_managed_hooks_only: snake, allowManagedHooksOnly: camel } = readDocument(path);
    if ((snake ?? camel ?? false) === false) return [];
    const what = `${path} sets allow_managed_hooks_only, and bridge-hooks' entries are in ${formatPaths(others)}`;
    return [
      createRedFinding(
        "managed-hooks-only",
        what,
        "Grok Build runs only managed hooks, so these entries don't run",
        INSTALL,
      ),
    ];
  });
}

/** Finds entries disabled in /hooks. The list names them by file; its exact format is unverified. */
function findDisabledEntries({ place, files }: DoctorContext): Finding[] {
  const path = `${grok.folders.user(place)}/disabled-hooks`;
  const others = unmanaged(files);
  if (others.length === 0 || !/\bbridge-hooks:/.test(textOf(path))) return [];
  return [
    createRedFinding(
      "entry-disabled",
      `${path} names entries of bridge-hooks`,
      "Grok Build does not run those",
      `turn them on again in /hooks, or: ${INSTALL}`,
    ),
  ];
}

/** Notes entries that only run in trusted directories. */
function noteTrustedFoldersOnly({ files }: DoctorContext): Finding[] {
  const theirs = files.filter(({ scope, ours }) => scope === "project" && ours.length > 0);
  if (theirs.length === 0) return [];
  return [
    createNote(
      "folder-trust",
      `Grok Build runs the entries in ${formatPaths(theirs)} only in a folder that was trusted`,
      "elsewhere it silently skips them",
      "say /hooks-trust in Grok Build, or start it with --trust",
    ),
  ];
}

/** Notes another host's files with entries for our program that Grok Build runs too. */
function noteImportedEntries(examination: DoctorContext): Finding[] {
  const own = listOurEntries(examination.files);
  return findImportsOfOurEntries(setup, examination).map((path) =>
    own.length > 0
      ? createNote(
          "imported-entries",
          `Grok Build runs the entries in ${path} as well`,
          `those in ${formatPaths(own.map(({ file }) => file))} answer; the imported ones stand down, unless they deny, ask or rewrite`,
          `none needed; to run them once, set hooks = false under [compat.${path.includes("/.claude/") ? "claude" : "cursor"}] in ${grok.folders.user(examination.place)}/config.toml`,
        )
      : createNote(
          "imported-entries",
          `Grok Build has no entry of its own for bridge-hooks, but runs those in ${path}`,
          "they answer in Grok Build's format; a project's in a folder that was trusted",
          "bridge-hooks install --host grok",
        ),
  );
}

/** An entry can't make failures block. */
function findUnsafePolicyFiles({ files }: DoctorContext): Finding[] {
  const closed = listOurEntries(files).filter(({ entry }) => entry.command.includes("--on-error deny"));
  if (closed.length === 0) return [];
  return [
    createNote(
      "fails-open",
      `the entries in ${formatPaths(closed.map(({ file }) => file))} say --on-error deny`,
      "that holds while the executable runs; where it is missing or out of time Grok Build lets the call go on",
      "none: no entry of Grok Build can change that",
    ),
  ];
}

/** Runs the checks that only Grok Build needs. */
export async function examineConfig(examination: DoctorContext): Promise<Finding[]> {
  return [
    findManagedRestrictions,
    findDisabledEntries,
    noteTrustedFoldersOnly,
    noteImportedEntries,
    findUnsafePolicyFiles,
  ]
    .flatMap((ask) => ask(examination))
    .concat(reportReleaseSpecificCells(capabilities, examination.version));
}
