/** How long a host waits for an entry's command, in seconds. */
export interface TimeGrant {
  /** Time limit of an entry without a `timeout`. */
  default_s: number;
  /** The longest `timeout` that the host accepts; absent if there's no limit. */
  max_s?: number;
}

/** How long a host waits for an entry's command on each of its events. */
export interface TimeGrants extends TimeGrant {
  /** Limits that differ from the default, keyed by native event. */
  events?: Readonly<Record<string, TimeGrant>>;
  /** The unit of an entry's `timeout`. Defaults to seconds. */
  unit?: "ms";
  /** `timeout` values from this number up are in milliseconds. */
  msFrom?: number;
  /** Alternative name for an entry's `timeout`. */
  alias?: string;
}
