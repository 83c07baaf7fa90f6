import { ARCHIVE_READERS } from "./archive-arguments.ts";
import { FETCH_READERS, listCopiedFiles } from "./fetch-arguments.ts";
import { readGitFiles } from "./git-files.ts";
import { createNameTable } from "../words/name-table.ts";
import {
  removeWordPrefix,
  type FileUse,
  type WordPiece,
  createWordPiece,
  listOptionValues,
  resolveAgainstFolder,
  listFilesByTable,
} from "./operands.ts";
import { isExcludedTest, readFindArguments } from "../programs/find-arguments.ts";
import { getOperandFiles } from "../programs/index.ts";
import { getProgramName } from "../programs/names.ts";
import { getOptionTable } from "../programs/options.ts";
import { type FileUseReader, getJoinedValue, getProgram, getTextAt } from "./file-use-reader.ts";
import { getTexts } from "../words/word.ts";

/** Parses `[ -f x ]` and `[[ x -nt y ]]`. */
const readTest: FileUseReader = (words) =>
  words.flatMap((word, at): FileUse[] => {
    const fileWords =
      /^-[abcdefghkLNOprSsuwx]$/.test(getTextAt(words, at - 1)) ||
      [at - 1, at + 1].some((index) => /^-(?:nt|ot|ef)$/.test(getTextAt(words, index)));
    return fileWords ? [{ ...word, access: "list" }] : [];
  });

/** Creates a parser for search programs. Without file arguments, a recursive search reads the current directory. */
const createSearchReader =
  (program: string, recursive?: RegExp): FileUseReader =>
  (words) => {
    const fileUses = listFilesByTable(getProgram(program), words);
    const searchesCurrentFolder = !recursive || words.some(({ text }) => recursive.test(text));
    return searchesCurrentFolder && !fileUses.some(({ access, uncertain }) => access === "read" && !uncertain)
      ? [...fileUses, { text: ".", access: "read" }]
      : fileUses;
  };

/** Parses `gawk -i inplace …`, which writes to its input files. */
const readGawk: FileUseReader = (words) => {
  const awk = getProgram("gawk");
  const libraries = listOptionValues(words, getOptionTable(awk), "reads");
  const inPlace = libraries.some(({ text }) => /(?:^|\/)inplace(?:\.awk)?$/.test(text));
  return listFilesByTable(awk, words, inPlace ? { ...awk.files, operands: "write" } : awk.files);
};

const dd: FileUseReader = (words) =>
  words.flatMap((word): FileUse[] => {
    const [operandPrefix] = /^[io]f=/.exec(word.text) ?? [];
    if (operandPrefix === undefined) return [];
    const file = removeWordPrefix(word, operandPrefix.length);
    return [operandPrefix === "if=" ? { ...file, access: "read" } : { ...file, access: "write", replaces: true }];
  });

const CURL_DATA_OPTION = /^(?:-d|-F|--data(?:-\w+)?|--form|--json|-H|--header)$/;

/** Parses `curl -d @x -F file=@y -O https://…/z`. */
const readCurl: FileUseReader = (words) => {
  const sentFiles = words.flatMap((word, at): FileUse[] => {
    const isOptionValue = CURL_DATA_OPTION.test(getTextAt(words, at - 1));
    const filePrefix = /^(?:-[dF]|--(?:data(?:-\w+)?|form|json)=)?(?:[\w.-]*=)?[@<]/.exec(word.text);
    return filePrefix && (isOptionValue || word.text.startsWith("-"))
      ? [{ ...removeWordPrefix(word, filePrefix[0].length), access: "read" }]
      : [];
  });
  const downloadedFiles = words.some(({ text }) => /^-\w*O$|^--remote-name(?:-all)?$/.test(text))
    ? listDownloads(words)
    : [];
  const localFiles = words
    .filter(({ text }) => /^file:/i.test(text))
    .map((word): FileUse => ({ ...word, access: "read" }));
  return [...sentFiles, ...downloadedFiles, ...localFiles, ...listFilesByTable(getProgram("curl"), words)];
};

const readWget: FileUseReader = (words) => {
  // wget picks a different name instead of overwriting an existing file.
  const downloads = listDownloads(words).map(({ replaces: _, ...use }) => use);
  return [...downloads, ...listFilesByTable(getProgram("wget"), words)];
};

