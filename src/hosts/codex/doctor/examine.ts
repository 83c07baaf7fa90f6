import { dirname } from "node:path";
import type { Examination, Finding, FoundFile } from "../../../protocol/host/install.ts";
import { named, note, objectOf, oldRows, red } from "../../check.ts";
import { hasHooks } from "../../setup.ts";
import { capabilities } from "../capabilities.ts";
import { lineOf } from "./lines.ts";
import { trust } from "./trust.ts";

interface Switch {
  value: unknown;
  /** The file, and the line in it. */
  where: string;
  /** As it stands there. */
  words: string;
}

/** The older name counts where the newer one is absent [seen 0.169.0, 2026-11-22]. */
const NAMES = ["hooks", "codex_hooks"];

/** The first of these features that a file sets. */
function switchIn({ path, text, document }: FoundFile, names: readonly string[] = NAMES): Switch | undefined {
  const features = objectOf(objectOf(document).features);
  const name = names.find((one) => features[one] !== undefined);
  if (name === undefined) return undefined;
  const value = features[name];
  return {
    value,
    where: `${path}:${lineOf(text, ["features", name]) ?? 1}`,
    words: `[features] ${name} = ${JSON.stringify(value)}`,
  };
}

const INSTALL = "bridge-hooks install --scope managed --host codex";

/** Turned off by config, unless requirements pin it [seen 0.169.0, 2026-11-22: a pin holds for everybody's hooks]. */
function turnedOff(files: readonly FoundFile[], ours: readonly FoundFile[], pin: Switch | undefined): Finding[] {
  if (pin?.value === false)
    return [
      red("hooks-disabled", `${pin.where} pins ${pin.words}`, "Codex runs no hook at all", "set it to true there"),
    ];
  if (pin) return [];
  return files.flatMap((file) => {
    const found = file.scope === "managed" ? undefined : switchIn(file);
    if (found?.value !== false) return [];
    return red(
      "hooks-disabled",
      `${found.where} says ${found.words}`,
      `Codex runs none of the entries in ${named(ours)}${file.scope === "project" ? ", once it trusts the project" : ""}`,
      `remove it from ${file.path}, or have requirements.toml pin hooks: ${INSTALL}`,
    );
  });
}

/** Its value turns nothing on or off any more; `plugins` does [seen 0.169.0, 2026-11-22: hooks/list]. */
function pluginSwitches(files: readonly FoundFile[]): Finding[] {
  return files.flatMap((file) => {
    const found = switchIn(file, ["plugin_hooks"]);
    if (!found) return [];
    return note(
      "plugin-hooks",
      `${found.where} says ${found.words}`,
      "it concerns only plugins' hooks, and Codex 0.169.0 ignores it: it lists the hooks of every enabled plugin",
      "remove it; to keep plugins' hooks from running, disable the plugin, or set [features] plugins = false",
    );
  });
}

/** Codex runs the hooks of both, and says so at each start: hooks/list and `codex exec` [seen 0.169.0, 2026-11-22]. */
function split(files: readonly FoundFile[]): Finding[] {
  const layers = Map.groupBy(
    files.filter(({ scope, document }) => scope !== "managed" && hasHooks(document)),
    ({ path }) => dirname(path),
  );
  return [...layers.values()].flatMap(([one, other]) =>
    one && other
      ? note(
          "two-representations",
          `${one.path} and ${other.path} both have hooks`,
          "Codex runs the hooks of both, and warns of it whenever it starts",
          "move the hooks of one file into the other; for ours run bridge-hooks uninstall --host codex, then install: it picks the file that has yours",
        )
      : [],
  );
}

/** Config that keeps Codex from running our entries. */
function switches({ files }: Examination): Finding[] {
  const ours = files.filter((file) => file.ours.length > 0);
  if (ours.length === 0) return [];
  const requirements = files.filter(({ scope }) => scope === "managed");
  const managed = requirements.filter((file) => ours.includes(file));
  const pin = requirements.map((file) => switchIn(file)).find((found) => found !== undefined);
  const found = turnedOff(files, ours, pin);
  if (pin === undefined && managed.length > 0) {
    const impact = "a trusted project can turn off these managed hooks with [features] hooks = false";
    found.push(red("managed-not-pinned", `${named(managed)} does not say [features] hooks = true`, impact, INSTALL));
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
  const { files } = examination;
  return [
    ...switches(examination),
    ...pluginSwitches(files),
    ...split(files),
    ...(await trust(examination)),
    ...oldRows(capabilities, examination.version),
  ];
}
