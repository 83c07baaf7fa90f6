import { expandHome, followLinks } from "../_paths.ts";
import { resolve } from "node:path";
import { FILE_HINT, FILE_PIECES, KEEPER_PROGRAMS } from "./hints.build.ts";
import { hasHiddenWords, toPlainLine } from "../_plain-line.ts";

const ENV_ARGUMENT = "(?:\\s+(?:-[a-z0-9]+|--null|\\w+=\\S*))";

/** One of these stands in every line, in small letters and without quotes, that prints what `printed` looks for. */
const PRINT_HINT = [
  // Of more words than these nobody needs to know how they end.
  `(?:^|[\\s;&|({\`/!])(?:env|set|export|declare|typeset|readonly)(?:${ENV_ARGUMENT}{9}|${ENV_ARGUMENT}{0,8}\\s*(?:$|[;&|)}\`>\\n]))`,
  "printenv|(?:declare|typeset|export)\\s+-p|\\bps\\s+[a-z]*e|environ|process\\.env|bun\\.env|deno\\.env|getenv|[^.\\w]env[[{.\\s)]|[$%]_?env|\\senv:",
  "\\$\\{!|(?:declare|typeset|local)\\s+-[a-z]*n",
  "(?:\\$\\{?(?:env:)?|%|!|\\bset )[a-z0-9_]*(?:secret|token|pass|credential|key|_pw|_pat|_auth|_ur[il])",
  "(?:powershell|pwsh)(?:\\.exe)?\\s[^\\n]{0,300}[-/]e",
].join("|");

/** The same for keepers of secrets. `git`, `docker` and `terraform` are in every other line: of them it is one word. */
const KEEPER_HINT = `(?:^|[^\\w.-])(?:${KEEPER_PROGRAMS.join("|")})\\s|(?:terraform|tofu)\\s(?:(?!(?:terraform|tofu)\\s).)*output|credential|inspect`;

/** A line without any of this, and without links, has nothing to do with secrets. In small letters, without quotes. */
const SECRET_HINT = new RegExp(`${FILE_HINT}|${PRINT_HINT}|${KEEPER_HINT}|\\bcommit\\b`);
/**
 * For each of the above a piece that stands in whatever it finds, and whole words. Looked for first: to compile
 * SECRET_HINT takes longer than a call.
 */
const PRINT_PIECES =
  "env set export declare typeset readonly local $ % ! powershell pwsh credential inspect commit".split(" ");
const HINT_WORDS = new Set(["ps", "terraform", "tofu", ...KEEPER_PROGRAMS]);

/** Whether SECRET_HINT may find something in such a line. */
function hasHintPiece(plain: string): boolean {
  for (const piece of PRINT_PIECES) if (plain.includes(piece)) return true;
  for (const piece of FILE_PIECES) if (plain.includes(piece)) return true;
  for (const word of plain.split(/[^\w.-]+/)) if (HINT_WORDS.has(word)) return true;
  return false;
}

/** Where the shell puts a name together: wildcards, lists in braces, and escapes. */
const HIDDEN_NAME = /[*?]|\[[^\s[]|\{[^{}\s,.]*[,.]|[\w.][`^]\w/;
const MAX_WORDS = 200;

/** The words of a line, without reading it. */
export const splitWords = (line: string): string[] => line.split(/[\s;&|<>()'"`=:@,]+/);

/** Whether a link is on the way to one of a line's words, taken as a path; at a glance, without reading the line. */
function hasLinks(line: string, cwd: string): boolean {
  const words = splitWords(line);
  if (words.length > MAX_WORDS) return true;
  let folder = followLinks(cwd) ?? cwd;
  for (const [at, word] of words.entries()) {
    if (word === "" || word.startsWith("-")) continue;
    const path = resolve(folder, expandHome(word));
    if ((followLinks(path) ?? path) !== path) return true;
    if (words[at - 1] === "cd") folder = path;
  }
  return false;
}

/** Whether a line needs a closer look. Most don't, and the parser is not even loaded. */
export function mayConcernSecrets(line: string, cwd: string, deny: readonly string[]): boolean {
  const plain = toPlainLine(line);
  return (
    deny.some((glob) => plain.includes(findLongestLiteral(glob))) ||
    (hasHintPiece(plain) && SECRET_HINT.test(plain)) ||
    HIDDEN_NAME.test(line) ||
    hasHiddenWords(line) ||
    hasLinks(line, cwd)
  );
}

/** What stands in every name that a glob fits: the longest piece of its last part without wildcards. */
function findLongestLiteral(glob: string): string {
  const name = glob.slice(glob.lastIndexOf("/") + 1).toLowerCase();
  return /[{!\\[]/.test(name) ? "" : (name.split(/[*?]+/).sort((a, b) => b.length - a.length)[0] ?? "");
}
