import { existsSync } from "node:fs";
import { suggestName, findNearestName } from "../../protocol/name-suggestions.ts";
import { readConfigDocument, isStringList } from "../../run/config.ts";
import { type AllowProblem, readAllowPolicy } from "../../run/exceptions/allow-policy.ts";
import { type ModeProblem, readModeStatement } from "../../run/modes.ts";
import { LOG_LOCK } from "../../run/log/log-settings.ts";
import type { ConfigSource } from "../../run/settings.ts";
import { findLogProblems } from "../log/log-problems.ts";
import { type FindingContext, findConfigFindings } from "../rules/config-findings.ts";
import type { ConfigReport, UnknownName } from "./report.ts";

/** The version of config files that this executable understands. */
export const CONFIG_VERSION = 1;

export const KNOWN_KEYS = ["version", "hooks", "rules", "exceptions", "locked", "trusted", "mode", "log", "allow"];

/**
 * Finds what is invalid or has no effect in a config file, besides the settings of hooks.
 * @param context the hooks that exist, and all config files here.
 */
export async function examineConfigFile(source: ConfigSource, context: FindingContext): Promise<ConfigReport> {
  const { scope, path: file } = source;
  const about = { scope, file, found: existsSync(file), wrong: [], notes: [], unknown: [], findings: [] };
  try {
    const document = await readConfigDocument(source);
    if (!document) return about;
    return {
      ...about,
      wrong: findInvalidValues(source, document),
      notes: findIgnoredKeys(source, document),
      unknown: findUnknownNames(source, document, context.catalog.names),
      findings: await findConfigFindings(source, context),
    };
  } catch (error) {
    return { ...about, problem: (error as Error).message };
  }
}

type ConfigDocument = Readonly<Record<string, unknown>>;

/** Finds values of the wrong type; they count as the strictest value that they may mean. */
function findInvalidValues(
  { scope }: ConfigSource,
  { locked = [], trusted = [], mode, log, allow }: ConfigDocument,
): string[] {
  if (scope === "project") return [];
  const modeProblems: ModeProblem[] = [];
  if (mode !== undefined) readModeStatement(mode, modeProblems);
  const allowProblems: AllowProblem[] = [];
  if (scope === "managed") readAllowPolicy(allow, allowProblems);
  return [
    ...allowProblems.map(
      ({ path, message }) =>
        `${["allow", ...path].join(".")}: ${message}; until it is fixed, nobody can make an exception`,
    ),
    ...modeProblems.map(
      ({ path, message }) => `${["mode", ...path].join(".")}: ${message}; until it is fixed, it enforces`,
    ),
    ...findLogProblems(log).map(({ path, message }) => `${["log", ...path].join(".")}: ${message}`),
    ...(locked === true || locked === false || isStringList(locked)
      ? []
      : ["locked: must be true, or a list of hooks' names; until it is fixed, every hook is locked"]),
    ...(isStringList(trusted) ? [] : ["trusted: must be a list of folders; until it is fixed, no project is trusted"]),
  ];
}

/** Finds keys that this executable does not understand, or does not accept in a file of this scope. */
function findIgnoredKeys({ scope }: ConfigSource, { $schema: _, version = 1, ...rest }: ConfigDocument): string[] {
  const unknown = Object.keys(rest)
    .filter((key) => !KNOWN_KEYS.includes(key))
    .map((key) => `unknown setting "${key}", ignored${suggestName(key, KNOWN_KEYS)}`);
  const newer = `version ${JSON.stringify(version)} is unknown to this executable (it knows ${CONFIG_VERSION}): what it does not know is ignored`;
  const others =
    scope === "project" ? ["locked", "trusted", "mode", "log"].filter((key) => Object.hasOwn(rest, key)) : [];
  return [
    ...(version === CONFIG_VERSION ? [] : [newer]),
    ...unknown,
    ...others.map((key) => `${key}: ignored in a project's file; set it in your own`),
    ...(scope !== "managed" && Object.hasOwn(rest, "allow")
      ? ["allow: ignored outside of the managed file, which says who may make exceptions on purpose"]
      : []),
  ];
}

/** Finds names that no hook has. */
function findUnknownNames(
  { scope }: ConfigSource,
  { hooks = {}, locked = [] }: ConfigDocument,
  names: readonly string[],
): UnknownName[] {
  const named = (where: UnknownName["where"], all: readonly string[]) =>
    [...new Set(all)]
      .filter((name) => !names.includes(name))
      .map((name): UnknownName => {
        const near = findNearestName(name, names);
        return { name, where, ...(near !== undefined && { near }) };
      });
  return [
    ...named("hooks", Object.keys(hooks as object)),
    ...named(
      "locked",
      scope !== "project" && isStringList(locked)
        ? locked.filter((name) => !name.includes("/") && name !== LOG_LOCK)
        : [],
    ),
  ];
}
