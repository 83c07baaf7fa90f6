/** Formats text as inline code, with longer fences if the text contains backticks. */
export function quoteCode(text: string): string {
  if (!text.includes("`")) return `\`${text}\``;
  const padding = /^`|`$/.test(text) ? " " : "";
  return `\`\`${padding}${text}${padding}\`\``;
}
