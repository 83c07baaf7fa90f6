import type { Env } from "../../protocol/host/host.ts";
import { joinSteps } from "../../system/file-checks.ts";
import { getStateDirectory } from "../state/state-directory.ts";

/** The name of a log: lines go to `NAME.jsonl`, full files become `NAME-000001.jsonl`, `NAME-000002.jsonl`, … */
export type LogName = "decisions" | "payloads";

export const getLogFile = (env: Env, name: LogName = "decisions"): string =>
  joinSteps(getStateDirectory(env), [`${name}.jsonl`]);

/** A file with a second name may be somebody else's. */
export const isLogFile = (found: { isFile: () => boolean; nlink: number }): boolean =>
  found.isFile() && found.nlink === 1;

/** A file that can't be renamed grows up to this size. */
export const MAX_STUCK_BYTES = 64 * 1024 * 1024;
