import type { LogSettings } from "../../policy/describe.ts";
import type { LoadedLogSettings } from "../../policy/log.ts";
import { DEFAULT_LOG_SETTINGS } from "../../policy/vocabulary.ts";
import { type ConcludedCall, hasResult, lacksConfigFiles } from "./concluded-call.ts";
import { findLogSources } from "./log-sources.ts";

const NO_SETTINGS: LoadedLogSettings = { settings: DEFAULT_LOG_SETTINGS, documents: new Map() };

/**
 * Loads a call's log settings. Most machines don't have a config file, so the code that reads one is loaded only if
 * needed.
 */
export async function loadLogSettings(call: ConcludedCall): Promise<LoadedLogSettings> {
  const sources = lacksConfigFiles(call) ? [] : findLogSources();
  return sources.length === 0 ? NO_SETTINGS : (await import("../config-modules.ts")).readLogSettings(sources);
}

/** Returns whether the settings require a log line for a call. */
export const requiresLine = (call: ConcludedCall, { level }: LogSettings): boolean =>
  level === "all" || (level === "decisions" && hasResult(call));
