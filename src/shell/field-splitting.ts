import { type ShellScope, getVariableValues } from "./scope.ts";

const BLANKS = " \t\n";
/** More marks than these are none that a person sets. */
const MOST_MARKS = 64;
const BLANK_SEPARATOR = /([ \t\n]+)/;

/** What words are split at; undefined where that isn't known. */
export function getFieldSeparators(scope: ShellScope): string | undefined {
  const values = getVariableValues(scope, "IFS");
  if (values === undefined) return BLANKS;
  const value = values?.[0] ?? [];
  const marks = value.map(({ text }) => text).join("");
  return values === null || value.some(({ live }) => live) || marks.length > MOST_MARKS ? undefined : marks;
}

/** Blanks beside each other, or around another mark, are one. */
function createSeparatorPattern(marks: string): RegExp {
  const blanks = [...BLANKS].filter((mark) => marks.includes(mark)).join("");
  const others = RegExp.escape(marks.replace(/[ \t\n]/g, ""));
  return others === ""
    ? new RegExp(`([${blanks}]+)`)
    : new RegExp(`([${blanks}]*[${others}][${blanks}]*|[${blanks}]+)`);
}

/** A text taken apart at marks: its pieces, and between them what stood there. */
export const splitFields = (text: string, marks: string): string[] =>
  text.split(marks === BLANKS ? BLANK_SEPARATOR : createSeparatorPattern(marks));
