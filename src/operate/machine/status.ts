import { isDeepStrictEqual } from "node:util";
import type { FailurePolicy } from "../../protocol/hook.ts";
import { type InstalledPlugin, PLUGIN_FLAGS } from "../../protocol/host/plugin-entry.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { ConfigFile, DesiredEntry, InstallScope, Setup } from "../../protocol/host/install.ts";
import { hosts } from "../../hosts/index.ts";
import { collectExceptions, type ExceptionsReport } from "../policy/exceptions.ts";
import { compareHandWrittenEntries, type HandWrittenEntries, isByHand } from "./by-hand.ts";
import { findCompanionDrift } from "./companions.ts";
import { findMissingFiles, selectSubscriptionsForFile } from "./event-files.ts";
import { checkProgram } from "./program.ts";
import { createEditor, mergeHandler, findUnexpectedKeys, readEntries, type EditTarget } from "./edit/entries.ts";
import { type FileSnapshot, readConfigFile, mayPathExist } from "./files.ts";
import { isOtherExecutable, mayRunProgram } from "./entry-command.ts";
import { type PresentHost, findPresentHosts, readVersion, type InstallContext } from "./install-context.ts";
import { identifyPolicy, type Policy } from "../policy/identity.ts";
import { coversMatcher } from "./matchers.ts";
import {
  createEditTarget,
  findConfigFlaws,
  type HostFile,
  type InstalledFile,
  type InstalledEntry,
  mentionsBridgeHooks,
} from "./plan.ts";
import { readReceipt } from "./receipts.ts";
import { collectEventRequirements, planEntries, selectSubscriptions } from "./desired-entries.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** A config file that contains bridge-hooks entries. */
export interface InstalledConfig {
  host: string;
  scope: ConfigFile["scope"];
  file: string;
  /** Plugin that contains the file. */
  plugin?: InstalledPlugin;
  events: string[];
  /** Executables that the entries call; usually only one. */
  programs: {
    program: string;
    version?: string;
    /** Set if this is a different executable with its own hooks. */ other?: true;
  }[];
  onError: FailurePolicy;
  /** Changes that an installation with this executable would make, one per item. */
  drift: string[];
  /** Notes on hand-written entries, one per item. */
  notes: string[];
}

export interface Status {
  /** Version of this executable. */
  version: string;
  policy: Policy;
  /** All exceptions, and invalid files in the exception directories. */
  exceptions: ExceptionsReport;
  installed: InstalledConfig[];
  /** Config files that can't be read, with the error messages. */
  unreadable: { host: string; file: string; message: string }[];
  /** Hosts on this machine without bridge-hooks entries. Hosts whose unreadable files may have entries are left out. */
  bare: string[];
}

/** Returns the failure policy that a file's entries set for events that can block a call. */
export const getFailurePolicy = (installedEntries: readonly InstalledEntry[]): FailurePolicy =>
  installedEntries.some(({ call }) => call.options.onError === "deny") ? "deny" : "allow";

/** Formats the command that rewrites a file's entries. */
export function formatReinstallCommand(
  host: string,
  { scope, plugin }: Pick<ConfigFile, "scope" | "plugin">,
  on_error: FailurePolicy,
): string {
  if (plugin) return `${getOwnCommand()} mdm --plugin DIR --host ${host}, then deploy the plugin ${plugin.id} again`;
  const flags = `${scope === "user" ? "" : ` --scope ${scope === "system" ? "managed" : scope}`}${on_error === "deny" ? "" : " --on-error allow"}`;
  return `${scope === "system" ? "manually remove the entries from this file; then " : ""}${getOwnCommand()} install --host ${host}${flags}`;
}

/**
 * Returns the bridge-hooks entries in a config's text. An empty text has none.
 * @throws Error if the text can't be parsed.
 */
export function readInstalledEntries(
  setup: Setup,
  file: ConfigFile,
  text: string,
  context: InstallContext,
): InstalledEntry[] {
  if (file.only === "settings") return [];
  const { callOf } = createEditTarget(setup, file, context);
  const readable = createEditor(file, text).text;
  return readEntries(setup, expandFolder(readable, file), file.path).flatMap((entry) => {
    const call = callOf(entry);
    return call ? [{ entry, call }] : [];
  });
}

/** Returns whether a file contains bridge-hooks entries. Returns false if the file can't be read or parsed. */
export function hasInstalledEntries(setup: Setup, file: ConfigFile, context: InstallContext): boolean {
  try {
    return readInstalledEntries(setup, file, readConfigFile(file.path).text ?? "", context).length > 0;
  } catch {
    return false;
  }
}

