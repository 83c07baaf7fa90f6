import { pathExists } from "../../system/file-checks.ts";
import { type ConfigSource, listSharedSources } from "../../policy/sources.ts";

/**
 * Returns the files that may configure the log, highest precedence first. A project's file isn't included, because a
 * cloned repository could turn the log off.
 */
export const listLogSources = (): ConfigSource[] => listSharedSources();

/** Returns the existing files. */
export const findLogSources = (): ConfigSource[] => listLogSources().filter(({ path }) => pathExists(path));
