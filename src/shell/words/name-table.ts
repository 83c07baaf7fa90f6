/** Creates a lookup table. Each key in `rows` can list several names, separated by spaces. */
export const createNameTable = <T>(rows: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(rows).flatMap(([names, row]) => names.split(" ").map((name) => [name, row] as const)));
