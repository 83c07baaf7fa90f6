import { basename } from "node:path";
import type { Command, Guarded } from "bridge-hooks";

/** Programs that change the files they are given. */
export const WRITES = /^(?:rm|unlink|mv|cp|ln|shred|truncate|tee|sed|chmod|chown|trash(?:-put)?)$/;

/** Whether `find` does away with a file, by its path from the folder where it begins. */
export function finds(args: readonly string[], start: string, path: string): boolean {
  const ends = args.some((word, at) => /^-(?:exec|ok)(?:dir)?$/.test(word) && WRITES.test(basename(args[at + 1] ?? "")));
  if ((!ends && !args.includes("-delete")) || args.includes("-empty")) return false;
  const steps = path.split("/");
  // With a folder goes all that is in it.
  const all = steps.map((_, at) => [start, ...steps.slice(0, at + 1)].join("/"));
  const fits = (at: number) => {
    const like = pattern(args[at + 1] ?? "");
    return /name$/.test(args[at] ?? "") && !/whole/.test(args[at] ?? "")
      ? steps.some((step) => like.test(step))
      : all.some((one) => like.test(one));
  };
  const tests = args.flatMap((word, at) => (/^-i?(?:name|path|wholename)$/.test(word) ? [at] : []));
  const isNot = (at: number) => /^(?:!|-not)$/.test(args[at - 1] ?? "");
  const wanted = tests.filter((at) => !isNot(at));
  return (wanted.length === 0 || wanted.some(fits)) && !tests.some((at) => isNot(at) && fits(at));
}

/** A pattern as `find` takes it: `*` goes over "/". */
const pattern = (text: string) =>
  new RegExp(
    `^${text
      .replace(/[.+^${}()|\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")
      .replace(/\[(?![^\]]*\])/g, "\\[")}$`,
    "is",
  );

/** The folder that an option says to put things into. */
export function targetOf({ program, args }: Command): string | undefined {
  if (!/^(?:cp|mv|ln|install)$/.test(program)) return undefined;
  const at = args.findIndex((word) => /^(?:-\w*t|--target-directory)$/.test(word));
  const joined = args.find((word) => word.startsWith("--target-directory="));
  return joined?.slice(joined.indexOf("=") + 1) ?? (at < 0 ? undefined : args[at + 1]);
}

/** Programs that are given a program of their own, and what that says where it changes a file. */
const CODE: readonly [RegExp, RegExp][] = [
  [
    /^(?:python[\d.]*|node|nodejs|bun|deno|tsx|perl|ruby|php|lua|osascript|Rscript|pwsh|powershell)$/,
    /write|dump|unlink|remove|rmtree|rmSync|rename|replace|move|copy|truncate|chmod|link|touch|save|delete|["'](?:[wax]b?\+?|r\+)["']|["']\s*\+?>|(?:Set|Add|Clear)-Content|Out-File/,
  ],
  [/^[gmn]?awk$/, /\bprintf?\b[^;}\n]*>|\bsystem\b/],
  [/^g?sed$/, /(?:^|[\s;/}\dgpI])[wW](?:\s+[\w./~]|[.~])/],
  [/^(?:vim?|nvim|ex|ed)$/, /\bw/],
];

/** What a program in another language names, if it may change files. */
export function changedByCode({ program, args, redirects }: Command, guard: Guarded): string | undefined {
  const changes = CODE.find(([name]) => name.test(program))?.[1];
  if (!changes) return undefined;
  const code = [...args, ...redirects.map(({ text = "", operator, target }) => (operator === "<<<" ? target : text))].join("\n");
  return changes.test(code) && guard.isNamed(code) ? "a file that its code names" : undefined;
}
