import { lookUpProgram } from "../programs/index.ts";
import { readOptionsAt, getOptionTable, type OptionTable, type ParsedOption } from "../programs/options.ts";
import type { ShellScope } from "../scope.ts";
import type { RunReader } from "./nested-run.ts";
import { translateScript } from "./other-shells.ts";
import { toSegments } from "../words/words.ts";
import { getTexts, type Word } from "../words/word.ts";
import { getFileText, STDIN_FILE, withUnknownFile } from "../files/written-files.ts";

export const getProgramOptions = (program: string) => getOptionTable(lookUpProgram(program));
/**
 * Reads a script as a child shell would, with `parameters` as its positional parameters. If the calling scope's
 * positional parameters are unknown, so are the script's.
 */
export const readChildScript = (
  text: string,
  scope: ShellScope,
  parameters: readonly Word[] = [],
): string | undefined =>
  scope.reader.readScript(text, { ...scope, parameters: scope.parameters && parameters.map(toSegments) });

/** Returns the text of the here-document if the word consists of just one: `$(cat <<'E' …)`. */
export const unwrapHereDocument = (text: string): string =>
  /^\$\(\s*cat\s*<<-?\s*(["']?)(\w+)\1[ \t]*\n([^]*\n)\t*\2\s*\)$/.exec(text)?.[3] ?? text;

/** The options of a shell command that precede its script. */
interface ShellOptions {
  /** Parsed options. The name of an option that `+` turns off starts with "+". */
  options: ParsedOption[];
  /** Whether the first operand is a script, as with `bash -c`. */
  takesScript: boolean;
  /** Scripts attached to their option: `bash -c'rm x'`. */
  attachedScripts: string[];
  end: number;
}

function readShellOptions(texts: readonly string[], table: OptionTable): ShellOptions {
  const shellOptions: ShellOptions = { options: [], takesScript: false, attachedScripts: [], end: 0 };
  for (let text = texts[0] ?? ""; /^[-+]./.test(text) && text !== "--"; text = texts[shellOptions.end] ?? "") {
    const options = readOptionsAt(texts, shellOptions.end, table);
    const isMinus = text.startsWith("-");
    shellOptions.takesScript ||= isMinus && options.some(({ name }) => name === "-c" && table.get(name) === "none");
    for (const option of options)
      shellOptions.options.push(isMinus ? option : { ...option, name: `+${option.name.slice(1)}` });
    // A word with spaces can't be a bundle of options, so the text after `c` is a script.
    const [, attachedScript = ""] = (shellOptions.takesScript && /^-[^\Wc]*c([^]*)/.exec(text)) || [];
    if (/\s/.test(attachedScript)) shellOptions.attachedScripts.push(attachedScript);
    shellOptions.end += options.at(-1)?.words ?? 1;
  }
  return shellOptions;
}

/**
 * Creates a reader for a shell. The script can be the operand of `-c`, the value of a `shell` option, a file, or stdin.
 */
export const createShell =
  (shell: string): RunReader =>
  (args, scope, stdin) => {
    const table = getProgramOptions(shell);
    const texts = getTexts(args);
    const { options, takesScript, attachedScripts, end } = readShellOptions(texts, table);
    /** Reads a script as bash. For a shell with a different syntax, also reads a version translated to bash. */
    const readText = (text: string, parameters: readonly Word[] = []) => {
      const output = readChildScript(unwrapHereDocument(text), scope, parameters);
      const translatedText = translateScript(shell, text);
      if (translatedText !== undefined) readChildScript(translatedText, scope, parameters);
      return output;
    };
    for (const text of attachedScripts) readChildScript(text, scope);
    if (onlyChecksSyntax(options)) return;
    for (const { value } of options) {
      const text = value === undefined ? undefined : getFileText(value, scope.reader);
      if (text !== undefined) readChildScript(text, scope);
    }
    const values = options.filter(({ name, value }) => value !== undefined && table.get(name) === "shell");
    for (const { value } of values) readText(value as string);
    if (values.some(({ name }) => isCodeOption(name))) return;
    const at = texts[end] === "--" ? end + 1 : end;
    if (takesScript) {
      const name = args[at + 1];
      if (name) scope.values.set("0", [toSegments(name)]);
      return readText(texts[at] ?? "", args.slice(at + 2));
    }
    const readsStdin = options.some(({ name }) => name === "-s");
    const file = texts[at] ?? "-";
    const text = readsStdin || STDIN_FILE.test(file) ? stdin : getFileText(file, scope.reader);
    if (text === undefined) return;
    const scriptScope = text === stdin ? { ...scope, stdin: undefined } : scope;
    return withUnknownFile(file, scope, () => readChildScript(text, scriptScope, args.slice(readsStdin ? at : at + 1)));
  };

/** Whether this option provides all the code that the shell runs. */
const isCodeOption = (name: string) => /^(?:-c|--commands?)$/.test(name);

/** Whether the shell only checks syntax: `bash -n` without a later `+n`. Interactive shells ignore `-n`. */
function onlyChecksSyntax(options: readonly ParsedOption[]): boolean {
  let isChecked = false;
  for (const { name, value } of options) {
    if (/^[-+]i$/.test(name)) return false;
    // In zsh, `-o exec` and `--exec` undo `-n`.
    if (name === "--exec" || (/^[-+]o$/.test(name) && value === "exec")) return false;
    if (/^[-+]n$/.test(name) || (/^[-+]o$/.test(name) && value === "noexec")) isChecked = name.startsWith("-");
  }
  return isChecked;
}
