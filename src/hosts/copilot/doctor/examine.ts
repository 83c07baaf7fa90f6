import { lstatSync } from "node:fs";
import type { DoctorContext, Finding, LoadedConfigFile } from "../../../protocol/host/install.ts";
import {
  formatPaths,
  createNote,
  toObject,
  reportReleaseSpecificCells,
  listOurEntries,
  createRedFinding,
} from "../../setup/findings.ts";
import { findImportsOfOurEntries } from "../../setup/imports.ts";
import { readConfigText } from "../../setup/entries.ts";
import { copilot } from "../../entries.ts";
import { capabilities } from "../capabilities.ts";
import { isSettingsFile, setup } from "../install/setup.ts";

const INSTALL = "bridge-hooks install --scope managed --host copilot";

function readDocument(path: string): Record<string, unknown> {
  try {
    return toObject(Bun.JSONC.parse(readConfigText(path)));
  } catch {
    return {};
  }
}

const isInProject = ({ scope }: LoadedConfigFile) => scope === "project" || scope === "local";

/**
 * Finds disabled hooks: a trusted project disables all but policy hooks, a hook file only its own
 * [seen 1.0.102, 2026-11-22].
 */
function findDisabledHooks({ place, files }: DoctorContext): Finding[] {
  const others = files.filter(({ scope, ours }) => scope !== "managed" && ours.length > 0);
  if (others.length === 0) return [];
  const projects = place.roots.flatMap((root) =>
    [
      ".github/copilot/settings.json",
      ".github/copilot/settings.local.json",
      ".claude/settings.json",
      ".claude/settings.local.json",
    ].map((name) => `${root}/${name}`),
  );
  const off = projects.filter((path) => readDocument(path).disableAllHooks === true);
  const says = ({ document }: LoadedConfigFile) => toObject(document).disableAllHooks === true;
  const users = files.filter((file) => file.scope === "user" && isSettingsFile(file.path) && says(file));
  const alone = others.filter((file) => says(file) && !off.includes(file.path) && !users.includes(file));
  return [
    ...off.map((path) =>
      createRedFinding(
        "hooks-disabled",
        `${path} sets disableAllHooks`,
        `Copilot runs none of the entries in ${formatPaths(others)}, once it trusts the folder`,
        `remove disableAllHooks from ${path}, or: ${INSTALL}`,
      ),
    ),
    ...alone.map(({ path }) =>
      createRedFinding(
        "hooks-disabled",
        `${path} sets disableAllHooks`,
        "Copilot runs none of its entries",
        "remove it there",
      ),
    ),
    // Documented to disable all hooks; copilot -p runs them anyway [seen 1.0.102, 2026-11-22].
    ...users.map(({ path }) =>
      createNote(
        "hooks-disabled",
        `${path} sets disableAllHooks`,
        `Copilot may run none of the entries in ${formatPaths(others)}`,
        "remove it there",
      ),
    ),
  ];
}

/** Finds managed settings that disable all but managed hooks. */
function findManagedRestrictions({ place, files }: DoctorContext): Finding[] {
  const others = files.filter(({ scope, ours }) => scope !== "managed" && ours.length > 0);
  const path = `${copilot.folders.settings(place)}/managed-settings.json`;
  const { allowManagedHooksOnly, strictPluginOnlyCustomization: strict } = readDocument(path);
  const key =
    allowManagedHooksOnly === true
      ? "allowManagedHooksOnly"
      : strict === true || (Array.isArray(strict) && strict.includes("hooks"))
        ? "strictPluginOnlyCustomization"
        : undefined;
  if (!key || others.length === 0 || files.some(({ scope, ours }) => scope === "managed" && ours.length > 0)) return [];
  const what = `${path} says ${key}, and bridge-hooks' entries are in ${formatPaths(others)}`;
  return [
    createRedFinding(
      "managed-hooks-only",
      what,
      "Copilot runs only managed hooks, so these entries don't run",
      INSTALL,
    ),
  ];
}

/**
 * Copilot ignores a policy file that root does not own, that others can write, or that is a link
 * [seen 1.0.102, 2026-11-22].
 */
function findUnsafePolicyFiles({ place, files }: DoctorContext): Finding[] {
  if (place.platform === "win32" || place.system) return [];
  return files
    .filter(({ scope, ours }) => scope === "managed" && ours.length > 0)
    .flatMap((file) => {
      const { path } = file;
      const found = lstatSync(path);
      if (found.isSymbolicLink()) {
        const impact = `${setup.explainLinkRefusal?.(file)}: the entries in it don't run`;
        return [
          createRedFinding(
            "linked-config",
            `${path} is a link`,
            impact,
            `replace the link ${path} with the file itself`,
          ),
        ];
      }
      if (found.uid === 0 && (found.mode & 0o022) === 0) return [];
      const impact = "Copilot ignores a policy that users other than root can write, so its entries don't run";
      return [
        createRedFinding(
          "policy-writable",
          `${path} can be written by users other than root`,
          impact,
          `chown root ${path}; chmod go-w ${path}`,
        ),
      ];
    });
}

/** Notes entries that only run in trusted directories. */
function noteTrustedFoldersOnly({ files }: DoctorContext): Finding[] {
  const theirs = files.filter((file) => isInProject(file) && file.ours.length > 0);
  if (theirs.length === 0) return [];
  return [
    createNote(
      "folder-trust",
      `Copilot runs the entries in ${formatPaths(theirs)} only in a folder that was trusted`,
      "elsewhere it silently skips them, and so does copilot -p",
      "start copilot in the project and trust it; for copilot -p add --trust-folder, or set GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true",
    ),
  ];
}

/** Notes another host's settings with entries for our program that Copilot runs too. */
function noteImportedEntries(examination: DoctorContext): Finding[] {
  const own = listOurEntries(examination.files);
  return findImportsOfOurEntries(setup, examination).map((path) =>
    own.length > 0
      ? createNote(
          "imported-entries",
          `Copilot runs the entries in ${path} as well`,
          `those in ${formatPaths(own.map(({ file }) => file))} answer; the imported ones stand down, unless they deny, ask or rewrite`,
          "nothing",
        )
      : createNote(
          "imported-entries",
          `Copilot has no entry of its own for bridge-hooks, but runs those in ${path}`,
          "they answer in Copilot's format, in a folder that was trusted",
          "bridge-hooks install --host copilot",
        ),
  );
}

/** Runs the checks that only Copilot needs. */
export async function examineConfig(examination: DoctorContext): Promise<Finding[]> {
  return [
    findDisabledHooks,
    findManagedRestrictions,
    findUnsafePolicyFiles,
    noteTrustedFoldersOnly,
    noteImportedEntries,
  ]
    .flatMap((ask) => ask(examination))
    .concat(reportReleaseSpecificCells(capabilities, examination.version));
}
