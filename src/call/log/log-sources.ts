import { pathExists } from "../../system/file-checks.ts";
import { type ConfigSource, listSharedSources } from "../../policy/sources.ts";

/**
 * Returns the files that may configure the log, highest precedence first. Project files aren't included, since a cloned
 * repository could otherwise turn off the log.
 */
export const listLogSources = (): ConfigSource[] => listSharedSources();

export const findLogSources = (): ConfigSource[] => listLogSources().filter(({ path }) => pathExists(path));
