import { FILE_ACCESSES } from "./rule.ts";

/** Value formats in rules about calls, shared by the quick check of a config file and the full parser. */

let nameList: RegExp | undefined;
let methodList: RegExp | undefined;
let urlForm: RegExp | undefined;

/**
 * Returns whether a string is a list of tool or server names, with wildcards: `delete_*|drop_*`. Regular expressions in
 * this file are compiled on first use, because most calls need none.
 */
export const isNameList = (text: string): boolean => (nameList ??= /^[^\s|]+(?:\|[^\s|]+)*$/).test(text);

/** Returns whether a string is a list of HTTP methods: `DELETE|PUT`. Servers may define their own methods. */
export const isMethodList = (text: string): boolean => (methodList ??= /^[A-Za-z]+(?:\|[A-Za-z]+)*$/).test(text);

/** Returns whether a string is a host name with an optional scheme, port and path: `*.corp.example/api/**`. */
export const isUrlPattern = (text: string): boolean =>
  (urlForm ??=
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*|(?:\*\.)?[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:\/[^\s\\]*)?$/i).test(
    text,
  );

/** Describes the problem with a glob, or returns undefined if the glob is valid. */
export function explainGlob(glob: string): string | undefined {
  if (glob.trim() === "") return "must be a non-empty glob";
  if (glob.includes("\\")) return 'use "/" as the path separator';
  if (glob.startsWith("!")) return '"!" is not supported; list the files that the rule covers';
  if (glob.split("/").includes(".."))
    return '".." is not supported; write an absolute path, or one relative to the project';
  for (const [open, close] of ["[]", "{}"] as const)
    if (glob.split(open as string).length !== glob.split(close as string).length)
      return `"${open}" and "${close}" are unbalanced`;
  return undefined;
}

/** Returns whether a value is a file access or a non-empty list of file accesses. */
export function isAccessOrAccessList(value: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every((access) => (FILE_ACCESSES as readonly unknown[]).includes(access));
}
