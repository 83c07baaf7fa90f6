import { isObject } from "../protocol/object.ts";
import { CONFIG_KEYS, CONFIG_PARTS, type ConfigKey, type ConfigPart } from "./describe.ts";
import { readPart } from "./schema.ts";
import type { ConfigSource } from "./sources.ts";

/** An invalid part of a config file. Invalid parts are interpreted in the strictest way. */
export interface InvalidPart extends ConfigSource {
  /** The part's path, separated by dots: `mode.hooks.guard`. */
  keyPath: string;
  message: string;
  /** What applies until the part is fixed. */
  impact: string;
}

/** Keys whose entries are validated individually when a call needs them. All other keys are validated as a whole. */
const INDIVIDUALLY_VALIDATED_KEYS: readonly ConfigKey[] = ["version", "hooks", "rules", "exceptions"];

/** Lists all invalid parts of a config file, except within individual rules, exceptions and hook settings. */
export function listInvalidConfigParts(
  source: ConfigSource,
  document: Readonly<Record<string, unknown>>,
): InvalidPart[] {
  const { rules, exceptions } = document;
  const keys = CONFIG_KEYS.filter((key) => !INDIVIDUALLY_VALIDATED_KEYS.includes(key));
  if (!isObject(rules)) keys.push("rules");
  if (!Array.isArray(exceptions)) keys.push("exceptions");
  const voidParts: InvalidPart[] = [];
  for (const key of keys) {
    const { scopes, schema, impact }: ConfigPart = CONFIG_PARTS[key];
    if (document[key] === undefined || !scopes.includes(source.scope)) continue;
    for (const { path, message, isUnknown } of readPart(schema, document[key]).problems)
      // An unknown log setting may come from a newer version and doesn't affect the others.
      if (key !== "log" || !isUnknown)
        voidParts.push({ ...source, keyPath: [key, ...path].join("."), message, impact });
  }
  return voidParts;
}
