import { join, resolve, sep } from "node:path";
import { type Command, type Guarded, homedir, isInterpreter, optionKind } from "bridge-hooks";
import { expandHome } from "./_paths.ts";

/** Programs that change the files they are given. */
export const WRITES = /^(?:rm|unlink|mv|cp|ln|shred|truncate|tee|sed|chmod|chown|trash(?:-put)?)$/;

/** The folder that an option says to put things into. */
export function targetOf({ program, args }: Pick<Command, "program" | "args">): string | undefined {
  const isInto = (option: string) => optionKind(program, option) === "into";
  const at = args.findIndex((word) => isInto(word) || (/^-\w+$/.test(word) && isInto(`-${word.at(-1)}`)));
  const joined = args.find((word) => word.includes("=") && isInto(word.split("=", 1)[0] as string));
  return joined?.slice(joined.indexOf("=") + 1) ?? (at < 0 ? undefined : args[at + 1]);
}

/** What the code of an interpreter says where it changes a file. */
const CHANGES =
  /write|\bdump\b|unlink|remove|rmtree|rmSync|rename|replace|move|copy|truncate|chmod|link|touch|save|delete|["'](?:[wax]b?\+?|r\+)["']|["']\s*\+?>|(?:Set|Add|Clear)-Content|Out-File/;
/** The same of programs that are given a program in a language of their own. */
const CODE: readonly [RegExp, RegExp][] = [
  [/^[gmn]?awk$/, /\bprintf?\b(?:(?!\bprintf?\b)[^;}\n>])*>|\bsystem\b/],
  [/^g?sed$/, /(?:^|[\s;/}\dgpI])[wW](?:\s+[\w./~]|[.~])/],
  [/^(?:vim?|nvim|ex|ed)$/, /\bw/],
];

const changesIn = (program: string): RegExp | undefined =>
  isInterpreter(program) ? CHANGES : CODE.find(([name]) => name.test(program))?.[1];

/** The code that a program in another language is given in the line, if it is one. */
function codeIn({ program, args, redirects, stdin = "" }: Command): { code: string; changes: RegExp } | undefined {
  // `uv run -` is python.
  const language = program === "-" || (program === "uv" && args.includes("-")) ? "python" : program;
  const changes = changesIn(language);
  if (!changes) return undefined;
  // Who names no script reads one.
  const isRead = isInterpreter(language) && (args.includes("-") || args.every((word) => word.startsWith("-")));
  const given = redirects.map(({ text = "", operator, target }) => (operator === "<<<" ? target : text));
  return { code: [...args, ...given, ...(isRead ? [stdin] : [])].join("\n"), changes };
}

/** The folder that a command runs in. */
export const folderOf = ({ cwd: inside = "" }: Command, cwd: string): string => resolve(cwd || "/", expandHome(inside));

/** What a program in another language would change, if it names that: a file, or a folder that one is in. */
export function changedByCode(command: Command, guard: Guarded, cwd: string): string | undefined {
  const found = codeIn(command);
  if (!found) return undefined;
  if (found.changes.test(found.code) && guard.isNamed(found.code)) return "a file that its code names";
  return folderInCode(found.code, guard, folderOf(command, cwd));
}

/** Calls that remove, move, replace or link a folder. */
const ON_FOLDERS =
  /(?:rmtree|remove_?tree|rmdir|rm_rf?|rmSync|\brm|rimraf|removeSync|emptyDir\w{0,40}|delete_tree|rename\w{0,40}|\bmove\w{0,40}|\bmv\w{0,40}|os\.replace|symlink\w{0,40}|link_to|copy_?tree|cpSync|cp_r|chmod\w{0,40}|Remove-Item|Rename-Item|Move-Item)\b/;
const CALLED = new RegExp(`${ON_FOLDERS.source}[\\s(]*[rbf]{0,2}$`);
const STRING = /(["'`])((?:(?!\1)[^\\\n]){1,300})\1/g;
/** What stands for a folder before a name: `${root}/.codex`, `~/.codex`, and `/.codex` behind a `+`. */
const BASE = /^(?:\$?\{[^}]*\}|~|%s)?\/(?=\.)/;

/** A folder with guarded files that code names where it does away with folders. */
function folderInCode(code: string, guard: Guarded, folder: string): string | undefined {
  if (!ON_FOLDERS.test(code)) return undefined;
  const home = /~|home|userprofile|expanduser/i.test(code) ? homedir() : undefined;
  const seen = new Set<string>();
  for (const { 0: all, 2: text = "", index } of code.matchAll(STRING)) {
    const isCalled = CALLED.test(code.slice(Math.max(0, index - 40), index));
    if (seen.has(`${isCalled} ${all}`)) continue;
    seen.add(`${isCalled} ${all}`);
    const behind = text.replace(BASE, "");
    const named = [
      resolve(folder, text),
      resolve(folder, behind),
      ...(home && behind.startsWith(".") ? [join(home, behind)] : []),
    ];
    for (const path of named) {
      // What is above all is in many strings: it counts where it is what is done away with.
      const isAbove = [folder, homedir()].some((below) =>
        `${below}${sep}`.startsWith(path.endsWith(sep) ? path : path + sep),
      );
      if (isAbove && !isCalled) continue;
      const [file] = guard.within(path);
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

const SHELL = /^(?:ba|z|da|k|a|)sh$/;
const GIVEN = String.raw`["']?(?:\$|\{\})`;
/** A script that changes the files whose names it is given. */
const SCRIPT = new RegExp(
  [
    `>\\|?\\s*${GIVEN}`,
    `(?:^|[\\s;&|({])(?:rm|unlink|mv|shred|truncate|tee|sed\\s+-\\w*i\\S*|chmod|chown|dd)\\s[^;&|\\n]{0,300}(?:\\$|\\{\\})`,
    `(?:^|[\\s;&|({])(?:cp|ln)\\s[^;&|\\n]{0,300}\\s["']?(?:\\$\\{?[\\w@*]+\\}?|\\{\\})["']?\\s*(?:$|[;&|\\n])`,
  ].join("|"),
);

/** Whether a program changes the files that `find` or `xargs` hand to it. */
export function changesGiven(program: string, args: readonly string[]): boolean {
  if (SHELL.test(program)) return SCRIPT.test(args[args.findIndex((word) => /^-\w*c$/.test(word)) + 1] ?? "");
  if (/^(?:perl|ruby)$/.test(program)) return args.some((word) => /^-\w*i/.test(word));
  if (isInterpreter(program)) return CHANGES.test(args.join(" "));
  return program === "dd" ? args.some((word) => /^of=.*\{\}/.test(word)) : WRITES.test(program);
}
