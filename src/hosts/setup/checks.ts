import { lstatSync } from "node:fs";
import { orAbsent } from "../../system/errors.ts";
import type { Payload } from "../../protocol/host/host.ts";
import type {
  ConfigEntry,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
  Setup,
} from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { readConfigText } from "./entries.ts";
import { createNote, createRedFinding, formatPaths, listOurEntries, reportReleaseSpecificCells } from "./findings.ts";
import { findImportsOfOurEntries } from "./imports.ts";
import { findPayloadAbout, type ProbeSource } from "./probes.ts";
import { parseTomlDocument } from "./toml.ts";

type DoctorCheck = (examination: DoctorContext) => readonly Finding[] | Promise<readonly Finding[]>;

interface DoctorSpec extends Omit<HostDoctor, "getProbePayload" | "examineConfig">, ProbeSource {
  /** Checks that only this host needs, in reporting order. */
  checks: readonly DoctorCheck[];
}

/** Extends a host's doctor with the checks and functions that all hosts share. */
export const defineDoctor = ({
  samples,
  capabilities,
  decodePayload,
  checks,
  ...ownParts
}: DoctorSpec): HostDoctor => ({
  getProbePayload: (native_event, subject) =>
    findPayloadAbout({ samples, capabilities, decodePayload }, native_event, subject),
  async examineConfig(examination) {
    const findings: Finding[] = [];
    for (const check of checks) findings.push(...(await check(examination)));
    return [...findings, ...reportReleaseSpecificCells(capabilities, examination.version)];
  },
  ...ownParts,
});

/** Reads a file; returns an empty string if it can't be read. */
export function readOptionalText(path: string): string {
  try {
    return readConfigText(path);
  } catch {
    return "";
  }
}

/** Reads a TOML file or a JSON file with comments; returns an empty object if it can't be parsed. */
export function readSettings(path: string): Payload {
  try {
    return toObject((path.endsWith(".toml") ? parseTomlDocument : Bun.JSONC.parse)(readConfigText(path)));
  } catch {
    return {};
  }
}

/** Whether users other than root can change a file. */
export function isChangeableByOthers(path: string): boolean {
  const { uid = 0, mode = 0 } = orAbsent(() => lstatSync(path)) ?? {};
  return uid !== 0 || (mode & 0o022) !== 0;
}

/** Whether a file, or the plugin that contains it, is managed by an administrator. */
const isManaged = ({ scope, plugin }: LoadedConfigFile): boolean => scope === "managed" || plugin?.isManaged === true;

/** Returns the files that contain our entries and aren't managed by an administrator. */
export const listUnmanagedFiles = (files: readonly LoadedConfigFile[]): LoadedConfigFile[] =>
  files.filter((file) => !isManaged(file) && file.ownEntries.length > 0);

export const listManagedFiles = (files: readonly LoadedConfigFile[]): LoadedConfigFile[] =>
  files.filter(({ scope, ownEntries }) => scope === "managed" && ownEntries.length > 0);

/** The host that a finding is about. */
type HostName = { id: string; name: string };

/** Returns the command that installs managed entries. Only an administrator can remove such entries. */
export const formatManagedInstall = (id: string): string => `bridge-hooks install --scope managed --host ${id}`;

/** Finds the JSON setting that restricts a host to managed hooks. */
export function findRestrictingKey(document: Payload): string | undefined {
  const { allowManagedHooksOnly, strictPluginOnlyCustomization: strict } = document;
  if (allowManagedHooksOnly === true) return "allowManagedHooksOnly";
  return strict === true || (Array.isArray(strict) && strict.includes("hooks"))
    ? "strictPluginOnlyCustomization"
    : undefined;
}

/** Reports a setting that restricts the host to managed hooks. */
export const reportManagedHooksOnly = (
  { id, name }: HostName,
  setting: string,
  files: readonly LoadedConfigFile[],
): Finding =>
  createRedFinding(
    "managed-hooks-only",
    `${setting}, and bridge-hooks' entries are in ${formatPaths(files)}`,
    `${name} runs only managed hooks, so these entries don't run`,
    formatManagedInstall(id),
  );

/** Reports managed hooks that users or projects can turn off because the managed file doesn't pin the setting. */
export const reportUnpinnedHooks = (
  id: string,
  files: readonly LoadedConfigFile[],
  { key, by, on = true }: { key: string; by: string; on?: boolean },
): Finding =>
  createRedFinding(
    "managed-not-pinned",
    `${formatPaths(files)} does not set ${key} = ${on}`,
    `${by} can turn off these managed hooks with ${key} = ${!on}`,
    formatManagedInstall(id),
  );

/** Reports a symbolic link that the host does not follow. */
export const reportLink = (check: string, link: string, impact: string, path = link): Finding =>
  createRedFinding(check, `${link} is a link`, impact, `replace the link ${path} with the file itself`);

/** Adds a note about entries that run only in trusted directories. */
export const noteTrustedFoldersOnly = (
  name: string,
  files: readonly LoadedConfigFile[],
  [elsewhere, fix]: readonly [elsewhere: string, fix: string],
): Finding[] =>
  files.length === 0
    ? []
    : [
        createNote(
          "folder-trust",
          `${name} runs the entries in ${formatPaths(files)} only in trusted folders`,
          elsewhere,
          fix,
        ),
      ];

interface ImportNotes extends HostName {
  setup: Setup;
  /** "runs" if the host is known to run the imported entries, otherwise "may run". */
  verb: "runs" | "may run";
  /** Describes how the imported entries answer if the host has no entries of its own. */
  answers: string;
  /** Describes a fix that keeps the host from running the entries twice. */
  describeFix: (path: string, examination: DoctorContext) => string;
  /** Selects the entries that the host imports. By default, it imports all of them. */
  selectImported?: (entries: ConfigEntry[]) => ConfigEntry[];
}

/** Adds a note about our entries in other hosts' settings files that this host also reads. */
export function noteImportedEntries(
  examination: DoctorContext,
  { id, name, setup, verb, answers, describeFix, selectImported }: ImportNotes,
): Finding[] {
  const ownFiles = listOurEntries(examination.files).map(({ file }) => file);
  return findImportsOfOurEntries(setup, examination, selectImported).map((path) =>
    ownFiles.length > 0
      ? createNote(
          "imported-entries",
          `${name} also ${verb} the entries in ${path}`,
          `the entries in ${formatPaths(ownFiles)} answer; the imported entries stay silent unless they deny, ask or rewrite`,
          describeFix(path, examination),
        )
      : createNote(
          "imported-entries",
          `${name} has no entry for bridge-hooks itself, but ${verb} the entries in ${path}`,
          answers,
          `bridge-hooks install --host ${id}`,
        ),
  );
}

/** Adds a note about `--on-error deny` for hosts that run the call anyway if the executable can't be started. */
export const noteOpenFailures =
  (name: string): DoctorCheck =>
  ({ files }) => {
    const failClosedEntries = listOurEntries(files).filter(({ entry: { command, args = [] } }) =>
      [command, ...args].join(" ").includes("--on-error deny"),
    );
    if (failClosedEntries.length === 0) return [];
    return [
      createNote(
        "fails-open",
        `the entries in ${formatPaths(failClosedEntries.map(({ file }) => file))} have --on-error deny`,
        `if the executable is missing or times out, ${name} runs the call despite this option`,
        `none; no ${name} entry can change that`,
      ),
    ];
  };
