import { listRowNames, ROW_GROUPS } from "./rows.ts";

/** All program names in one string. Each line contains a group number, a row number, and the names in that row. */
export const ROW_NAMES = ROW_GROUPS.flatMap((loadRows, group) =>
  Object.keys(loadRows()).map((key, at) => `\n${group}.${at}\t${listRowNames(key).join("\t")}\t`),
).join("");
