import { pathExists } from "../../system/file-checks.ts";
import { type ConfigSource, listSharedSources } from "../../policy/sources.ts";

/** The files that set the log, the strongest first. A project's file can't: whatever is cloned could turn it off. */
export const listLogSources = (): ConfigSource[] => listSharedSources();

/** Those that exist. */
export const findLogSources = (): ConfigSource[] => listLogSources().filter(({ path }) => pathExists(path));
