import { pickCell } from "../../protocol/capability.ts";
import type { EventName } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { getCapabilityRow, type Host } from "../../protocol/host/host.ts";
import { isInForce, DEFAULT_ALLOW_POLICY } from "../../policy/allow.ts";
import { CONFIG_PARTS, type ConfigPart } from "../../policy/describe.ts";
import { openSources } from "../../policy/files.ts";
import { findIgnoredParts } from "../../policy/ignored-parts.ts";
import { loadAllowPolicy } from "../../policy/load-allow.ts";
import { listInvalidConfigParts } from "../../policy/parts.ts";
import { isInside, readConfigDocument } from "../../policy/read.ts";
import { readPart } from "../../policy/schema.ts";
import { type ConfigScope, type ConfigSource, listConfigSources } from "../../policy/sources.ts";
import { homedir } from "../../system/home.ts";
import { policy as built } from "../built/policy.ts";
import { loadExceptions } from "../exceptions/record.ts";

/** A session and the policy that governs it. */
export interface GovernedSession {
  host: Host;
  host_version?: string | undefined;
  /** The enabled hooks. */
  entries: readonly HookDescriptor[];
  /** Directories of the session's project. The first one represents the project. */
  folders: readonly string[];
}

type Document = Readonly<Record<string, unknown>>;

/** An existing config file, or the error from reading it. */
type FoundConfig = { source: ConfigSource } & ({ document: Document } | { problem: string });

/** Parts of a policy that aren't in effect. */
export interface PolicyGaps {
  /** Descriptions of the gaps, worded as clauses of a message. */
  gaps: string[];
  /** When the pause ends, if a user has paused the hooks. */
  paused_until?: string;
}

/** Finds the parts of a policy that aren't in effect in a session, given the host and config files it currently has. */
export async function findGaps(session: GovernedSession): Promise<PolicyGaps> {
  const configs = await readConfigs(session.folders);
  const { exceptions, paused_until } = await findLiftedParts(session.folders);
  const gaps = [
    ...listHostGaps(session),
    ...configs.flatMap((config) =>
      "problem" in config ? [shortenHome(config.problem)] : listInvalidParts(config.source, config.document),
    ),
    ...(await listIgnoredParts(session, configs)),
    ...(await listUserChanges(session, configs)),
    ...(exceptions.length > 0 ? [`calls that exceptions allow: ${formatFirstFew(exceptions)}`] : []),
  ];
  return { gaps, ...(paused_until !== undefined && { paused_until }) };
}

/** Events that are covered only if the host obeys denials. */
const DENIAL_DEPENDENT_EVENTS: readonly EventName[] = ["PreToolUse", "UserPromptSubmit"];

/** Lists hooks that the host doesn't call on some of their events, or whose denials it doesn't obey. */
function listHostGaps({ host, host_version, entries }: GovernedSession): string[] {
  const reportedEvents = new Set<EventName>();
  for (const native_event in host.capabilities) {
    const row = getCapabilityRow(host, native_event);
    const obeysDenials = pickCell(row.deny, host_version).support !== "unenforceable";
    if (obeysDenials || !DENIAL_DEPENDENT_EVENTS.includes(row.event)) reportedEvents.add(row.event);
  }
  // A host that reports PreToolUse has every call judged before it runs, even those that need no approval.
  if (reportedEvents.has("PreToolUse")) reportedEvents.add("PermissionRequest");
  return entries.flatMap(({ name, events, announces }) => {
    // Leave announcers to `doctor` and `status`, which report more about them.
    if (announces) return [];
    const missingEvents = events.filter((event) => !reportedEvents.has(event));
    return missingEvents.length > 0 ? [`${name} on ${missingEvents.join(", ")} (${host.name})`] : [];
  });
}

async function readConfigs(folders: readonly string[]): Promise<FoundConfig[]> {
  const configs: FoundConfig[] = [];
  for (const source of listConfigSources(...folders)) {
    try {
      const document = await readConfigDocument(source);
      if (document) configs.push({ source, document });
    } catch (error) {
      configs.push({ source, problem: (error as Error).message });
    }
  }
  return configs;
}

/** Lists the invalid parts of a config file. Each either has no effect or is read in the strictest way. */
function listInvalidParts(source: ConfigSource, document: Document): string[] {
  const entries = (["rules", "exceptions"] as const).flatMap((key) => {
    const { schema, scopes }: ConfigPart = CONFIG_PARTS[key];
    if (document[key] === undefined || !scopes.includes(source.scope)) return [];
    return readPart(schema, document[key]).problems.map(({ path }) => [key, ...path.slice(0, 1)].join("."));
  });
  const keyPaths = listInvalidConfigParts(source, document).map(({ keyPath }) => keyPath);
  const invalidParts = [...new Set([...keyPaths, ...entries])];
  return invalidParts.length > 0 ? [`${formatFirstFew(invalidParts)} (invalid in ${shortenHome(source.path)})`] : [];
}

/** Lists the parts of a project's config file that are ignored because the project isn't trusted. */
async function listIgnoredParts({ entries }: GovernedSession, configs: readonly FoundConfig[]): Promise<string[]> {
  const ignoredParts = await findIgnoredParts(entries, openSources(configs.map(({ source }) => source)));
  const keyPaths = (ignoredParts?.untrusted ?? []).map((path) => path.join("."));
  return keyPaths.length > 0 ? [`${formatFirstFew(keyPaths)} (this project is not trusted)`] : [];
}

/** Lists what the user's config file weakens when there is also a managed file. */
async function listUserChanges(
  { entries, folders }: GovernedSession,
  configs: readonly FoundConfig[],
): Promise<string[]> {
  const isReadable = (scope: ConfigScope) =>
    configs.some((config) => config.source.scope === scope && "document" in config);
  if (!isReadable("managed") || !isReadable("user")) return [];
  const { listWeakenedParts } = await import("./weakened-parts.ts");
  const parts = await listWeakenedParts(entries, folders);
  return parts.length > 0 ? [`${formatFirstFew(parts)} (changed by the user's config file)`] : [];
}

/** Returns the IDs of the exceptions in effect and the end of the pause. */
async function findLiftedParts(
  folders: readonly string[],
): Promise<{ exceptions: string[]; paused_until?: string | undefined }> {
  const { records } = loadExceptions();
  if (records.length === 0) return { exceptions: [] };
  // If the managed file is unreadable, exceptions don't apply.
  const policy = await loadAllowPolicy().catch(() => ({ ...DEFAULT_ALLOW_POLICY, by: "nobody" as const }));
  const [folder = ""] = folders;
  const activeRecords = records.filter(
    (record) =>
      isInForce(record, policy, { hooks: built?.hooks }) &&
      (record.project === undefined || isInside(folder, record.project)),
  );
  const pauses = activeRecords.filter((exception) => exception.pause).map(({ until }) => until);
  return {
    exceptions: activeRecords.filter((exception) => !exception.pause).map(({ id }) => id),
    paused_until: pauses.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1),
  };
}

const MAX_SHOWN_ITEMS = 3;

const formatFirstFew = (names: readonly string[]): string =>
  names.length > MAX_SHOWN_ITEMS
    ? `${names.slice(0, MAX_SHOWN_ITEMS).join(", ")} and ${names.length - MAX_SHOWN_ITEMS} more`
    : names.join(", ");

const shortenHome = (text: string): string => text.replaceAll(`${homedir()}/`, "~/");
