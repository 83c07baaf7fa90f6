/**
 * Matches a file mentioned in a prompt: `@path` at the start or after whitespace, or `@"path with spaces"`. A line
 * range such as `#L1-20` may follow the path.
 */
const MENTION = /(?<!\S)@(?:"([^"\n]{1,4096})"|((?:\\[^\n]|[^\s"\\]){1,4096}))/g;
/** Maximum number of mentions to examine. Each mention may attach a file with thousands of lines. */
const MAX_MENTIONS = 1_000;

/**
 * Lists the files that a prompt mentions with "@". The hook receives the prompt as typed, but Claude Code attaches each
 * file's content without a tool call [docs
 * https://code.claude.com/docs/en/common-workflows#reference-files-and-directories]. Punctuation after a file name may
 * belong to the sentence, so each name is listed both with and without that punctuation. Missing files aren't attached.
 */
export function listMentionedFiles(prompt: unknown): string[] {
  if (typeof prompt !== "string" || !prompt.includes("@")) return [];
  const candidates = new Set<string>();
  for (const [, quoted, plain = ""] of prompt.matchAll(MENTION).take(MAX_MENTIONS)) {
    const path = (quoted ?? plain.replace(/\\(?=.)/g, "")).replace(/#L?\d{1,9}(?:-L?\d{1,9})?$/, "");
    for (const name of quoted === undefined ? listPossibleNames(path) : [path]) candidates.add(name);
  }
  candidates.delete("");
  return [...candidates];
}

/** Lists the file names that a mention may refer to. The name may end at any non-word character. */
function listPossibleNames(text: string): string[] {
  const end = text.search(NAME_END);
  return [text, end < 0 ? text : text.slice(0, end)].flatMap((name) => [name, dropPunctuation(name)]);
}
/** Characters that are rare in file names and so may end a mention: `@.env|`, `@.env#heading`, `@.env。`. */
const NAME_END = /[^!-~]|["#|<>*?,;:!()[\]{}'`]/;

function dropPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && !/\w/.test(path.charAt(end - 1))) end--;
  return path.slice(0, end);
}
