import { readGitFiles } from "./git-files.ts";
import {
  dropPrefix,
  type FileUse,
  type WordPiece,
  createPiece,
  getOptionValue,
  resolvePiece,
  listTabledFiles,
  listUsedFiles,
} from "./operands.ts";
import { isExcludedTest, readFindArguments } from "./programs/find-arguments.ts";
import { getOperandFiles, getProgramName, lookUpProgram } from "./programs/index.ts";
import { getOptionTable, readLastOption, type ValueKind } from "./programs/options.ts";
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

const isRead = (kind: ValueKind) => kind === "reads";

/** `gawk -i inplace …` writes to the files that it reads. */
const gawk: FileUseReader = (words) => {
  const options = getOptionTable(getProgram("gawk"));
  const loaded = words.flatMap((word, at) => getOptionValue(word, words[at + 1], options, isRead) ?? []);
  const inPlace = loaded.some(({ text }) => /(?:^|\/)inplace(?:\.awk)?$/.test(text));
  const awk = getProgram("gawk");
  return listTabledFiles(awk, words, inPlace ? { ...awk.files, operands: "write" } : awk.files);
};

const dd: FileUseReader = (words) =>
  words.flatMap((word): FileUse[] => {
    const [mark] = /^[io]f=/.exec(word.text) ?? [];
    return mark ? [{ ...dropPrefix(word, mark.length), access: mark === "if=" ? "read" : "write" }] : [];
  });

/** Letters of `tar` with a value. */
const TAR_VALUES = /[bCfFgHIKLNTVX]/;

/** `tar xfC a.tar there`: without a dash, the values of all letters follow. */
function splitTarLetters([letters, ...words]: readonly WordPiece[]): WordPiece[] {
  if (!letters || !/^[A-Za-z]{1,20}$/.test(letters.text)) return letters ? [letters, ...words] : [];
  const rest = [...words];
  const options = [...letters.text].flatMap((letter) => [
    { text: `-${letter}` },
    ...(TAR_VALUES.test(letter) ? rest.splice(0, 1) : []),
  ]);
  return [...options, ...rest];
}

/** `tar czf new.tgz x`, `tar -xf old.tgz -C there` */
const tar: FileUseReader = (words) => {
  const bundled = splitTarLetters(words);
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
  const others = listTabledFiles(getProgram("tar"), rest).map(({ fills, ...use }): FileUse => ({
    ...use,
    access,
    ...(fills && access === "write" && { fills }),
  }));
  const here: FileUse = { text: ".", access, fills: true };
  return [...found, ...others, ...(access === "write" && others.length === 0 ? [here] : [])];
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
    ...(members.some(({ access }) => access === "write") ? [] : [HERE_FILLED]),
    ...members.map((use): FileUse => ({ ...use, access: "write" })),
  ];
};

const HERE_FILLED: FileUse = { text: ".", access: "write", fills: true };

/** `7z x a.7z -othere`, `unrar x a.rar there/`, `7z a new.7z x` */
const sevenZip: FileUseReader = (words) => {
  const verb = getTextAt(words, 0);
  const [archive, ...others] = listTabledFiles(getProgram("7z"), words);
  const filled = others.filter(({ fills }) => fills);
  const [place] = others.filter(({ text }) => text.endsWith("/"));
  if (/^[xe]$/.test(verb))
    return [
      ...(archive ? [archive] : []),
      ...(archive?.fills || filled.length > 0
        ? filled
        : [place ? { ...place, access: "write" as const, fills: true as const } : HERE_FILLED]),
    ];
  const access = /^[audm]$/.test(verb) ? "write" : "list";
  return [...(archive ? [{ ...archive, access } as const] : []), ...others.filter(({ fills }) => !fills)];
};

/** A program that unpacks with some options: into its last operand, into a directory that one names, or here. */
const unpacker =
  (program: string, unpacks: RegExp, place: "last" | "here"): FileUseReader =>
  (words) => {
    const known = getProgram(program);
    return words.some(({ text }) => unpacks.test(text))
      ? listTabledFiles(known, words, { ...known.files, operands: "list", last: undefined, fills: place })
      : listTabledFiles(known, words);
  };

/** `csplit -f out -b '%d.json' x /y/` names what it writes by a prefix and a suffix, which may be without a number. */
const csplit: FileUseReader = (words) => {
  const table = getOptionTable(getProgram("csplit"));
  const getValue = (...names: string[]) =>
    words.flatMap(({ text }, at) => {
      const option = readLastOption(text, words[at + 1]?.text, table);
      return option?.value !== undefined && names.includes(option.name) ? [option.value] : [];
    })[0];
  const prefix = getValue("-f", "--prefix") ?? "xx";
  const suffix = (getValue("-b", "--suffix-format") ?? "").replace(/%[^A-Za-z%]*[A-Za-z]/, "");
  return [
    ...listTabledFiles(getProgram("csplit"), words).slice(0, 1),
    { text: `${prefix}${suffix}`, access: "write" },
    { text: `${prefix}*`, dynamic: `${prefix}*`, access: "write" },
  ];
};

