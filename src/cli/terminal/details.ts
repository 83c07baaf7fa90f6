/** Formats the details of a command's help. Each argument is a paragraph: a sentence, or a list of sentences. */
export const formatDetails = (...paragraphs: readonly (string | readonly string[])[]): string =>
  paragraphs.map((paragraph) => [paragraph].flat().join(" ")).join("\n\n");
