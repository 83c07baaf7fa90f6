import { lstatSync } from "node:fs";
import type { Examination, Finding, FoundFile } from "../../../protocol/host/install.ts";
import { named, note, objectOf, oldRows, oursIn, red } from "../../check.ts";
import { importsOfOurs } from "../../imports.ts";
import { readConfig } from "../../setup.ts";
import { copilot } from "../../entries.ts";
import { capabilities } from "../capabilities.ts";
import { isSettings, setup } from "../install/setup.ts";

const INSTALL = "bridge-hooks install --scope managed --host copilot";

function documentAt(path: string): Record<string, unknown> {
  try {
    return objectOf(Bun.JSONC.parse(readConfig(path)));
  } catch {
    return {};
  }
}

const lies = ({ scope }: FoundFile) => scope === "project" || scope === "local";

/** Hooks turned off: by a trusted project for all but the policy, by a hook file for itself [seen 1.0.102, 2026-11-22]. */
function turnedOff({ place, files }: Examination): Finding[] {
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
  const off = projects.filter((path) => documentAt(path).disableAllHooks === true);
  const says = ({ document }: FoundFile) => objectOf(document).disableAllHooks === true;
  const users = files.filter((file) => file.scope === "user" && isSettings(file.path) && says(file));
  const alone = others.filter((file) => says(file) && !off.includes(file.path) && !users.includes(file));
  return [
    ...off.map((path) =>
      red(
        "hooks-disabled",
        `${path} says disableAllHooks`,
        `Copilot runs none of the entries in ${named(others)}, once it trusts the folder`,
        `remove disableAllHooks from ${path}, or: ${INSTALL}`,
      ),
    ),
    ...alone.map(({ path }) =>
      red("hooks-disabled", `${path} says disableAllHooks`, "Copilot runs none of its entries", "remove it there"),
    ),
    // Documented to turn all off; copilot -p runs them all the same [seen 1.0.102, 2026-11-22].
    ...users.map(({ path }) =>
      note(
        "hooks-disabled",
        `${path} says disableAllHooks`,
        `Copilot may run none of the entries in ${named(others)}`,
        "remove it there",
      ),
    ),
  ];
}

/** Managed settings that keep all but managed hooks from running. */
function restricted({ place, files }: Examination): Finding[] {
  const others = files.filter(({ scope, ours }) => scope !== "managed" && ours.length > 0);
  const path = `${copilot.folders.settings(place)}/managed-settings.json`;
  const { allowManagedHooksOnly, strictPluginOnlyCustomization: strict } = documentAt(path);
  const key =
    allowManagedHooksOnly === true
      ? "allowManagedHooksOnly"
      : strict === true || (Array.isArray(strict) && strict.includes("hooks"))
        ? "strictPluginOnlyCustomization"
        : undefined;
  if (!key || others.length === 0 || files.some(({ scope, ours }) => scope === "managed" && ours.length > 0)) return [];
  const what = `${path} says ${key}, and bridge-hooks' entries are in ${named(others)}`;
  return [red("managed-hooks-only", what, "Copilot runs managed hooks alone: these entries don't run", INSTALL)];
}

/** A policy file that is not root's, that others may write, or that is a link, is not read [seen 1.0.102, 2026-11-22]. */
function open({ place, files }: Examination): Finding[] {
  if (place.platform === "win32" || place.system) return [];
  return files
    .filter(({ scope, ours }) => scope === "managed" && ours.length > 0)
    .flatMap((file) => {
      const { path } = file;
      const found = lstatSync(path);
      if (found.isSymbolicLink()) {
        const impact = `${setup.refuses_links?.(file)}: the entries in it don't run`;
        return [red("linked-config", `${path} is a link`, impact, `put the file itself at ${path}, and no link`)];
      }
      if (found.uid === 0 && (found.mode & 0o022) === 0) return [];
      const impact = "Copilot reads no policy that others than root can write: the entries in it don't run";
      return [
        red(
          "policy-writable",
          `${path} is not root's alone to write`,
          impact,
          `chown root ${path}; chmod go-w ${path}`,
        ),
      ];
    });
}

/** Entries that run in trusted folders alone. */
function untrusted({ files }: Examination): Finding[] {
  const theirs = files.filter((file) => lies(file) && file.ours.length > 0);
  if (theirs.length === 0) return [];
  return [
    note(
      "folder-trust",
      `Copilot runs the entries in ${named(theirs)} only in a folder that was trusted`,
      "elsewhere it skips them without a word, and so does copilot -p",
      "start copilot in the project and trust it; for copilot -p add --trust-folder, or set GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true",
    ),
  ];
}

/** Another host's settings with entries for our program that Copilot runs as well. */
function imports(examination: Examination): Finding[] {
  const own = oursIn(examination.files);
  return importsOfOurs(setup, examination).map((path) =>
    own.length > 0
      ? note(
          "imported-entries",
          `Copilot runs the entries in ${path} as well`,
          `those in ${named(own.map(({ file }) => file))} answer; the imported ones stand down, unless they deny, ask or rewrite`,
          "nothing",
        )
      : note(
          "imported-entries",
          `Copilot has no entry of its own for bridge-hooks, but runs those in ${path}`,
          "they answer in Copilot's format, in a folder that was trusted",
          "bridge-hooks install --host copilot",
        ),
  );
}

/** What only Copilot needs to be asked. */
export async function examine(examination: Examination): Promise<Finding[]> {
  return [turnedOff, restricted, open, untrusted, imports]
    .flatMap((ask) => ask(examination))
    .concat(oldRows(capabilities, examination.version));
}
