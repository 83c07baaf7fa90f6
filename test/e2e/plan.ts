import type { IHookResponse } from "bridge-hooks";

/** What the probe does at an event besides answering. */
export type Way = "throw" | "hang" | "loop" | "noise" | "exit" | "rubbish";

/** One thing that the probe is to do; the first that fits a call counts. */
export interface Rule {
  /** The host's own event name. */
  event: string;
  /** Only for this tool, in the host's word. */
  tool?: string;
  /** Only inside a subagent (true), or only outside. */
  agent?: boolean;
  answer?: IHookResponse;
  way?: Way;
}

/** A call of the probe, as it was recorded. */
export interface Call {
  native_event: string;
  event: string;
  tool?: string;
  payload: Record<string, unknown>;
  /** Command line of the executable. */
  argv: string[];
}

/** The variable that names the run's folder. */
export const RUN = "BRIDGE_E2E_RUN";
