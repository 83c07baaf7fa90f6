import { createWordPiece, type FileUse, listFilesByTable, type WordPiece } from "./operands.ts";
import { getOptionTable, readLastOption } from "../programs/options.ts";
import type { FileAccess } from "../programs/program.ts";
import { type FileUseReader, getJoinedValue, getProgram, getTextAt } from "./file-use-reader.ts";

/** `tar` option letters that take a value. */
const TAR_VALUE_OPTIONS = /[bCfFgHIKLNTVX]/;

/** Expands bundled option letters without a dash. The option values follow in the same order: `tar xfC a.tar there`. */
function splitTarLetters([bundle, ...words]: readonly WordPiece[]): WordPiece[] {
  if (!bundle || !/^[A-Za-z]{1,20}$/.test(bundle.text)) return bundle ? [bundle, ...words] : [];
  const remainingWords = [...words];
  const options = [...bundle.text].flatMap((letter) => [
    { text: `-${letter}` },
    ...(TAR_VALUE_OPTIONS.test(letter) ? remainingWords.splice(0, 1) : []),
  ]);
  return [...options, ...remainingWords];
}

/** Parses `tar czf new.tgz x` and `tar -xf old.tgz -C there`. */
const readTar: FileUseReader = (words) => {
  const expandedWords = splitTarLetters(words);
  const optionLetters = expandedWords.map(({ text }) => (/^-[A-Za-z]/.test(text) ? text : "")).join("");
  const hasLongOption = (names: RegExp) => words.some(({ text }) => names.test(text));
  const createsArchive = /[cru]/.test(optionLetters) || hasLongOption(/^--(?:create|append|update)$/);
  const lists = /t/.test(optionLetters) || hasLongOption(/^--list$/);
  const fileUses: FileUse[] = [];
  const remainingWords: WordPiece[] = [];
  for (let at = 0; at < expandedWords.length; at++) {
    const word = expandedWords[at] as WordPiece;
    const archive = /^-[A-Za-z]*f$|^--file$/.test(word.text)
      ? expandedWords[++at]
      : getJoinedValue(word, "-f", "--file");
    if (archive) fileUses.push({ ...archive, access: createsArchive ? "write" : lists ? "list" : "read" });
    else remainingWords.push(word);
  }
  const access: FileAccess = createsArchive ? "read" : lists ? "list" : "write";
  const memberFiles = listFilesByTable(getProgram("tar"), remainingWords).map(({ fills, ...use }): FileUse => ({
    ...use,
    access,
    ...(fills && access === "write" && { fills }),
  }));
  const currentFolder: FileUse = { text: ".", access, fills: true };
  return [...fileUses, ...memberFiles, ...(access === "write" && memberFiles.length === 0 ? [currentFolder] : [])];
};

const zip: FileUseReader = (words) =>
  listFilesByTable(getProgram("zip"), words).map((use, at) => (at === 0 ? { ...use, access: "write" } : use));

const unzip: FileUseReader = (words) => {
  const [archive, ...members] = listFilesByTable(getProgram("unzip"), words).sort((a, b) =>
    a.access < b.access ? -1 : a.access > b.access ? 1 : 0,
  );
  if (!archive || words.some(({ text }) => /^-[lvtzpZ]$/.test(text))) return archive ? [archive] : [];
  return [
    archive,
    ...(members.some(({ access }) => access === "write") ? [] : [CURRENT_FOLDER_OUTPUT]),
    ...members.map((use): FileUse => ({ ...use, access: "write" })),
  ];
};

const CURRENT_FOLDER_OUTPUT: FileUse = { text: ".", access: "write", fills: true };

