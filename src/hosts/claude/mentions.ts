/**
 * Matches a file mention in a prompt: `@path` at the start or after whitespace, or `@"path with spaces"`. The path can
 * be followed by a line range such as `#L1-20`.
 */
const MENTION = /(?<!\S)@(?:"([^"\n]{1,4096})"|((?:\\[^\n]|[^\s"\\]){1,4096}))/g;
/** Maximum number of mentions to examine, since each one can attach a file with thousands of lines. */
const MAX_MENTIONS = 1_000;

/**
 * Lists the files that a prompt mentions with "@". The hook receives the prompt as typed, but Claude Code attaches the
 * contents of each file without a tool call [docs
 * https://code.claude.com/docs/en/common-workflows#reference-files-and-directories]. Punctuation after a file name
 * might belong to the sentence, so each name is listed both with and without it. Missing files aren't attached.
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

/** Lists the file names that a mention could refer to, since punctuation may or may not belong to the name. */
function listPossibleNames(text: string): string[] {
  const end = text.search(NAME_END_PATTERN);
  return [text, end < 0 ? text : text.slice(0, end)].flatMap((name) => [name, removePunctuation(name)]);
}
/** Characters that are rare in file names, so a mention could end before them: `@.env|`, `@.env#heading`, `@.env。`. */
const NAME_END_PATTERN = /[^!-~]|["#|<>*?,;:!()[\]{}'`]/;

function removePunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && !/\w/.test(path.charAt(end - 1))) end--;
  return path.slice(0, end);
}
