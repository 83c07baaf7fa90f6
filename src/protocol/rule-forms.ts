import { FILE_ACCESSES } from "./rule.ts";

/** The forms of what rules about calls say, for the quick look at a config file and the whole one alike. */

let nameList: RegExp | undefined;
let methodList: RegExp | undefined;
let urlForm: RegExp | undefined;

/** Whether a text names tools or servers, with wildcards: `delete_*|drop_*`. Made where a file has such rules. */
export const isNameList = (text: string): boolean => (nameList ??= /^[^\s|]+(?:\|[^\s|]+)*$/).test(text);

/** Whether a text names methods of HTTP: `DELETE|PUT`. */
export const isMethodList = (text: string): boolean => (methodList ??= /^[A-Za-z]+(?:\|[A-Za-z]+)*$/).test(text);

/** Whether a text is a host, with a scheme, a port and a path if it is about these: `*.corp.example/api/**`. */
export const isUrlPattern = (text: string): boolean =>
  (urlForm ??=
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*|(?:\*\.)?[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:\/[^\s\\]*)?$/i).test(
    text,
  );

/** What is wrong with a glob, if anything. */
export function explainGlob(glob: string): string | undefined {
  if (glob.trim() === "") return "must be a glob, and not empty";
  if (glob.includes("\\")) return 'write "/" between folders';
  if (glob.startsWith("!")) return '"!" can\'t be read; name what the rule covers';
  if (glob.split("/").includes("..")) return 'leave out ".."; write the whole path, or the one from the project on';
  for (const [open, close] of ["[]", "{}"] as const)
    if (glob.split(open as string).length !== glob.split(close as string).length)
      return `"${open}" and "${close}" are not in pairs`;
  return undefined;
}

/** Whether a value is one of the accesses to a file, or several. */
export function areAccesses(value: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every((one) => (FILE_ACCESSES as readonly unknown[]).includes(one));
}
