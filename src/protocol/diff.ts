import type { FileChange } from "./tool.ts";

/** A file that a diff changes. */
type DiffedFile = Omit<FileChange, "edits">;

/** More files than these are not read one by one: the first of a longer diff count. */
const MAX_FILES = 10_000;
const NO_FILE = "/dev/null";

/**
 * The files that a diff changes: of a unified or a context diff, with or without git's headers for files that get
 * another name or other rights. Names are given with and without their first directory, `a/x` and `x`, and a header
 * that can be read in several ways gives several files, so that none is missed.
 */
export function findDiffedFiles(text: string): DiffedFile[] {
  if (!/^(?:diff --git |--- |\*\*\* |Index: |rename |copy )/m.test(text)) return [];
  const found = new Map<string, DiffedFile>();
  const add = (name: string, operation: FileChange["operation"]) => {
    if (name === "" || name === NO_FILE || found.size >= MAX_FILES) return;
    for (const file_path of [name, name.slice(name.indexOf("/") + 1)])
      if (file_path !== "") found.set(file_path, { file_path, operation });
  };
  const lines = text.split("\n");
  for (const [at, given] of lines.entries()) {
    const line = given.endsWith("\r") ? given.slice(0, -1) : given;
    const next = lines[at + 1] ?? "";
    if (line.startsWith("diff --git ")) for (const name of readGitNames(line.slice(11))) add(name, "update");
    else if (line.startsWith("rename from ")) add(unquote(line.slice(12)), "delete");
    else if (/^(?:rename|copy) to /.test(line)) add(unquote(line.slice(line.indexOf(" to ") + 4)), "add");
    else if (line.startsWith("Index: ")) add(readName(line.slice(7)), "update");
    else if (isHeader(line, next)) {
      const [from, to] = [readName(line.slice(4)), readName(next.slice(4))];
      add(from, to === NO_FILE ? "delete" : "update");
      add(to, from === NO_FILE ? "add" : "update");
    }
  }
  return [...found.values()];
}

/** Whether two lines name both sides of a file: of a unified diff, or of a context diff. */
const isHeader = (line: string, next: string): boolean =>
  (line.startsWith("--- ") && next.startsWith("+++ ")) || (line.startsWith("*** ") && next.startsWith("--- "));

/** Git puts names with unusual characters into quotes, with escapes as in C. */
const unquote = (text: string): string =>
  /^".*"$/.test(text)
    ? text
        .slice(1, -1)
        .replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, sign: string) =>
          octal === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(octal, 8)),
        )
    : text;
const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r" };

/** The name in a header, without the time after a tab. */
const readName = (text: string): string => unquote((text.split("\t", 1)[0] as string).trim());

/** The names of a line of git's, `a/x b/x`: one with blanks may end at several places. */
function readGitNames(text: string): string[] {
  if (text.includes('"')) return [...text.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g)].map(([name]) => unquote(name));
  const pairs: [string, string][] = [];
  for (let at = text.indexOf(" "); at >= 0 && pairs.length < MAX_BLANKS; at = text.indexOf(" ", at + 1))
    pairs.push([text.slice(0, at), text.slice(at + 1)]);
  // Both sides have the same name, unless other lines say so.
  const same = pairs.filter(([from, to]) => from.slice(from.indexOf("/")) === to.slice(to.indexOf("/")));
  return (same.length > 0 ? same : pairs).flat();
}
const MAX_BLANKS = 32;
