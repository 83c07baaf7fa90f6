import { isObject } from "../protocol/object.ts";
import { CONFIG_KEYS, CONFIG_PARTS, type ConfigKey, type ConfigPart } from "./describe.ts";
import { readPart } from "./schema.ts";
import type { ConfigSource } from "./sources.ts";

/** An invalid part of a config file, to which the strictest interpretation applies. */
export interface VoidPart extends ConfigSource {
  /** Path of the part, joined with dots: `mode.hooks.guard`. */
  keyPath: string;
  message: string;
  /** What applies until it is fixed. */
  impact: string;
}

/** Keys that are validated entry by entry when a call needs them; calls validate all other keys at once. */
const LARGE_PARTS: readonly ConfigKey[] = ["version", "hooks", "rules", "exceptions"];

/** Lists everything void in a config file, except single rules and exceptions, and the settings of hooks. */
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
      // An unknown log setting, perhaps from a newer version, doesn't affect the others.
      if (key !== "log" || !isUnknown) found.push({ ...source, keyPath: [key, ...path].join("."), message, impact });
  }
  return found;
}
