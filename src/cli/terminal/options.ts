import { Option } from "clipanion";
import type { FailurePolicy } from "../../protocol/hook.ts";
import type { TimedMode } from "../../policy/modes.ts";
import type { Host } from "../../protocol/host/host.ts";
import { INSTALL_SCOPES, type InstallScope } from "../../protocol/host/install.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { hosts } from "../../hosts/index.ts";
import { readOptions, toFlagName } from "../../call/options.ts";
import { requireHost } from "../../operate/machine/entry-command.ts";
import { CONFIG_SCOPES, type ConfigScope } from "../../policy/sources.ts";

// Options shared by multiple commands. The help lists a command's options in field order.

export const HOST_IDS = hosts.map(({ id }) => id).join(", ");

/** @param note text appended to "may be repeated" */
export const declareHosts = (description: string, note = "") =>
  Option.Array("--host", [], { description: `${description}; may be repeated${note}` });
export const declareEvents = (note = "") =>
  Option.Array("--event", [], {
    description: `Only this event (a unified or native name, or all); may be repeated${note}`,
  });
export const declareHooks = () =>
  Option.String("--hooks", {
    description: "Hooks directory, or its parent (default: the hooks in this executable)",
  });
export const declareConfig = () =>
  Option.String("--config", {
    description: "Use this proposed config file, or - for stdin, as if it were installed",
  });
export const declareConfigScope = () =>
  Option.String("--scope", {
    description:
      "With --config: the file to replace, which is managed, project or user (default: by path, else managed)",
  });
export const declareJson = (description = "Print JSON") => Option.Boolean("--json", false, { description });
/** A command with this option also defines `loadSchema`. */
export const declareSchema = (subject = "--json") =>
  Option.Boolean("--schema", false, { description: `Print the JSON Schema of ${subject}` });
export const declareDryRun = () =>
  Option.Boolean("--dry-run", false, { description: "Show the changes as a unified diff without writing them" });
export const declareYes = () => Option.Boolean("--yes,-y", false, { description: "Don't ask for confirmation" });
export const declareReason = () =>
  Option.String("--reason", { description: "Reason, shown in the log and in allow list" });
export const declareManaged = () =>
  Option.Boolean("--managed", false, {
    description: "With sudo: create a managed exception for the account that ran sudo",
  });
/** Declares `--config` as an alias of FILE, because other commands take config files with `--config`. */
export const declareConfigFiles = () => Option.Array("--config", [], { description: "Same as FILE" });
export const declareKey = () => Option.String("--key", { description: "The project's public key in PEM format" });
export const declareTimeout = () =>
  Option.String("--timeout-ms", { description: "Time limit of a call in milliseconds (default: 4000)" });

/** Declares the hosts' own call options, keyed by name, for commands that write entries. */
export const declareHostOptions = (): Record<string, string | undefined> =>
  Object.fromEntries(
    hosts.flatMap(({ name, options }) =>
      Object.entries(options).map(([option, { values, meaning }]) => [
        option,
        Option.String(toFlagName(option), { description: `${name}: ${meaning} (${values.join(" or ")})` }),
      ]),
    ),
  );

/**
 * Returns the host-specific options given to a command.
 * @throws Error for an invalid value.
 */
export function readHostOptions(command: object): Record<string, string> {
  const typedOptions = Object.fromEntries(
    hosts
      .flatMap(({ options }) => Object.keys(options))
      .map((option) => [option, (command as Record<string, string | undefined>)[option]] as const)
      .filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const { problem } = readOptions([], typedOptions, hosts);
  if (problem) throw new Error(problem.replace(/^option (\w+)/, (_, option: string) => toFlagName(option)));
  return typedOptions;
}

/**
 * Looks up hosts by ID; each string can list multiple IDs, separated by commas.
 * @throws Error for an unknown ID.
 */
export const requireHosts = (ids: readonly string[]): Host[] => [...new Set(splitIds(ids))].map(requireHost);

/** Splits strings that can each list multiple hosts. */
export const splitIds = (ids: readonly string[]): string[] => ids.flatMap((id) => id.split(",")).filter(Boolean);

/** Looks up the host given by a single-ID option. */
export const findNamedHost = (id: string | undefined): Host | undefined =>
  requireHosts(id === undefined ? [] : [id])[0];

/** Looks up hosts by ID; without IDs, returns all. */
export function selectHosts(ids: readonly string[]): readonly Host[] {
  const requestedHosts = requireHosts(ids);
  return requestedHosts.length > 0 ? requestedHosts : hosts;
}

function requireScope<T extends string>(text: string, scopes: readonly T[], kind = ""): T {
  const scope = scopes.find((candidate) => candidate === text);
  if (scope) return scope;
  throw new Error(`unknown scope "${text}"${kind}${suggestName(text, scopes) || `; known: ${scopes.join(", ")}`}`);
}

export const parseScope = (text: string): InstallScope => requireScope(text, INSTALL_SCOPES);
export const parseConfigScope = (text: string): ConfigScope => requireScope(text, CONFIG_SCOPES, " of config files");

export function parseFailurePolicy(text: string): FailurePolicy {
  if (text === "deny" || text === "allow") return text;
  throw new Error(`--on-error must be deny or allow, not "${text}"`);
}

/**
 * Chooses the entries' failure policy. Unless a policy is requested, the general mode decides: "deny" for `enforce` and
 * for any mode with an end date, otherwise "allow". As long as nothing is denied, an executable that can't start must
 * not block calls. A mode with an end date already gets "deny", because enforcement starts after that date without
 * rewriting the entries. Until then, failing calls are still allowed.
 */
export function chooseFailurePolicy(requested: string | undefined, { mode, until }: TimedMode): FailurePolicy {
  if (requested !== undefined) return parseFailurePolicy(requested);
  return mode === "enforce" || until !== undefined ? "deny" : "allow";
}

/**
 * Explains the entries' failure policy if it depends on the mode. Returns undefined for the default or a requested
 * policy.
 */
export function explainFailurePolicy(requested: string | undefined, { mode, until }: TimedMode): string | undefined {
  if (requested !== undefined || mode === "enforce") return undefined;
  return until === undefined
    ? `mode "${mode}" denies nothing`
    : `mode "${mode}" ends on ${until}, but the entries remain; to allow calls on failure: --on-error allow`;
}

/**
 * Formats the hook call flags given on the command line.
 * @throws Error if a hook call would reject the flags.
 */
export function formatCallFlags({ onError, timeoutMs }: { onError?: string; timeoutMs?: string }): string[] {
  const flags = [
    ...(onError === undefined ? [] : ["--on-error", onError]),
    ...(timeoutMs === undefined ? [] : ["--timeout-ms", timeoutMs]),
  ];
  const { problem } = readOptions(flags, {}, []);
  if (problem) throw new Error(problem.replace(/; see .*$/, ""));
  return flags;
}
