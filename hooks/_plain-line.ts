/** A shell line in small letters, without quotes and backslashes. */
export function toPlainLine(line: string): string {
  // Most have none, and to compile the expression takes longer than to look.
  const isPut = line.includes('"') || line.includes("'") || line.includes("\\");
  return (isPut ? line.replace(/\\\n|['"\\]/g, "") : line).toLowerCase();
}
