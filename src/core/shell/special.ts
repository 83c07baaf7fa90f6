import { attached, behind, type FileUse, type Piece, piece, tabled, used } from "./operands.ts";
import { type Use, useOf } from "./uses.ts";

/** The files that a program names in arguments with a grammar of their own. */
type Reader = (words: readonly Piece[]) => FileUse[];

const table = (program: string) => useOf(program) as Use;
const textAt = (words: readonly Piece[], at: number) => words[at]?.text ?? "";

/** `git -C there show HEAD:x` */
const git: Reader = (words) => {
  let at = 0;
  while (textAt(words, at).startsWith("-")) at += /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/.test(textAt(words, at)) ? 2 : 1;
  const name = `git ${textAt(words, at)}`;
  const rest = words.slice(at + 1).map((word) => {
    const revision = /^git (?:show|cat-file|diff|log)$/.test(name) ? /^[\w./~^@{}-]*:/.exec(word.text) : null;
    return revision ? behind(word, revision[0].length) : word;
  });
  const folder = words.slice(0, at).findLast((_, index) => textAt(words, index - 1) === "-C");
  const found = used(name, rest);
  return folder ? [{ ...folder, access: "list" }, ...found.map((use) => ({ ...use, ...within(folder, use) }))] : found;
};

/** A name as seen from a folder. */
function within(folder: Piece, name: Piece): Piece {
  if (/^[/~$]/.test(name.text)) return name;
  const dynamic = folder.dynamic ?? name.dynamic;
  return piece(
    `${folder.text}/${name.text}`,
    dynamic === undefined ? undefined : `${folder.dynamic ?? folder.text}/${name.dynamic ?? name.text}`,
  );
}

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
    const archive = /^-[A-Za-z]*f$|^--file$/.test(word.text) ? bundled[++at] : attached(word, "-f --file");
    if (archive) found.push({ ...archive, access: makes ? "write" : lists ? "list" : "read" });
    else rest.push(word);
  }
  const access = makes ? "read" : lists ? "list" : "write";
  return [...found, ...tabled(table("tar"), rest).map((use) => ({ ...use, access: access as FileUse["access"] }))];
};

const zip: Reader = (words) => tabled(table("zip"), words).map((use, at) => (at === 0 ? { ...use, access: "write" } : use));

const unzip: Reader = (words) => {
  const found = tabled(table("unzip"), words);
  const archive = found.find(({ access }) => access === "read");
  return found.map((use) => (use === archive || use.access === "write" ? use : { ...use, access: "write" }));
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
  return [...sent, ...named, ...tabled(table("curl"), words)];
};

const wget: Reader = (words) => [...downloads(words), ...tabled(table("wget"), words)];

/** Files that are named like the ends of URLs. */
function downloads(words: readonly Piece[]): FileUse[] {
  const ends = words.map(({ text }) => /^[a-z]+:\/\/[^/]+\/(?:[^?#]*\/)?([^/?#]+)/i.exec(text)?.[1] ?? "");
  return ends.filter((text) => text !== "").map((text) => ({ text, access: "write" }));
}

/** `find there -name x -delete`: where it looks, and what it looks for. */
const find: Reader = (words) => {
  const tests = words.findIndex(({ text }) => /^(?:-[a-z]|[!(])/.test(text));
  const starts = words.slice(0, tests < 0 ? undefined : tests).filter(({ text }) => !text.startsWith("-"));
  const from = starts.length > 0 ? starts : [{ text: "." }];
  const has = (option: RegExp) => words.some(({ text }) => option.test(text));
  const access = has(/^-delete$/) ? "write" : has(/^-(?:exec|ok)(?:dir)?$/) ? "read" : "list";
  const behindOption = (option: RegExp) => words.filter((_, at) => option.test(textAt(words, at - 1)));
  const names = behindOption(/^-i?(?:name|path|wholename)$/).map(({ text }) => ({ text, dynamic: text }));
  return [
    ...from.map((word): FileUse => ({ ...word, access: names.length > 0 ? "list" : access })),
    ...from.flatMap((folder) => names.map((name): FileUse => ({ ...within(folder, name), access }))),
    ...behindOption(/^-f(?:print0?|ls|printf)$/).map((word): FileUse => ({ ...word, access: "write" })),
  ];
};

/** `-v /here:/there`: what is put into a container. */
const container: Reader = (words) => {
  const mounted = words.flatMap((word, at): FileUse[] => {
    const value = /^(?:-v|--volume)$/.test(textAt(words, at - 1)) ? word : attached(word, "-v --volume");
    const [text = "", there] = value?.text.split(":") ?? [];
    return value && there !== undefined ? [{ ...piece(text, value.dynamic?.split(":")[0]), access: "write" }] : [];
  });
  return [...mounted, ...tabled(table("docker"), words)];
};

const READERS: Readonly<Record<string, Reader>> = { git, dd, tar, zip, unzip, curl, wget, find, docker: container, podman: container };

export const special = (program: string): Reader | undefined => (Object.hasOwn(READERS, program) ? READERS[program] : undefined);
