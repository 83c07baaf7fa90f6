import { isObject } from "../../protocol/object.ts";
import { getManagedConfig } from "../config-paths.ts";
import { type ParsedConfig, interpretConfig, readConfigDocument } from "../config.ts";
import type { ConfigSource } from "../settings.ts";
import type { LoadedException } from "./record.ts";

/** Who may make exceptions: each user, only administrators, or nobody. */
export const ALLOWERS = ["users", "administrators", "nobody"] as const;
export type Allower = (typeof ALLOWERS)[number];

/** What the managed file says about exceptions on purpose, in `allow`. */
export interface AllowPolicy {
  by: Allower;
  /** How long one lasts at most, and a pause, in milliseconds. */
  longest: number;
  longestPause: number;
  /** The managed file, if there is one: what it locks takes no exception. */
  managed?: ParsedConfig;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Reads `10m`, `1h`, `7d`, in milliseconds; NaN for anything else. */
export function readDuration(text: unknown): number {
  const [, count, unit = ""] = (typeof text === "string" && /^(\d{1,5})([smhdw])$/.exec(text)) || [];
  return count === undefined ? Number.NaN : Number(count) * (UNITS[unit] ?? Number.NaN);
}

export const ALLOW_FIELDS = ["by", "longest", "pause"];
/** A pause is for an emergency, not for a week. */
const LONGEST_PAUSE_MS = 8 * 3_600_000;
const FREE: AllowPolicy = { by: "users", longest: Number.POSITIVE_INFINITY, longestPause: LONGEST_PAUSE_MS };

/** What is wrong in `allow`, by its path. */
export interface AllowProblem {
  path: readonly string[];
  message: string;
}

/**
 * Reads `allow` of the managed file. Whatever is wrong in it forbids.
 * @param problems takes what is wrong.
 */
export function readAllowPolicy(value: unknown, problems: AllowProblem[] = []): AllowPolicy {
  if (value === undefined) return FREE;
  const given = isObject(value) ? value : {};
  const { by = "users", longest, pause = true } = given;
  if (!isObject(value)) problems.push({ path: [], message: "must be an object" });
  for (const key of Object.keys(given))
    if (!ALLOW_FIELDS.includes(key))
      problems.push({ path: [key], message: `unknown field; known: ${ALLOW_FIELDS.join(", ")}` });
  if (!(ALLOWERS as readonly unknown[]).includes(by))
    problems.push({ path: ["by"], message: `must be one of ${ALLOWERS.join(", ")}` });
  if (longest !== undefined && Number.isNaN(readDuration(longest)))
    problems.push({ path: ["longest"], message: "must be a time: 30m, 4h, 7d" });
  if (typeof pause !== "boolean" && Number.isNaN(readDuration(pause)))
    problems.push({ path: ["pause"], message: "must be true, false, or a time: 10m" });
  if (problems.length > 0) return { by: "nobody", longest: 0, longestPause: 0 };
  const most = longest === undefined ? FREE.longest : readDuration(longest);
  const paused = typeof pause === "boolean" ? (pause ? LONGEST_PAUSE_MS : 0) : readDuration(pause);
  return { by: by as Allower, longest: most, longestPause: Math.min(most, paused) };
}

/** @throws Error if the managed file can't be read. */
export async function loadAllowPolicy(): Promise<AllowPolicy> {
  const source: ConfigSource = { scope: "managed", path: getManagedConfig() };
  const document = await readConfigDocument(source);
  if (!document) return FREE;
  return { ...readAllowPolicy(document.allow), managed: interpretConfig(source, document) };
}

/** When an exception ends, in milliseconds: at its own end, or when the policy ends it. */
export function getExceptionEnd({ made, until, pause }: LoadedException, policy: AllowPolicy): number {
  const most = pause ? policy.longestPause : policy.longest;
  return Math.min(Date.parse(until), Date.parse(made) + most);
}

/** Whether a policy lets an exception count now, for this account. */
export function isInForce(record: LoadedException, policy: AllowPolicy, now = Date.now()): boolean {
  if (policy.by === "nobody" || (policy.by === "administrators" && record.scope !== "managed")) return false;
  if (record.user !== undefined && record.user !== process.geteuid?.()) return false;
  return now < getExceptionEnd(record, policy);
}
