import { qualifyCommands } from "../system/own-command.ts";

/**
 * Agents that people may look for and that are not hosts here, by the names that they have, with what to do instead.
 * Each has a page in docs/hosts, or a line there.
 */
const OTHER_AGENTS: Readonly<Record<string, string>> = {
  continue: "Continue CLI calls no hook, so nothing can be guarded there; see bridge-hooks docs continue",
  cn: "Continue CLI calls no hook, so nothing can be guarded there; see bridge-hooks docs continue",
  kilo: "Kilo loads OpenCode's plugin from folders of its own; see bridge-hooks docs kilo",
  kilocode: "Kilo loads OpenCode's plugin from folders of its own; see bridge-hooks docs kilo",
  amp: "Amp was not run, since it works with its vendor's service alone; see bridge-hooks docs hosts",
};

/** What is known of an agent that is not a host here; undefined if nothing is. */
export const describeOtherAgent = (name: string): string | undefined =>
  Object.hasOwn(OTHER_AGENTS, name.toLowerCase())
    ? qualifyCommands(OTHER_AGENTS[name.toLowerCase()] as string)
    : undefined;
