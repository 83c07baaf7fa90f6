import { expect } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { IHookResponse } from "bridge-hooks";
import { type InstallOptions, planInstall } from "../../../src/cli/install/install.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { type CapabilityField, type Support } from "../../../src/protocol/capability.ts";
import { type EventName, EVENTS } from "../../../src/protocol/event.ts";
import { getCapabilityRow, type Payload } from "../../../src/protocol/host/host.ts";
import type { EventRequirements } from "../../../src/protocol/host/install.ts";
import * as homes from "../../support/homes.ts";
import { getHost, getSupport } from "../host.ts";
import type { Check, HostId } from "./proofs.ts";

/** Lists the unified events of a host. */
export const listEvents = (id: string): EventName[] =>
  Object.values(getHost(id).capabilities).map((make) => make().event);

/** Checks the unified event of a native event, and some cells of the native event's row. */
export const row =
  (id: HostId, name: string, event: EventName, cells: Partial<Record<CapabilityField, Support>> = {}): Check =>
  () => {
    expect(Object.keys(getHost(id).capabilities)).toContain(name);
    const fields = Object.keys(cells) as CapabilityField[];
    const support = Object.fromEntries(fields.map((field) => [field, getSupport(id, name, field)]));
    expect({ name, event: getCapabilityRow(getHost(id), name).event, ...support }).toEqual({ name, event, ...cells });
  };
/** Checks the unified event of several native events. */
export const rows = (id: HostId, event: EventName, names: string) =>
  names.split(" ").map((name) => row(id, name, event));

/** Checks the only entry for a hook of this event, and the entry's matcher. */
export const subscribed =
  (id: HostId, wanted: EventRequirements, matcher?: string): Check =>
  async () => {
    const found = (await getHost(id).setup()).planSubscriptions([wanted]);
    expect(found).toEqual([{ native_event: wanted.event, ...(matcher && { matcher }) }]);
  };

interface Installation {
  scope?: InstallOptions["scope"];
  events?: readonly string[];
  /** Existing documents, by path relative to the home directory or the project. */
  before?: Readonly<Record<string, object>>;
}

/** Writes a host's entries and returns all files by path, relative to the home directory or the project. */
export async function install(home: homes.Home, id: HostId, { scope = "user", events = [], before }: Installation) {
  const base = join(home.folder, scope === "user" ? "home" : scope === "managed" ? "system" : "project");
  for (const [path, document] of Object.entries(before ?? {}))
    homes.writeTestFile(join(base, path), JSON.stringify(document, null, 2));
  const options: InstallOptions = { hosts: [id], scope, events: [...events], on_error: "deny" };
  const plan = await planInstall(options, home);
  expect(plan.problems).toEqual([]);
  applyInstall(plan, options, home);
  const paths = (readdirSync(base, { recursive: true }) as string[]).filter((path) => /\.(json|m?js)$/.test(path));
  return Object.fromEntries(paths.map((path) => [path, homes.readTestFile(join(base, path))]));
}

/** Installs hooks for all events, and checks parts of the written files: documents, or patterns for texts. */
export const installs =
  (id: HostId, expected: Readonly<Record<string, object | RegExp>>, installation: Installation = {}): Check =>
  async () => {
    using home = homes.createHome([homes.createHookEntry(EVENTS)]);
    const files = await install(home, id, installation);
    for (const [path, wanted] of Object.entries(expected))
      if (wanted instanceof RegExp) expect(files[path]).toMatch(wanted);
      else expect({ [path]: JSON.parse(files[path] ?? "{}") }).toMatchObject({ [path]: wanted });
  };

type PluginWork = (module: Record<string, any>, event: () => Payload) => Promise<void>;
/**
 * Runs `work` with the module that an installation wrote, and with a function that returns the last event a hook saw.
 * The module's executable gives this answer.
 */
export async function withPlugin(executable: string, id: HostId, answer: IHookResponse, work: PluginWork) {
  using home = homes.createHome([homes.createHookEntry(EVENTS)]);
  const seen = `${home.folder}/event.json`;
  const variables = `SEEDS_ANSWER='${JSON.stringify(answer)}' SEEDS_EVENT='${seen}'`;
  homes.writeTestFile(home.self, `#!/bin/sh\n${variables} exec '${executable}' "$@"\n`);
  const files = await install(home, id, {});
  const [path] = Object.keys(files).filter((name) => /\.m?js$/.test(name));
  await work(await import(`${home.folder}/home/${path}`), () => JSON.parse(homes.readTestFile(seen)) as Payload);
}
