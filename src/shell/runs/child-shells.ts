import { lookUpProgram } from "../programs/index.ts";
import { readOptionsAt, getOptionTable, type OptionTable, type ReadOption } from "../programs/options.ts";
import type { ShellScope } from "../scope.ts";
import type { RunReader } from "./nested-run.ts";
import { translateScript } from "./other-shells.ts";
import { toSegments } from "../words/words.ts";
import { getTexts, type Word } from "../words/word.ts";
import { getFileText, STDIN_FILE, withoutFile } from "../files/written-files.ts";

export const getProgramOptions = (program: string) => getOptionTable(lookUpProgram(program));
/** Reads a text as a separate shell would. Its parameters are known unless more arguments are added at run time. */
export const readChildScript = (
  text: string,
  scope: ShellScope,
  parameters: readonly Word[] = [],
): string | undefined =>
  scope.reader.readScript(text, { ...scope, parameters: scope.parameters && parameters.map(toSegments) });

/** The text of a word that is only a here-document: `$(cat <<'E' …)`. */
export const unwrapHereDocument = (text: string): string =>
  /^\$\(\s*cat\s*<<-?\s*(["']?)(\w+)\1[ \t]*\n([^]*\n)\t*\2\s*\)$/.exec(text)?.[3] ?? text;

/** The options of a shell in front of a script or a file. */
interface ShellOptions {
  /** Those that `+` turns off have it in their names. */
  options: ReadOption[];
  /** Its first operand is a text to run: `bash -c`. */
  takesText: boolean;
  /** Texts in one word with their option: `bash -c'rm x'`. */
  glued: string[];
  end: number;
}

function readShellOptions(texts: readonly string[], table: OptionTable): ShellOptions {
  const read: ShellOptions = { options: [], takesText: false, glued: [], end: 0 };
  for (let text = texts[0] ?? ""; /^[-+]./.test(text) && text !== "--"; text = texts[read.end] ?? "") {
    const options = readOptionsAt(texts, read.end, table);
    const isMinus = text.startsWith("-");
    read.takesText ||= isMinus && options.some(({ name }) => name === "-c" && table.get(name) === "none");
    for (const option of options) read.options.push(isMinus ? option : { ...option, name: `+${option.name.slice(1)}` });
    // No cluster of options has a space in it.
    const [, glued = ""] = (read.takesText && /^-[^\Wc]*c([^]*)/.exec(text)) || [];
    if (/\s/.test(glued)) read.glued.push(glued);
    read.end += options.at(-1)?.words ?? 1;
  }
  return read;
}

/** A shell runs the text after `-c`, that of an option in its table, or what it reads. */
export const createShell =
  (shell: string): RunReader =>
  (args, scope, stdin) => {
    const table = getProgramOptions(shell);
    const texts = getTexts(args);
    const { options, takesText, glued, end } = readShellOptions(texts, table);
    /** The same text once more in the words of bash, where they differ. */
    const readText = (text: string, parameters: readonly Word[] = []) => {
      const output = readChildScript(unwrapHereDocument(text), scope, parameters);
      const translated = translateScript(shell, text);
      if (translated !== undefined) readChildScript(translated, scope, parameters);
      return output;
    };
    for (const text of glued) readChildScript(text, scope);
    if (isUnexecuted(options)) return;
    for (const { value } of options) {
      const text = value === undefined ? undefined : getFileText(value, scope.reader);
      if (text !== undefined) readChildScript(text, scope);
    }
    const values = options.filter(({ name, value }) => value !== undefined && table.get(name) === "shell");
    for (const { value } of values) readText(value as string);
    if (values.some(({ name }) => isTextOption(name))) return;
    const at = texts[end] === "--" ? end + 1 : end;
    if (takesText) {
      const name = args[at + 1];
      if (name) scope.values.set("0", [toSegments(name)]);
      return readText(texts[at] ?? "", args.slice(at + 2));
    }
    const reads = options.some(({ name }) => name === "-s");
    const file = texts[at] ?? "-";
    const text = reads || STDIN_FILE.test(file) ? stdin : getFileText(file, scope.reader);
    if (text === undefined) return;
    const within = text === stdin ? { ...scope, stdin: undefined } : scope;
    return withoutFile(file, scope, () => readChildScript(text, within, args.slice(reads ? at : at + 1)));
  };

/** Whether a shell with the option runs nothing else. */
const isTextOption = (name: string) => /^(?:-c|--commands?)$/.test(name);

/**
 * Whether a shell only checks the syntax of what it reads: `bash -n`, unless `+n` comes behind it. An interactive one
 * runs it all the same.
 */
function isUnexecuted(options: readonly ReadOption[]): boolean {
  let isChecked = false;
  for (const { name, value } of options) {
    if (/^[-+]i$/.test(name)) return false;
    // zsh also knows what takes it back: `-o exec`, `--exec`.
    if (name === "--exec" || (/^[-+]o$/.test(name) && value === "exec")) return false;
    if (/^[-+]n$/.test(name) || (/^[-+]o$/.test(name) && value === "noexec")) isChecked = name.startsWith("-");
  }
  return isChecked;
}
