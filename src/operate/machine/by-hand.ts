import { isDeepStrictEqual } from "node:util";
import { getFlag } from "../../call/options.ts";
import { getCapabilityRow } from "../../protocol/host/host.ts";
import type { ConfigEntry } from "../../protocol/host/install.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { type EditTarget, findUnexpectedKeys } from "./edit/entries.ts";
import type { DesiredEntry } from "../../protocol/host/install.ts";
import { coversMatcher } from "./matchers.ts";
import type { InstalledFile, InstalledEntry } from "./plan.ts";

/** Differences between hand-written entries and the entries that `install` would write. */
export interface HandWrittenEntries {
  /** Reasons why a denial might not take effect, one per item. */
  drift: string[];
  /** Flags and properties that `install` would add. */
  missingFlags: string[];
  /** Subscribed events without an entry. */
  missing: string[];
}

/** Returns whether an entry was written by hand. Entries from `install` always name the event in their command. */
export const isByHand = ({ call }: InstalledEntry): boolean => call.options.event === undefined;

/**
 * Compares hand-written entries with the desired entries. A missing flag is a fault only if denials don't take effect
 * without it.
 */
export function compareHandWrittenEntries(
  subject: EditTarget,
  { host, installedEntries }: InstalledFile,
  desired: readonly DesiredEntry[],
): HandWrittenEntries {
  const getEvent = (native_event: string) => getCapabilityRow(host, native_event).event;
  const hasCallEntries = installedEntries.some(({ entry }) => getEvent(entry.native_event) === "PreToolUse");
  const comparisons = desired.map((one): HandWrittenEntries => {
    const { native_event, matcher } = one;
    const entries = installedEntries.filter(({ entry }) => entry.native_event === native_event);
    if (entries.length === 0)
      return hasCallEntries || getEvent(native_event) !== "PreToolUse"
        ? { drift: [], missingFlags: [], missing: [native_event] }
        : { drift: [`no entry for ${native_event}, which your hooks subscribe to`], missingFlags: [], missing: [] };
    const matchers = entries.map(({ entry }) => entry.matcher);
    const narrow = coversMatcher({ host, setup: subject.setup }, native_event, matchers, matcher)
      ? []
      : [
          `${native_event} matches only "${matchers.join('", "')}", but your hooks need ${matcher ? `"${matcher}"` : "every call"}`,
        ];
    return {
      drift: [...narrow, ...entries.flatMap(({ entry }) => findEntryFaults(subject, entry, one.handler()))],
      missingFlags: entries.flatMap((entry) => findMissingParts(subject, entry, one.handler())),
      missing: [],
    };
  });
  const collect = (key: keyof HandWrittenEntries) => [...new Set(comparisons.flatMap((one) => one[key]))];
  return { drift: collect("drift"), missingFlags: collect("missingFlags"), missing: collect("missing") };
}

/** Properties that hold the command. Instead of their text, the parsed commands are compared. */
const COMMAND_KEYS = ["command", "args"];

/** Lists reasons why the host might not call an entry or might ignore its answer. */
function findEntryFaults(subject: EditTarget, entry: ConfigEntry, handler: Payload): string[] {
  const unexpectedKeys = findUnexpectedKeys(subject, entry, handler).filter((key) => !COMMAND_KEYS.includes(key));
  const isDifferent = (key: string) => {
    const [actual, desired] = [entry.handler[key], handler[key]];
    if (actual === undefined || COMMAND_KEYS.includes(key)) return false;
    return key === "timeout" ? Number(actual) < Number(desired) : !isDeepStrictEqual(actual, desired);
  };
  const differentKeys = Object.keys(handler).filter(isDifferent);
  return [
    ...(unexpectedKeys.length > 0
      ? [`${entry.native_event} has ${unexpectedKeys.join(", ")}, which may keep the host from calling bridge-hooks`]
      : []),
    ...(differentKeys.length > 0
      ? [`${entry.native_event} differs from this version's entry in ${differentKeys.join(", ")}`]
      : []),
  ];
}

function findMissingParts({ callOf }: EditTarget, { entry, call }: InstalledEntry, handler: Payload): string[] {
  const { command, args } = handler as { command: string; args?: string[] };
  const flags = Object.keys(callOf({ ...entry, command, args })?.options ?? {});
  return [
    ...flags.filter((option) => !(option in call.options)).map(getFlag),
    ...Object.keys(handler).filter((key) => !(key in entry.handler) && !COMMAND_KEYS.includes(key)),
  ];
}
