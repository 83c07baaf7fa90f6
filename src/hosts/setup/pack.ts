import { build, type PlistValue } from "plist";
import type { Capabilities } from "../../protocol/capability.ts";
import type { PackFile, PackSpec, Setup } from "../../protocol/host/install.ts";
import { getFailurePolicyAt } from "./entries.ts";

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
/** MDMs that deploy configuration profiles. */
export const PROFILE_CARRIERS: PackFile["by"] = ["jamf", "intune", "kandji"];

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
      on_error: getFailurePolicyAt(capabilities[native_event]?.().event, order.on_error),
      scope: "managed",
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

/** The settings alone, for an MDM that asks for a domain and a property list. */
export const formatPropertyList = ({ settings }: PreferenceDomain): string => `${build(settings)}\n`;

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
export function formatMobileconfig({ domain, settings }: PreferenceDomain, name: string): string {
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