/** Expands the variables that stand for a plugin's directory. */
const expandFolder = (text: string, { plugin }: ConfigFile): string =>
  (plugin?.folderVariables ?? []).reduce(
    (result, name) => result.replaceAll(`\${${name}}`, () => JSON.stringify(plugin?.folder).slice(1, -1)),
    text,
  );

/** Collects all host files with bridge-hooks entries, and compares the entries with this executable's hooks. */
export async function collectStatus(
  options: { hosts: readonly string[]; scope?: InstallScope; all?: boolean },
  context: InstallContext,
  version: string,
): Promise<Status> {
  const policy = await identifyPolicy({}, context.machine.roots[0] ?? context.machine.home);
  const exceptions = await collectExceptions();
  const status: Status = { version, policy, exceptions, installed: [], unreadable: [], bare: [] };
  // If the user specified a root, ignore the hosts on this machine.
  const presentHosts = await findPresentHosts(
    options.all && options.hosts.length === 0 ? hosts.map(({ id }) => id) : options.hosts,
    context.machine,
  );
  await Promise.all(presentHosts.map((one) => collectHostStatus(one, options.scope, context, status)));
  const order = presentHosts.map(({ host }) => host.id);
  status.installed.sort((a, b) => order.indexOf(a.host) - order.indexOf(b.host));
  return status;
}

async function collectHostStatus(
  { host, setup }: PresentHost,
  scope: InstallScope | undefined,
  context: InstallContext,
  status: Status,
): Promise<void> {
  let mayBeInstalled = false;
  for (const file of setup.listConfigFiles(context.machine)) {
    if ((scope && file.scope !== scope) || !mayPathExist(file.path)) continue;
    let content: FileSnapshot | undefined;
    try {
      content = readConfigFile(file.path);
      const installedEntries = readInstalledEntries(setup, file, content.text ?? "", context);
      if (installedEntries.length === 0) continue;
      mayBeInstalled = true;
      status.installed.push(await describeInstallation({ host, setup, file, installedEntries }, context));
    } catch (error) {
      mayBeInstalled ||= content === undefined || mentionsBridgeHooks(content.text ?? "");
      const message = (content && (await explainFlaw({ host, setup, file }, content))) ?? (error as Error).message;
      status.unreadable.push({ host: host.id, file: file.path, message });
    }
  }
  if (!mayBeInstalled) status.bare.push(host.id);
}

/** Explains why the host doesn't read a file, with the position: `line 3, column 1: a trailing comma; remove it`. */
async function explainFlaw({ host, file }: HostFile, content: FileSnapshot): Promise<string | undefined> {
  const [flaw] = findConfigFlaws(await host.loadDoctor(), file, content);
  return flaw && [flaw.position, flaw.message].filter(Boolean).join(": ");
}

async function describeInstallation(installedFile: InstalledFile, context: InstallContext): Promise<InstalledConfig> {
  const { host, file, installedEntries } = installedFile;
  const programs = [...new Map(installedEntries.map(({ call }) => [call.program, call])).values()];
  const onError = getFailurePolicy(installedEntries);
  const versions = await Promise.all(
    programs.map((call) =>
      mayRunProgram(call, file, context.self) ? readVersion(call.file, context.machine.env) : undefined,
    ),
  );
  return {
    host: host.id,
    scope: file.scope,
    file: file.path,
    ...(file.plugin && { plugin: file.plugin }),
    events: installedEntries.map(({ entry }) => entry.native_event),
    programs: programs.map((call, index) => ({
      program: call.program,
      ...(versions[index] && { version: versions[index] }),
      ...(isOtherExecutable(call, context.self) && { other: true as const }),
    })),
    onError,
    ...findDrift(installedFile, onError, context),
  };
}

/**
 * Finds the changes that an installation with this executable would make to a file's entries. Doesn't compare the
 * entries if they all call a different executable, because it is unknown which entries its hooks need.
 */
