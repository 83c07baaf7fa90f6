import { createCounts, type Outcome, type OutcomeCounts } from "../log/outcomes.ts";

/** A time span and its outcome counts. */
export interface TimelinePoint {
  start: string;
  counts: OutcomeCounts;
}

export interface Timeline {
  unit: "hour" | "day" | "week";
  points: TimelinePoint[];
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Longest period divided into hours, and longest period divided into days. */
const MAX_HOURLY_MS = 2 * DAY_MS;
const MAX_DAILY_MS = 92 * DAY_MS;

/**
 * Divides a period into consecutive time spans in the local time zone. Days follow the calendar, because a day may have
 * 23 or 25 hours.
 */
export function createTimeline(since: number, until: number): Timeline {
  const length = until - since;
  const unit = length <= MAX_HOURLY_MS ? "hour" : length <= MAX_DAILY_MS ? "day" : "week";
  const points: TimelinePoint[] = [];
  for (let at = floorToUnit(since, unit); at.getTime() < until; at = addUnit(at, unit))
    points.push({ start: at.toISOString(), counts: createCounts() });
  return { unit, points };
}

function floorToUnit(time: number, unit: Timeline["unit"]): Date {
  const at = new Date(time);
  at.setMinutes(0, 0, 0);
  if (unit !== "hour") at.setHours(0);
  return at;
}

function addUnit(from: Date, unit: Timeline["unit"]): Date {
  if (unit === "hour") return new Date(from.getTime() + HOUR_MS);
  const at = new Date(from);
  at.setDate(at.getDate() + (unit === "day" ? 1 : 7));
  return at;
}

/** Counts a decision in the time span that contains it. Decisions before the period are ignored. */
export function countDecision({ points }: Timeline, time: number, outcome: Outcome): void {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Date.parse(points[middle]?.start ?? "") <= time) low = middle + 1;
    else high = middle;
  }
  const point = points[low - 1];
  if (point) point.counts[outcome]++;
}
