/** Creates a lookup table from rows. The key of each row is a list of names separated by spaces. */
export const createNameTable = <T>(rows: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(rows).flatMap(([names, row]) => names.split(" ").map((name) => [name, row] as const)));
