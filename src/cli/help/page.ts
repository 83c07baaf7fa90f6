import { choosePaint } from "../terminal/colors.ts";
import type { PageLayout } from "../terminal/layout.ts";

const DEFAULT_WIDTH = 80;
/** The maximum line width; longer lines of prose are hard to read. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 40;

/** Describes the output page. Help is always wrapped; COLUMNS sets the width if stdout isn't a terminal. */
export const describePage = (): PageLayout => ({
  width: Math.max(
    MIN_WIDTH,
    process.stdout.columns ? Math.min(process.stdout.columns, MAX_WIDTH) : Number(process.env.COLUMNS) || DEFAULT_WIDTH,
  ),
  paint: choosePaint(),
});
