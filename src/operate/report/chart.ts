import { scaleBand, scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import { OUTCOME_NAMES, OUTCOMES, type OutcomeCounts } from "../log/outcomes.ts";
import type { Timeline, TimelinePoint } from "./timeline.ts";
import { formatNumber } from "../text.ts";

/**
 * Chart sizes for desktop and phone, in CSS pixels. Scaling a single chart would make its text too small or too large.
 */
export const CHART_SIZES = { wide: { width: 960, height: 260 }, narrow: { width: 360, height: 220 } } as const;
export type ChartSize = keyof typeof CHART_SIZES;

const CHART_MARGIN = { left: 40, right: 4, top: 10, bottom: 24 };
const TICK_COUNT = 5;
const MAX_BAR_WIDTH = 40;
/** Width of a time axis label, including margins. */
const LABEL_WIDTH = 56;

const roundCoordinate = (value: number) => Number(value.toFixed(2));
const stackOutcomes = stack<OutcomeCounts>().keys(OUTCOMES);

/**
 * Draws outcomes over time as stacked bars. The page's stylesheet assigns colors and fonts to the classes. None of the
 * chart's text comes from the log.
 */
export function drawTimeline({ unit, points }: Timeline, size: ChartSize): string {
  const { width, height } = CHART_SIZES[size];
  const [bottom, right] = [height - CHART_MARGIN.bottom, width - CHART_MARGIN.right];
  const x = scaleBand(points.keys(), [CHART_MARGIN.left, right]).padding(0.3);
  const layers = stackOutcomes(points.map(({ counts }) => counts));
  const maxTotal = Math.max(1, ...(layers.at(-1) ?? []).map(([, top]) => top));
  const y = scaleLinear([0, maxTotal], [bottom, CHART_MARGIN.top]).nice(TICK_COUNT);
  const bar = Math.min(x.bandwidth(), MAX_BAR_WIDTH);
  const grid = y
    .ticks(TICK_COUNT)
    .filter(Number.isInteger)
    .flatMap((tick) => [
      `<line x1="${CHART_MARGIN.left}" x2="${right}" y1="${roundCoordinate(y(tick))}" y2="${roundCoordinate(y(tick))}"/>`,
      `<text class="value" x="${CHART_MARGIN.left - 8}" y="${roundCoordinate(y(tick)) + 4}">${formatNumber(tick)}</text>`,
    ]);
  const bars = layers.flatMap((layer) =>
    layer.flatMap(([low, high], at) => {
      if (high === low) return [];
      const [left, top] = [(x(at) ?? 0) + (x.bandwidth() - bar) / 2, y(high)];
      const title = `${formatPeriodStart(points[at]?.start ?? "", unit)}: ${high - low} ${OUTCOME_NAMES[layer.key as keyof OutcomeCounts]}`;
      return [
        `<rect class="${layer.key}" x="${roundCoordinate(left)}" y="${roundCoordinate(top)}" width="${roundCoordinate(bar)}" height="${roundCoordinate(y(low) - top)}"><title>${title}</title></rect>`,
      ];
    }),
  );
  // Count back from the newest bar, so that it always has a label.
  const labelInterval = Math.ceil(LABEL_WIDTH / x.step());
  const labels = points.flatMap(({ start }, at) => {
    if ((points.length - 1 - at) % labelInterval > 0) return [];
    const middle = (x(at) ?? 0) + x.bandwidth() / 2;
    const isAtEdge = middle + LABEL_WIDTH / 2 > width;
    const position = isAtEdge ? `class="value" x="${width}"` : `x="${roundCoordinate(middle)}"`;
    return [`<text ${position} y="${height - 6}">${formatPeriodStart(start, unit)}</text>`];
  });
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Calls by the ${unit}">\n${[...grid, ...bars, ...labels].join("\n")}\n</svg>`;
}

/** Draws outcomes as a single bar, with a length relative to the maximum. */
export function drawBar(counts: OutcomeCounts, maxTotal: number): string {
  const x = scaleLinear([0, maxTotal], [0, 100]);
  const parts = stackOutcomes([counts]).flatMap((layer) =>
    layer.flatMap(([low, high]) =>
      low === high
        ? []
        : [
            `<rect class="${layer.key}" x="${roundCoordinate(x(low))}" width="${roundCoordinate(x(high) - x(low))}" height="1"/>`,
          ],
    ),
  );
  return `<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts.join("")}</svg>`;
}

const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats the start of a time span in the local time zone, such as `14:00` or `24 Nov`. */
export function formatPeriodStart(start: TimelinePoint["start"], unit: Timeline["unit"]): string {
  const at = new Date(start);
  return unit === "hour"
    ? `${String(at.getHours()).padStart(2, "0")}:00`
    : `${at.getDate()} ${MONTH_NAMES[at.getMonth()]}`;
}
