import type { FailurePolicy } from "../protocol/hook.ts";
import type { HostIdentity, HostOption, HostOptionValues } from "../protocol/host/host.ts";
import { suggestName } from "../protocol/name-suggestions.ts";

/** Options for one call, from code or from the command line. */
export interface CallOptions {
  /** Host ID. Defaults to `--host`, then to detection from the payload. */
  host?: string;
  /** The host's own event name, in case the payload can't be parsed or lacks it. */
  event?: string;
  /**
   * The host's own earlier event for this call. If set, the answer contains only restrictions, and nothing is reported
   * twice.
   */
  after?: string;
  /**
   * Where the entry is, if not in the host's own config. The same call may also be reported by an entry in the host's
   * own config.
   */
  from?: "plugin";
  /**
   * What happens if a hook or bridge-hooks fails: "allow" lets the call run (exit code 1), "deny" denies it. Defaults
   * to "allow".
   */
  onError?: FailurePolicy;
  /** Time limit for the whole call, in milliseconds. Defaults to 4000. */
  timeoutMs?: number;
  /** How many times in a row hooks may make the agent continue on Stop. Defaults to the host's own limit, or 1. */
  maxContinuations?: number;
}

export type AnyOptions = CallOptions & { readonly [hostOption: string]: unknown };

interface CallFlag {
  option: string;
  /** Describes the valid values, for messages. */
  expected: string;
  parse: (text: string) => unknown;
}

const parseNonEmpty = (value: string) => value || undefined;
/** Parses a positive integer that is small enough for a timer. */
const parseCount = (value: string) =>
  Number.isInteger(Number(value)) && Number(value) > 0 && Number(value) < 2 ** 31 ? Number(value) : undefined;
const createChoiceParser = (values: readonly string[]) => (value: string) =>
  values.includes(value) ? value : undefined;

/** Flags for a hook call, except host-specific ones. */
const SHARED_FLAGS: Readonly<Record<string, CallFlag>> = {
  "--host": { option: "host", expected: "a host id", parse: parseNonEmpty },
  "--event": { option: "event", expected: "the host's event name", parse: parseNonEmpty },
  "--after": { option: "after", expected: "the host's event name", parse: parseNonEmpty },
  "--from": { option: "from", expected: "plugin", parse: createChoiceParser(["plugin"]) },
  "--on-error": { option: "onError", expected: "allow or deny", parse: createChoiceParser(["allow", "deny"]) },
  "--timeout-ms": { option: "timeoutMs", expected: "a whole number of milliseconds above 0", parse: parseCount },
  "--max-continuations": { option: "maxContinuations", expected: "a whole number above 0", parse: parseCount },
};

/** Returns the flag for a host-specific option: `someOption` becomes `--some-option`. */
export const toFlagName = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const getFlag = (option: string) =>
  Object.keys(SHARED_FLAGS).find((name) => SHARED_FLAGS[name]?.option === option) ?? toFlagName(option);

function findHostFlag(name: string, hosts: readonly HostIdentity[]): CallFlag | undefined {
  const entry = hosts.flatMap(({ options }) => Object.entries(options)).find(([option]) => toFlagName(option) === name);
  return (
    entry && { option: entry[0], expected: entry[1].values.join(" or "), parse: createChoiceParser(entry[1].values) }
  );
}

const suggestFlag = (name: string, hosts: readonly HostIdentity[]) =>
  suggestName(name.replace(/=.*/s, ""), [
    ...Object.keys(SHARED_FLAGS),
    ...hosts.flatMap(({ options }) => Object.keys(options).map(toFlagName)),
    "--help",
    "--version",
  ]);

/** Reads a call's options. Options set in code override flags. `problem` describes the first invalid option. */
export function readOptions(
  argv: readonly string[],
  explicit: AnyOptions,
  hosts: readonly HostIdentity[],
): { options: AnyOptions; problem?: string } {
  const options: Record<string, unknown> = {};
  let problem: string | undefined;
  let denies = false;
  let lacksHost = false;
  const setOption = (flagName: string, flag: CallFlag | undefined, text: unknown) => {
    const value = flag?.parse(String(text));
    if (flag && value !== undefined) options[flag.option] = value;
    else
      problem ??= flag
        ? `${flagName} takes ${flag.expected}, not "${text}"; see bridge-hooks --help`
        : `unknown argument "${flagName}"${suggestFlag(flagName, hosts) || ";"} see bridge-hooks --help`;
    // The entry sets a failure policy that can't be read, so deny to be safe.
    if (flag?.option === "onError" && value === undefined) denies = true;
    // An entry without a host is invalid, so a failure denies the call unless the entry sets another policy.
    if (flag?.option === "host" && value === undefined) lacksHost = true;
  };
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    const at = word.indexOf("=");
    const name = at < 0 ? word : word.slice(0, at);
    const flag = Object.hasOwn(SHARED_FLAGS, name) ? SHARED_FLAGS[name] : findHostFlag(name, hosts);
    if (!flag) setOption(word, undefined, "");
    else if (at >= 0) setOption(name, flag, word.slice(at + 1));
    // If the value is missing, don't consume the next flag.
    else setOption(name, flag, argv[i + 1]?.startsWith("--") ? "" : (argv[++i] ?? ""));
  }
  for (const name in explicit) {
    if (explicit[name] === undefined) continue;
    const flag =
      Object.values(SHARED_FLAGS).find(({ option }) => option === name) ?? findHostFlag(toFlagName(name), hosts);
    setOption(`option ${name}`, flag, explicit[name]);
  }
  if (denies || (lacksHost && options.onError === undefined)) options.onError = "deny";
  return { options, problem };
}

/** Lists the flags for a host's own options in an entry. Skips other hosts' options. */
export const listHostFlags = (host: HostIdentity, settings: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(settings).flatMap(([option, value]) =>
    Object.hasOwn(host.options, option) ? [toFlagName(option), value] : [],
  );

/** Returns the values of a host's own options, including defaults. */
export function getHostOptionValues(host: HostIdentity, options: AnyOptions): HostOptionValues {
  const settings: Record<string, string> = {};
  for (const name in host.options) {
    const { values } = host.options[name] as HostOption;
    const value = options[name];
    settings[name] = typeof value === "string" && values.includes(value) ? value : values[0];
  }
  return settings;
}
