import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { InstallContext } from "../../../src/operate/machine/install-context.ts";
import { type InstallOptions, planInstall } from "../../../src/cli/install/install.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { planUninstall, applyUninstall } from "../../../src/cli/uninstall/uninstall.ts";
import type { installTargets } from "../../support/homes.ts";
import { type Home, readTestFile } from "../../support/homes.ts";

export type InstallTarget = (typeof installTargets)[number];

/** The parts of a target needed for an installation. */
type Place = Pick<InstallTarget, "host" | "scope">;

export const buildOptions = ({ host, scope }: Place, more: Partial<InstallOptions> = {}): InstallOptions => ({
  hosts: [host.id],
  scope,
  events: [],
  on_error: "deny",
  ...more,
});

export async function runInstall(target: Place, world: InstallContext, more: Partial<InstallOptions> = {}) {
  const options = buildOptions(target, more);
  const plan = await planInstall(options, world);
  if (plan.problems.length === 0) applyInstall(plan, options, world);
  return plan;
}

export async function runUninstall({ host, scope }: Place, world: InstallContext, events: string[] = []) {
  const plan = await planUninstall({ hosts: [host.id], scope, events }, world);
  if (plan.problems.length === 0) applyUninstall(plan, world);
  return plan;
}

/** Lists every file in a directory and its contents, except for the state directory. */
export const listTree = ({ folder }: Home) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => !path.startsWith("state"))
    .sort()
    .map((path) => [
      path,
      lstatSync(join(folder, path)).isFile()
        ? readTestFile(join(folder, path))
        : lstatSync(join(folder, path)).isSymbolicLink()
          ? "link"
          : "folder",
    ]);

export const getEvent = ({ setup }: InstallTarget) =>
  setup.planSubscriptions([{ event: "PreToolUse" }])[0]?.native_event as string;
export const readCommands = ({ setup, file }: InstallTarget, world: InstallContext) =>
  setup
    .parseEntries(readTestFile(file(world).path), file(world).path)
    .map(({ command, args = [] }) => [command, ...args].join(" "));
