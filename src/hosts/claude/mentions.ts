/** A file in a prompt: `@path` at its start or after a space, `@"path with spaces"`, perhaps with lines, `#L1-20`. */
const MENTION = /(?<!\S)@(?:"([^"\n]{1,4096})"|((?:\\[^\n]|[^\s"\\]){1,4096}))/g;
/** More mentions than these: each may attach a file of thousands of lines. */
const MAX_MENTIONS = 1_000;

/**
 * The files that a prompt names with "@": Claude Code attaches their content before the model asks for it
 * [docs https://code.claude.com/docs/en/common-workflows#reference-files-and-directories]. The hook gets the prompt as
 * it was typed. What follows a name may belong to the sentence, so a name counts with and without it; files that don't
 * exist aren't attached.
 */
export function listMentionedFiles(prompt: unknown): string[] {
  if (typeof prompt !== "string" || !prompt.includes("@")) return [];
  const found = new Set<string>();
  for (const [, quoted, plain = ""] of prompt.matchAll(MENTION).take(MAX_MENTIONS)) {
    const path = (quoted ?? plain.replace(/\\(?=.)/g, "")).replace(/#L?\d{1,9}(?:-L?\d{1,9})?$/, "");
    for (const name of quoted === undefined ? listPossibleNames(path) : [path]) found.add(name);
  }
  found.delete("");
  return [...found];
}

/** The names that a mention may have: any character that isn't part of a word may end it. */
function listPossibleNames(text: string): string[] {
  const end = text.search(NAME_END);
  return [text, end < 0 ? text : text.slice(0, end)].flatMap((name) => [name, dropPunctuation(name)]);
}
/** No usual name has these characters: `@.env|`, `@.env#heading`, `@.env。`. */
const NAME_END = /[^!-~]|["#|<>*?,;:!()[\]{}'`]/;

function dropPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && !/\w/.test(path.charAt(end - 1))) end--;
  return path.slice(0, end);
}
