import type { FileChange } from "./tool.ts";

type DiffedFile = Omit<FileChange, "edits">;

/** Maximum number of files read from one diff. The rest are ignored. */
const MAX_FILES = 10_000;
const NO_FILE = "/dev/null";

/**
 * Returns the files that a unified or context diff changes, including the renames and mode changes in git headers. Each
 * name is returned with and without its first directory (`a/x` and `x`). An ambiguous header yields every possible
 * file, so that no file is missed.
 */
export function findDiffedFiles(text: string): DiffedFile[] {
  if (!/^(?:diff --git |--- |\*\*\* |Index: |rename |copy )/m.test(text)) return [];
  const filesByName = new Map<string, DiffedFile>();
  const add = (name: string, operation: FileChange["operation"]) => {
    if (name === "" || name === NO_FILE || filesByName.size >= MAX_FILES) return;
    for (const file_path of [name, name.slice(name.indexOf("/") + 1)])
      if (file_path !== "") filesByName.set(file_path, { file_path, operation });
  };
  const lines = text.split("\n");
  for (const [at, given] of lines.entries()) {
    const line = given.endsWith("\r") ? given.slice(0, -1) : given;
    const nextLine = lines[at + 1] ?? "";
    if (line.startsWith("diff --git ")) for (const name of readGitNames(line.slice(11))) add(name, "update");
    else if (line.startsWith("rename from ")) add(decodeGitName(line.slice(12)), "delete");
    else if (/^(?:rename|copy) to /.test(line)) add(decodeGitName(line.slice(line.indexOf(" to ") + 4)), "add");
    else if (line.startsWith("Index: ")) add(readName(line.slice(7)), "update");
    else if (isFileHeader(line, nextLine)) {
      const [from, to] = [readName(line.slice(4)), readName(nextLine.slice(4))];
      add(from, to === NO_FILE ? "delete" : "update");
      add(to, from === NO_FILE ? "add" : "update");
    }
  }
  return [...filesByName.values()];
}

/** Returns whether two lines are the header of a file in a unified or context diff. */
const isFileHeader = (line: string, nextLine: string): boolean =>
  (line.startsWith("--- ") && nextLine.startsWith("+++ ")) || (line.startsWith("*** ") && nextLine.startsWith("--- "));

/** Decodes a file name that git quotes with C-style escapes because of unusual characters. */
const decodeGitName = (text: string): string =>
  /^".*"$/.test(text)
    ? text
        .slice(1, -1)
        .replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, sign: string) =>
          octal === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(octal, 8)),
        )
    : text;
const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r" };

/** Returns the name in a file header, without the timestamp after the tab. */
const readName = (text: string): string => decodeGitName((text.split("\t", 1)[0] as string).trim());

/**
 * Returns the names in the `a/x b/x` part of a `diff --git` line. If names contain spaces, returns every possible
 * split.
 */
function readGitNames(text: string): string[] {
  if (text.includes('"')) return [...text.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g)].map(([name]) => decodeGitName(name));
  const pairs: [string, string][] = [];
  for (let at = text.indexOf(" "); at >= 0 && pairs.length < MAX_SPACES; at = text.indexOf(" ", at + 1))
    pairs.push([text.slice(0, at), text.slice(at + 1)]);
  // Both sides have the same name unless another header says otherwise.
  const samePairs = pairs.filter(([from, to]) => from.slice(from.indexOf("/")) === to.slice(to.indexOf("/")));
  return (samePairs.length > 0 ? samePairs : pairs).flat();
}
const MAX_SPACES = 32;
