import type { Word } from "./word.ts";

// Programs that come with Windows, as those that do the same on other systems, by whose names rules know them
// [docs https://learn.microsoft.com/windows-server/administration/windows-commands/].

const createWord = (text: string): Word => ({ text });
const isSwitch = ({ text }: Word) => /^[/-][A-Za-z?]/.test(text) && !/^\/[^/:]+\//.test(text);
const hasSwitch = (words: readonly Word[], pattern: RegExp) => words.some(({ text }) => pattern.test(text));

/** A path with slashes. */
export function toSlashes({ text, dynamic }: Word): Word {
  // In `dynamic` a "\" stands before what is quoted.
  return dynamic === undefined
    ? { text: text.replaceAll("\\", "/") }
    : { text: text.replaceAll("\\", "/"), dynamic: dynamic.replace(/\\\\/g, "/") };
}

type Translation = (args: readonly Word[]) => readonly Word[] | undefined;
const listOperands = (args: readonly Word[]) => args.filter((word) => !isSwitch(word)).map(toSlashes);

const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  robocopy(args) {
    const [from, to, ...files] = args.filter(({ text }) => !/^\/\w/.test(text) || /^\/\w+\//.test(text)).map(toSlashes);
    if (!from || !to) return undefined;
    const isMirror = hasSwitch(args, /^\/(?:mir|purge)$/i);
    const options = ["-a", ...(isMirror ? ["--delete"] : []), ...(hasSwitch(args, /^\/l$/i) ? ["-n"] : [])];
    const moves = hasSwitch(args, /^\/(?:mov|move)$/i) ? ["--remove-source-files"] : [];
    // Named files are copied, no others.
    const sources = files.some(({ text }) => /[*?]/.test(text)) ? [] : files;
    return [
      ...["rsync", ...options, ...moves, ...files.map(({ text }) => `--include=${text}`)].map(createWord),
      ...(sources.length > 0
        ? sources.map(({ text }) => ({ ...from, text: `${from.text}/${text}` }))
        : [{ ...from, text: `${from.text}/` }]),
      to,
    ];
  },
  xcopy(args) {
    const [from, to = createWord(".")] = listOperands(args);
    return from && [createWord("cp"), createWord("-r"), from, to];
  },
  findstr(args) {
    const file = args.find(({ text }) => /^\/c:/i.test(text));
    const operands = args.filter(({ text }) => !/^\/[a-z]/i.test(text)).map(toSlashes);
    return [createWord("grep"), ...(file ? [createWord("-e"), createWord(file.text.slice(3))] : []), ...operands];
  },
  shutdown(args) {
    if (args.length === 0 || !hasSwitch(args, /^\//)) return undefined;
    if (hasSwitch(args, /^[/-]\?$/)) return [createWord("shutdown"), createWord("--help")];
    if (hasSwitch(args, /^[/-]a$/i)) return [createWord("shutdown"), createWord("-c")];
    return hasSwitch(args, /^[/-](?:[srphig]|sg|hybrid|fw|o)$/i)
      ? undefined
      : [createWord("shutdown"), createWord("--help")];
  },
  certutil(args) {
    const operands = listOperands(args);
    const [from, to] = operands;
    if (hasSwitch(args, /^[/-]urlcache$/i) && from && to) return [createWord("curl"), createWord("-o"), to, from];
    if (hasSwitch(args, /^[/-](?:decode|encode|decodehex|encodehex)$/i) && from && to)
      return [createWord("cp"), from, to];
    return undefined;
  },
  bitsadmin(args) {
    const operands = listOperands(args);
    const [url, file] = operands.slice(-2);
    return hasSwitch(args, /^\/transfer$/i) && url && file
      ? [createWord("curl"), createWord("-o"), file, url]
      : undefined;
  },
  expand: (args) => [createWord("cp"), ...listOperands(args)],
  makecab: (args) => [createWord("cp"), ...listOperands(args)],
  sort(args) {
    const at = args.findIndex(({ text }) => /^\/o(?:utput)?$/i.test(text));
    const target = args[at + 1];
    return at < 0 || !target
      ? undefined
      : [createWord("sort"), createWord("-o"), toSlashes(target), ...listOperands(args.slice(0, at))];
  },
  more: (args) => [createWord("cat"), ...listOperands(args)],
  where: (args) => [createWord("which"), ...listOperands(args)],
  tasklist: () => [createWord("ps")],
  attrib(args) {
    const operands = listOperands(args).filter(({ text }) => !/^[+-][a-z]$/i.test(text));
    const changes = args.filter(({ text }) => /^[+-][a-z]$/i.test(text));
    if (changes.length === 0) return [createWord("stat"), ...operands];
    return [createWord("chmod"), createWord("u+w"), ...operands];
  },
  icacls: changeRights,
  cacls: changeRights,
  takeown(args) {
    const at = args.findIndex(({ text }) => /^[/-]f$/i.test(text));
    const file = args[at + 1];
    if (at < 0 || !file) return undefined;
    return [
      createWord("chown"),
      ...(hasSwitch(args, /^[/-]r$/i) ? [createWord("-R")] : []),
      createWord("me"),
      toSlashes(file),
    ];
  },
};

function changeRights(args: readonly Word[]): readonly Word[] | undefined {
  const [file] = listOperands(args);
  if (!file) return undefined;
  const changes = hasSwitch(
    args,
    /^[/-](?:grant|deny|remove|setowner|reset|inheritance|setintegritylevel|restore|g|p|e|d|r)(?::|$)/i,
  );
  if (!changes) return [createWord("stat"), file];
  return [createWord("chmod"), ...(hasSwitch(args, /^[/-]t$/i) ? [createWord("-R")] : []), createWord("0"), file];
}

/** Programs for which capital letters in their words are the same as small ones. */
const CASELESS =
  /^(?:vssadmin|wbadmin|bcdedit|reg|net1?|netsh|wmic|sc|wevtutil|reagentc|cipher|schtasks|fsutil|diskpart)$/;

/** Programs that no other system has, or none with other words. */
const WINDOWS_ONLY = new Set(
  "robocopy xcopy takeown icacls cacls findstr bitsadmin vssadmin bcdedit wbadmin reg net netsh wmic wevtutil schtasks".split(
    " ",
  ),
);

/** Whether a word of bash names a program of Windows: by its ending, or as one that no other system has. */
export function isWindowsProgram({ text, dynamic }: Word): boolean {
  if (dynamic !== undefined) return false;
  const name = text.slice(text.lastIndexOf("/") + 1).toLowerCase();
  return name.endsWith(".exe") || name.endsWith(".com") || WINDOWS_ONLY.has(name);
}

/** Git Bash makes one slash of two, so that it takes a switch for no path: `//MIR`. */
const toSwitch = (word: Word): Word =>
  word.dynamic === undefined && /^\/\/[A-Za-z?]+(?::[^/]*)?$/.test(word.text) ? createWord(word.text.slice(1)) : word;

/** A command's words as those of the program that does the same elsewhere, if there is one. */
export function toPosixCommand(words: readonly Word[]): readonly Word[] {
  const [first, ...given] = words;
  if (!first || first.dynamic !== undefined) return words;
  const args = given.map(toSwitch);
  const name = first.text
    .replace(/^.*[\\/]/s, "")
    .toLowerCase()
    .replace(/\.(?:exe|com)$/, "");
  if (CASELESS.test(name))
    return [
      createWord(name),
      ...args.map((word) => (word.dynamic === undefined ? createWord(word.text.toLowerCase()) : word)),
    ];
  return (Object.hasOwn(TRANSLATIONS, name) && TRANSLATIONS[name]?.(args)) || words;
}
