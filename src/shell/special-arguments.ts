import { readGitFiles } from "./git-files.ts";
import {
  getAttachedValue,
  dropPrefix,
  type FileUse,
  type WordPiece,
  createPiece,
  resolvePiece,
  listTabledFiles,
} from "./operands.ts";
import { isExcludedTest, readFindArguments } from "./programs/find-arguments.ts";
import { getOperandFiles, lookUpProgram } from "./programs/index.ts";
import { getProgramName } from "./programs/names.ts";
import { getOptionTable, type ValueKind } from "./programs/options.ts";
import type { FileAccess, Program } from "./programs/program.ts";

/** Reads the files in arguments with a grammar of their own. */
type FileUseReader = (words: readonly WordPiece[]) => FileUse[];

const getProgram = (program: string) => lookUpProgram(program) as Program;
const getTextAt = (words: readonly WordPiece[], at: number) => words[at]?.text ?? "";

/** The value of an option in the same word. */
const getJoinedValue = (word: WordPiece, short: string, long: string): WordPiece | undefined =>
  word.text.startsWith(`${long}=`)
    ? dropPrefix(word, long.length + 1)
    : word.text.length > 2 && word.text.startsWith(short)
      ? dropPrefix(word, 2)
      : undefined;

/** `[ -f x ]`, `[[ x -nt y ]]` */
const test: FileUseReader = (words) =>
  words.flatMap((word, at): FileUse[] => {
    const named =
      /^-[abcdefghkLNOprSsuwx]$/.test(getTextAt(words, at - 1)) ||
      [at - 1, at + 1].some((next) => /^-(?:nt|ot|ef)$/.test(getTextAt(words, next)));
    return named ? [{ ...word, access: "list" }] : [];
  });

/** A search without files searches the current directory if it is recursive. */
const search =
  (program: string, recursive?: RegExp): FileUseReader =>
  (words) => {
    const found = listTabledFiles(getProgram(program), words);
    const here = !recursive || words.some(({ text }) => recursive.test(text));
    return here && !found.some(({ access, uncertain }) => access === "read" && !uncertain)
      ? [...found, { text: ".", access: "read" }]
      : found;
  };

const isRead = (kind: ValueKind | undefined) => kind === "reads";

/** `gawk -i inplace …` writes to the files that it reads. */
const gawk: FileUseReader = (words) => {
  const options = getOptionTable(getProgram("gawk"));
  const loaded = words.flatMap(
    (word, at) =>
      getAttachedValue(word, options, isRead) ?? (isRead(options.get(getTextAt(words, at - 1))) ? word : []),
  );
  const inPlace = loaded.some(({ text }) => /(?:^|\/)inplace(?:\.awk)?$/.test(text));
  const awk = getProgram("gawk");
  return listTabledFiles(awk, words, inPlace ? { ...awk.files, operands: "write" } : awk.files);
};

const dd: FileUseReader = (words) =>
  words.flatMap((word): FileUse[] => {
    const [mark] = /^[io]f=/.exec(word.text) ?? [];
    return mark ? [{ ...dropPrefix(word, mark.length), access: mark === "if=" ? "read" : "write" }] : [];
  });

/** `tar czf new.tgz x`, `tar -xf old.tgz -C there` */
const tar: FileUseReader = (words) => {
  const bundled = /^[A-Za-z]+$/.test(getTextAt(words, 0))
    ? [{ text: `-${getTextAt(words, 0)}` }, ...words.slice(1)]
    : words;
  const letters = bundled.map(({ text }) => (/^-[A-Za-z]/.test(text) ? text : "")).join("");
  const long = (names: RegExp) => words.some(({ text }) => names.test(text));
  const makes = /[cru]/.test(letters) || long(/^--(?:create|append|update)$/);
  const lists = /t/.test(letters) || long(/^--list$/);
  const found: FileUse[] = [];
  const rest: WordPiece[] = [];
  for (let at = 0; at < bundled.length; at++) {
    const word = bundled[at] as WordPiece;
    const archive = /^-[A-Za-z]*f$|^--file$/.test(word.text) ? bundled[++at] : getJoinedValue(word, "-f", "--file");
    if (archive) found.push({ ...archive, access: makes ? "write" : lists ? "list" : "read" });
    else rest.push(word);
  }
  const access: FileAccess = makes ? "read" : lists ? "list" : "write";
  const others = listTabledFiles(getProgram("tar"), rest).map((use): FileUse => ({ ...use, access }));
  return [...found, ...others, ...(access === "write" && others.length === 0 ? [{ text: ".", access }] : [])];
};

const zip: FileUseReader = (words) =>
  listTabledFiles(getProgram("zip"), words).map((use, at) => (at === 0 ? { ...use, access: "write" } : use));

const unzip: FileUseReader = (words) => {
  const [archive, ...members] = listTabledFiles(getProgram("unzip"), words).sort((a, b) =>
    a.access < b.access ? -1 : a.access > b.access ? 1 : 0,
  );
  if (!archive || words.some(({ text }) => /^-[lvtz]$/.test(text))) return archive ? [archive] : [];
  return [
    archive,
    ...(members.some(({ access }) => access === "write") ? [] : [{ text: ".", access: "write" as const }]),
    ...members.map((use): FileUse => ({ ...use, access: "write" })),
  ];
};

