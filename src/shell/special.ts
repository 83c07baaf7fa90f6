import { readGitFiles } from "./git-files.ts";
import { attached, behind, type FileUse, type Piece, piece, seenFrom, tabled } from "./operands.ts";
import { isLeftOut, readFindArguments } from "./programs/find-arguments.ts";
import { filesUsedBy, nameOf, programOf } from "./programs/index.ts";
import { optionTable, type ValueKind } from "./programs/options.ts";
import type { Access, Program } from "./programs/program.ts";

/** The files that a program names in arguments with a grammar of their own. */
type Reader = (words: readonly Piece[]) => FileUse[];

const table = (program: string) => programOf(program) as Program;
const textAt = (words: readonly Piece[], at: number) => words[at]?.text ?? "";

/** The value of an option that stands in the same word. */
const joined = (word: Piece, short: string, long: string): Piece | undefined =>
  word.text.startsWith(`${long}=`)
    ? behind(word, long.length + 1)
    : word.text.length > 2 && word.text.startsWith(short)
      ? behind(word, 2)
      : undefined;

/** `[ -f x ]`, `[[ x -nt y ]]` */
const test: Reader = (words) =>
  words.flatMap((word, at): FileUse[] => {
    const named =
      /^-[abcdefghkLNOprSsuwx]$/.test(textAt(words, at - 1)) ||
      [at - 1, at + 1].some((next) => /^-(?:nt|ot|ef)$/.test(textAt(words, next)));
    return named ? [{ ...word, access: "list" }] : [];
  });

/** A search without files is one in this folder, if it goes into folders. */
const search =
  (program: string, recursive?: RegExp): Reader =>
  (words) => {
    const found = tabled(table(program), words);
    const here = !recursive || words.some(({ text }) => recursive.test(text));
    return here && !found.some(({ access, uncertain }) => access === "read" && !uncertain)
      ? [...found, { text: ".", access: "read" }]
      : found;
  };

const isRead = (kind: ValueKind | undefined) => kind === "reads";

/** `gawk -i inplace …` writes to the files that it reads. */
const gawk: Reader = (words) => {
  const options = optionTable(table("gawk"));
  const loaded = words.flatMap(
    (word, at) => attached(word, options, isRead) ?? (isRead(options.get(textAt(words, at - 1))) ? word : []),
  );
  const inPlace = loaded.some(({ text }) => /(?:^|\/)inplace(?:\.awk)?$/.test(text));
  const awk = table("gawk");
  return tabled(awk, words, inPlace ? { ...awk.files, operands: "write" } : awk.files);
};

const dd: Reader = (words) =>
  words.flatMap((word): FileUse[] => {
    const [mark] = /^[io]f=/.exec(word.text) ?? [];
    return mark ? [{ ...behind(word, mark.length), access: mark === "if=" ? "read" : "write" }] : [];
  });

/** `tar czf new.tgz x`, `tar -xf old.tgz -C there` */
const tar: Reader = (words) => {
  const bundled = /^[A-Za-z]+$/.test(textAt(words, 0)) ? [{ text: `-${textAt(words, 0)}` }, ...words.slice(1)] : words;
  const letters = bundled.map(({ text }) => (/^-[A-Za-z]/.test(text) ? text : "")).join("");
  const long = (names: RegExp) => words.some(({ text }) => names.test(text));
  const makes = /[cru]/.test(letters) || long(/^--(?:create|append|update)$/);
  const lists = /t/.test(letters) || long(/^--list$/);
  const found: FileUse[] = [];
  const rest: Piece[] = [];
  for (let at = 0; at < bundled.length; at++) {
    const word = bundled[at] as Piece;
    const archive = /^-[A-Za-z]*f$|^--file$/.test(word.text) ? bundled[++at] : joined(word, "-f", "--file");
    if (archive) found.push({ ...archive, access: makes ? "write" : lists ? "list" : "read" });
    else rest.push(word);
  }
  const access: Access = makes ? "read" : lists ? "list" : "write";
  const others = tabled(table("tar"), rest).map((use): FileUse => ({ ...use, access }));
  return [...found, ...others, ...(access === "write" && others.length === 0 ? [{ text: ".", access }] : [])];
};

