import { qualifyCommands } from "../system/own-command.ts";

/** Advice for other agents that users might ask for, by name. Each has a page or an entry in docs/hosts. */
const UNSUPPORTED_AGENTS: Readonly<Record<string, string>> = {
  continue: "Continue CLI does not call hooks, so bridge-hooks can't guard it; see bridge-hooks docs continue",
  cn: "Continue CLI does not call hooks, so bridge-hooks can't guard it; see bridge-hooks docs continue",
  kilo: "Kilo loads OpenCode's plugin from its own directories; see bridge-hooks docs kilo",
  kilocode: "Kilo loads OpenCode's plugin from its own directories; see bridge-hooks docs kilo",
  amp: "Amp was not tested because it requires its vendor's service; see bridge-hooks docs hosts",
};

/** Returns the advice for an agent that isn't a supported host; undefined if the name is unknown. */
export const describeOtherAgent = (name: string): string | undefined =>
  Object.hasOwn(UNSUPPORTED_AGENTS, name.toLowerCase())
    ? qualifyCommands(UNSUPPORTED_AGENTS[name.toLowerCase()] as string)
    : undefined;
