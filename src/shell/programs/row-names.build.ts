import { listRowNames, ROW_GROUPS } from "./rows.ts";

/** All program names in one string, one line per row: the group's and the row's number, then the names. */
export const ROW_NAMES = ROW_GROUPS.flatMap((loadRows, group) =>
  Object.keys(loadRows()).map((key, at) => `\n${group}.${at}\t${listRowNames(key).join("\t")}\t`),
).join("");
