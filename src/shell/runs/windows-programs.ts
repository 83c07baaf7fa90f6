import { createNameTable } from "../words/name-table.ts";
import { getTexts, type Word } from "../words/word.ts";

// Translates Windows programs to POSIX equivalents, whose names the rules use [docs
// https://learn.microsoft.com/windows-server/administration/windows-commands/].

const createWord = (text: string): Word => ({ text });
const createWords = (text: string): Word[] => text.split(" ").map(createWord);
const isSwitch = ({ text }: Word) => /^[/-][A-Za-z?]/.test(text) && !/^\/[^/:]+\//.test(text);
const hasSwitch = (words: readonly Word[], pattern: RegExp) => words.some(({ text }) => pattern.test(text));

/** Replaces the backslashes in a path with forward slashes. */
export function useForwardSlashes({ text, dynamic }: Word): Word {
  // `dynamic` writes a literal backslash as two backslashes.
  return dynamic === undefined
    ? { text: text.replaceAll("\\", "/") }
    : { text: text.replaceAll("\\", "/"), dynamic: dynamic.replace(/\\\\/g, "/") };
}

type Translation = (args: readonly Word[]) => readonly Word[] | undefined;
const listOperands = (args: readonly Word[]) => args.filter((word) => !isSwitch(word)).map(useForwardSlashes);

