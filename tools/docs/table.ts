/** Formats a padded Markdown table. The first row is the header. */
export function formatTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, at) => Math.max(3, ...all.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[], filler = " ") =>
    `| ${widths.map((width, at) => (cells[at] ?? "").padEnd(width, filler)).join(" | ")} |`;
  const [first = [], ...others] = all;
  return [
    line(first),
    line(
      first.map(() => ""),
      "-",
    ),
    ...others.map((row) => line(row)),
  ].join("\n");
}
