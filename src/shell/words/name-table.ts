/** Creates a lookup table from rows whose keys are names separated by spaces. */
export const createNameTable = <T>(rows: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(rows).flatMap(([names, row]) => names.split(" ").map((name) => [name, row] as const)));
