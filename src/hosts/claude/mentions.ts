/** A file in a prompt: `@path` at its start or after a space, `@"path with spaces"`, perhaps with lines, `#L1-20`. */
const MENTION = /(?<!\S)@(?:"([^"\n]{1,4096})"|((?:\\[^\n]|[^\s"\\]){1,4096}))/g;
/** More mentions than these: each may attach a file of thousands of lines. */
const MAX_MENTIONS = 1_000;

/**
 * The files that a prompt names with "@": Claude Code attaches their content before the model asks for it
 * [docs https://code.claude.com/docs/en/common-workflows#reference-files-and-directories]. The hook gets the prompt as
 * it was typed. Punctuation at the end may belong to the sentence, so a name counts with and without it.
 */
export function listMentionedFiles(prompt: unknown): string[] {
  if (typeof prompt !== "string" || !prompt.includes("@")) return [];
  const found = new Set<string>();
  for (const [, quoted, plain = ""] of prompt.matchAll(MENTION).take(MAX_MENTIONS)) {
    const path = (quoted ?? plain.replace(/\\(?=.)/g, "")).replace(/#L?\d{1,9}(?:-L?\d{1,9})?$/, "");
    found.add(path);
    if (quoted === undefined) found.add(dropPunctuation(path));
  }
  found.delete("");
  return [...found];
}

function dropPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && ".,;:!?)]}'*`>".includes(path.charAt(end - 1))) end--;
  return path.slice(0, end);
}
