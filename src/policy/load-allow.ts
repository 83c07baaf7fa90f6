import { type AllowPolicy, MAX_PAUSE_DURATION_MS, readDuration, DEFAULT_ALLOW_POLICY } from "./allow.ts";
import { CONFIG_PARTS } from "./describe.ts";
import { readPart } from "./schema.ts";
import { interpretConfig } from "./files.ts";
import { readConfigDocument } from "./read.ts";
import { isRuleLocked, readAction } from "./rules.ts";
import { listSharedSources } from "./sources.ts";

/**
 * Loads the limits on exceptions from the managed file.
 * @throws Error if the managed file can't be read.
 */
export async function loadAllowPolicy(): Promise<AllowPolicy> {
  const [source] = listSharedSources();
  const document = await readConfigDocument(source);
  if (!document) return DEFAULT_ALLOW_POLICY;
  const managed = interpretConfig(source, document);
  const isLocked: AllowPolicy["isLocked"] = (hook, rule) =>
    isRuleLocked(managed, hook, rule ?? "") || (rule !== undefined && readAction(managed, rule, "deny") !== undefined);
  const { value, problems } = readPart(CONFIG_PARTS.allow.schema, document.allow === undefined ? {} : document.allow);
  // If the value is invalid, don't allow any exceptions.
  if (problems.length > 0) return { by: "nobody", maxMs: 0, maxPauseMs: 0, isLocked };
  const { by = DEFAULT_ALLOW_POLICY.by, longest, pause = true, from } = value;
  const maxDuration = longest === undefined ? DEFAULT_ALLOW_POLICY.maxMs : readDuration(longest);
  const maxPause = typeof pause === "boolean" ? (pause ? MAX_PAUSE_DURATION_MS : 0) : readDuration(pause);
  const places = from === undefined ? {} : { from: typeof from === "string" ? [from] : from };
  return { by, maxMs: maxDuration, maxPauseMs: Math.min(maxDuration, maxPause), ...places, isLocked };
}