const SENDS = /^(?:-d|-F|--data(?:-\w+)?|--form|--json|-H|--header)$/;

/** `curl -d @x -F file=@y -O https://…/z` */
const curl: FileUseReader = (words) => {
  const sent = words.flatMap((word, at): FileUse[] => {
    const separate = SENDS.test(getTextAt(words, at - 1));
    const mark = /^(?:-[dF]|--(?:data(?:-\w+)?|form|json)=)?(?:[\w.-]*=)?[@<]/.exec(word.text);
    return mark && (separate || word.text.startsWith("-"))
      ? [{ ...dropPrefix(word, mark[0].length), access: "read" }]
      : [];
  });
  const named = words.some(({ text }) => /^-\w*O$|^--remote-name(?:-all)?$/.test(text)) ? listDownloads(words) : [];
  const local = words.filter(({ text }) => /^file:/i.test(text)).map((word): FileUse => ({ ...word, access: "read" }));
  return [...sent, ...named, ...local, ...listTabledFiles(getProgram("curl"), words)];
};

const wget: FileUseReader = (words) => [...listDownloads(words), ...listTabledFiles(getProgram("wget"), words)];

/** Files named after the last part of a URL. */
function listDownloads(words: readonly WordPiece[]): FileUse[] {
  const ends = words.map(({ text }) => /^[a-z]+:\/\/[^/]+\/(?:[^?#]*\/)?([^/?#]+)/i.exec(text)?.[1] ?? "");
  return ends.filter((text) => text !== "").map((text) => ({ text, access: "write" }));
}

/** Maximum number of combinations of a directory and a name; callers reject so many. */
const MOST_FOUND = 20_000;

/** `find there -name x -delete`: where it searches, and what it searches for. */
const find: FileUseReader = (words) => {
  const { starts, steps } = readFindArguments(words.map(({ text }) => text));
  const from: readonly WordPiece[] = starts.length > 0 ? starts.map((at) => words[at] as WordPiece) : [{ text: "." }];
  const runs = steps.filter(({ kind }) => kind === "run");
  const writes =
    steps.some(({ word }) => word === "-delete") ||
    runs.some(({ values }) => {
      const use = getOperandFiles(getProgramName(values[0] ?? ""));
      return (
        use?.operands === "write" ||
        use?.inPlace?.some((option) => values.some((value) => value.startsWith(option))) === true
      );
    });
  const access = writes ? "write" : runs.length > 0 ? "read" : "list";
  // An excluded name is not searched for.
  const names = steps.flatMap(({ kind, values: [text] }, at) =>
    kind === "name" && text !== undefined && !isExcludedTest(steps, at) ? [{ text, dynamic: text }] : [],
  );
  return [
    ...from.map((word): FileUse => ({ ...word, access: names.length > 0 ? "list" : access })),
    ...from
      .slice(0, MOST_FOUND / Math.max(1, names.length))
      .flatMap((folder) => names.map((name): FileUse => ({ ...resolvePiece(folder, name), given: name.text, access }))),
    ...steps.flatMap(({ kind, at }): FileUse[] => {
      const word = kind === "write" ? words[at + 1] : undefined;
      return word ? [{ ...word, access: "write" }] : [];
    }),
  ];
};

/** `patch -p1 < x.diff` changes files that only the patch names. */
const patch: FileUseReader = (words) => {
  const found = listTabledFiles(getProgram("patch"), words);
  return found.some(({ access }) => access === "write") ? found : [...found, { text: ".", access: "write" }];
};

/** `-v /here:/there`: what is mounted into a container. */
const container: FileUseReader = (words) => {
  const mounted = words.flatMap((word, at): FileUse[] => {
    const value = /^(?:-v|--volume)$/.test(getTextAt(words, at - 1)) ? word : getJoinedValue(word, "-v", "--volume");
    const [text = "", there] = value?.text.split(":") ?? [];
    return value && there !== undefined
      ? [{ ...createPiece(text, value.dynamic?.split(":")[0]), access: "write" }]
      : [];
  });
  return [...mounted, ...listTabledFiles(getProgram("docker build"), words)];
};

const READERS: Readonly<Record<string, FileUseReader>> = {
  test,
  "[": test,
  "[[": test,
  git: readGitFiles,
  dd,
  tar,
  zip,
  unzip,
  curl,
  wget,
  find,
  patch,
  awk: gawk,
  gawk,
  rg: search("rg"),
  ag: search("ag"),
  ack: search("ack"),
  grep: search("grep", /^-[A-Za-z]*[rR]|^--(?:dereference-)?recursive$/),
  docker: container,
  podman: container,
  nerdctl: container,
};

export const findFileUseReader = (program: string): FileUseReader | undefined =>
  Object.hasOwn(READERS, program) ? READERS[program] : undefined;
