import type { Env } from "../../protocol/host/host.ts";
import { joinSteps } from "../../system/file-checks.ts";
import { getStateDirectory } from "../state/state-directory.ts";

/** Name of a log. Lines go to `NAME.jsonl`, which is rotated to `NAME-000001.jsonl`, `NAME-000002.jsonl`, … */
export type LogName = "decisions" | "payloads";

export const getLogFile = (env: Env, name: LogName = "decisions"): string =>
  joinSteps(getStateDirectory(env), [`${name}.jsonl`]);

/**
 * Returns whether a file is a regular file with a single hard link. With more links, the file may belong to someone
 * else.
 */
export const isLogFile = (stats: { isFile: () => boolean; nlink: number }): boolean =>
  stats.isFile() && stats.nlink === 1;

/** Maximum size in bytes for a file that can't be rotated. */
export const MAX_UNROTATED_BYTES = 64 * 1024 * 1024;
