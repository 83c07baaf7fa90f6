import type { Env } from "../../protocol/host/host.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { countLosses, formatLosses } from "./losses.ts";
import { type ReadCounts, readLog } from "./read-log.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Criteria for selecting log lines. */
export interface LogFilter {
  /** Earliest time, in milliseconds since the epoch. */
  since?: number;
  /** Whether to select only denials, including those that a mode kept from the host. */
  denied: boolean;
  /**
   * Whether to select only calls with a known host or event. Neither is known if an entry's command, or one that a user
   * typed, names the wrong host.
   */
  identified?: boolean;
  hosts: readonly string[];
  hook?: string | undefined;
  /** Rule ID, or the start of one followed by `*`. */
  rule?: string | undefined;
  /** Session ID, or the start of one. */
  session?: string | undefined;
  /** Project directory. Calls in subdirectories are included. */
  project?: string | undefined;
}

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * Parses a point in time: an age such as `30m`, `24h`, `7d` or `2w`, or a date.
 * @throws Error for any other format.
 */
export function parseTime(text: string, option: string, now = Date.now()): number {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (SECONDS_PER_UNIT[unit] ?? 0) * 1_000;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new Error(`${option} must be an age such as 30m, 24h or 7d, or a date such as 2026-01-31`);
  return time;
}

const isInFolder = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

export function matchesFilter(line: LogLine, filter: LogFilter): boolean {
  const { hook, rule, session, project } = filter;
  return (
    (!filter.denied || isDenial(line)) &&
    (!filter.identified || line.host !== undefined || line.native_event !== undefined) &&
    (filter.hosts.length === 0 || filter.hosts.includes(line.host ?? "")) &&
    (hook === undefined || mentionsHook(line, hook)) &&
    (rule === undefined || mentionsRule(line, rule)) &&
    (session === undefined || (line.session ?? "").startsWith(session)) &&
    (project === undefined || isInFolder(line.project ?? "", project) || isInFolder(line.cwd ?? "", project))
  );
}

const isDenial = ({ decision, mode, wanted }: LogLine) =>
  decision === "deny" || (mode !== "enforce" && wanted === "deny");

const mentionsHook = ({ hook, others = [], failures = [], messages = [] }: LogLine, name: string) =>
  [{ hook }, ...others, ...failures, ...messages].some((one) => one.hook === name);

/** @param pattern a rule ID, or the start of one followed by `*` */
const mentionsRule = ({ rule, others = [] }: LogLine, pattern: string) =>
  [rule, ...others.map((one) => one.rule)].some(
    (id) => id !== undefined && (pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern),
  );

/** Yields the matching lines, newest first. */
export function* selectLines(env: Env, filter: LogFilter, reading: ReadCounts): Generator<LogLine> {
  for (const line of readLog(env, reading, filter.since)) if (matchesFilter(line, filter)) yield line;
}

/** Selects the denied calls that a user might want to explain or allow. */
export const DENIED_CALLS: LogFilter = { denied: true, identified: true, hosts: [] };

/**
 * Finds the newest denied call in the given project, or else in any project, or else the newest denial of any kind.
 * Returns undefined if the log contains no denial.
 */
export function findLastDenial(
  env: Env,
  project: string | undefined,
): { line: LogLine; isInProject: boolean } | undefined {
  const find = (filter: LogFilter) => selectLines(env, filter, { skipped: 0 }).take(1).toArray()[0];
  const projectDenial = project === undefined ? undefined : find({ ...DENIED_CALLS, project });
  const line = projectDenial ?? find(DENIED_CALLS) ?? find({ ...DENIED_CALLS, identified: false });
  return line && { line, isInProject: projectDenial !== undefined };
}

/**
 * Finds a line by its ID or the start of its ID. Returns undefined if no line matches.
 * @throws Error if more than one line matches.
 */
export function findLineById(env: Env, id: string, reading: ReadCounts): LogLine | undefined {
  const matches: LogLine[] = [];
  for (const line of readLog(env, reading)) {
    if (!line.id.startsWith(id)) continue;
    if (line.id === id) return line;
    matches.push(line);
    if (matches.length > 1)
      throw new Error(`"${id}" matches several IDs: ${matches.map((one) => one.id).join(", ")}, …`);
  }
  return matches[0];
}

/**
 * Finds a line by its ID or the start of its ID. Without an ID, returns the newest line with a decision.
 * @throws Error if no line matches, or more than one.
 */
export function findLine(env: Env, id: string | undefined, reading: ReadCounts): LogLine {
  const lines = id === undefined ? readLog(env, reading) : [];
  let isEmpty = true;
  for (const line of lines) {
    isEmpty = false;
    if (line.decision !== "none" || line.wanted !== undefined) return line;
  }
  const namedLine = id === undefined ? undefined : findLineById(env, id, reading);
  if (namedLine) return namedLine;
  const explanation =
    id === undefined
      ? isEmpty
        ? "the log is empty"
        : `none of the logged calls has a decision; to explain a call, run ${getOwnCommand()} explain ID`
      : `the log has no line "${id}"; to list all IDs, run ${getOwnCommand()} log; to explain a command, pass --command`;
  throw new Error([explanation, formatLosses(countLosses(env))].filter((text) => text !== undefined).join("; "));
}
