import type { Examination, Finding, FoundFile } from "../../core/setup.ts";
import { named, objectOf, oldRows, red } from "../check.ts";
import { capabilities } from "./capabilities.ts";
import { trust } from "./trust.ts";

const feature = ({ document }: FoundFile) => {
  const { hooks, codex_hooks } = objectOf(objectOf(document).features);
  return hooks ?? codex_hooks;
};

const INSTALL = "bridge-hooks install --scope managed --host codex";

/** Turned off by config, unless requirements pin it [seen 0.169.0, 2026-11-22: a pin holds for everybody's hooks]. */
function turnedOff(files: readonly FoundFile[], ours: readonly FoundFile[], pin: unknown, requirements: string): Finding[] {
  if (pin === false)
    return [red("hooks-disabled", `${requirements} pins [features] hooks = false`, "Codex runs no hook at all", "set it to true there")];
  if (pin !== undefined) return [];
  const off = files.filter((file) => file.scope !== "managed" && feature(file) === false);
  return off.map(({ path, scope }) =>
    red(
      "hooks-disabled",
      `${path} says [features] hooks = false`,
      `Codex runs none of the entries in ${named(ours)}${scope === "project" ? ", once it trusts the project" : ""}`,
      `remove it from ${path}, or have requirements.toml pin hooks: ${INSTALL}`,
    ),
  );
}

/** Config that keeps Codex from running our entries. */
function switches({ files }: Examination): Finding[] {
  const ours = files.filter((file) => file.ours.length > 0);
  if (ours.length === 0) return [];
  const requirements = files.filter(({ scope }) => scope === "managed");
  const managed = requirements.filter((file) => ours.includes(file));
  const pin = requirements.map(feature).find((value) => value !== undefined);
  const found = turnedOff(files, ours, pin, named(requirements));
  if (pin === undefined && managed.length > 0) {
    const means = "a trusted project can turn off these managed hooks with [features] hooks = false";
    found.push(red("managed-not-pinned", `${named(managed)} does not say [features] hooks = true`, means, INSTALL));
  }
  const only = requirements.find(({ document }) => objectOf(document).allow_managed_hooks_only === true);
  if (only && managed.length === 0) {
    const what = `${only.path} says allow_managed_hooks_only, and bridge-hooks' entries are in ${named(ours)}`;
    found.push(red("managed-hooks-only", what, "Codex runs managed hooks alone: these entries don't run", INSTALL));
  }
  return found;
}

/** What only Codex needs to be asked. */
export async function examine(examination: Examination): Promise<Finding[]> {
  return [...switches(examination), ...(await trust(examination)), ...oldRows(capabilities, examination.version)];
}
