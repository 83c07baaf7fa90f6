import { isObject } from "../protocol/object.ts";
import { CONFIG_KEYS, CONFIG_PARTS, type ConfigKey, type ConfigPart } from "./describe.ts";
import { readPart } from "./schema.ts";
import type { ConfigSource } from "./sources.ts";

/** A part of a config file that counts as its strictest meaning, since it is wrong. */
export interface VoidPart extends ConfigSource {
  /** `mode.hooks.guard` */
  keyPath: string;
  message: string;
  /** What holds until it is fixed. */
  impact: string;
}

/** The parts that are read where they are needed, entry by entry; calls look through all others at once. */
const LARGE_PARTS: readonly ConfigKey[] = ["version", "hooks", "rules", "exceptions"];

/** Lists what is void in a config file, but for single rules and exceptions, and the settings of hooks. */
export function listVoidParts(source: ConfigSource, document: Readonly<Record<string, unknown>>): VoidPart[] {
  const { rules, exceptions } = document;
  const keys = CONFIG_KEYS.filter((key) => !LARGE_PARTS.includes(key));
  if (!isObject(rules)) keys.push("rules");
  if (!Array.isArray(exceptions)) keys.push("exceptions");
  const found: VoidPart[] = [];
  for (const key of keys) {
    const { scopes, schema, impact }: ConfigPart = CONFIG_PARTS[key];
    if (document[key] === undefined || !scopes.includes(source.scope)) continue;
    for (const { path, message, isUnknown } of readPart(schema, document[key]).problems)
      // A setting of the log that only a newer executable knows changes none of the others.
      if (key !== "log" || !isUnknown) found.push({ ...source, keyPath: [key, ...path].join("."), message, impact });
  }
  return found;
}
