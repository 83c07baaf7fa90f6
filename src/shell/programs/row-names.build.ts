import { ROW_GROUPS } from "./rows.ts";

/** All names in one text, a line a row: the numbers of its group and of the row in it, then its names. */
export const ROW_NAMES = ROW_GROUPS.flatMap((listRows, group) =>
  listRows().map(([row, , of], at) => {
    const before = of === undefined ? "" : `${of} `;
    return `\n${group}.${at}\t${before}${row.replaceAll(" ", `\t${before}`)}\t`;
  }),
).join("");
