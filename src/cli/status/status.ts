import { isDeepStrictEqual } from "node:util";
import type { FailurePolicy } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { ConfigEntry, ConfigFile, Scope, Setup } from "../../protocol/host/install.ts";
import { hosts } from "../../hosts/index.ts";
import { companionDrift } from "../host-config/companions.ts";
import { programFindings } from "../doctor/program.ts";
import { editorOf, handlerFor, strangeKeys, type Subject } from "../host-config/edit/entries.ts";
import { find, isThere } from "../host-config/files.ts";
import { type Call, isOther, mayRun } from "../host-config/ours.ts";
import { type Present, presentHosts, versionOf, type World } from "../host-config/place.ts";
import { subjectOf } from "../host-config/plan.ts";
import { readReceipt } from "../host-config/state.ts";
import { type Desired, desiredOf, subscriptionsFor } from "../host-config/wanted.ts";

/** A config file with entries of ours. */
export interface Installed {
  host: string;
  scope: ConfigFile["scope"];
  file: string;
  events: string[];
  /** The executables that its entries name, mostly one. */
  programs: {
    program: string;
    version?: string;
    /** Another executable than this one: its hooks are in force. */ other?: true;
  }[];
  onError: FailurePolicy;
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

/** The failure policy that a file's entries have where a call can be stopped. */
export const policyOf = (ours: readonly OurEntry[]): FailurePolicy =>
  ours.some(({ call }) => call.options.onError === "deny") ? "deny" : "allow";

/** What writes a file's entries again. */
export function reinstall(host: string, scope: ConfigFile["scope"], on_error: FailurePolicy): string {
  const flags = `${scope === "user" ? "" : ` --scope ${scope === "system" ? "managed" : scope}`}${on_error === "deny" ? "" : " --on-error allow"}`;
  return `${scope === "system" ? "take the entries out of this file by hand; then " : ""}bridge-hooks install --host ${host}${flags}`;
}

/** The entries of ours in a text, of which an empty one has none. @throws Error when it does not parse. */
export function ourEntries(setup: Setup, file: ConfigFile, text: string, world: World): OurEntry[] {
  const { callOf } = subjectOf(setup, file, world);
  return setup.entries(editorOf(file, text).text, file.path).flatMap((entry) => {
    const call = callOf(entry);
    return call ? [{ entry, call }] : [];
  });
}

/** Every file of the hosts with entries of ours, and how they stand to this executable's hooks. */
export async function statusOf(
  options: { hosts: readonly string[]; scope?: Scope; all?: boolean },
  world: World,
  version: string,
): Promise<Status> {
  const status: Status = { version, installed: [], unreadable: [], bare: [] };
  // In a folder that somebody names, what is on this machine says nothing.
  const present = await presentHosts(
    options.all && options.hosts.length === 0 ? hosts.map(({ id }) => id) : options.hosts,
    world.place,
  );
  await Promise.all(present.map((one) => statusOfHost(one, options.scope, world, status)));
  const order = present.map(({ host }) => host.id);
  status.installed.sort((a, b) => order.indexOf(a.host) - order.indexOf(b.host));
  return status;
}

async function statusOfHost(
  { host, setup }: Present,
  scope: Scope | undefined,
  world: World,
  status: Status,
): Promise<void> {
  let installed = 0;
  for (const file of setup.configs(world.place)) {
    if ((scope && file.scope !== scope) || !isThere(file.path)) continue;
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

async function installedIn(
  host: Host,
  setup: Setup,
  file: ConfigFile,
  ours: readonly OurEntry[],
  world: World,
): Promise<Installed> {
  const programs = [...new Map(ours.map(({ call }) => [call.program, call])).values()];
  const onError = policyOf(ours);
  const versions = await Promise.all(
    programs.map((call) => (mayRun(call, file.scope, world.self) ? versionOf(call.file, world.place.env) : undefined)),
  );
  return {
    host: host.id,
    scope: file.scope,
    file: file.path,
    events: ours.map(({ entry }) => entry.native_event),
    programs: programs.map((call, index) => ({
      program: call.program,
      ...(versions[index] && { version: versions[index] }),
      ...(isOther(call, world.self) && { other: true as const }),
    })),
    onError,
    drift: driftOf(host, setup, file, ours, onError, world),
  };
}

/** What an installation of this executable would change in the entries of a file. What those want that call another one alone, is not known here. */
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
  const { platform, env } = world.place;
  const broken = new Set(
    ours.flatMap(({ call }) => programFindings(call.program, call.file, world.place, "").map(({ what }) => what)),
  );
  const known = [...broken, ...(file.target ? companionDrift(host, setup, file, world) : [])];
  if (ours.every(({ call }) => isOther(call, world.self))) return known;
  const order = {
    program: first.call.program,
    on_error,
    scope: file.scope === "system" ? "managed" : file.scope,
    platform,
  } as const;
  const chosen = readReceipt(env, file.path)?.events ?? [];
  const desired = desiredOf(host, setup, subscriptionsFor(host, setup, world.entries, chosen), order);
  const subject = subjectOf(setup, file, world);
  return [
    ...known,
    ...(isOutdated(file) ? ["the plugin is another than this version writes"] : []),
    ...desired.flatMap(
      (one) =>
        driftAt(
          subject,
          one,
          ours.filter(({ entry }) => entry.native_event === one.native_event),
        ) ?? [],
    ),
  ];
}

/** A module that was changed by hand, or written by another version. */
function isOutdated({ path, syntax }: ConfigFile): boolean {
  const { text = "" } = find(path);
  return typeof syntax === "object" && editorOf({ syntax }, text).text !== text;
}

function driftAt(subject: Subject, desired: Desired, [one, ...more]: readonly OurEntry[]): string | undefined {
  const { native_event, matcher } = desired;
  if (!one) return `${native_event} is missing: your hooks subscribe to it`;
  if (more.length > 0)
    return `${native_event} has ${more.length + 1} entries: each call is answered ${more.length + 1} times`;
  const { entry } = one;
  const tools = (text: string | undefined) => (text ? `"${text}"` : "every tool");
  if ((entry.matcher || undefined) !== matcher)
    return `${native_event} is called for ${tools(entry.matcher)}, your hooks want ${tools(matcher)}`;
  const handler = handlerFor(subject, entry, desired);
  const odd = strangeKeys(subject, entry, handler);
  if (odd.length > 0) return `${native_event} has ${odd.join(", ")}, which may keep it from being called`;
  const other = Object.entries(handler).filter(([key, value]) => !isDeepStrictEqual(entry.handler[key], value));
  return other.length > 0
    ? `${native_event} has another ${other.map(([key]) => key).join(", ")} than this version writes`
    : undefined;
}
