const MS_PER_UNIT = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Parses a start time, which is `all`, a date, or an age such as `30d` or `12h`.
 * @returns Milliseconds since the epoch; 0 for all.
 * @throws Error for any other format.
 */
export function parseSince(text: string, now = Date.now()): number {
  if (text === "all") return 0;
  const [, count, unit] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return Math.max(0, now - Number(count) * MS_PER_UNIT[unit as keyof typeof MS_PER_UNIT]);
  const date = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(date))
    throw new Error(`--since ${text}: not a time; pass 30d, 12h, a date such as 2026-01-31, or all`);
  return date;
}
