/** The host's own JSON, as it sends it. */
export type Payload = Record<string, unknown>;

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;
