import { listRowNames, ROW_GROUPS } from "./rows.ts";

/** All names in one text, a line a row: the numbers of its group and of the row in it, then its names. */
export const ROW_NAMES = ROW_GROUPS.flatMap((loadRows, group) =>
  Object.keys(loadRows()).map((key, at) => `\n${group}.${at}\t${listRowNames(key).join("\t")}\t`),
).join("");
