/** The host's own JSON, as sent. */
export type Payload = Record<string, unknown>;

export type Env = Readonly<Record<string, string | undefined>>;