const zip: Reader = (words) =>
  tabled(table("zip"), words).map((use, at) => (at === 0 ? { ...use, access: "write" } : use));

const unzip: Reader = (words) => {
  const [archive, ...members] = tabled(table("unzip"), words).sort((a, b) =>
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
const curl: Reader = (words) => {
  const sent = words.flatMap((word, at): FileUse[] => {
    const separate = SENDS.test(textAt(words, at - 1));
    const mark = /^(?:-[dF]|--(?:data(?:-\w+)?|form|json)=)?(?:[\w.-]*=)?[@<]/.exec(word.text);
    return mark && (separate || word.text.startsWith("-")) ? [{ ...behind(word, mark[0].length), access: "read" }] : [];
  });
  const named = words.some(({ text }) => /^-\w*O$|^--remote-name(?:-all)?$/.test(text)) ? downloads(words) : [];
  const local = words.filter(({ text }) => /^file:/i.test(text)).map((word): FileUse => ({ ...word, access: "read" }));
  return [...sent, ...named, ...local, ...tabled(table("curl"), words)];
};

const wget: Reader = (words) => [...downloads(words), ...tabled(table("wget"), words)];

/** Files that are named like the ends of URLs. */
function downloads(words: readonly Piece[]): FileUse[] {
  const ends = words.map(({ text }) => /^[a-z]+:\/\/[^/]+\/(?:[^?#]*\/)?([^/?#]+)/i.exec(text)?.[1] ?? "");
  return ends.filter((text) => text !== "").map((text) => ({ text, access: "write" }));
}

/** More places than these for names to be in are refused by whoever looks at them. */
const MOST_FOUND = 20_000;

/** `find there -name x -delete`: where it looks, and what it looks for. */
const find: Reader = (words) => {
  const { starts, steps } = readFindArguments(words.map(({ text }) => text));
  const from: readonly Piece[] = starts.length > 0 ? starts.map((at) => words[at] as Piece) : [{ text: "." }];
  const runs = steps.filter(({ kind }) => kind === "run");
  const writes =
    steps.some(({ word }) => word === "-delete") ||
    runs.some(({ values }) => {
      const use = filesUsedBy(nameOf(values[0] ?? ""));
      return (
        use?.operands === "write" ||
        use?.inPlace?.some((option) => values.some((value) => value.startsWith(option))) === true
      );
    });
  const access = writes ? "write" : runs.length > 0 ? "read" : "list";
  // What is left out isn't what is looked for.
  const names = steps.flatMap(({ kind, values: [text] }, at) =>
    kind === "name" && text !== undefined && !isLeftOut(steps, at) ? [{ text, dynamic: text }] : [],
  );
  return [
    ...from.map((word): FileUse => ({ ...word, access: names.length > 0 ? "list" : access })),
    ...from
      .slice(0, MOST_FOUND / Math.max(1, names.length))
      .flatMap((folder) => names.map((name): FileUse => ({ ...seenFrom(folder, name), given: name.text, access }))),
    ...steps.flatMap(({ kind, at }): FileUse[] => {
      const word = kind === "write" ? words[at + 1] : undefined;
      return word ? [{ ...word, access: "write" }] : [];
    }),
  ];
};

/** `patch -p1 < x.diff` changes files that only the patch names. */
const patch: Reader = (words) => {
  const found = tabled(table("patch"), words);
  return found.some(({ access }) => access === "write") ? found : [...found, { text: ".", access: "write" }];
};

/** `-v /here:/there`: what is put into a container. */
const container: Reader = (words) => {
  const mounted = words.flatMap((word, at): FileUse[] => {
    const value = /^(?:-v|--volume)$/.test(textAt(words, at - 1)) ? word : joined(word, "-v", "--volume");
    const [text = "", there] = value?.text.split(":") ?? [];
    return value && there !== undefined ? [{ ...piece(text, value.dynamic?.split(":")[0]), access: "write" }] : [];
  });
  return [...mounted, ...tabled(table("docker build"), words)];
};

const READERS: Readonly<Record<string, Reader>> = {
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

export const special = (program: string): Reader | undefined =>
  Object.hasOwn(READERS, program) ? READERS[program] : undefined;
