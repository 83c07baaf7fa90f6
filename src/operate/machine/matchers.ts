import { isCallEventName } from "../../hosts/codec/session-events.ts";
import { type Host, getCapabilityRow } from "../../protocol/host/host.ts";
import type { Setup } from "../../protocol/host/install.ts";

const matchesAll = (matcher: string | undefined) => matcher === undefined || /^(|\*|\^?\.\*\$?)$/.test(matcher);

/**
 * Returns whether a matcher selects a name. A matcher is a list of names or a pattern that must match the whole name.
 * Some hosts are less strict and also accept a partial match.
 */
function isSelectedBy(matcher: string | undefined, name: string): boolean {
  if (matcher === undefined || matchesAll(matcher)) return true;
  if (/^[\w|-]+$/.test(matcher)) return matcher.split("|").includes(name);
  try {
    return new RegExp(`^(?:${matcher})$`).test(name);
  } catch {
    return false;
  }
}

/** Returns a sample name that matches a tool name pattern. */
const getSampleName = (name: string) => name.replace(/\[(.)[^\]]*\]/g, "$1").replace(/\.[*+]/g, "x");

/** Lists the names that an event's matchers are compared with, or returns undefined if they are unknown. */
function listMatchedNames(host: Host, setup: Setup, native_event: string): readonly string[] | undefined {
  const matchedNames = setup.matchedNames?.[native_event];
  if (matchedNames || !isCallEventName(getCapabilityRow(host, native_event).event)) return matchedNames;
  return [...Object.values(setup.tools).flat().map(getSampleName), "SomeUnknownTool"];
}

/** Returns whether the given matchers, taken together, select every name that the desired matcher selects. */
export function coversMatcher(
  { host, setup }: { host: Host; setup: Setup },
  native_event: string,
  matchers: readonly (string | undefined)[],
  desired: string | undefined,
): boolean {
  if (matchers.some((matcher) => matchesAll(matcher) || matcher === desired)) return true;
  const names = listMatchedNames(host, setup, native_event);
  if (names === undefined) return false;
  return names
    .filter((name) => isSelectedBy(desired, name))
    .every((name) => matchers.some((matcher) => isSelectedBy(matcher, name)));
}
