import { isObject } from "../protocol/object.ts";
import { CONFIG_PARTS } from "./describe.ts";
import { readPart } from "./schema.ts";
import { readConfigDocument } from "./read.ts";
import { type ConfigSource, listConfigSources } from "./sources.ts";

/** A parsed config file. */
export interface ParsedConfig extends ConfigSource {
  /** Settings by hook name. Each value must be an object. */
  hooks: Readonly<Record<string, unknown>>;
  /** Added or changed rules by id. Undefined if the file has none. Each value must be an object. */
  rules: Readonly<Record<string, unknown>> | undefined;
  /** Exceptions to rules. Each exception must be an object. */
  exceptions: readonly unknown[] | undefined;
  /** Hooks, settings (`hook/setting`) and rules (`rules/git/*`) that files with lower precedence can't change. */
  locked: readonly string[] | true;
  /** Directories of projects whose config files may set any option. Paths may contain `~` and wildcards. */
  trusted: readonly string[];
}

/**
 * Reads the parts of a config file that this executable understands. Unknown keys, which may come from a newer version,
 * are ignored; only `list` and `doctor` report them.
 */
export async function readConfig(source: ConfigSource): Promise<ParsedConfig | undefined> {
  const document = await readConfigDocument(source);
  return document && interpretConfig(source, document);
}

/** Extracts the parts of a config document that this executable understands. */
export function interpretConfig(source: ConfigSource, document: Readonly<Record<string, unknown>>): ParsedConfig {
  const { hooks = {}, rules, exceptions, locked, trusted } = document;
  const lock = locked === undefined ? [] : readPart(CONFIG_PARTS.locked.schema, locked).value;
  return {
    ...source,
    hooks: hooks as ParsedConfig["hooks"],
    // Don't validate rules and exceptions yet. Each is validated when a call needs it.
    rules: isObject(rules) ? rules : undefined,
    exceptions: Array.isArray(exceptions) ? exceptions : undefined,
    locked: lock === false ? [] : lock,
    // A project must not be able to trust itself.
    trusted:
      source.scope === "project" || trusted === undefined ? [] : readPart(CONFIG_PARTS.trusted.schema, trusted).value,
  };
}

export type ConfigReader = (source: ConfigSource) => Promise<ParsedConfig | undefined>;

/** The config files for a directory. All hooks of a call share this value, so each file is read only once. */
export interface ConfigFiles {
  sources: readonly ConfigSource[];
  read: ConfigReader;
}

export const openConfigFiles = (...folders: readonly string[]): ConfigFiles =>
  openSources(listConfigSources(...folders));

export function openSources(sources: readonly ConfigSource[]): ConfigFiles {
  const configs = new Map<string, Promise<ParsedConfig | undefined>>();
  return {
    sources,
    read(source) {
      let config = configs.get(source.path);
      if (!config) configs.set(source.path, (config = readConfig(source)));
      return config;
    },
  };
}
