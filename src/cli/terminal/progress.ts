import { isatty } from "node:tty";
import { writeAll } from "../../call/process/io.ts";
import { truncateLine } from "../../operate/text.ts";

/** A progress line on the terminal. */
export interface Progress {
  show: (text: () => string) => void;
  /** Removes the line. Call `clear` before writing anything else. */
  clear: () => void;
}

const INTERVAL_MS = 100;
const CLEAR_LINE = "\r\u001b[K";

/**
 * Creates a progress line on stderr that is updated at most ten times per second. Prints nothing if stderr isn't a
 * terminal.
 */
export function createProgress(isTerminal = isatty(2) && process.env.TERM !== "dumb"): Progress {
  if (!isTerminal) return { show: () => {}, clear: () => {} };
  let lastUpdate = 0;
  let isShown = false;
  return {
    show(text) {
      const now = performance.now();
      if (now - lastUpdate < INTERVAL_MS) return;
      lastUpdate = now;
      isShown = true;
      writeAll(2, `${CLEAR_LINE}${truncateLine(text(), (process.stderr.columns || 80) - 1)}`);
    },
    clear() {
      if (isShown) writeAll(2, CLEAR_LINE);
      isShown = false;
    },
  };
}
