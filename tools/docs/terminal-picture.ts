/** Marks a line of a recording as typed. All other lines are output. */
const PROMPT = "$ ";

const COLUMNS = 80;
const [CHARACTER, LINE, PADDING, BAR] = [8.4, 20, 18, 34];
const WIDTH = Math.ceil(COLUMNS * CHARACTER + 2 * PADDING);

const STYLE = `
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d1d7e0; white-space: pre }
.typed { fill: #ffffff; font-weight: 600 }
.prompt { fill: #57ab5a }
.deny { fill: #ff7b72; font-weight: 600 }
.rest { fill: #768390 }
`;

const escapeXml = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Truncates the output of each command in a recording and marks the cut with an ellipsis. */
function cutOutputs(recording: string, mostLines: readonly number[]): string[] {
  const commands = recording.trim().split(/\n+(?=\$ )/);
  return commands.flatMap((command, at) => {
    const [typedLine = "", ...output] = command.trimEnd().split("\n");
    const maxLines = mostLines[at] ?? Infinity;
    const shown = output.length > maxLines ? [...output.slice(0, maxLines), "…"] : output;
    return [...(at === 0 ? [] : [""]), typedLine, ...shown];
  });
}

function drawLine(line: string): string {
  if (line === "…") return `<tspan class="rest">${line}</tspan>`;
  if (line.startsWith(PROMPT))
    return `<tspan class="prompt">${PROMPT}</tspan><tspan class="typed">${escapeXml(line.slice(PROMPT.length))}</tspan>`;
  return escapeXml(line).replace(/\bdeny\b|\^{3,}|Blocked/g, (word) => `<tspan class="deny">${word}</tspan>`);
}

/**
 * Draws a terminal recording as an SVG image.
 *
 * @param title title for screen readers
 * @param mostLines maximum number of output lines to draw, for each command
 */
export function drawTerminal(recording: string, title: string, mostLines: readonly number[]): string {
  const lines = cutOutputs(recording, mostLines);
  const height = BAR + lines.length * LINE + PADDING;
  const buttons = ["#ff5f57", "#febc2e", "#28c840"].map(
    (color, at) => `<circle cx="${PADDING + at * 18}" cy="${BAR / 2}" r="6" fill="${color}"/>`,
  );
  const texts = lines.flatMap((line, at) =>
    line === ""
      ? []
      : [`<text x="${PADDING}" y="${BAR + (at + 1) * LINE - 6}" xml:space="preserve">${drawLine(line)}</text>`],
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#1c2128"/>`,
    ...buttons,
    ...texts,
    "</svg>",
  ].join("\n")}\n`;
}
