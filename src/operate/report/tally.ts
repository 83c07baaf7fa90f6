import type { LogLine } from "../../call/log/log-line.ts";
import { describeRequest, isDeniedByFailure } from "../log/describe.ts";
import {
  classifyLine,
  createCounts,
  describeWithheld,
  OUTCOMES,
  type Outcome,
  type OutcomeCounts,
  sumCounts,
} from "../log/outcomes.ts";

/** Outcome counts of the calls that share a property, such as the host. */
export interface TallyRow {
  name: string;
  counts: OutcomeCounts;
}

/** Number of calls that a mode allowed, for one outcome under enforcement: `would be denied (observe)`. */
export interface WithheldCount {
  what: string;
  count: number;
}

/** Properties by which the report groups decisions. */
export const DIMENSIONS = ["host", "hook", "rule", "project"] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export type Breakdown = Record<Dimension, TallyRow[]>;

/** Calls that were stopped for the same reason, or would have been stopped if rules were enforced. */
export interface StoppedGroup {
  hook?: string;
  rule?: string;
  /** The judged command or file, or else the whole request. */
  subject: string;
  outcome: Outcome;
  count: number;
  /** Newest line of the group. */
  line: LogLine;
}

/**
 * Maximum number of rows and groups. Names in the log come from the logged calls, so their number must be limited.
 * Further names are counted together.
 */
const MAX_NAMES = 2_000;
/** Name of the row that counts all names beyond the maximum. */
export const REMAINING_ROW = "(others)";

export interface Tally {
  counts: OutcomeCounts;
  breakdown: Breakdown;
  stopped: StoppedGroup[];
  withheld: WithheldCount[];
  /** Number of calls that were denied because a hook or the call failed. */
  deniedByFailure: number;
  add: (line: LogLine) => Outcome;
}

/**
 * Counts lines by outcome, host, hook, rule and project. Memory use grows with the number of distinct names, not the
 * number of lines.
 */
export function createTally(): Tally {
  const counts = createCounts();
  const rows = { host: new Map(), hook: new Map(), rule: new Map(), project: new Map() } satisfies Record<
    Dimension,
    Map<string, TallyRow>
  >;
  const groups = new Map<string, StoppedGroup>();
  const withheld = new Map<string, number>();
  let deniedByFailure = 0;
  return {
    counts,
    get breakdown() {
      return Object.fromEntries(DIMENSIONS.map((one) => [one, sortRows(rows[one].values())])) as Breakdown;
    },
    get withheld() {
      return [...withheld].map(([what, count]) => ({ what, count }));
    },
    get deniedByFailure() {
      return deniedByFailure;
    },
    get stopped() {
      return [...groups.values()].sort((a, b) => b.count - a.count);
    },
    add(line) {
      const outcome = classifyLine(line);
      counts[outcome]++;
      if (isDeniedByFailure(line)) deniedByFailure++;
      const description = outcome === "withheld" ? describeWithheld(line) : "";
      if (description !== "") withheld.set(description, (withheld.get(description) ?? 0) + 1);
      for (const dimension of DIMENSIONS) {
        const name = line[dimension];
        if (name !== undefined) getRow(rows[dimension], name).counts[outcome]++;
      }
      if (outcome === "denied" || outcome === "asked" || outcome === "withheld" || outcome === "excepted")
        addToGroup(groups, line, outcome);
      return outcome;
    },
  };
}

function getRow(rows: Map<string, TallyRow>, requestedName: string): TallyRow {
  const name = rows.has(requestedName) || rows.size < MAX_NAMES ? requestedName : REMAINING_ROW;
  const row = rows.get(name) ?? { name, counts: createCounts() };
  rows.set(name, row);
  return row;
}

/** Adds a line to its group. Lines from the same machine must be added newest first. */
function addToGroup(groups: Map<string, StoppedGroup>, line: LogLine, outcome: Outcome): void {
  const { hook, rule } = line;
  const subject = describeRequest(line);
  const effect = outcome === "withheld" ? describeWithheld(line) : outcome;
  const key = JSON.stringify([effect, hook, rule, subject]);
  const group = groups.get(key);
  if (group) {
    group.count++;
    if (line.time > group.line.time) group.line = line;
  } else if (groups.size < MAX_NAMES)
    groups.set(key, { ...(hook && { hook }), ...(rule && { rule }), subject, outcome, count: 1, line });
}

const sortRows = (rows: Iterable<TallyRow>): TallyRow[] =>
  [...rows].sort((a, b) => compareCounts(b.counts, a.counts) || (a.name < b.name ? -1 : 1));

/** Compares rows by the number of stopped calls, and then by the number of all calls. */
const compareCounts = (a: OutcomeCounts, b: OutcomeCounts) =>
  sumStopped(a) - sumStopped(b) || sumCounts(a) - sumCounts(b);

const sumStopped = (counts: OutcomeCounts) =>
  OUTCOMES.slice(0, OUTCOMES.indexOf("passed")).reduce((sum, outcome) => sum + counts[outcome], 0);
