/** A character class, possibly repeated, that matches names but not values. */
const NAME_CHARACTER_CLASS = /(?:\\w|\[\^=\]|\[[\w\\.-]{1,40}\])(?:\\?\+|\*)?/g;
/** Shortens each part of a pattern that matches only names to "N". */
const shortenNames = (pattern: string): string => pattern.replace(NAME_CHARACTER_CLASS, "N").replace(/N{2,9}/g, "N");

/** A pattern that matches a variable's value with or without its name: `=.*`, `(=).*`, `^([^=]*)=.*$`. */
const VALUE_PATTERN = /^\^?(?:(?:export )?\\?\(N\\?\))?(?:=|\\?\(=\\?\))\.[*+]\$?$/;

/** Whether a substitution script removes every value from the output. */
function isValueRemoval(script: string): boolean {
  const [verb, delimiter = ""] = script;
  const [pattern = "", replacement = "", flags = "x", ...rest] = script.slice(2).split(delimiter);
  return (
    verb === "s" &&
    /^[/|#,]$/.test(delimiter) &&
    VALUE_PATTERN.test(shortenNames(pattern)) &&
    !/[\\$](?![12])|&/.test(replacement) &&
    /^[gp]*$/.test(flags) &&
    rest.length === 0
  );
}

const AWK_SEPARATOR = /^\s{0,9}BEGIN ?\{ ?FS ?= ?"=" ?;? ?\} ?/;
const AWK_STATEMENT = /^([^{}"]*)\{ ?print\b([^{}]*)\}\s*$/;
/** An awk field other than the first, or a field whose number is computed. */
const OTHER_FIELD = /\$(?!1(?!\d))/;

/** Whether an awk program prints nothing but the first field, literals, and lengths. */
function printsFirstField(program: string): boolean {
  const [, condition, items] = AWK_STATEMENT.exec(program.replace(AWK_SEPARATOR, "")) ?? [];
  if (condition === undefined || !items?.includes("$1")) return false;
  const compared = condition.replace(/\/(?:[^/\\\n]|\\.){0,80}\//g, "");
  const printed = items.replace(/"(?:[^"\\\n]|\\.){0,80}"/g, "").replace(/length ?\(\$\d\)|length/g, "");
  return (
    /^[\s!()&|<>=~\dNFR$]*$/.test(compared) &&
    /^[\s,();1NFR$]*$/.test(printed) &&
    !OTHER_FIELD.test(compared) &&
    !OTHER_FIELD.test(printed)
  );
}

/** A Perl statement that prints nothing but names: `print "$1\n" if /^(\w+)=/`. */
const PERL_NAME_PRINTING = /^print ?\(?"?\$1(?:\\n)?"?\)? ?if ?\/\^\(N\)=?\/;?$/;

/** Parses options and their values (`-f1`, `-f 1`, `--fields=1`). Returns them together with the remaining operands. */
function readOptions(args: readonly string[], valued: string, aliases: Readonly<Record<string, string>> = {}) {
  const options = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const [, long, value] = /^--([\w-]+)(?:=(.*))?$/.exec(arg) ?? [];
    if (long !== undefined) {
      const name = aliases[long] ?? long;
      options.set(name, value ?? (valued.includes(name) ? (args[++at] ?? "") : ""));
    } else if (/^-[A-Za-z]/.test(arg)) {
      let index = 1;
      while (index < arg.length && !valued.includes(arg[index] as string)) options.set(arg[index++] as string, "");
      if (index < arg.length) options.set(arg[index] as string, arg.slice(index + 1) || (args[++at] ?? ""));
    } else operands.push(arg);
  }
  return { options, operands };
}

const hasOnlyOptions = (options: ReadonlyMap<string, string>, names: string) =>
  [...options.keys()].every((name) => names.includes(name));

/** For each filter, tells whether its arguments make it print only the names from `NAME=value` lines. */
const NAME_FILTERS: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  cut(args) {
    const { options, operands } = readOptions(args, "df", { delimiter: "d", fields: "f", "only-delimited": "s" });
    return (
      operands.length === 0 && hasOnlyOptions(options, "dfs") && options.get("d") === "=" && options.get("f") === "1"
    );
  },
  sed(args) {
    const { options, operands } = readOptions(args, "e", { quiet: "n", silent: "n", "regexp-extended": "E" });
    const scripts = options.has("e") ? [options.get("e") ?? ""] : operands.splice(0, 1);
    if (operands.length > 0 || !hasOnlyOptions(options, "Erne")) return false;
    return scripts.every((script) =>
      script.split(/; ?/).every((statement) => isValueRemoval(statement) || statement === "/^#/d"),
    );
  },
  awk(args) {
    const { options, operands } = readOptions(args, "F");
    const [program = "", ...rest] = operands;
    const isSplit = options.get("F") === "=" || (options.size === 0 && AWK_SEPARATOR.test(program));
    return rest.length === 0 && hasOnlyOptions(options, "F") && isSplit && printsFirstField(program);
  },
  perl(args) {
    const { options, operands } = readOptions(args, "e");
    const code = options.get("e") ?? "";
    if (operands.length > 0 || !hasOnlyOptions(options, "pnle")) return false;
    return options.has("p") ? isValueRemoval(code) : options.has("n") && PERL_NAME_PRINTING.test(shortenNames(code));
  },
};
for (const [name, program] of [
  ["gsed", "sed"],
  ["gawk", "awk"],
  ["mawk", "awk"],
] as const)
  (NAME_FILTERS as Record<string, (args: readonly string[]) => boolean>)[name] = NAME_FILTERS[program] as never;

/** Cmdlets that print the name of each item. */
const NAME_PRINTING_CMDLET =
  /^(?:select(?:-object)?|foreach(?:-object)?|%|ft|format-table) (?:-(?:property|expandproperty|expand|membername) )?(?:name|key|\{ ?\$_\.(?:name|key) ?\})(?: \d?>[^|]*)?$/i;

/** Whether a filter prints only names. */
export function isNameFilter(words: readonly string[]): boolean {
  const [program = "", ...filterArgs] = words;
  const args = filterArgs.filter(
    (arg, at) => !redirectsToFile(arg) && !/^\d?>>?$/.test(arg) && !/^\d?>>?$/.test(filterArgs[at - 1] ?? ""),
  );
  const filter = Object.hasOwn(NAME_FILTERS, program) ? NAME_FILTERS[program] : undefined;
  return filter?.(args) === true || NAME_PRINTING_CMDLET.test(words.join(" "));
}

const redirectsToFile = (word: string) => /^\d?>>?[^|]+$/.test(word);