/** Parses `7z x a.7z -othere`, `unrar x a.rar there/` and `7z a new.7z x`. */
const readSevenZip: FileUseReader = (words) => {
  const verb = getTextAt(words, 0);
  const [archive, ...otherFiles] = listFilesByTable(getProgram("7z"), words);
  const outputFolders = otherFiles.filter(({ fills }) => fills);
  const [folder] = otherFiles.filter(({ text }) => text.endsWith("/"));
  if (/^[xe]$/.test(verb))
    return [
      ...(archive ? [archive] : []),
      ...(archive?.fills || outputFolders.length > 0
        ? outputFolders
        : [folder ? { ...folder, access: "write" as const, fills: true as const } : CURRENT_FOLDER_OUTPUT]),
    ];
  const access = /^[audm]$/.test(verb) ? "write" : "list";
  return [...(archive ? [{ ...archive, access } as const] : []), ...otherFiles.filter(({ fills }) => !fills)];
};

/**
 * Creates a parser for a program that unpacks archives if certain options are set. The destination is the last operand,
 * a directory set by an option, or the current directory.
 */
const createUnpackReader =
  (program: string, unpacks: RegExp, destination: "last" | "here"): FileUseReader =>
  (words) => {
    const knownProgram = getProgram(program);
    return words.some(({ text }) => unpacks.test(text))
      ? listFilesByTable(knownProgram, words, {
          ...knownProgram.files,
          operands: "list",
          lastOperand: undefined,
          outputFolder: destination,
        })
      : listFilesByTable(knownProgram, words);
  };

/** Parses `csplit -f out -b '%d.json' x /y/`. An output file name consists of a prefix, a number and a suffix. */
const readCsplit: FileUseReader = (words) => {
  const table = getOptionTable(getProgram("csplit"));
  const getValue = (...names: string[]) =>
    words.flatMap(({ text }, at) => {
      const option = readLastOption(text, words[at + 1]?.text, table);
      return option?.value !== undefined && names.includes(option.name) ? [option.value] : [];
    })[0];
  const prefix = getValue("-f", "--prefix") ?? "xx";
  const suffix = (getValue("-b", "--suffix-format") ?? "").replace(/%[^A-Za-z%]*[A-Za-z]/, "");
  return [
    ...listFilesByTable(getProgram("csplit"), words).slice(0, 1),
    { text: `${prefix}${suffix}`, access: "write" },
    { text: `${prefix}*`, dynamic: `${prefix}*`, access: "write" },
  ];
};

const COMPRESSED_EXTENSION = /\.(?:gz|bz2|xz|zst|lz4|lzma|lz|Z|br)$/;
/** Parses `gunzip x.gz`, which also writes the file `x`. */
const readCompressor: FileUseReader = (words) =>
  listFilesByTable(getProgram("gzip"), words).flatMap((use): FileUse[] => {
    const content = createWordPiece(
      use.text.replace(COMPRESSED_EXTENSION, ""),
      use.dynamic?.replace(COMPRESSED_EXTENSION, ""),
    );
    return COMPRESSED_EXTENSION.test(use.text) ? [use, { ...use, ...content, given: use.text }] : [use];
  });

/** Argument parsers for programs that pack, unpack or split files. */
export const ARCHIVE_READERS: Readonly<Record<string, FileUseReader>> = {
  "tar bsdtar gtar gnutar": readTar,
  zip,
  "unzip bsdunzip": unzip,
  "7z 7za 7zr 7zz 7zzs p7zip rar unrar": readSevenZip,
  jar: createUnpackReader("jar", /^-?[cituvfm0M]*x[tvfm0M]*$|^--extract$/, "here"),
  "dpkg dpkg-deb": createUnpackReader("dpkg", /^(?:-[xXR]|--(?:v|raw-)?extract)$/, "last"),
  "cpio bsdcpio": createUnpackReader("cpio", /^(?:-[A-Za-z]*i|--extract$)/, "here"),
  pax: createUnpackReader("pax", /^-(?!\w*w)\w*r/, "here"),
  ditto: createUnpackReader("ditto", /^-\w*x/, "last"),
  csplit: readCsplit,
  "gunzip bunzip2 unxz unzstd gzip bzip2 xz zstd lz4": readCompressor,
};