const COMPRESSED = /\.(?:gz|bz2|xz|zst|lz4|lzma|lz|Z|br)$/;
/** `gunzip x.gz` also writes x. */
const compressor =
  (program: string): FileUseReader =>
  (words) =>
    listTabledFiles(getProgram(program), words).flatMap((use): FileUse[] =>
      COMPRESSED.test(use.text)
        ? [
            use,
            {
              ...use,
              ...createPiece(use.text.replace(COMPRESSED, ""), use.dynamic?.replace(COMPRESSED, "")),
              given: use.text,
            },
          ]
        : [use],
    );

/** What is copied out of a container, or into it: `docker cp NAME:/x there`. */
function listCopiedFiles(words: readonly WordPiece[]): FileUse[] {
  const at = words.findIndex(({ text }) => text === "cp");
  if (at < 0 || words.slice(0, at).some(({ text }) => !/^(?:-.*|container|compose)$/.test(text))) return [];
  const found = listTabledFiles(getProgram("cp"), words.slice(at + 1));
  const isRemote = ({ text }: FileUse) => /^[\w./-]{1,200}:/.test(text);
  // What has no suffix may be a directory; what is in the user's own is named.
  const isHome = /^(?:~|\$HOME|\$\{HOME\})\/?$/.test(found.at(-1)?.text ?? "");
  const isWhole = found.some(
    (use) => isRemote(use) && (/\/\.?$/.test(use.text) || (!isHome && !/\.\w+$/.test(use.text))),
  );
  return found.map((use): FileUse =>
    isRemote(use)
      ? { ...use, ...dropPrefix(use, use.text.indexOf(":") + 1), given: use.text, remote: true }
      : { ...use, ...(isWhole && use.access === "write" && { fills: true }) },
  );
}

const pod: FileUseReader = (words) => [...listCopiedFiles(words), ...listTabledFiles(getProgram("kubectl"), words)];

const FETCHES = /^(?:sync|copy|rsync|mirror|cp|mv|get|export|checkout|co|clone|archive)$/;
const ADDRESS = /^(?:[a-z][\w+.-]*:\/\/|[\w.-]+:(?!\\))/i;
/** `rclone copy r:x there`, `aws s3 sync s3://x there`: the last operand, where another one is elsewhere. */
const fetcher =
  (program: string): FileUseReader =>
  (words) => {
    const found = listUsedFiles(program, words);
    const operands = words.filter(({ text }) => !text.startsWith("-"));
    const last = operands.at(-1);
    const isFetched =
      operands.some(({ text }) => FETCHES.test(text)) && operands.slice(0, -1).some(({ text }) => ADDRESS.test(text));
    return isFetched && last && !ADDRESS.test(last.text)
      ? [...found, { ...last, access: "write", fills: true }]
      : found;
  };

/** `rsync host:x/ there`: what is in a folder of another machine. */
const rsync: FileUseReader = (words) => {
  const found = listTabledFiles(getProgram("rsync"), words);
  const isFilled = found.some(
    ({ text }) => /^[\w.@-]{2,}::?[^]*(?:\/\.?|:)$/.test(text) || /^rsync:\/\/.*\/$/.test(text),
  );
  return found.map((use) => (isFilled && use.takes ? { ...use, fills: true } : use));
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
  return [...mounted, ...listCopiedFiles(words), ...listTabledFiles(getProgram("docker build"), words)];
};

const READERS: Readonly<Record<string, FileUseReader>> = {
  test,
  "[": test,
  "[[": test,
  git: readGitFiles,
  dd,
  tar,
  bsdtar: tar,
  gtar: tar,
  gnutar: tar,
  zip,
  unzip,
  bsdunzip: unzip,
  "7z": sevenZip,
  "7za": sevenZip,
  "7zr": sevenZip,
  "7zz": sevenZip,
  "7zzs": sevenZip,
  p7zip: sevenZip,
  rar: sevenZip,
  unrar: sevenZip,
  jar: unpacker("jar", /^-?[cituvfm0M]*x[tvfm0M]*$|^--extract$/, "here"),
  dpkg: unpacker("dpkg", /^(?:-[xXR]|--(?:v|raw-)?extract)$/, "last"),
  "dpkg-deb": unpacker("dpkg", /^(?:-[xXR]|--(?:v|raw-)?extract)$/, "last"),
  cpio: unpacker("cpio", /^(?:-[A-Za-z]*i|--extract$)/, "here"),
  bsdcpio: unpacker("cpio", /^(?:-[A-Za-z]*i|--extract$)/, "here"),
  pax: unpacker("pax", /^-(?!\w*w)\w*r/, "here"),
  ditto: unpacker("ditto", /^-\w*x/, "last"),
  csplit,
  gunzip: compressor("gunzip"),
  bunzip2: compressor("bunzip2"),
  unxz: compressor("unxz"),
  unzstd: compressor("unzstd"),
  gzip: compressor("gzip"),
  bzip2: compressor("bzip2"),
  xz: compressor("xz"),
  zstd: compressor("zstd"),
  lz4: compressor("lz4"),
  rsync,
  kubectl: pod,
  oc: pod,
  k: pod,
  rclone: fetcher("rclone"),
  aws: fetcher("aws"),
  gsutil: fetcher("gsutil"),
  gcloud: fetcher("gcloud"),
  s3cmd: fetcher("s3cmd"),
  svn: fetcher("svn"),
  hg: fetcher("hg"),
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
