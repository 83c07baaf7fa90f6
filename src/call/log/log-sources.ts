import { pathExists } from "../../system/file-checks.ts";
import { type ConfigSource, listSharedSources } from "../../policy/sources.ts";

/**
 * Returns the files that may set the log, in descending order of precedence. A project's file can't, because a cloned
 * repository could turn the log off.
 */
export const listLogSources = (): ConfigSource[] => listSharedSources();

/** Returns those of the files that exist. */
export const findLogSources = (): ConfigSource[] => listLogSources().filter(({ path }) => pathExists(path));