const TRANSLATIONS = createNameTable<Translation>({
  robocopy(args) {
    const isOption = ({ text }: Word) => /^\/\w/.test(text) && !/^\/\w+\//.test(text);
    const isExcluded = (_: Word, at: number) => /^\/x[fd]$/i.test(args.slice(0, at).findLast(isOption)?.text ?? "");
    const excludedNames = args.filter((word, at) => !isOption(word) && isExcluded(word, at)).map(useForwardSlashes);
    const [source, destination, ...files] = args
      .filter((word, at) => !isOption(word) && !isExcluded(word, at))
      .map(useForwardSlashes);
    if (!source || !destination) return undefined;
    const isMirror = hasSwitch(args, /^\/(?:mir|purge)$/i);
    const options = ["-a", ...(isMirror ? ["--delete"] : []), ...(hasSwitch(args, /^\/l$/i) ? ["-n"] : [])];
    const moveOptions = hasSwitch(args, /^\/(?:mov|move)$/i) ? ["--remove-source-files"] : [];
    // If files are named, only those are copied.
    const isCopied = files.length > 0 && !files.some(({ text }) => /[*?]/.test(text));
    const sources = isCopied ? getTexts(files) : [""];
    return [
      ...["rsync", ...options, ...moveOptions].map(createWord),
      ...files.map(({ text }) => createWord(`--include=${text}`)),
      ...excludedNames.map(({ text }) => createWord(`--exclude=${text}`)),
      ...sources.map((text) => ({ ...source, text: `${source.text}/${text}` })),
      destination,
    ];
  },
  xcopy(args) {
    const [source, destination = createWord(".")] = listOperands(args);
    return source && [...createWords("cp -r"), source, destination];
  },
  findstr(args) {
    const pattern = args.find(({ text }) => /^\/c:/i.test(text))?.text.slice(3);
    const operands = args.filter(({ text }) => !/^\/[a-z]/i.test(text)).map(useForwardSlashes);
    return [
      ...(pattern === undefined ? createWords("grep") : [...createWords("grep -e"), createWord(pattern)]),
      ...operands,
    ];
  },
  shutdown(args) {
    if (args.length === 0 || !hasSwitch(args, /^\//)) return undefined;
    const isHelp = hasSwitch(args, /^[/-]\?$/);
    if (!isHelp && hasSwitch(args, /^[/-]a$/i)) return createWords("shutdown -c");
    return !isHelp && hasSwitch(args, /^[/-](?:[srphig]|sg|hybrid|fw|o)$/i)
      ? undefined
      : createWords("shutdown --help");
  },
  certutil(args) {
    const [source, destination] = listOperands(args);
    if (!source || !destination) return undefined;
    if (hasSwitch(args, /^[/-]urlcache$/i)) return [...createWords("curl -o"), destination, source];
    return hasSwitch(args, /^[/-](?:de|en)code(?:hex)?$/i) ? [createWord("cp"), source, destination] : undefined;
  },
  bitsadmin(args) {
    const [url, file] = listOperands(args).slice(-2);
    return hasSwitch(args, /^\/transfer$/i) && url && file ? [...createWords("curl -o"), file, url] : undefined;
  },
  "expand makecab": (args) => [createWord("cp"), ...listOperands(args)],
  sort(args) {
    const at = args.findIndex(({ text }) => /^\/o(?:utput)?$/i.test(text));
    const target = args[at + 1];
    return at < 0 || !target
      ? undefined
      : [...createWords("sort -o"), useForwardSlashes(target), ...listOperands(args.slice(0, at))];
  },
  more: (args) => [createWord("cat"), ...listOperands(args)],
  where: (args) => [createWord("which"), ...listOperands(args)],
  tasklist: () => createWords("ps"),
  attrib(args) {
    const isChange = ({ text }: Word) => /^[+-][a-z]$/i.test(text);
    const operands = listOperands(args).filter((word) => !isChange(word));
    return [...createWords(args.some(isChange) ? "chmod u+w" : "stat"), ...operands];
  },
  "icacls cacls"(args) {
    const [file] = listOperands(args);
    if (!file) return undefined;
    if (!hasSwitch(args, PERMISSION_CHANGE)) return [createWord("stat"), file];
    return [...createWords(hasSwitch(args, /^[/-]t$/i) ? "chmod -R 0" : "chmod 0"), file];
  },
  takeown(args) {
    const at = args.findIndex(({ text }) => /^[/-]f$/i.test(text));
    const file = args[at + 1];
    if (at < 0 || !file) return undefined;
    return [...createWords(hasSwitch(args, /^[/-]r$/i) ? "chown -R me" : "chown me"), useForwardSlashes(file)];
  },
});

/** Programs that `toPosixCommand` can translate. */
export const WINDOWS_PROGRAMS: readonly string[] = [...TRANSLATIONS.keys()];

const PERMISSION_CHANGE =
  /^[/-](?:grant|deny|remove|setowner|reset|inheritance|setintegritylevel|restore|g|p|e|d|r)(?::|$)/i;

/** Programs that ignore case in their arguments. */
const CASE_INSENSITIVE_PROGRAM =
  /^(?:vssadmin|wbadmin|bcdedit|reg|net1?|netsh|wmic|sc|wevtutil|reagentc|cipher|schtasks|fsutil|diskpart)$/;

/** Programs that exist only on Windows, or that take different arguments elsewhere. */
const WINDOWS_ONLY_PROGRAMS = new Set(
  "robocopy xcopy takeown icacls cacls findstr bitsadmin vssadmin bcdedit wbadmin reg net netsh wmic wevtutil schtasks".split(
    " ",
  ),
);

/**
 * Whether a word in a bash command line names a Windows program, either by its file extension or because the program
 * exists only on Windows.
 */
export function isWindowsProgram({ text, dynamic }: Word): boolean {
  if (dynamic !== undefined) return false;
  const name = text.slice(text.lastIndexOf("/") + 1).toLowerCase();
  return name.endsWith(".exe") || name.endsWith(".com") || WINDOWS_ONLY_PROGRAMS.has(name);
}

/**
 * Users of Git Bash write a switch such as `/MIR` as `//MIR`, so that it isn't taken for a path. Git Bash drops one of
 * the slashes.
 */
const normalizeSwitch = (word: Word): Word =>
  word.dynamic === undefined && /^\/\/[A-Za-z?]+(?::[^/]*)?$/.test(word.text) ? createWord(word.text.slice(1)) : word;

/** Translates a Windows command to its POSIX equivalent, if one exists. */
export function toPosixCommand(words: readonly Word[]): readonly Word[] {
  const [programWord, ...argumentWords] = words;
  if (!programWord || programWord.dynamic !== undefined) return words;
  const args = argumentWords.map(normalizeSwitch);
  const name = programWord.text
    .replace(/^.*[\\/]/s, "")
    .toLowerCase()
    .replace(/\.(?:exe|com)$/, "");
  if (CASE_INSENSITIVE_PROGRAM.test(name))
    return [
      createWord(name),
      ...args.map((word) => (word.dynamic === undefined ? createWord(word.text.toLowerCase()) : word)),
    ];
  return TRANSLATIONS.get(name)?.(args) ?? words;
}