export function findDrift(
  installedFile: InstalledFile,
  on_error: FailurePolicy,
  context: InstallContext,
): Pick<InstalledConfig, "drift" | "notes"> {
  const { host, setup, file, installedEntries } = installedFile;
  const [first] = installedEntries;
  if (!first) return { drift: [], notes: [] };
  const { platform, env } = context.machine;
  const brokenPrograms = new Set(
    installedEntries.flatMap(({ call }) =>
      checkProgram(call.program, call.file, context.machine, "").map(({ what }) => what),
    ),
  );
  const knownDrift = [...brokenPrograms, ...(file.target ? findCompanionDrift(installedFile, context) : [])];
  if (installedEntries.every(({ call }) => isOtherExecutable(call, context.self)))
    return { drift: knownDrift, notes: [] };
  const receipt = readReceipt(env, file.path);
  const isHandWritten = receipt === undefined && !file.plugin && installedEntries.some(isByHand);
  const order = {
    program: first.call.program,
    on_error: isHandWritten ? "deny" : on_error,
    scope: file.scope === "system" ? "managed" : file.scope,
    platform,
    wantedEvents: collectEventRequirements(context.entries),
  } as const;
  const chosenEvents = receipt?.events ?? [];
  const subscriptions = selectSubscriptions(host, setup, context.entries, chosenEvents);
  const plannedEntries = planEntries(host, setup, selectSubscriptionsForFile(file, subscriptions), order);
  const desired = file.plugin ? selectForPluginFile(installedFile, plannedEntries, context) : plannedEntries;
  const subject = createEditTarget(setup, file, context);
  if (isHandWritten) return describeHandWritten(knownDrift, compareHandWrittenEntries(subject, installedFile, desired));
  const drift = [
    ...knownDrift,
    ...findMissingFiles(installedFile, subscriptions, context),
    ...(isOutdatedModule(file) ? ["the plugin file differs from the one that this version writes"] : []),
    ...desired.flatMap(
      (one) =>
        describeEntryDrift(
          { subject, host },
          one,
          installedEntries.filter(({ entry }) => entry.native_event === one.native_event),
        ) ?? [],
    ),
  ];
  return { drift, notes: [] };
}

/**
 * Returns the entries that belong in a plugin's file. Leaves out events that have an entry in another file of the
 * plugin.
 */
function selectForPluginFile(
  { setup, file }: InstalledFile,
  desired: readonly DesiredEntry[],
  context: InstallContext,
): DesiredEntry[] {
  const otherEntries = setup
    .listConfigFiles(context.machine)
    .filter(({ plugin, path }) => plugin?.id === file.plugin?.id && path !== file.path && mayPathExist(path))
    .flatMap((one) => readInstalledEntries(setup, one, readConfigFile(one.path).text ?? "", context));
  const isElsewhere = (native_event: string) => otherEntries.some(({ entry }) => entry.native_event === native_event);
  return desired
    .filter(({ native_event }) => !isElsewhere(native_event))
    .map(({ handler, ...entry }) => ({ ...entry, handler: (flags = []) => handler([...PLUGIN_FLAGS, ...flags]) }));
}

const describeHandWritten = (knownDrift: readonly string[], { drift, missingFlags, missing }: HandWrittenEntries) => ({
  drift: [...knownDrift, ...drift],
  notes: [
    ...(missingFlags.length > 0
      ? [`hand-written entries lack ${missingFlags.join(", ")}, which install would add`]
      : []),
    ...(missing.length > 0 ? [`no entry for ${missing.join(", ")}, which your hooks also subscribe to`] : []),
  ],
});

/** Returns whether a generated module was edited manually or written by a different version. */
function isOutdatedModule({ path, syntax }: ConfigFile): boolean {
  const { text = "" } = readConfigFile(path);
  return typeof syntax === "object" && createEditor({ syntax }, text).text !== text;
}

function describeEntryDrift(
  { subject, host }: { subject: EditTarget; host: Host },
  desired: DesiredEntry,
  [one, ...duplicates]: readonly InstalledEntry[],
): string | undefined {
  const { native_event, matcher } = desired;
  if (!one) return `no entry for ${native_event}, which your hooks subscribe to`;
  if (duplicates.length > 0)
    return `${native_event} has ${duplicates.length + 1} entries, so each call is answered ${duplicates.length + 1} times`;
  const { entry } = one;
  const formatTools = (text: string | undefined) => (text ? `"${text}"` : "every tool");
  if (!coversMatcher({ host, setup: subject.setup }, native_event, [entry.matcher], matcher))
    return `${native_event} matches only ${formatTools(entry.matcher)}, but your hooks need ${formatTools(matcher)}`;
  const handler = mergeHandler(subject, entry, desired);
  const unexpectedKeys = findUnexpectedKeys(subject, entry, handler);
  if (unexpectedKeys.length > 0)
    return `${native_event} has ${unexpectedKeys.join(", ")}, which may keep the host from calling bridge-hooks`;
  const differences = Object.entries(handler).filter(([key, value]) => !isDeepStrictEqual(entry.handler[key], value));
  return differences.length > 0
    ? `${native_event} differs from this version's entry in ${differences.map(([key]) => key).join(", ")}`
    : undefined;
}
