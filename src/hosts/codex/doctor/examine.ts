import { dirname } from "node:path";
import type { DoctorContext, Finding, LoadedConfigFile } from "../../../protocol/host/install.ts";
import {
  formatPaths,
  createNote,
  toObject,
  reportReleaseSpecificCells,
  createRedFinding,
} from "../../setup/findings.ts";
import { hasHooks } from "../../setup/entries.ts";
import { capabilities } from "../capabilities.ts";
import { findLine } from "./lines.ts";
import { examineTrust } from "./trust.ts";

interface FeatureSwitch {
  value: unknown;
  /** The file, with the line. */
  where: string;
  /** The setting as written in the file. */
  words: string;
}

/** The older name counts if the newer one is absent [seen 0.169.0, 2026-11-22]. */
const NAMES = ["hooks", "codex_hooks"];

/** Returns the first of these features that a file sets. */
function findFeatureSwitch(
  { path, text, document }: LoadedConfigFile,
  names: readonly string[] = NAMES,
): FeatureSwitch | undefined {
  const features = toObject(toObject(document).features);
  const name = names.find((one) => features[one] !== undefined);
  if (name === undefined) return undefined;
  const value = features[name];
  return {
    value,
    where: `${path}:${findLine(text, ["features", name]) ?? 1}`,
    words: `[features] ${name} = ${JSON.stringify(value)}`,
  };
}

const INSTALL = "bridge-hooks install --scope managed --host codex";

/**
 * Hooks are disabled by config, unless requirements pin the feature
 * [seen 0.169.0, 2026-11-22: a pin holds for everybody's hooks].
 */
function findDisabledHooks(
  files: readonly LoadedConfigFile[],
  ours: readonly LoadedConfigFile[],
  pin: FeatureSwitch | undefined,
): Finding[] {
  if (pin?.value === false)
    return [
      createRedFinding(
        "hooks-disabled",
        `${pin.where} pins ${pin.words}`,
        "Codex runs no hook at all",
        "set it to true there",
      ),
    ];
  if (pin) return [];
  return files.flatMap((file) => {
    const found = file.scope === "managed" ? undefined : findFeatureSwitch(file);
    if (found?.value !== false) return [];
    return createRedFinding(
      "hooks-disabled",
      `${found.where} says ${found.words}`,
      `Codex runs none of the entries in ${formatPaths(ours)}${file.scope === "project" ? ", once it trusts the project" : ""}`,
      `remove it from ${file.path}, or have requirements.toml pin hooks: ${INSTALL}`,
    );
  });
}

/** This setting no longer has an effect; `plugins` has [seen 0.169.0, 2026-11-22: hooks/list]. */
function findPluginSwitches(files: readonly LoadedConfigFile[]): Finding[] {
  return files.flatMap((file) => {
    const found = findFeatureSwitch(file, ["plugin_hooks"]);
    if (!found) return [];
    return createNote(
      "plugin-hooks",
      `${found.where} says ${found.words}`,
      "it concerns only plugins' hooks, and Codex 0.169.0 ignores it: it lists the hooks of every enabled plugin",
      "remove it; to keep plugins' hooks from running, disable the plugin, or set [features] plugins = false",
    );
  });
}

/**
 * Codex runs the hooks of both files and warns at each start: hooks/list and `codex exec` [seen 0.169.0, 2026-11-22].
 */
function findSplitHooks(files: readonly LoadedConfigFile[]): Finding[] {
  const layers = Map.groupBy(
    files.filter(({ scope, document }) => scope !== "managed" && hasHooks(document)),
    ({ path }) => dirname(path),
  );
  return [...layers.values()].flatMap(([one, other]) =>
    one && other
      ? createNote(
          "two-representations",
          `${one.path} and ${other.path} both have hooks`,
          "Codex runs the hooks of both, and warns of it whenever it starts",
          "move the hooks of one file into the other; for ours run bridge-hooks uninstall --host codex, then install: it picks the file that has yours",
        )
      : [],
  );
}

/**
 * Where PowerShell starts the entries, an exit code of 2 arrives as 0 or 1 [unverified], and the tool runs
 * [seen 0.169.0, 2026-11-21, with exit code 1].
 */
function findLostExitCodes({ files, place }: DoctorContext): Finding[] {
  if (place.platform !== "win32") return [];
  const lost = files.filter(({ ours }) => ours.some(({ command }) => !/ --codex-deny json( |$)/.test(command)));
  return lost.map(({ path, scope }) =>
    createRedFinding(
      "exit-code-lost",
      `${path} has entries without --codex-deny json`,
      "they deny by exit code 2, which PowerShell turns into 0 or 1: then the call runs",
      `bridge-hooks install --host codex${scope === "user" ? "" : ` --scope ${scope}`}`,
    ),
  );
}

/** Finds config that keeps Codex from running our entries. */
function findConfigSwitches({ files }: DoctorContext): Finding[] {
  const ours = files.filter((file) => file.ours.length > 0);
  if (ours.length === 0) return [];
  const requirements = files.filter(({ scope }) => scope === "managed");
  const managed = requirements.filter((file) => ours.includes(file));
  const pin = requirements.map((file) => findFeatureSwitch(file)).find((found) => found !== undefined);
  const found = findDisabledHooks(files, ours, pin);
  if (pin === undefined && managed.length > 0) {
    const impact = "a trusted project can turn off these managed hooks with [features] hooks = false";
    found.push(
      createRedFinding(
        "managed-not-pinned",
        `${formatPaths(managed)} does not set [features] hooks = true`,
        impact,
        INSTALL,
      ),
    );
  }
  const only = requirements.find(({ document }) => toObject(document).allow_managed_hooks_only === true);
  if (only && managed.length === 0) {
    const what = `${only.path} sets allow_managed_hooks_only, and bridge-hooks' entries are in ${formatPaths(ours)}`;
    found.push(
      createRedFinding(
        "managed-hooks-only",
        what,
        "Codex runs only managed hooks, so these entries don't run",
        INSTALL,
      ),
    );
  }
  return found;
}

/** Runs the checks that only Codex needs. */
export async function examineConfig(examination: DoctorContext): Promise<Finding[]> {
  const { files } = examination;
  return [
    ...findConfigSwitches(examination),
    ...findPluginSwitches(files),
    ...findSplitHooks(files),
    ...findLostExitCodes(examination),
    ...(await examineTrust(examination)),
    ...reportReleaseSpecificCells(capabilities, examination.version),
  ];
}
