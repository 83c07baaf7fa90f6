import { existsSync } from "node:fs";
import { hint, nearest } from "../../protocol/near.ts";
import { documentOf, isTexts } from "../../run/config.ts";
import type { ConfigSource } from "../../run/settings.ts";
import type { ConfigReport, UnknownName } from "./report.ts";

/** The version of config files that this executable understands. */
const VERSION = 1;

const KNOWN = ["version", "hooks", "locked", "trusted"];

/** What is wrong or without effect in a config file, besides the settings of hooks. @param hooks the names of the hooks that exist. */
export async function examineFile(source: ConfigSource, hooks: readonly string[]): Promise<ConfigReport> {
  const { scope, path: file } = source;
  const about = { scope, file, found: existsSync(file), wrong: [], notes: [], unknown: [] };
  try {
    const document = await documentOf(source);
    if (!document) return about;
    return {
      ...about,
      wrong: wrongIn(source, document),
      notes: ignoredIn(source, document),
      unknown: unknownIn(source, document, hooks),
    };
  } catch (error) {
    return { ...about, problem: (error as Error).message };
  }
}

type Document = Readonly<Record<string, unknown>>;

/** Values that can't be read as what they are: they count as the strictest that they may mean. */
function wrongIn({ scope }: ConfigSource, { locked = [], trusted = [] }: Document): string[] {
  if (scope === "project") return [];
  return [
    ...(locked === true || locked === false || isTexts(locked)
      ? []
      : ["locked: this has to be true, or a list of hooks' names; until then every hook is locked"]),
    ...(isTexts(trusted) ? [] : ["trusted: this has to be a list of folders; until then it trusts none"]),
  ];
}

/** What this executable does not understand, or takes from nobody but others. */
function ignoredIn({ scope }: ConfigSource, { $schema: _, version = 1, ...rest }: Document): string[] {
  const unknown = Object.keys(rest)
    .filter((key) => !KNOWN.includes(key))
    .map((key) => `unknown setting "${key}", ignored${hint(key, KNOWN)}`);
  const newer = `version ${JSON.stringify(version)} is not one that this executable knows (${VERSION}): what it does not know is ignored`;
  const others = scope === "project" ? ["locked", "trusted"].filter((key) => Object.hasOwn(rest, key)) : [];
  return [
    ...(version === VERSION ? [] : [newer]),
    ...unknown,
    ...others.map((key) => `${key}: ignored in a project's file; say it in your own`),
  ];
}

/** Names that no hook has. */
function unknownIn(
  { scope }: ConfigSource,
  { hooks = {}, locked = [] }: Document,
  names: readonly string[],
): UnknownName[] {
  const named = (where: UnknownName["where"], all: readonly string[]) =>
    [...new Set(all)]
      .filter((name) => !names.includes(name))
      .map((name): UnknownName => {
        const near = nearest(name, names);
        return { name, where, ...(near !== undefined && { near }) };
      });
  return [
    ...named("hooks", Object.keys(hooks as object)),
    ...named("locked", scope !== "project" && isTexts(locked) ? locked : []),
  ];
}
