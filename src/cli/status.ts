import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { FailurePolicy } from "../core/hook.ts";
import type { Host } from "../core/host.ts";
import type { ConfigEntry, ConfigFile, Scope, Setup } from "../core/setup.ts";
import { find } from "./files.ts";
import { type Call, callOf } from "./ours.ts";
import { type Present, presentHosts, versionOf, type World } from "./place.ts";
import { knownPrograms } from "./plan.ts";
import { readReceipt } from "./state.ts";
import { desiredOf, subscriptionsFor } from "./wanted.ts";

/** A config file with entries of ours. */
export interface Installed {
  host: string;
  scope: ConfigFile["scope"];
  file: string;
  events: string[];
  /** The executables that its entries name, mostly one. */
  programs: { program: string; version?: string }[];
  on_error: FailurePolicy;
  /** What an installation of this executable would change, a line each. */
  drift: string[];
}

export interface Status {
  /** This executable's version. */
  version: string;
  installed: Installed[];
  /** Files that can't be read, and why. */
  unreadable: { host: string; file: string; message: string }[];
  /** Hosts on the machine without any entry. */
  bare: string[];
}

/** An entry of ours, and what it calls. */
export interface OurEntry {
  entry: ConfigEntry;
  call: Call;
}

/** The entries of ours in a text. @throws Error when it does not parse. */
export function ourEntries(setup: Setup, file: ConfigFile, text: string, world: World): OurEntry[] {
  const known = knownPrograms(world, readReceipt(world.place.env, file.path));
  return setup.entries(text, file.path).flatMap((entry) => {
    const call = callOf(entry, setup, world.place, known);
    return call ? [{ entry, call }] : [];
  });
}

/** Every file of the hosts with entries of ours, and how they stand to this executable's hooks. */
export async function statusOf(options: { hosts: readonly string[]; scope?: Scope }, world: World, version: string): Promise<Status> {
  const status: Status = { version, installed: [], unreadable: [], bare: [] };
  const present = await presentHosts(options.hosts, world.place);
  await Promise.all(present.map((one) => statusOfHost(one, options.scope, world, status)));
  const order = present.map(({ host }) => host.id);
  status.installed.sort((a, b) => order.indexOf(a.host) - order.indexOf(b.host));
  return status;
}

async function statusOfHost({ host, setup }: Present, scope: Scope | undefined, world: World, status: Status): Promise<void> {
  let installed = 0;
  for (const file of setup.configs(world.place)) {
    if ((scope && file.scope !== scope) || !existsSync(file.path)) continue;
    try {
      const ours = ourEntries(setup, file, find(file.path).text ?? "", world);
      if (ours.length === 0) continue;
      installed++;
      status.installed.push(await installedIn(host, setup, file, ours, world));
    } catch (error) {
      status.unreadable.push({ host: host.id, file: file.path, message: (error as Error).message });
    }
  }
  if (installed === 0) status.bare.push(host.id);
}

async function installedIn(host: Host, setup: Setup, file: ConfigFile, ours: readonly OurEntry[], world: World): Promise<Installed> {
  const programs = [...new Map(ours.map(({ call }) => [call.program, call])).values()];
  const on_error = ours.some(({ call }) => call.options.onError === "deny") ? "deny" : "allow";
  const versions = await Promise.all(programs.map((call) => versionOf(call.file, world.place.env)));
  return {
    host: host.id,
    scope: file.scope,
    file: file.path,
    events: ours.map(({ entry }) => entry.native_event),
    programs: programs.map(({ program }, index) => ({ program, ...(versions[index] && { version: versions[index] }) })),
    on_error,
    drift: driftOf(host, setup, file, ours, on_error, world),
  };
}

/** What the entries of a file lack, or have otherwise than an installation would write them. */
export function driftOf(
  host: Host,
  setup: Setup,
  file: ConfigFile,
  ours: readonly OurEntry[],
  on_error: FailurePolicy,
  world: World,
): string[] {
  const [first] = ours;
  if (!first) return [];
  const order = {
    program: first.call.program,
    on_error,
    scope: file.scope === "system" ? "managed" : file.scope,
    platform: world.place.platform,
  };
  const desired = desiredOf(host, setup, subscriptionsFor(host, setup, world.entries, []), order);
  const lines = [...new Set(ours.flatMap(({ call: { program, file } }) => (file ? [] : [`there is no executable ${program}`])))];
  for (const { native_event, matcher, handler } of desired) {
    const entries = ours.filter(({ entry }) => entry.native_event === native_event);
    const [one] = entries;
    if (!one) lines.push(`${native_event} is missing: your hooks subscribe to it`);
    else if (entries.length > 1) lines.push(`${native_event} has ${entries.length} entries: each call is answered ${entries.length} times`);
    else if ((one.entry.matcher || undefined) !== matcher) {
      lines.push(
        `${native_event} is called for ${one.entry.matcher ? `"${one.entry.matcher}"` : "every tool"}, your hooks want ${matcher ? `"${matcher}"` : "every tool"}`,
      );
    } else if (Object.entries(handler).some(([key, value]) => !isDeepStrictEqual(one.entry.handler[key], value))) {
      lines.push(`${native_event} is not as this version writes it`);
    }
  }
  return lines;
}
