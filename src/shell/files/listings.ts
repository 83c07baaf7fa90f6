import type { ShellScope } from "../scope.ts";
import type { Word } from "../words/word.ts";
import { trimTrailing } from "../words/text.ts";
import { getFileText } from "./written-files.ts";

/** Predicts what `pwd` prints, assuming that the commands using its output run in `outputFolder`. */
export function predictWorkingFolder({ cwd, outputFolder }: ShellScope): string | undefined {
  if (cwd === undefined) return undefined;
  if (/^(?:[/~]|[A-Za-z]:)/.test(cwd)) return `${cwd.replace(/^~/, "$HOME")}\n`;
  if (cwd === outputFolder) return "$PWD\n";
  if (outputFolder === undefined || /^[/~]/.test(outputFolder)) return undefined;
  return outputFolder === ""
    ? `./${cwd}\n`
    : cwd.startsWith(`${outputFolder}/`)
      ? `./${cwd.slice(outputFolder.length + 1)}\n`
      : undefined;
}

const getLastName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Whether a path is probably a directory. A name without a dot is assumed to be one. */
const isFolderName = (path: string): boolean => {
  const name = getLastName(path);
  return !/[*?[]/.test(path) && (!name.includes(".") || /^\.*$/.test(name));
};

/** Whether a name such as `.config` may refer to a file or a directory. */
const isHiddenName = (path: string): boolean => /^\.[^.*?[]+$/.test(getLastName(path));

/**
 * Predicts the output of `ls`: its arguments or, if it has none, every name in the directory. `$(ls x)` is a
 * placeholder for the names in another directory.
 */
export function listFolder(args: readonly string[], { reader }: ShellScope): string | undefined {
  // A path that the command line writes to is a file, not a directory.
  const isFolder = (name: string) => isFolderName(name) && getFileText(name, reader) === undefined;
  const options = args.filter((arg) => /^-./.test(arg));
  const names = args.filter((arg) => !/^-.|^\.\/?$/.test(arg));
  // In long format, a line contains more than just the name.
  if (options.some((option) => /^-\w*[lsiR]/.test(option))) return undefined;
  const isDeep = options.some((option) => /^-\w*d/.test(option));
  const isAll = options.some((option) => /^-\w*[aA]/.test(option));
  if (names.length === 0) return isDeep ? ".\n" : isAll ? "*\n.[!.]*\n" : "*\n";
  if (isDeep) return `${names.join("\n")}\n`;
  if (names.some((name) => /[`()\s]/.test(name))) return undefined;
  const folderContents = names.some((name) => isFolder(name) || isHiddenName(name)) ? `$(ls ${names.join(" ")})\n` : "";
  return names.some(isFolder) ? folderContents : `${names.join("\n")}\n${folderContents}`;
}

/** Predicts the output of `find` as a placeholder, and stores the arguments of `find` under that placeholder. */
export function createFoundFilesName(args: readonly Word[], { reader }: ShellScope): string | undefined {
  if (args.some(({ text }) => /^-(?:delete|exec|ok|f?printf|fls|ls|fprint)/.test(text))) return undefined;
  const name = `$(find ${args.map(({ text }) => text.replace(/[()\s]+/g, " ")).join(" ")})`;
  reader.foundFiles.set(name, args);
  return `${name}\n`;
}

/** Predicts the output of `dirname`, `realpath` and `readlink -f` for a known path. */
export function resolvePathName(program: string, args: readonly string[]): string | undefined {
  const [path, ...otherOperands] = args.filter((arg) => !/^-./.test(arg));
  if (path === undefined || otherOperands.length > 0 || /[`(]/.test(path)) return undefined;
  if (program === "readlink" && !args.some((arg) => /^-\w*[fem]/.test(arg))) return undefined;
  if (program !== "dirname") return args.some((arg) => arg.startsWith("--relative")) ? undefined : `${path}\n`;
  const end = trimTrailing(path, "/", 1).lastIndexOf("/");
  if (end < 0 && path.startsWith("$")) return /^\$(?:HOME|PWD)$/.test(path) ? `\${${path.slice(1)}%/*}\n` : undefined;
  return `${end < 0 ? "." : path.slice(0, end) || "/"}\n`;
}

/** Predicts the output of `basename` for a known path. */
export function predictBaseName(args: readonly string[]): string | undefined {
  const [path, suffix = "", ...otherOperands] = args;
  if (path === undefined || otherOperands.length > 0 || path.startsWith("-") || /[$`(*?[]/.test(path)) return undefined;
  const name = getLastName(path);
  return name === ""
    ? undefined
    : `${name.endsWith(suffix) && name !== suffix ? name.slice(0, name.length - suffix.length) : name}\n`;
}
