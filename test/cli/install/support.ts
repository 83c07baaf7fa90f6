import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { World } from "../../../src/cli/host-config/place.ts";
import { carryOut, type InstallOptions, planInstall } from "../../../src/cli/install/install.ts";
import { planUninstall, takeOut } from "../../../src/cli/uninstall/uninstall.ts";
import type { targets } from "../../support/homes.ts";
import { type Home, read } from "../../support/homes.ts";

export type Target = (typeof targets)[number];

export const optionsOf = ({ host, scope }: Target, more: Partial<InstallOptions> = {}): InstallOptions => ({
  hosts: [host.id],
  scope,
  events: [],
  on_error: "deny",
  ...more,
});

export async function install(target: Target, world: World, more: Partial<InstallOptions> = {}) {
  const options = optionsOf(target, more);
  const plan = await planInstall(options, world);
  if (plan.problems.length === 0) carryOut(plan, options, world);
  return plan;
}

export async function uninstall({ host, scope }: Target, world: World, events: string[] = []) {
  const plan = await planUninstall({ hosts: [host.id], scope, events }, world);
  if (plan.problems.length === 0) takeOut(plan, world);
  return plan;
}

/** Every file below a folder with what is in it, the state folder apart. */
export const tree = ({ folder }: Home) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => !path.startsWith("state"))
    .sort()
    .map((path) => [
      path,
      lstatSync(join(folder, path)).isFile()
        ? read(join(folder, path))
        : lstatSync(join(folder, path)).isSymbolicLink()
          ? "link"
          : "folder",
    ]);

export const eventOf = ({ setup }: Target) => setup.subscriptions([{ event: "PreToolUse" }])[0]?.native_event as string;
export const commandsIn = ({ setup, file }: Target, world: World) =>
  setup.entries(read(file(world).path), file(world).path).map(({ command, args = [] }) => [command, ...args].join(" "));
