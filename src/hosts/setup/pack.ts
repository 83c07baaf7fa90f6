import { build, type PlistValue } from "plist";
import type { Setup } from "../../protocol/host/install.ts";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";

export type PackSystem = keyof PackSpec["programs"];
export const PACK_SYSTEMS: readonly PackSystem[] = ["linux", "macos", "windows"];
export const NODE_PLATFORMS = { linux: "linux", macos: "darwin", windows: "win32" } as const satisfies Record<
  PackSystem,
  NodeJS.Platform
>;

/**
 * Tools that can deploy a file, by system. Every MDM supports packages or scripts, but Jamf and Kandji manage only
 * macOS.
 */
export const FILE_CARRIERS: Record<PackSystem, PackFile["by"]> = {
  linux: ["files"],
  macos: ["jamf", "intune", "kandji", "files"],
  windows: ["intune", "files"],
};

type PlistDict = { [key: string]: PlistValue };

/**
 * Builds the `hooks` object of a managed config in the host's layout. The object contains the entries that `install`
 * would write.
 * @param extraArguments additional arguments for each entry.
 */
export function buildHooksDocument(
  setup: Setup,
  spec: Pick<PackSpec, "planEntries">,
  system: PackSystem,
  extraArguments?: readonly string[],
): Record<string, PlistDict[]> {
  const hooks: Record<string, PlistDict[]> = {};
  for (const { native_event, matcher, handler } of spec.planEntries(system)) {
    const filter: PlistDict = matcher ? { matcher } : {};
    const command = handler(extraArguments) as PlistDict;
    (hooks[native_event] ??= []).push(
      setup.layout === "groups"
        ? { ...filter, ...(setup.groupProperties as PlistDict), hooks: [command] }
        : { ...command, ...filter },
    );
  }
  return hooks;
}

export const formatJsonFile = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

/** Returns the path of the host's managed config in the system's own notation. */
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
 * Derives a UUID from the content, so that regenerating an unchanged profile yields the same bytes, while an MDM treats
 * a changed profile as a new one.
 */
const deriveUuid = (identifier: string, settings: unknown) =>
  Bun.randomUUIDv5(`${identifier} ${JSON.stringify(settings)}`, Bun.randomUUIDv5("bridge-hooks", "dns")).toUpperCase();

/**
 * Builds a configuration profile that enforces a preference domain's settings for all users of a machine. The payload
 * has the format that Apple documents [docs
 * https://developer.apple.com/documentation/devicemanagement/managedpreferences]. Many profiles use the domain itself
 * as PayloadType. As far as we know, Apple does not document this form for other vendors' domains.
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
    PayloadDescription: `Makes ${name} call bridge-hooks.`,
    PayloadDisplayName: `bridge-hooks: ${name}`,
    ...common(identifier),
    // Without this key, any local user can remove the profile.
    PayloadRemovalDisallowed: true,
    PayloadScope: "System",
    PayloadType: "Configuration",
  };
  return `${build(profile)}\n`;
}

const escapeRegText = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');

/**
 * Builds a .reg file that sets or deletes one string value, which must be a single line. Write the file as UTF-16LE,
 * the encoding of regedit's own exports; the text includes the byte order mark. [docs
 * https://support.microsoft.com/help/310516: header, "name"="value", "name"=-; quotes and backslashes take a backslash]
 */
export function formatRegFile(key: string, name: string, value?: string): Pick<PackFile, "text" | "encoding"> {
  const data = value === undefined ? "-" : `"${escapeRegText(value)}"`;
  const lines = ["Windows Registry Editor Version 5.00", "", `[${key}]`, `"${escapeRegText(name)}"=${data}`, "", ""];
  return { text: `\ufeff${lines.join("\r\n")}`, encoding: "utf-16le" };
}

interface ConfigPack extends Pick<PackFile, "loadedSign" | "undo" | "notes"> {
  /** Path of the file inside the pack's directory for a system. */
  file: string;
  /** Documentation that specifies the path. */
  source?: string;
  /** The systems to build a config for. Defaults to all systems. */
  systems?: readonly PackSystem[];
  /** Formats a whole config file with the entries. */
  format: (hooks: Record<string, PlistDict[]>, system: PackSystem) => string;
}

/** Builds a managed config for each system. */
export const buildConfigFiles = (
  { host, setup }: { host: string; setup: Setup },
  spec: PackSpec,
  { file, source, systems = PACK_SYSTEMS, format, ...texts }: ConfigPack,
): PackFile[] =>
  systems.map((system) => ({
    path: `${host}/${system}/${file}`,
    text: format(buildHooksDocument(setup, spec, system), system),
    target: findManagedPath(setup, system),
    deployment: `to \`${findManagedPath(setup, system)}\`${source === undefined ? "" : ` [${source}]`}`,
    ...texts,
    os: [system],
    by: FILE_CARRIERS[system],
  }));

/** Builds scripts that install the entries for each user, because the host has no machine-wide config file. */
export function buildUserScripts(
  host: string,
  spec: PackSpec,
  texts: Pick<PackFile, "loadedSign" | "notes">,
): PackFile[] {
  const words = ["install", "--host", host, "--scope", "user", "--on-error", spec.on_error, "--yes"];
  const extraArguments = [...spec.events.flatMap((event) => ["--event", event]), ...spec.more];
  return PACK_SYSTEMS.map((system) => {
    const windows = system === "windows";
    const install = quoteCommand([spec.programs[system], ...words, ...extraArguments], windows ? "powershell" : "sh");
    return {
      path: `${host}/${system}/install-as-user.${windows ? "ps1" : "sh"}`,
      text: windows ? `& ${install}\r\nexit $LASTEXITCODE\r\n` : `#!/bin/sh\nexec ${install}\n`,
      deployment: "not deployed; run the script as each user once the executable is installed",
      undo: `as each user: \`bridge-hooks uninstall --host ${host} --scope user --yes\``,
      ...texts,
      os: [system],
      by: FILE_CARRIERS[system],
    };
  });
}

interface ProfilePack extends PreferenceDomain, Pick<PackFile, "loadedSign" | "notes"> {
  host: string;
  /** Display name of the host. */
  name: string;
  /** The documentation that names the preference domain. */
  source: string;
}

/** Builds the macOS configuration profile, and a plist that contains only the profile's settings. */
export function buildProfileFiles({ host, name, domain, settings, source, ...rest }: ProfilePack): PackFile[] {
  const common = {
    ...rest,
    os: ["macos"],
    undo: "remove the profile from the MDM's scope; the MDM then uninstalls it",
  } as const;
  return [
    {
      path: `${host}/macos/${domain}.mobileconfig`,
      text: formatMobileconfig({ domain, settings }, name),
      deliveredPath: `/Library/Managed Preferences/${domain}.plist`,
      deployment: "upload it as a configuration profile for the device channel",
      ...common,
      by: ["jamf", "intune", "kandji"],
    },
    {
      path: `${host}/macos/${domain}.plist`,
      text: `${build(settings)}\n`,
      deployment: `use this instead of the profile if the MDM builds profiles itself: custom settings of the preference domain \`${domain}\` [${source}]`,
      ...common,
      by: ["jamf", "kandji"],
    },
  ];
}
