import { isatty } from "node:tty";
import { writeAll } from "../../call/process/io.ts";
import { truncateLine } from "../../operate/text.ts";

/** A line on the terminal that says how far long work has come. */
export interface Progress {
  show: (text: () => string) => void;
  /** Removes the line, before anything else is written. */
  clear: () => void;
}

const INTERVAL_MS = 100;
const CLEAR_LINE = "\r\u001b[K";

/** Creates a line on stderr that is written again at most ten times a second; silent if stderr is not a terminal. */
export function createProgress(isTerminal = isatty(2) && process.env.TERM !== "dumb"): Progress {
  if (!isTerminal) return { show: () => {}, clear: () => {} };
  let last = 0;
  let isShown = false;
  return {
    show(text) {
      const now = performance.now();
      if (now - last < INTERVAL_MS) return;
      last = now;
      isShown = true;
      writeAll(2, `${CLEAR_LINE}${truncateLine(text(), (process.stderr.columns || 80) - 1)}`);
    },
    clear() {
      if (isShown) writeAll(2, CLEAR_LINE);
      isShown = false;
    },
  };
}
