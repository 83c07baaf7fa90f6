import type { Quartiles } from "./statistics.ts";

export interface Bar {
  label: string;
  ratio: Quartiles;
  /** Whether the bar represents another program rather than the product. */
  isPeer?: boolean;
}

export interface BarSection {
  title: string;
  bars: readonly Bar[];
}

const WIDTH = 860;
const LABELS = 300;
const VALUES = 50;
const LINE = 22;
const TITLE = 38;
const BOTTOM = 34;

const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600 }
.note { fill: #57606a; font-size: 12px }
.bar { fill: #2f6feb }
.peer { fill: #a0a8b3 }
.spread { stroke: #24292f; stroke-opacity: .55 }
.grid { stroke: #d0d7de }
.floor { stroke: #cf222e; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.note { fill: #9198a1 }
.bar { fill: #4493f8 }
.peer { fill: #6e7681 }
.spread { stroke: #e6edf3 }
.grid { stroke: #3d444d }
.floor { stroke: #ff7b72 }
}
`;

const escapeXml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] as string);

/** Lists an axis's tick values, from 0 to at least `max`. */
function listTicks(max: number): number[] {
  const step = [0.5, 1, 2, 5, 10, 20].find((one) => max / one <= 10) ?? 50;
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, at) => at * step);
}

/** Draws ratios to the floor as bars with quartile marks, plus a line at the floor. */
export function drawPicture(note: string, sections: readonly BarSection[]): string {
  const ticks = listTicks(Math.max(1, ...sections.flatMap(({ bars }) => bars.map(({ ratio }) => ratio.q3))));
  const last = ticks.at(-1) as number;
  const toX = (ratio: number) => Number((LABELS + (ratio / last) * (WIDTH - LABELS - VALUES)).toFixed(1));
  const parts: string[] = [];
  let y = 0;
  for (const { title, bars } of sections) {
    y += TITLE;
    parts.push(`<text class="title" x="0" y="${y - 10}">${escapeXml(title)}</text>`);
    for (const { label, ratio, isPeer } of bars) {
      const middle = y + LINE / 2;
      parts.push(
        `<text x="${LABELS - 8}" y="${middle + 4}" text-anchor="end">${escapeXml(label)}</text>`,
        `<rect class="${isPeer ? "peer" : "bar"}" x="${LABELS}" y="${y + 3}" width="${(toX(ratio.median) - LABELS).toFixed(1)}" height="${LINE - 6}"/>`,
        `<path class="spread" d="M${toX(ratio.q1)} ${middle}H${toX(ratio.q3)}"/>`,
        `<text x="${toX(Math.max(ratio.median, ratio.q3)) + 6}" y="${middle + 4}">${ratio.median.toFixed(2)}</text>`,
      );
      y += LINE;
    }
  }
  const axis = ticks.flatMap((tick) => [
    `<path class="grid" d="M${toX(tick)} ${TITLE}V${y}"/>`,
    `<text class="note" x="${toX(tick)}" y="${y + 16}" text-anchor="middle">${tick}</text>`,
  ]);
  const height = y + BOTTOM;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escapeXml(note)}</title>
<style>${STYLE}</style>
${[...axis, ...parts].join("\n")}
<path class="floor" d="M${toX(1)} ${TITLE}V${y}"/>
<text class="note" x="0" y="${height - 4}">${escapeXml(note)}</text>
</svg>
`;
}
