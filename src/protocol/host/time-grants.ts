/** How long a host waits for an entry's command, in seconds. */
export interface TimeGrant {
  /** Time limit of an entry without a `timeout`. */
  default_s: number;
  /** The longest `timeout` that the host accepts. Absent if it accepts any. */
  max_s?: number;
}

/** How long a host waits for an entry's command on each of its events. */
export interface TimeGrants extends TimeGrant {
  /** Native events with other limits. */
  events?: Readonly<Record<string, TimeGrant>>;
  /** The unit of an entry's `timeout`. Defaults to seconds. */
  unit?: "ms";
  /** Values of `timeout` at or above this number are in milliseconds. */
  msFrom?: number;
  /** Another name for an entry's `timeout`. */
  alias?: string;
}
