import type { Command, Guarded } from "bridge-hooks";

/** Programs that change the files they are given. */
export const WRITES = /^(?:rm|unlink|mv|cp|ln|shred|truncate|tee|sed|chmod|chown|trash(?:-put)?)$/;

/** The folder that an option says to put things into. */
export function targetOf({ program, args }: Pick<Command, "program" | "args">): string | undefined {
  if (!/^(?:cp|mv|ln|install)$/.test(program)) return undefined;
  const at = args.findIndex((word) => /^(?:-\w*t|--target-directory)$/.test(word));
  const joined = args.find((word) => word.startsWith("--target-directory="));
  return joined?.slice(joined.indexOf("=") + 1) ?? (at < 0 ? undefined : args[at + 1]);
}

const LANGUAGES = /^(?:python[\d.]*|node|nodejs|bun|deno|tsx|perl|ruby|php|lua|osascript|Rscript|pwsh|powershell)$/;
/** Programs that are given a program of their own, and what that says where it changes a file. */
const CODE: readonly [RegExp, RegExp][] = [
  [
    LANGUAGES,
    /write|\bdump\b|unlink|remove|rmtree|rmSync|rename|replace|move|copy|truncate|chmod|link|touch|save|delete|["'](?:[wax]b?\+?|r\+)["']|["']\s*\+?>|(?:Set|Add|Clear)-Content|Out-File/,
  ],
  [/^[gmn]?awk$/, /\bprintf?\b[^;}\n]*>|\bsystem\b/],
  [/^g?sed$/, /(?:^|[\s;/}\dgpI])[wW](?:\s+[\w./~]|[.~])/],
  [/^(?:vim?|nvim|ex|ed)$/, /\bw/],
];

/** What a program in another language names, if it may change files. */
export function changedByCode({ program, args, redirects, stdin = "" }: Command, guard: Guarded): string | undefined {
  // `uv run -` is python.
  const language = program === "-" || (program === "uv" && args.includes("-")) ? "python" : program;
  const changes = CODE.find(([name]) => name.test(language))?.[1];
  if (!changes) return undefined;
  // Who names no script reads one.
  const isRead = LANGUAGES.test(language) && (args.includes("-") || args.every((word) => word.startsWith("-")));
  const given = redirects.map(({ text = "", operator, target }) => (operator === "<<<" ? target : text));
  const code = [...args, ...given, ...(isRead ? [stdin] : [])].join("\n");
  return changes.test(code) && guard.isNamed(code) ? "a file that its code names" : undefined;
}
