import { build, type PlistValue } from "plist";
import type { Capabilities } from "../../protocol/capability.ts";
import type { Setup } from "../../protocol/host/install.ts";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { getFailurePolicyAt } from "./entries.ts";
import { findWantedMs } from "./entry-time.ts";

export type PackSystem = keyof PackSpec["programs"];
export const PACK_SYSTEMS: readonly PackSystem[] = ["linux", "macos", "windows"];
export const NODE_PLATFORMS = { linux: "linux", macos: "darwin", windows: "win32" } as const satisfies Record<
  PackSystem,
  NodeJS.Platform
>;

/** How a file reaches a machine. Every MDM has packages or scripts; Jamf and Kandji are for macOS. */
export const FILE_CARRIERS: Record<PackSystem, PackFile["by"]> = {
  linux: ["files"],
  macos: ["jamf", "intune", "kandji", "files"],
  windows: ["intune", "files"],
};

type PlistDict = { [key: string]: PlistValue };

/** The `hooks` object of a managed config, in the host's layout: the entries that an installation writes. */
export function buildHooksDocument(
  setup: Setup,
  capabilities: Capabilities<string>,
  order: PackSpec,
  system: PackSystem,
): Record<string, PlistDict[]> {
  const hooks: Record<string, PlistDict[]> = {};
  for (const { native_event, matcher, after } of setup.planSubscriptions(order.wanted)) {
    const handler = setup.buildHandler({
      native_event,
      ...(after && { after }),
      program: order.programs[system],
      wanted_ms: findWantedMs(order.wanted, capabilities[native_event]?.().event),
      on_error: getFailurePolicyAt(capabilities[native_event]?.().event, order.on_error),
      scope: "managed",
      ...(order.more && { more: order.more }),
      platform: NODE_PLATFORMS[system],
    }) as PlistDict;
    const filter: PlistDict = matcher ? { matcher } : {};
    (hooks[native_event] ??= []).push(
      setup.layout === "groups" ? { ...filter, hooks: [handler] } : { ...handler, ...filter },
    );
  }
  return hooks;
}

export const formatJsonFile = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

/** The path of the host's managed config on a system, in that system's notation. */
export function findManagedPath(setup: Setup, system: PackSystem): string {
  const files = setup.listConfigFiles({ roots: [], home: "", platform: NODE_PLATFORMS[system], env: {} });
  const path = files.find(({ scope, target }) => scope === "managed" && target)?.path ?? "";
  return system === "windows" ? path.replaceAll("/", "\\") : path;
}

interface PreferenceDomain {
  domain: string;
  settings: PlistDict;
}

/**
 * Equal content has an equal UUID: a second run writes the same bytes, and changed content is a new profile to an MDM.
 */
const deriveUuid = (identifier: string, settings: unknown) =>
  Bun.randomUUIDv5(`${identifier} ${JSON.stringify(settings)}`, Bun.randomUUIDv5("bridge-hooks", "dns")).toUpperCase();

/**
 * Builds a configuration profile that forces a preference domain's settings for everybody on the machine.
 * The payload is the one Apple documents for this
 * [docs https://developer.apple.com/documentation/devicemanagement/managedpreferences].
 * Using the domain itself as PayloadType is common too, but no page of Apple's was found that documents it for other
 * vendors' domains.
 */
function formatMobileconfig({ domain, settings }: PreferenceDomain, name: string): string {
  const identifier = `bridge-hooks.${domain}`;
  const common = (id: string) => ({ PayloadIdentifier: id, PayloadUUID: deriveUuid(id, settings), PayloadVersion: 1 });
  const profile = {
    PayloadContent: [
      {
        PayloadContent: { [domain]: { Forced: [{ mcx_preference_settings: settings }] } },
        PayloadDisplayName: name,
        PayloadEnabled: true,
        ...common(`${identifier}.preferences`),
        PayloadType: "com.apple.ManagedClient.preferences",
      },
    ],
    PayloadDescription: `Has ${name} call bridge-hooks.`,
    PayloadDisplayName: `bridge-hooks: ${name}`,
    ...common(identifier),
    // Otherwise any local user can remove it.
    PayloadRemovalDisallowed: true,
    PayloadScope: "System",
    PayloadType: "Configuration",
  };
  return `${build(profile)}\n`;
}

const escapeRegText = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');

/**
 * Builds a .reg file that sets or deletes one string value. Write it as UTF-16LE, which is what regedit exports: the
 * byte order mark is part of the text. A value must be a single line.
 * [docs https://support.microsoft.com/help/310516: header, "name"="value", "name"=-; quotes and backslashes take a
 * backslash]
 */
export function formatRegFile(key: string, name: string, value?: string): Pick<PackFile, "text" | "encoding"> {
  const data = value === undefined ? "-" : `"${escapeRegText(value)}"`;
  const lines = ["Windows Registry Editor Version 5.00", "", `[${key}]`, `"${escapeRegText(name)}"=${data}`, "", ""];
  return { text: `\ufeff${lines.join("\r\n")}`, encoding: "utf-16le" };
}

interface ConfigPack extends Pick<PackFile, "shown" | "undo" | "notes"> {
  /** The file's path inside the system's folder of the pack. */
  file: string;
  /** What documents the path. */
  source?: string;
  /** Default: all. */
  systems?: readonly PackSystem[];
  /** Formats the file around the entries. */
  format: (hooks: Record<string, PlistDict[]>, system: PackSystem) => string;
}

/** Builds a managed config for each system. */
export const buildConfigFiles = (
  { host, setup, capabilities }: { host: string; setup: Setup; capabilities: Capabilities },
  order: PackSpec,
  { file, source, systems = PACK_SYSTEMS, format, ...rest }: ConfigPack,
): PackFile[] =>
  systems.map((system) => ({
    path: `${host}/${system}/${file}`,
    text: format(buildHooksDocument(setup, capabilities, order, system), system),
    goes: `to \`${findManagedPath(setup, system)}\`${source === undefined ? "" : ` [${source}]`}`,
    ...rest,
    os: [system],
    by: FILE_CARRIERS[system],
  }));

interface ProfilePack extends PreferenceDomain, Pick<PackFile, "shown" | "notes"> {
  host: string;
  /** The host's display name. */
  name: string;
  /** What documents the preference domain. */
  source: string;
}

/** Builds the configuration profile for macOS, and its settings alone. */
export function buildProfileFiles({ host, name, domain, settings, source, ...rest }: ProfilePack): PackFile[] {
  const common = { ...rest, os: ["macos"], undo: "take it out of the MDM's scope; the MDM removes it" } as const;
  return [
    {
      path: `${host}/macos/${domain}.mobileconfig`,
      text: formatMobileconfig({ domain, settings }, name),
      goes: "upload it as a configuration profile, for the device channel",
      ...common,
      by: ["jamf", "intune", "kandji"],
    },
    {
      path: `${host}/macos/${domain}.plist`,
      text: `${build(settings)}\n`,
      goes: `instead of the profile, where the MDM makes its own: custom settings of the preference domain \`${domain}\` [${source}]`,
      ...common,
      by: ["jamf", "kandji"],
    },
  ];
}