/** Lists the files that a download creates. The name of each file is the last segment of its URL. */
function listDownloads(words: readonly WordPiece[]): FileUse[] {
  const fileNames = words.map(({ text }) => /^[a-z]+:\/\/[^/]+\/(?:[^?#]*\/)?([^/?#]+)/i.exec(text)?.[1] ?? "");
  return fileNames.filter((text) => text !== "").map((text) => ({ text, access: "write", replaces: true }));
}

/** Maximum number of directory and file name combinations. Callers reject a command that lists this many files. */
const MAX_COMBINATIONS = 20_000;

/** Parses `find there -name x -delete`: the starting points of `find` and the names that its tests match. */
const readFind: FileUseReader = (words) => {
  const { starts, steps } = readFindArguments(getTexts(words));
  const startWords: readonly WordPiece[] =
    starts.length > 0 ? starts.map((at) => words[at] as WordPiece) : [{ text: "." }];
  const runSteps = steps.filter(({ kind }) => kind === "run");
  const changesFiles =
    steps.some(({ word }) => word === "-delete") ||
    runSteps.some(({ values }) => {
      const use = getOperandFiles(getProgramName(values[0] ?? ""));
      return (
        use?.operands === "write" ||
        use?.inPlaceOptions?.some((option) => values.some((value) => value.startsWith(option))) === true
      );
    });
  const access = changesFiles ? "write" : runSteps.length > 0 ? "read" : "list";
  // Tests that exclude names don't select files.
  const names = steps.flatMap(({ kind, values: [text] }, at) =>
    kind === "name" && text !== undefined && !isExcludedTest(steps, at) ? [{ text, dynamic: text }] : [],
  );
  return [
    ...startWords.map((word): FileUse => ({ ...word, access: names.length > 0 ? "list" : access })),
    ...startWords
      .slice(0, MAX_COMBINATIONS / Math.max(1, names.length))
      .flatMap((folder) =>
        names.map((name): FileUse => ({ ...resolveAgainstFolder(folder, name), given: name.text, access })),
      ),
    ...steps.flatMap(({ kind, at }): FileUse[] => {
      const word = kind === "write" ? words[at + 1] : undefined;
      return word ? [{ ...word, access: "write" }] : [];
    }),
  ];
};

/** Parses `patch -p1 < x.diff`, which changes the files named in the patch. */
const readPatch: FileUseReader = (words) => {
  const fileUses = listFilesByTable(getProgram("patch"), words);
  return fileUses.some(({ access }) => access === "write") ? fileUses : [...fileUses, { text: ".", access: "write" }];
};

/** Parses `dasel put -f x.json`, which changes the file. */
const readDasel: FileUseReader = (words) => {
  const fileUses = listFilesByTable(getProgram("dasel"), words);
  return /^(?:put|delete)$/.test(getTextAt(words, 0)) ? fileUses.map((use) => ({ ...use, access: "write" })) : fileUses;
};

/** Parses `-v /here:/there`, which mounts a directory into a container. */
const readContainer: FileUseReader = (words) => {
  const mountedFolders = words.flatMap((word, at): FileUse[] => {
    const value = /^(?:-v|--volume)$/.test(getTextAt(words, at - 1)) ? word : getJoinedValue(word, "-v", "--volume");
    const [text = "", containerPath] = value?.text.split(":") ?? [];
    return value && containerPath !== undefined
      ? [{ ...createWordPiece(text, value.dynamic?.split(":")[0]), access: "write" }]
      : [];
  });
  return [...mountedFolders, ...listCopiedFiles(words), ...listFilesByTable(getProgram("docker build"), words)];
};

const FILE_USE_READERS = createNameTable<FileUseReader>({
  "test [ [[": readTest,
  git: readGitFiles,
  dd,
  ...ARCHIVE_READERS,
  ...FETCH_READERS,
  curl: readCurl,
  dasel: readDasel,
  wget: readWget,
  find: readFind,
  patch: readPatch,
  "awk gawk": readGawk,
  rg: createSearchReader("rg"),
  ag: createSearchReader("ag"),
  ack: createSearchReader("ack"),
  grep: createSearchReader("grep", /^-[A-Za-z]*[rR]|^--(?:dereference-)?recursive$/),
  "docker podman nerdctl": readContainer,
});

export const findFileUseReader = (program: string): FileUseReader | undefined => FILE_USE_READERS.get(program);
